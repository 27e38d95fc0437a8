"""A server on loopback that speaks the APIs of OpenAI and Anthropic, and fails on demand.

    with Loopback(lambda body: "Yes") as server:
        server.faults = sometimes(0.3, seed=0)
        load_model(f"openai:any@{server.url}")        # and anthropic:any@{server.url}

`python -m tests.loopback [SECONDS]` serves Yes to every question after so many seconds until its input ends, and prints
its address: for benchmarks, which want it in a process of its own. `tests.lessons` has answers for whole runs.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import random
import socket
import struct
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Any, NamedTuple

from tests.loopback_batches import Desk
from tests.loopback_replies import Calling, anthropic_reply, error_body, openai_reply

HUNDRED_MB = 100 * 2**20
Body = dict[str, Any]
Answer = Callable[[Body], str | Calling]
"""From the JSON of a request to the words of the reply, or to what it calls."""

Mangle = Callable[[Any], Any]
"""From the JSON of a reply to what is sent in its place: other JSON, or bytes as they are."""


class Fault(StrEnum):
    """A way to fail."""

    TOO_MANY = "429"
    TOO_MANY_WAIT = "429 with Retry-After"
    NO_CREDIT = "429 without credit"
    UNAUTHORIZED = "401"
    FORBIDDEN = "403"
    NOT_FOUND = "404"
    MALFORMED = "400"
    TIMEOUT = "408"
    BROKEN = "500"
    UNAVAILABLE = "503"
    OVERLOADED = "529"
    RESET = "the connection is reset"
    SLOW = "the answer takes its time"
    CUT = "the JSON breaks off"
    HALF = "the connection closes in the middle of the answer"
    EMPTY = "status 200 and no body"
    NO_REPLY = "status 200 and no reply in the body"
    REDIRECT = "307"
    LARGE = "a reply of 100 MB"
    ENDLESS = "a reply that never ends"
    BOMB = "a small reply that unpacks to 64 MB"
    ZIPPED = "a reply that is packed"


PASSING = (
    Fault.TOO_MANY,
    Fault.TOO_MANY_WAIT,
    Fault.BROKEN,
    Fault.UNAVAILABLE,
    Fault.RESET,
    Fault.SLOW,
    Fault.CUT,
    Fault.EMPTY,
)
"""The faults that trying again gets over."""

Faults = Callable[[int], Fault | None]
"""From the number of a request, counted from 0, to what goes wrong with it."""


def sometimes(share: float, seed: int = 0, of: Iterable[Fault] = PASSING) -> Faults:
    """Faults at random, for this share of the requests."""
    dice, kinds = random.Random(seed), tuple(of)
    return lambda number: dice.choice(kinds) if dice.random() < share else None


def in_turn(*schedule: Fault | None) -> Faults:
    """One fault after the other, counted from when this is called; none after the last."""
    left = iter(schedule)
    return lambda number: next(left, None)


def always(fault: Fault) -> Faults:
    """The same fault every time."""
    return lambda number: fault


class Seen(NamedTuple):
    """A request as it came in."""

    path: str
    headers: dict[str, str]
    content: bytes
    method: str = "POST"

    @property
    def body(self) -> Body:
        """The request's JSON."""
        found: Body = json.loads(self.content)
        return found


