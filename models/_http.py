"""An HTTP client for one address: it follows no redirects, sends no foreign credentials and limits replies.

Imported only where a server is asked: importing httpx takes longer than the rest of the program.
"""

from __future__ import annotations

import os
import ssl
from collections.abc import AsyncIterator
from functools import cache
from types import ModuleType
from typing import Any

import httpx2

from models._keys import Key
from models._spec import Address

LARGEST_REPLY = 8 * 2**20
"""Bytes of a reply, both compressed and decompressed. Real replies are a thousand times smaller."""
_KEYS = ("authorization", "x-api-key")
_ACCOUNTS = ("openai-organization", "openai-project")


class Redirected(httpx2.RequestError):
    """The server redirects to another one."""


class TooLarge(httpx2.RequestError):
    """The reply is larger than the limit."""


def client(sdk: ModuleType, provider: str, address: Address, key: Key, largest: int | None = None) -> Any:
    """A client for one address, made by a provider's package, with that package's settings.

    Replies may have at most `largest` bytes.
    """
    most = largest or LARGEST_REPLY

    async def prepare(request: httpx2.Request) -> None:
        if _origin(request.url) != _origin(httpx2.URL(address.bare)):
            raise Redirected(f"{request.url.scheme}://{request.url.netloc.decode()}", request=request)
        if not key.home:
            _leave_out(request, provider)
            if address.authorization or key.value:
                request.headers["authorization"] = address.authorization or f"Bearer {key.value}"

    async def limit(response: httpx2.Response) -> None:
        _limit(response, most)

    hooks = {"request": [prepare], "response": [limit]}
    return sdk.DefaultAsyncHttpxClient(verify=_trusted(), event_hooks=hooks)


def _origin(url: httpx2.URL) -> tuple[str, str, int | None]:
    port = url.port or {"http": 80, "https": 443}.get(url.scheme)
    return url.scheme, url.host, port


def _leave_out(request: httpx2.Request, provider: str) -> None:
    """Remove headers meant for the provider only; the client adds them from the environment for any address."""
    own = os.environ.get(f"{provider.upper()}_CUSTOM_HEADERS", "").splitlines()
    for name in (*_KEYS, *_ACCOUNTS, *(line.partition(":")[0].strip() for line in own)):
        if name and name in request.headers:
            del request.headers[name]


def _limit(response: httpx2.Response, most: int) -> None:
    """Limit the size of the response, both compressed and decompressed, while it is read."""
    packed = httpx2.Response(
        response.status_code, headers=response.headers, stream=_Limited(response.stream, most), request=response.request
    )
    response.headers.pop("content-encoding", None)
    response.stream = _Limited(packed, most)


class _Limited(httpx2.AsyncByteStream):
    """The bytes of a stream, or of a decompressed response, up to the limit."""

    def __init__(self, source: Any, most: int) -> None:
        self._source, self._most = source, most

    async def __aiter__(self) -> AsyncIterator[bytes]:
        total = 0
        unpacking = isinstance(self._source, httpx2.Response)
        async for part in self._source.aiter_bytes() if unpacking else self._source:
            total += len(part)
            if total > self._most:
                raise TooLarge(f"more than {self._most // 2**20} MB")
            yield part

    async def aclose(self) -> None:
        await self._source.aclose()


@cache
def _trusted() -> ssl.SSLContext:
    # Reading the certificates is the slowest part of opening a connection, so it is done once.
    return httpx2.create_ssl_context()
