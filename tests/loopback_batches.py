"""The batch APIs of OpenAI and Anthropic, as the loopback server speaks them.

    server.desk.fate = lambda batch, place: Fate.EXPIRED if batch == 0 and place % 3 == 0 else None
    server.desk.hold()                     # batches stay in progress …
    server.desk.release()                  # … until now

What became of every request is kept: `desk.places["custom id"]` lists the batches that it was in.
"""

from __future__ import annotations

import json
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any
from urllib.parse import parse_qs, urlsplit

Body = dict[str, Any]
Reply = Callable[[Body, bool], tuple[int, bytes]]
"""What a request gets when it is asked plainly, from its body and whether it speaks Anthropic's API."""


class Fate(StrEnum):
    """What may become of one request of a batch."""

    EXPIRED = "expired"
    ERROR = "server error"
    REFUSED = "invalid request"
    MISSING = "no line"
    MALFORMED = "a line that breaks off"
    NONSENSE = "a line with a reply that is none"
    TWICE = "two lines"


Fates = Callable[[int, int], Fate | None]
"""From the number of a batch and the place of a request in it to what goes wrong with it."""


@dataclass
class Held:
    """A batch at the server."""

    id: str
    number: int
    requests: list[tuple[str, Body]]
    created: float
    metadata: Body
    anthropic: bool
    failure: Body | None = None
    lines: list[bytes] = field(default_factory=list)


