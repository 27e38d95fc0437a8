"""The batch API of OpenAI: a file of requests goes up, and files of replies and of errors come down."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from models._batch_api import LARGEST_RESULTS, Batch, Line, NoRoom, State, read_id, read_lines, unanswered
from models._openai_messages import read_reply
from models._replies import read_list, read_object, read_text, read_tokens
from models._secrets import masked
from models._snippets import dumped
from models._wire import Connection, Rejected
from models.base import Reply, Request, RunMustStop
from models.turns import Turn

SECONDS = 600.0
"""How long a file may take to go up or come down."""
ENDPOINT = "/v1/chat/completions"
_ENDED = ("completed", "expired", "cancelled", "failed")
_PAGES = 20
"""How many pages of batches are looked through for one that may have been sent."""


class OpenAIBatches:
    """Batches of chat completions. `body` writes a request, `adapt` learns from one that was refused."""

    most_requests = 50_000
    most_bytes = 100 * 2**20  # they take 200 MB; ours are smaller, because they are held in memory

    def __init__(
        self, connection: Connection, body: Callable[[Request], bytes], adapt: Callable[[Request, Rejected], bool]
    ) -> None:
        self._connection = replace(connection, seconds=SECONDS, largest=LARGEST_RESULTS)
        self._body, self._adapt = body, adapt

    def line(self, key: str, request: Request) -> bytes:
        """One request of a batch, as JSON."""
        head = b'{"custom_id":%b,"method":"POST","url":"%b","body":%b}'
        return head % (dumped(key), ENDPOINT.encode(), self._body(request))

    async def create(self, name: str, lines: Sequence[bytes]) -> str:
        """Send a batch; the provider's id for it."""
        file_of_lines = (f"{name}.jsonl", b"\n".join(lines))
        uploaded = await self._connection.exchange("post", "/files", upload=file_of_lines)
        file = self._connection.checked(lambda: read_id(self._object(uploaded).get("id"), "file.id"))
        wanted = {
            "input_file_id": file,
            "endpoint": ENDPOINT,
            "completion_window": "24h",
            "metadata": {"plumbline": name},
        }
        made = await self._connection.exchange("post", "/batches", dumped(wanted))
        return self._connection.checked(lambda: read_id(self._object(made).get("id"), "batch.id"))

    async def find(self, batch: Batch, taken: Iterable[str]) -> str | None:
        """The batch with our name in its metadata."""
        after = ""
        for _ in range(_PAGES):
            content = await self._connection.exchange("get", f"/batches?limit=100{after}")
            page, more = self._connection.checked(lambda content=content: _page(self._object(content)))  # type: ignore[misc]
            for id, name, created in page:
                if name == batch.name:
                    return id
                if created < batch.created - 24 * 3600:
                    return None
            if not more or not page:
                return None
            after = f"&after={page[-1][0]}"
        return None

    async def state(self, remote: str) -> State:
        """How far a batch is."""
        content = await self._connection.exchange("get", f"/batches/{remote}")
        return self._connection.checked(lambda: self._state(self._object(content)))

    async def lines(self, remote: str, state: State) -> tuple[list[Line], int]:
        """The lines of a batch that has ended, and how many of them could not be read."""
        found: list[Line] = []
        broken = 0
        for file in state.files:
            content = await self._connection.exchange("get", f"/files/{file}/content")
            lines, unreadable = read_lines(content, self._line)
            found += lines
            broken += unreadable
        return found, broken

    def read(self, request: Request, answer: str) -> Reply:
        """The reply in an answer."""
        content = answer.encode()
        as_turn = isinstance(request, Turn)
        return self._connection.checked(lambda: read_reply(self._connection.read_object(content), as_turn=as_turn))

    def adapts(self, request: Request, rejected: Rejected) -> bool:
        """Whether the request will be sent differently from now on."""
        return self._adapt(request, rejected)

    async def close(self) -> None:
        """Let go of connections."""
        await self._connection.close()

    def _object(self, content: bytes) -> dict[str, Any]:
        return self._connection.read_object(content)

    def _state(self, batch: dict[str, Any]) -> State:
        status = read_text(batch.get("status"), "status")
        counts = read_object(batch.get("request_counts") or {}, "request_counts")
        answered = sum(read_tokens(counts.get(name), f"request_counts.{name}") for name in ("completed", "failed"))
        names = ("output_file_id", "error_file_id")
        files = tuple(read_id(batch[name], name) for name in names if batch.get(name))
        failure = self._failure(batch) if status == "failed" else None
        return State(status in _ENDED, answered, files, failure)

    def _failure(self, batch: dict[str, Any]) -> Exception:
        errors = read_list(read_object(batch.get("errors") or {}, "errors").get("data"), "errors.data")
        first = read_object(errors[0], "errors.data[0]") if errors else {}
        code, message = read_text(first.get("code"), "code"), read_text(first.get("message"), "message")[:300]
        where = f"openai: {self._connection.address.host}"
        if "limit" in code:
            return NoRoom(f"{where} has no room for this batch ({code}): {message}")
        return RunMustStop(f"{where} refused the batch ({code or 'no reason given'}): {message}")

    def _line(self, line: dict[str, Any]) -> Line:
        key = read_text(line.get("custom_id"), "custom_id")
        response = line.get("response")
        if response is None:
            error = read_object(line.get("error") or {}, "error")
            return Line(key, problem=unanswered(read_text(error.get("code"), "error.code") or "no reason given"))
        status = read_tokens(read_object(response, "response").get("status_code"), "status_code")
        body = json.dumps(masked(response.get("body"), self._connection.secrets))
        if status == 200:
            return Line(key, answer=body)
        return Line(key, problem=self._connection.status_error(status, body, {}))


def _page(content: dict[str, Any]) -> tuple[list[tuple[str, str, float]], bool]:
    """Ids, our names and times of the batches on a page, and whether there is another page."""
    found: list[tuple[str, str, float]] = []
    for item in read_list(content.get("data"), "data"):
        batch = read_object(item, "data")
        metadata = read_object(batch.get("metadata") or {}, "metadata")
        name = metadata.get("plumbline")
        created = _time(batch.get("created_at"))
        found.append((read_id(batch.get("id"), "id"), name if isinstance(name, str) else "", created))
    return found, content.get("has_more") is True


def _time(value: Any) -> float:
    """A time in seconds; now and later if it is none, so that no batch is taken for an old one."""
    return float(value) if isinstance(value, int | float) else float("inf")
