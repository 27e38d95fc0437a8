"""What the providers over HTTP share: a line to a server, pictures as text, and what to make of an answer.

An official client does the talking, one attempt at a time. Whatever comes of it is a JSON object, `Transient` or
`ModelRefused`; the client's own errors, which carry the headers and so the key, go no further than this file.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import re
import ssl
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cache
from types import ModuleType
from typing import Any

from models._spec import Address
from models.base import ModelRefused, ModelUnavailable, Picture, Transient

SECONDS = 120.0
"""How long one attempt may take unless `timeout=` says otherwise."""
_CONNECT_SECONDS = 10.0
_PICTURES_KEPT = 64
_SPEAKS_OF_KEYS = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL", re.IGNORECASE)
_LOOKS_LIKE_A_KEY = re.compile(r"\b(?:sk|pk|key)-[\w*-]{6,}|(?i:\b(?:bearer|basic)\s+)[\w.~+/=*-]{6,}")
_NOT_TAKEN = re.compile(
    r"unsupported|not support|not allowed|not permitted|unrecogni[sz]ed|unknown|unexpected|deprecated|extra|"
    r"only the default|may only be|must be 1|not available|not implemented",
    re.IGNORECASE,
)


def scrubbed(text: str, secrets: Iterable[str] = ()) -> str:
    """The text on one line without anything that is, or looks like, a key."""
    ambient = (value for name, value in os.environ.items() if _SPEAKS_OF_KEYS.search(name))
    for secret in sorted((*secrets, *ambient), key=len, reverse=True):
        if len(secret.strip()) >= 6:
            text = text.replace(secret.strip(), "[key]")
    return " ".join(_LOOKS_LIKE_A_KEY.sub("[key]", text).split())


class Snippets:
    """Pictures as the JSON a provider wants, each encoded once: all questions about a picture share its bytes."""

    def __init__(self, before: str, after: str) -> None:
        self._before, self._after = before.encode(), after.encode()
        self._kept: OrderedDict[str, bytes] = OrderedDict()

    def of(self, picture: Picture) -> bytes:
        """The JSON of a picture."""
        sha256 = picture.sha256
        found = self._kept.get(sha256)
        if found is None:
            found = self._kept[sha256] = self._before + base64.b64encode(picture.png()) + self._after
            if len(self._kept) > _PICTURES_KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(sha256)
        return found


def dumped(value: object) -> bytes:
    """JSON without spaces. Halves of characters, which UTF-8 cannot carry, go out as escapes."""
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":")).encode()


class Rejected(ModelRefused):
    """The server read the request and does not take it as it is."""

    def __init__(self, message: str, body: str) -> None:
        super().__init__(message)
        self._body = body

    def blames(self, parameters: Iterable[str]) -> str | None:
        """The parameter that the server does not take, if that is what it says."""
        if not _NOT_TAKEN.search(self._body):
            return None
        found = ((re.search(rf"\b{name}\b", self._body), name) for name in parameters)
        places = sorted((match.start(), name) for match, name in found if match)
        return places[0][1] if places else None


@dataclass
class Line:
    """A connection to an endpoint: the bytes of a request in, a JSON object out, or what went wrong."""

    provider: str
    model: str
    address: Address
    variable: str
    secrets: tuple[str, ...] = field(repr=False)
    sdk: Callable[[], ModuleType]
    opened: Callable[[Any], Any]
    seconds: float = SECONDS

    def __post_init__(self) -> None:
        self._client: Any = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def post(self, path: str, body: bytes) -> dict[str, Any]:
        """One attempt."""
        sdk, client = self.sdk(), self._open()
        import httpx2

        timeout = httpx2.Timeout(self.seconds, connect=min(_CONNECT_SECONDS, self.seconds))
        try:
            response = await client.post(path, cast_to=httpx2.Response, content=body, options={"timeout": timeout})
        except sdk.APIStatusError as error:
            raise self._status(error.status_code, error.response.text, error.response.headers) from None
        except sdk.APIConnectionError as error:
            raise self._unreached(error) from None
        return self._read(response.content)

    async def close(self) -> None:
        """Let go of the connections."""
        client, self._client = self._client, None
        if client is not None and self._loop is asyncio.get_running_loop():
            await client.close()

    def _open(self) -> Any:
        # Connections belong to the event loop they were made in.
        loop = asyncio.get_running_loop()
        if self._client is None or self._loop is not loop:
            connections = self.sdk().DefaultAsyncHttpxClient(verify=_trusted())
            self._client, self._loop = self.opened(connections), loop
        return self._client

    def _read(self, content: bytes) -> dict[str, Any]:
        try:
            answer = json.loads(content)
        except ValueError:
            what = "an answer that breaks off" if content.strip() else "an empty answer"
            raise Transient(f"{self.provider}: {self.address.host} gave {what}") from None
        if not isinstance(answer, dict):
            raise Transient(f"{self.provider}: {self.address.host} gave an answer that is no object")
        error = answer.get("error")
        if isinstance(error, dict):
            # Some routers report the failure of a server behind them with status 200.
            code = error.get("code")
            raise self._status(code if isinstance(code, int) else 500, content.decode(errors="replace"), {})
        return answer

    def _status(self, status: int, body: str, headers: Any) -> ModelUnavailable:
        body = scrubbed(body, self.secrets)
        said = scrubbed(_said(body), self.secrets)[:300]
        where, tail = f"{self.provider}: {self.address.host}", f": {said}" if said else ""
        if status == 429 and re.search(r"insufficient_quota|billing_hard_limit|credit balance", body):
            return ModelRefused(f"{where} says that the account has no credit left (429){tail}")
        if status in (408, 409, 425, 429) or (status >= 500 and status != 501):
            slow_down = status in (429, 529) or (status == 503 and "retry-after" in headers)
            words = "asks to slow down" if slow_down else "failed"
            return Transient(f"{where} {words} ({status}){tail}", retry_after=_wait(headers), slow_down=slow_down)
        if status == 401:
            # What the server says here may hold a part of the key.
            return ModelRefused(f"{where} refused the key (401): set {self.variable} to one that is valid there")
        if status == 404:
            advice = f"check the name {self.model!r} and the address {self.address.shown}"
            return ModelRefused(f"{where} has no such model or address (404): {advice}{tail and f' ({said})'}")
        if status == 403:
            return Rejected(
                f"{where} does not let this key use {self.model!r} (403){tail}", scrubbed(body, self.secrets)
            )
        return Rejected(f"{where} refused the request ({status}){tail}", scrubbed(body, self.secrets))

    def _unreached(self, error: Exception) -> ModelUnavailable:
        import httpx2

        cause = error.__cause__ or error
        where = f"{self.provider}: {self.address.host}"
        why = scrubbed(str(cause), self.secrets)[:200]
        if "CERTIFICATE_VERIFY_FAILED" in why:
            return ModelRefused(f"{where} has a certificate that cannot be trusted: {why}")
        if isinstance(cause, httpx2.ConnectError | httpx2.ConnectTimeout):
            return Transient(f"{where} cannot be reached: {why or 'no connection in time'}", down=True)
        if isinstance(cause, httpx2.TimeoutException):
            return Transient(f"{where} gave no answer within {self.seconds:g} s")
        if isinstance(cause, httpx2.UnsupportedProtocol | httpx2.LocalProtocolError):
            return ModelRefused(f"{where} cannot be asked: {why}")
        return Transient(f"{where} dropped the connection: {why or type(cause).__name__}")


@cache
def _trusted() -> ssl.SSLContext:
    # Reading the certificates takes longer than all else about opening a line.
    import httpx2

    return httpx2.create_ssl_context()


def _said(body: str) -> str:
    """The message in the body of an error."""
    try:
        content = json.loads(body)
        for key in ("error", "detail", "message"):
            if isinstance(content, dict) and key in content:
                content = content[key]
        return content if isinstance(content, str) else json.dumps(content)
    except ValueError:
        return re.sub(r"<[^>]*>", " ", body)


def _wait(headers: Any) -> float | None:
    """How long the server says to wait, in seconds."""
    exact, rough = headers.get("retry-after-ms"), headers.get("retry-after")
    try:
        seconds = float(exact) / 1000 if exact else float(rough)
    except (TypeError, ValueError):
        try:
            seconds = (parsedate_to_datetime(rough) - datetime.now(UTC)).total_seconds()
        except (TypeError, ValueError):
            return None
    return max(0.0, seconds) if seconds < float("inf") else None
