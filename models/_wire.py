"""Shared by the providers over HTTP: a connection to a server, and the interpretation of its responses.

Requests are sent by the provider's official client, one attempt at a time. The result is a JSON object, `Transient` or
`ModelRefused`. The client's own errors hold the headers, and therefore the key, so they never leave this file.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from types import ModuleType
from typing import Any, TypeVar

from models._keys import Key
from models._replies import Malformed
from models._secrets import masked, scrubbed
from models._spec import Address
from models.base import ModelRefused, ModelUnavailable, Reply, Transient

T = TypeVar("T")

SECONDS = 120.0
"""The default time limit of one attempt (`timeout=`)."""
LONGEST_ERROR = 50_000
"""Characters of an error message that are read."""
CONNECT_SECONDS = 10.0
"""The time limit for opening a connection."""
_UNSUPPORTED = re.compile(
    r"unsupported|not support|not allowed|not permitted|unrecogni[sz]ed|unknown|unexpected|deprecated|extra|"
    r"only the default|may only be|must be 1|not available|not implemented",
    re.IGNORECASE,
)
_ABOUT_TOOLS = re.compile(r"\btools?\b|tool[-_ ](?:choice|use|call)|function[-_ ]call", re.IGNORECASE)


class Rejected(ModelRefused):
    """The server rejected the request, perhaps because of a parameter."""

    def __init__(self, message: str, body: str, status: int = 400) -> None:
        super().__init__(message)
        self.status = status
        self._body = body

    def blames(self, parameters: Iterable[str]) -> str | None:
        """The parameter that the server names as unsupported, if any."""
        if not _UNSUPPORTED.search(self._body):
            return None
        found = ((re.search(rf"\b{name}\b", self._body), name) for name in parameters)
        places = sorted((match.start(), name) for match, name in found if match)
        return places[0][1] if places else None

    def explain_tools(self) -> ModelRefused:
        """The error to raise if tools were sent, with an explanation if the server's message is about tools."""
        if not _ABOUT_TOOLS.search(self._body):
            return self
        return ModelRefused(
            f"{self}; the request contained tools, which this model or server does not support: use one that can call "
            "tools (vLLM calls them if started with --enable-auto-tool-choice and a --tool-call-parser)"
        )


