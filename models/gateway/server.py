"""The gateway's door over HTTP: a small server in one event loop, because a thread for each caller would be slow.

GET  /status             what the gateway has done
POST /join               {"run": …, "model": SPEC, "caps": {…}}: what to know of a model
PUT  /pictures/<sha256>  the bytes of a picture
POST /ask                {"model": SPEC, "request": {…}}: a reply; 409 with {"missing": [sha256, …]} if it needs them

Every request carries the token. An error of the model is status 422 with its class and its message.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import re
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from http import HTTPStatus
from typing import Any

from models.gateway.core import Gateway, NotServed
from models.gateway.wire import MissingPictures, Unreadable, error_as_json, reply_as_json

LONGEST_HEAD = 32 * 2**10
LONGEST_BODY = 64 * 2**20
"""Bytes of a request. A picture is its largest part."""
SECONDS = 60.0
"""How long a client may take to send a request that it has begun."""
IDLE_SECONDS = 600.0
"""How long a connection may be idle."""
UNREAD = (HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.LENGTH_REQUIRED)
"""The body was not read, so that what follows could be taken for a request: the connection is closed."""
_PICTURE = re.compile(r"/pictures/([0-9a-f]{64})")


class Refused(Exception):
    """A request that is answered with a status and a reason."""

    def __init__(self, status: HTTPStatus, content: Mapping[str, Any]) -> None:
        super().__init__(str(content))
        self.status, self.content = status, content


class Server:
    """Serves one gateway. With an empty token anyone who can reach the address may ask."""

    def __init__(self, gateway: Gateway, token: str) -> None:
        self._gateway, self._token = gateway, token
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.StreamWriter] = set()

    async def start(self, host: str, port: int) -> tuple[str, int]:
        """Listen; the address."""
        self._server = await asyncio.start_server(self._serve, host, port, limit=LONGEST_HEAD, backlog=1024)
        address = self._server.sockets[0].getsockname()
        return str(address[0]), int(address[1])

    async def close(self) -> None:
        """Listen no longer, and close the gateway."""
        if self._server is not None:
            self._server.close()
        for writer in self._open:
            writer.transport.abort()
        await self._gateway.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        try:
            while await self._serve_one(reader, writer):
                pass
        except (OSError, EOFError, TimeoutError, asyncio.LimitOverrunError):
            pass  # the client is gone, or sends something else than HTTP
        finally:
            self._open.discard(writer)
            with suppress(OSError):
                writer.close()

    async def _serve_one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; whether the connection stays open."""
        async with asyncio.timeout(IDLE_SECONDS):
            head = await reader.readuntil(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").rstrip().split("\r\n")
        method, path, *_ = [*first.split(" "), "", ""]
        headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        status, content, more = HTTPStatus.OK, b"", True
        try:
            length = _length(headers)
            async with asyncio.timeout(SECONDS):
                body = await self._read_body(reader, length, self._knows(headers))
            content = json.dumps(await self._answer(method, path, body)).encode()
        except Refused as refusal:
            status, content = refusal.status, json.dumps(refusal.content).encode()
            more = status not in UNREAD
        kept = "keep-alive" if more else "close"
        start = f"HTTP/1.1 {status.value} {status.phrase}\r\ncontent-type: application/json\r\nconnection: {kept}\r\n"
        writer.write(f"{start}content-length: {len(content)}\r\n\r\n".encode() + content)
        await writer.drain()
        return more

    def _knows(self, headers: Mapping[str, str]) -> bool:
        """Whether the caller has the token."""
        given = headers.get("authorization", "").removeprefix("Bearer ")
        return not self._token or hmac.compare_digest(given.encode(), self._token.encode())

    async def _read_body(self, reader: asyncio.StreamReader, length: int, known: bool) -> bytes:
        """The body. That of a stranger is dropped as it comes in: closed too early, a connection loses the answer."""
        if known:
            return await reader.readexactly(length)
        while length > 0 and (part := await reader.read(min(length, 2**16))):
            length -= len(part)
        raise Refused(HTTPStatus.UNAUTHORIZED, {"error": "ValueError", "message": "the token is another one"})

    async def _answer(self, method: str, path: str, body: bytes) -> Any:
        routes: dict[tuple[str, str], Callable[[Any], Awaitable[Any]]] = {
            ("POST", "/ask"): self._ask,
            ("POST", "/join"): self._join,
        }
        picture = _PICTURE.fullmatch(path)
        try:
            if (method, path) in routes:
                return await routes[method, path](json.loads(body))
            if method == "PUT" and picture:
                return self._gateway.keep(picture[1], body)
            if (method, path) == ("GET", "/status"):
                return self._gateway.status()
        except MissingPictures as missing:
            raise Refused(HTTPStatus.CONFLICT, {"missing": missing.hashes}) from None
        except (NotServed, Unreadable, ValueError, TypeError, KeyError) as error:
            reason = f"no {error}" if isinstance(error, KeyError) else str(error)
            raise Refused(HTTPStatus.BAD_REQUEST, {"error": "ValueError", "message": reason}) from None
        except Exception as error:
            raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, error_as_json(error)) from None
        raise Refused(HTTPStatus.NOT_FOUND, {"error": "ValueError", "message": f"no {method} {path} here"})

    async def _ask(self, content: Any) -> Any:
        return reply_as_json(await self._gateway.ask(str(content["model"]), content["request"]))

    async def _join(self, content: Any) -> Any:
        return await self._gateway.join(str(content["run"]), content["caps"], str(content["model"]))


def _length(headers: Mapping[str, str]) -> int:
    """How long the body is."""
    text = headers.get("content-length", "0")
    if "transfer-encoding" in headers or not text.isdecimal():
        message = {"error": "ValueError", "message": "the request needs a content-length"}
        raise Refused(HTTPStatus.LENGTH_REQUIRED, message)
    if int(text) > LONGEST_BODY:
        message = {"error": "ValueError", "message": f"a request has at most {LONGEST_BODY // 2**20} MB"}
        raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, message)
    return int(text)