class Loopback:
    """The server, in a thread of its own. All that is public may be changed while it runs."""

    def __init__(self, answer: Answer = lambda body: "Yes", *, kept: int = 1000) -> None:
        self.answer = answer
        self.faults: Faults = lambda number: None
        self.mangle: Mangle | None = None
        self.refuses: set[str] = set()
        self.key: str | None = None
        self.latency = 0.0
        self.slowness = 0.3
        self.retry_after = "0.05"
        self.location = ""
        self.confidence = 0.9
        self.count = 0
        self.failed: dict[Fault, int] = {}
        self.seen: deque[Seen] = deque(maxlen=kept)
        self.kept_prefixes: set[str] = set()
        self.desk = Desk(self._reply)
        self.port = 0
        self.connections: set[Connection] = set()
        self._loop = asyncio.new_event_loop()
        self._server: asyncio.Server | None = None
        self._thread: threading.Thread | None = None

    @property
    def root(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        """Its address with the version, as most servers have it."""
        return f"{self.root}/v1"

    def __enter__(self) -> Loopback:
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()
        self._loop.call_soon_threadsafe(self._loop.stop)
        assert self._thread
        self._thread.join()
        self._loop.close()

    def start(self) -> None:
        """Listen, on the same port as before."""
        asyncio.run_coroutine_threadsafe(self._start(), self._loop).result(5)

    def stop(self) -> None:
        """Go away: nobody listens any more, and open connections are dropped."""
        asyncio.run_coroutine_threadsafe(self._stop(), self._loop).result(5)

    async def _start(self) -> None:
        self._server = await self._loop.create_server(lambda: Connection(self), "127.0.0.1", self.port, backlog=512)
        self.port = self._server.sockets[0].getsockname()[1]

    async def _stop(self) -> None:
        if self._server is not None:
            self._server.close()
        for connection in list(self.connections):
            connection.transport.abort()
        await asyncio.sleep(0)
        self._server = None

    def respond(self, seen: Seen, fault: Fault | None) -> tuple[int, bytes]:
        """Status and body."""
        anthropic = "/messages" in seen.path
        token = seen.headers.get("authorization", "").removeprefix("Bearer ") or seen.headers.get("x-api-key", "")
        if fault is Fault.NO_REPLY:
            return 200, b'{"id":"none","choices":[]}'
        if fault is not None and fault.value[:3].isdecimal():
            return int(fault.value[:3]), error_body(fault.value, f"{fault.name}, and the key was {token}", anthropic)
        if self.key is not None and token != self.key:
            return 401, error_body("401", f"Incorrect API key provided: {token}", anthropic)
        in_batch = self.desk.respond(seen.method, seen.path, seen.content)
        if in_batch is not None:
            return in_batch
        if not seen.path.endswith(("/v1/chat/completions", "/v1/messages")):
            return 404, error_body("404", f"no such path: {seen.path}", anthropic)
        return self._reply(seen.body, anthropic)

    def _reply(self, body: Body, anthropic: bool) -> tuple[int, bytes]:
        for name in sorted(self.refuses & set(body)):
            said = f"Unsupported parameter: '{name}' is not supported with this model."
            return 400, error_body("400", said, anthropic, param=name)
        try:
            text = self.answer(body)
        except LookupError as missing:
            return 422, error_body("422", f"nobody taught me an answer to this: {str(missing)[:2000]}", anthropic)
        make = anthropic_reply if anthropic else openai_reply
        reply = make(body, text, self.confidence, self.kept_prefixes)
        if self.mangle is None:
            return 200, reply
        mangled = self.mangle(json.loads(reply))
        return 200, mangled if isinstance(mangled, bytes) else json.dumps(mangled).encode()


class Connection(asyncio.Protocol):
    """One connection, kept open: requests in, answers out, in order."""

    transport: asyncio.Transport

    def __init__(self, server: Loopback) -> None:
        self._server = server
        self._buffer = bytearray()
        self._wanted = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self._server.connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._server.connections.discard(self)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if len(self._buffer) < self._wanted:
            return
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            return
        first, *lines = self._buffer[:end].decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        self._wanted = end + 4 + int(headers.get("content-length", 0))
        if len(self._buffer) >= self._wanted:
            content = bytes(self._buffer[end + 4 : self._wanted])
            del self._buffer[: self._wanted]
            self._wanted = 0
            method, path, _ = first.split(" ")
            self._serve(Seen(path, headers, content, method))

    def _serve(self, seen: Seen) -> None:
        server = self._server
        fault = server.faults(server.count)
        server.count += 1
        server.seen.append(seen)
        if fault is not None:
            server.failed[fault] = server.failed.get(fault, 0) + 1
        if fault is Fault.RESET:
            raw = self.transport.get_extra_info("socket")
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.transport.abort()
            return
        delay = server.latency + (server.slowness if fault is Fault.SLOW else 0.0)
        if delay:
            asyncio.get_running_loop().call_later(delay, self._write, seen, fault)
        else:
            self._write(seen, fault)

    def _write(self, seen: Seen, fault: Fault | None) -> None:
        if self.transport.is_closing():
            return
        status, body = self._server.respond(seen, None if fault is Fault.SLOW else fault)
        if not status:
            self.transport.abort()
            return
        length = len(body)
        if fault is Fault.EMPTY:
            body, length = b"", 0
        elif fault is Fault.CUT:
            body, length = body[: length // 2], length // 2
        elif fault is Fault.HALF:
            body = body[: length // 2]
        elif fault in (Fault.BOMB, Fault.ZIPPED):
            body = gzip.compress(b" " * 2**26 if fault is Fault.BOMB else body)
            length = len(body)
        more = {
            Fault.TOO_MANY_WAIT: f"retry-after: {self._server.retry_after}\r\n",
            Fault.REDIRECT: f"location: {self._server.location}\r\n",
            Fault.BOMB: "content-encoding: gzip\r\n",
            Fault.ZIPPED: "content-encoding: gzip\r\n",
        }.get(fault or Fault.SLOW, "")
        head = f"HTTP/1.1 {status} OK\r\ncontent-type: application/json\r\n{more}"
        if fault in (Fault.LARGE, Fault.ENDLESS):
            length = HUNDRED_MB if fault is Fault.LARGE else 10 * HUNDRED_MB
            size = f"content-length: {length}" if fault is Fault.LARGE else "connection: close"
            self.transport.write(f"{head}{size}\r\n\r\n".encode())
            self._pour(length)
            return
        self.transport.write(f"{head}content-length: {length}\r\n\r\n".encode() + body)
        if fault is Fault.HALF:
            self.transport.close()

    def _pour(self, left: int) -> None:
        """Send so many bytes, no faster than they are taken."""
        while left > 0 and not self.transport.is_closing():
            if self.transport.get_write_buffer_size() > 2**20:
                asyncio.get_running_loop().call_later(0.002, self._pour, left)
                return
            self.transport.write(b" " * min(left, 2**16))
            left -= 2**16


if __name__ == "__main__":
    with Loopback(kept=1) as standalone:
        standalone.latency = float(sys.argv[1]) if sys.argv[1:] else 0.0
        print(standalone.url, flush=True)
        sys.stdin.read()