class Desk:
    """All batches and files of one server."""

    def __init__(self, reply: Reply) -> None:
        self.fate: Fates = lambda batch, place: None
        self.seconds = 0.0
        self.full_from: int | None = None
        self.lose_creations = 0
        self.broken_downloads = 0
        self.batches: list[Held] = []
        self.files: dict[str, bytes] = {}
        self.places: defaultdict[str, list[str]] = defaultdict(list)
        self.downloads = 0
        self._reply = reply
        self._held = False

    def hold(self) -> None:
        """Let no batch end."""
        self._held = True

    def release(self) -> None:
        """Let batches end."""
        self._held = False

    def respond(self, method: str, path: str, content: bytes) -> tuple[int, bytes] | None:
        """Status and body; None if this is no path of a batch API, status 0 if the answer is to be lost."""
        parts = urlsplit(path)
        words = parts.path.strip("/").split("/")
        anthropic = "messages" in words
        if words[-1] == "files" and method == "POST":
            return 200, _dumped({"id": self._upload(content), "object": "file", "purpose": "batch"})
        if words[-1] == "content":
            return self._download(self.files.get(words[-2]))
        if words[-1] == "batches":
            return self._create(content, anthropic) if method == "POST" else self._list(parts.query, anthropic)
        if "batches" not in words:
            return None
        wanted = words[words.index("batches") + 1]
        batch = next((batch for batch in self.batches if batch.id == wanted), None)
        if batch is None:
            return 404, _dumped({"error": {"message": f"no batch {wanted}", "type": "not_found_error"}})
        if words[-1] == "results":
            return self._download(b"\n".join(self._lines(batch)))
        return 200, _dumped(self._described(batch))

    def _upload(self, content: bytes) -> str:
        boundary = content.partition(b"\r\n")[0]
        parts = [part.partition(b"\r\n\r\n") for part in content.split(boundary)]
        purpose = next(body for head, _, body in parts if b'name="purpose"' in head)
        assert purpose.strip() == b"batch", purpose
        id = f"file-{len(self.files)}"
        self.files[id] = next(body for head, _, body in parts if b'name="file"' in head)[: -len(b"\r\n")]
        return id

    def _create(self, content: bytes, anthropic: bool) -> tuple[int, bytes]:
        wanted: Body = json.loads(content)
        if anthropic:
            requests = [(item["custom_id"], item["params"]) for item in wanted["requests"]]
        else:
            assert (wanted["endpoint"], wanted["completion_window"]) == ("/v1/chat/completions", "24h")
            lines = [json.loads(line) for line in self.files[wanted["input_file_id"]].splitlines()]
            requests = [(line["custom_id"], line["body"]) for line in lines]
            assert all((line["method"], line["url"]) == ("POST", wanted["endpoint"]) for line in lines)
        assert len({key for key, _ in requests}) == len(requests), "custom ids must be unique"
        assert all(0 < len(key) <= 64 for key, _ in requests)
        number = len(self.batches)
        batch = Held(f"batch_{number}", number, requests, time.time(), wanted.get("metadata") or {}, anthropic)
        if self.full_from is not None and len(requests) >= self.full_from:
            batch.failure = {"code": "token_limit_exceeded", "message": "Enqueued token limit reached"}
        else:
            for key, _ in requests:
                self.places[key].append(batch.id)
        self.batches.append(batch)
        if self.lose_creations:
            self.lose_creations -= 1
            return 0, b""
        return 200, _dumped(self._described(batch))

    def _list(self, query: str, anthropic: bool) -> tuple[int, bytes]:
        options = parse_qs(query)
        found = [batch for batch in reversed(self.batches) if batch.anthropic == anthropic]
        if "after" in options:
            ids = [batch.id for batch in found]
            found = found[ids.index(options["after"][0]) + 1 :]
        page = found[: int(options["limit"][0])]
        return 200, _dumped({"data": [self._described(batch) for batch in page], "has_more": len(page) < len(found)})

    def _ended(self, batch: Held) -> bool:
        return not self._held and time.time() >= batch.created + self.seconds

    def _fates(self, batch: Held) -> list[Fate | None]:
        return [self.fate(batch.number, place) for place in range(len(batch.requests))]

    def _described(self, batch: Held) -> Body:
        ended, fates = self._ended(batch), self._fates(batch)
        expired = sum(fate is Fate.EXPIRED for fate in fates) if ended else 0
        errors = sum(fate in (Fate.ERROR, Fate.REFUSED) for fate in fates) if ended else 0
        done = len(fates) - expired - errors if ended else 0
        if batch.anthropic:
            counts = {"processing": 0 if ended else len(fates), "succeeded": done, "errored": errors}
            return {
                "id": batch.id,
                "type": "message_batch",
                "processing_status": "ended" if ended else "in_progress",
                "request_counts": {**counts, "canceled": 0, "expired": expired},
                "created_at": datetime.fromtimestamp(batch.created, UTC).isoformat().replace("+00:00", "Z"),
                "results_url": "http://elsewhere.invalid/results" if ended else None,
            }
        described: Body = {
            "id": batch.id,
            "object": "batch",
            "created_at": int(batch.created),
            "metadata": batch.metadata,
        }
        described["request_counts"] = {"total": len(fates), "completed": done, "failed": errors}
        if batch.failure:
            return {**described, "status": "failed", "errors": {"object": "list", "data": [batch.failure]}}
        described["status"] = ("expired" if expired else "completed") if ended else "in_progress"
        if ended:
            good = [line for line in self._lines(batch) if b'"status_code": 200' in line or not line.endswith(b"}")]
            bad = [line for line in self._lines(batch) if line not in good]
            for name, lines in (("output_file_id", good), ("error_file_id", bad)):
                if lines:
                    described[name] = f"{batch.id}-{name}"
                    self.files[described[name]] = b"\n".join(lines)
        return described

    def _download(self, content: bytes | None) -> tuple[int, bytes]:
        if content is None:
            return 404, _dumped({"error": {"message": "no such file"}})
        self.downloads += 1
        if self.broken_downloads:
            self.broken_downloads -= 1
            return 200, content[: len(content) - 20]
        return 200, content

    def _lines(self, batch: Held) -> list[bytes]:
        """The results, in another order than the requests."""
        if not batch.lines:
            for (key, body), fate in zip(batch.requests, self._fates(batch), strict=True):
                batch.lines += self._line(batch, key, body, fate)
            batch.lines.reverse()
        return batch.lines

    def _line(self, batch: Held, key: str, body: Body, fate: Fate | None) -> list[bytes]:
        if fate is Fate.MISSING:
            return []
        status, reply = self._reply(body, batch.anthropic)
        content = json.loads(reply)
        if fate is Fate.REFUSED:
            status, content = 400, {"error": {"type": "invalid_request_error", "message": "this picture is no picture"}}
        elif fate is Fate.ERROR:
            status, content = 500, {"error": {"type": "api_error", "message": "it broke"}}
        elif fate is Fate.NONSENSE:
            content = {"choices": [], "content": 7}
        line = (_anthropic_line if batch.anthropic else _openai_line)(key, status, content, fate is Fate.EXPIRED)
        if fate is Fate.MALFORMED:
            return [line[: len(line) // 2]]
        return [line] * (2 if fate is Fate.TWICE else 1)


def _anthropic_line(key: str, status: int, content: Body, expired: bool) -> bytes:
    if expired:
        return _dumped({"custom_id": key, "result": {"type": "expired"}})
    if status == 200:
        return _dumped({"custom_id": key, "result": {"type": "succeeded", "message": content}})
    error = {"type": "error", "error": {"type": "invalid_request_error", **content.get("error", {})}}
    return _dumped({"custom_id": key, "result": {"type": "errored", "error": error}})


def _openai_line(key: str, status: int, content: Body, expired: bool) -> bytes:
    if expired:
        error = {"code": "batch_expired", "message": "This request could not be executed before the batch expired."}
        return _dumped({"id": "batch_req", "custom_id": key, "response": None, "error": error})
    response = {"status_code": status, "request_id": "req", "body": content}
    return _dumped({"id": "batch_req", "custom_id": key, "response": response, "error": None})


def _dumped(value: Any) -> bytes:
    return json.dumps(value).encode()
