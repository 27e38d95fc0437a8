"""Anthropic's message batches: requests go in with the call, replies come as one file.

These batches carry no name. One that may have been sent before the process ended is looked for by its time and its
number of requests; whether it is ours shows when its results are read, because they name the requests.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from models._anthropic_messages import read_reply
from models._batch_api import LARGEST_RESULTS, Batch, Line, State, read_id, read_lines, unanswered
from models._replies import Malformed, read_list, read_object, read_text, read_tokens
from models._secrets import masked
from models._snippets import dumped
from models._wire import Connection, Rejected
from models.base import Reply, Request
from models.turns import Turn

PATH = "/v1/messages/batches"
SECONDS = 600.0
"""How long a batch may take to go up, or its results to come down."""
CLOCKS_DIFFER = 600.0
"""Seconds by which the provider's clock may be behind ours."""
_COUNTS = ("processing", "succeeded", "errored", "canceled", "expired")
_STATUS = {
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
}
"""The status that an error has when it is not in a batch; 400 for all others."""


class AnthropicBatches:
    """Batches of messages. `body` writes a request, `adapt` learns from one that was refused."""

    most_requests = 100_000
    most_bytes = 100 * 2**20  # they take 256 MB; ours are smaller, because they are held in memory

    def __init__(
        self, connection: Connection, body: Callable[[Request], bytes], adapt: Callable[[Request, Rejected], bool]
    ) -> None:
        self._connection = replace(connection, seconds=SECONDS, largest=LARGEST_RESULTS)
        self._body, self._adapt = body, adapt

    def line(self, key: str, request: Request) -> bytes:
        """One request of a batch, as JSON."""
        return b'{"custom_id":%b,"params":%b}' % (dumped(key), self._body(request))

    async def create(self, name: str, lines: Sequence[bytes]) -> str:
        """Send a batch; the provider's id for it."""
        content = await self._connection.exchange("post", PATH, b'{"requests":[%b]}' % b",".join(lines))
        return self._connection.checked(lambda: read_id(self._object(content).get("id"), "id"))

    async def find(self, batch: Batch, taken: Iterable[str]) -> str | None:
        """The first batch since ours was recorded with as many requests that is not known as another one."""
        content = await self._connection.exchange("get", f"{PATH}?limit=1000")
        known = {*taken, *batch.others}
        candidates = self._connection.checked(lambda: _candidates(self._object(content)))
        fitting = [
            (created, id)
            for id, created, count in candidates
            if id not in known and count == len(batch.keys) and created >= batch.created - CLOCKS_DIFFER
        ]
        return min(fitting)[1] if fitting else None

    async def state(self, remote: str) -> State:
        """How far a batch is."""
        content = await self._connection.exchange("get", f"{PATH}/{remote}")
        return self._connection.checked(lambda: _state(self._object(content)))

    async def lines(self, remote: str, state: State) -> tuple[list[Line], int]:
        """The lines of a batch that has ended, and how many of them could not be read."""
        content = await self._connection.exchange("get", f"{PATH}/{remote}/results")
        return read_lines(content, self._line)

    def read(self, request: Request, answer: str) -> Reply:
        """The reply in an answer."""
        content = answer.encode()
        as_turn = isinstance(request, Turn)
        return self._connection.checked(lambda: read_reply(self._object(content), as_turn=as_turn))

    def adapts(self, request: Request, rejected: Rejected) -> bool:
        """Whether the request will be sent differently from now on."""
        return self._adapt(request, rejected)

    async def close(self) -> None:
        """Let go of connections."""
        await self._connection.close()

    def _object(self, content: bytes) -> dict[str, Any]:
        return self._connection.read_object(content)

    def _line(self, line: dict[str, Any]) -> Line:
        key = read_text(line.get("custom_id"), "custom_id")
        result = read_object(line.get("result"), "result")
        kind = read_text(result.get("type"), "result.type")
        if kind == "succeeded":
            message = read_object(result.get("message"), "message")
            return Line(key, answer=json.dumps(masked(message, self._connection.secrets)))
        if kind != "errored":
            return Line(key, problem=unanswered(kind or "no reason given"))
        answer = read_object(result.get("error") or {}, "error")
        error = read_object(answer.get("error") or answer, "error.error")
        status = _STATUS.get(read_text(error.get("type"), "error.type"), 400)
        return Line(key, problem=self._connection.status_error(status, json.dumps({"error": error}), {}))


def _state(batch: dict[str, Any]) -> State:
    counts = _counts(batch)
    return State(batch.get("processing_status") == "ended", sum(counts.values()) - counts["processing"])


def _counts(batch: dict[str, Any]) -> dict[str, int]:
    counts = read_object(batch.get("request_counts") or {}, "request_counts")
    return {name: read_tokens(counts.get(name), f"request_counts.{name}") for name in _COUNTS}


def _candidates(content: dict[str, Any]) -> list[tuple[str, float, int]]:
    """Id, time and number of requests of each batch in a list."""
    found: list[tuple[str, float, int]] = []
    for item in read_list(content.get("data"), "data"):
        batch = read_object(item, "data")
        try:
            created = datetime.fromisoformat(read_text(batch.get("created_at"), "created_at")).timestamp()
        except ValueError:
            raise Malformed("created_at is no time") from None
        found.append((read_id(batch.get("id"), "id"), created, sum(_counts(batch).values())))
    return found