@dataclass
class Connection:
    """A connection to an endpoint: takes the bytes of a request, returns a JSON object or raises."""

    provider: str
    model: str
    address: Address
    key: Key
    sdk: Callable[[], ModuleType]
    make_client: Callable[[Any], Any]
    seconds: float = SECONDS
    connect_seconds: float = CONNECT_SECONDS
    largest: int | None = None

    def __post_init__(self) -> None:
        self.secrets = (self.key.value, *self.address.secrets)
        self._client: Any = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def post(self, path: str, body: bytes, read: Callable[[dict[str, Any]], Reply]) -> Reply:
        """One attempt: a reply, or an error of the endpoint."""
        content = await self.exchange("post", path, body)
        return self.checked(lambda: read(self.read_object(content)))

    async def exchange(
        self, method: str, path: str, body: bytes | None = None, *, upload: tuple[str, bytes] | None = None
    ) -> bytes:
        """One attempt: the content of the response. `upload` is a file of requests to send, with its name."""
        sdk, client = self.sdk(), self.open()
        import httpx2

        options: dict[str, Any] = {"timeout": httpx2.Timeout(self.seconds, connect=self._connect_within())}
        more: dict[str, Any] = {} if body is None else {"content": body}
        if upload is not None:
            options["headers"] = {"Content-Type": "multipart/form-data"}
            more = {"body": {"purpose": "batch"}, "files": [("file", (*upload, "application/jsonl"))]}
        try:
            response = await getattr(client, method)(path, cast_to=httpx2.Response, options=options, **more)
        except sdk.APIStatusError as error:
            raise self.status_error(error.status_code, error.response.text, error.response.headers) from None
        except sdk.APIConnectionError as error:
            raise self._connection_error(error) from None
        return bytes(response.content)

    def checked(self, read: Callable[[], T]) -> T:
        """What `read` makes of an answer; `Transient` if the answer breaks the rules of the API."""
        try:
            return read()
        except (Malformed, RecursionError) as fault:
            what = "it is nested too deeply" if isinstance(fault, RecursionError) else fault
            raise Transient(f"{self.provider}: {self.address.host} gave a malformed reply: {what}") from None

    async def close(self) -> None:
        """Close the connections."""
        client, self._client = self._client, None
        if client is not None and self._loop is asyncio.get_running_loop():
            await client.close()

    def open(self) -> Any:
        """The client, in this event loop."""
        # A connection can be used only in the event loop that opened it.
        loop = asyncio.get_running_loop()
        if self._client is None or self._loop is not loop:
            from models._http import client

            connections = client(self.sdk(), self.provider, self.address, self.key, self.largest)
            self._client, self._loop = self.make_client(connections), loop
        return self._client

    def _connect_within(self) -> float:
        return min(self.connect_seconds, self.seconds)

    def read_object(self, content: bytes) -> dict[str, Any]:
        """The JSON object in an answer, with keys masked; the error that some servers send in its place is raised."""
        try:
            answer = json.loads(content)
        except ValueError:
            what = "an answer that breaks off" if content.strip() else "an empty answer"
            raise Transient(f"{self.provider}: {self.address.host} gave {what}") from None
        if not isinstance(answer, dict):
            raise Transient(f"{self.provider}: {self.address.host} gave an answer that is no object")
        answer = dict(masked(answer, self.secrets))
        error = answer.get("error")
        if isinstance(error, dict):
            # Some routers report the failure of a server behind them with status 200.
            code = error.get("code")
            raise self.status_error(code if isinstance(code, int) else 500, content.decode(errors="replace"), {})
        return answer

    def status_error(self, status: int, body: str, headers: Any) -> ModelUnavailable:
        """What an answer with this status means."""
        body = scrubbed(body[:LONGEST_ERROR], self.secrets)
        reason = scrubbed(_error_message(body), self.secrets)[:300]
        where, tail = f"{self.provider}: {self.address.host}", f": {reason}" if reason else ""
        if status == 429 and re.search(r"insufficient_quota|billing_hard_limit|credit balance", body):
            return ModelRefused(f"{where} says that the account has no credit left (429){tail}")
        if status in (408, 409, 425, 429) or (status >= 500 and status != 501):
            slow_down = status in (429, 529) or (status == 503 and "retry-after" in headers)
            words = "asks to slow down" if slow_down else "failed"
            return Transient(
                f"{where} {words} ({status}){tail}", retry_after=_retry_after(headers), slow_down=slow_down
            )
        if status == 401:
            # The server's message may contain a part of the key.
            return ModelRefused(f"{where} {self.key.refused(self.provider)}")
        if status == 404:
            advice = f"check the name {self.model!r} and the address {self.address.shown}"
            return Rejected(f"{where} has no such model or address (404): {advice}{tail and f' ({reason})'}", body, 404)
        if status == 403:
            return Rejected(f"{where} does not let this key use {self.model!r} (403){tail}", body, 403)
        return Rejected(f"{where} refused the request ({status}){tail}", body, status)

    def _connection_error(self, error: Exception) -> ModelUnavailable:
        import httpx2

        from models._http import Redirected, TooLarge

        cause = error.__cause__ or error
        where = f"{self.provider}: {self.address.host}"
        why = scrubbed(str(cause), self.secrets)[:200]
        if isinstance(cause, Redirected):
            return ModelRefused(f"{where} redirects to {why}, which is not followed: name that with @URL")
        if isinstance(cause, TooLarge):
            return Transient(f"{where} gave a reply that is too large: {why}")
        if "CERTIFICATE_VERIFY_FAILED" in why:
            return ModelRefused(f"{where} has a certificate that cannot be trusted: {why}")
        if isinstance(cause, httpx2.ConnectError | httpx2.ConnectTimeout):
            return Transient(f"{where} cannot be reached: {why or 'no connection in time'}", down=True)
        if isinstance(cause, httpx2.TimeoutException):
            return Transient(f"{where} gave no answer within {self.seconds:g} s")
        if isinstance(cause, httpx2.UnsupportedProtocol | httpx2.LocalProtocolError | httpx2.TooManyRedirects):
            return ModelRefused(f"{where} cannot be asked: {why}")
        return Transient(f"{where} dropped the connection: {why or type(cause).__name__}")


def _error_message(body: str) -> str:
    """The message in the body of an error."""
    try:
        content = json.loads(body)
        for key in ("error", "detail", "message"):
            if isinstance(content, dict) and key in content:
                content = content[key]
        return content if isinstance(content, str) else json.dumps(content)
    except ValueError:
        return re.sub(r"<[^>]*>", " ", body)


def _retry_after(headers: Any) -> float | None:
    """The seconds that the server asks to wait."""
    exact, rough = headers.get("retry-after-ms"), headers.get("retry-after")
    try:
        seconds = float(exact) / 1000 if exact else float(rough)
    except (TypeError, ValueError):
        try:
            seconds = (parsedate_to_datetime(rough) - datetime.now(UTC)).total_seconds()
        except (TypeError, ValueError):
            return None
    return max(0.0, seconds) if seconds < float("inf") else None
