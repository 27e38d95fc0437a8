"""The way to a gateway over HTTP: `--gateway http://127.0.0.1:8765`, with its token in PLUMBLINE_GATEWAY_TOKEN."""

from __future__ import annotations

import asyncio
import json
import os
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any
from urllib.parse import urlsplit

from models._spec import Address, read_address
from models.base import Model, ModelRefused, Reply, Transient
from models.conduct import Terms
from models.gateway.caps import Caps
from models.gateway.remote import FOREVER, Door, Remote, RemoteModel
from models.gateway.wire import MissingPictures, read_error, read_reply
from models.registry import goes_over_network, routed

TOKEN = "PLUMBLINE_GATEWAY_TOKEN"
"""The environment variable with the token of the gateways."""
JOIN_SECONDS = 120.0
"""How long a gateway may take to load a model."""


@dataclass(frozen=True)
class Gateways:
    """The gateways that a run asks through. `caps` are the caps and limits that the run asks for."""

    addresses: tuple[Address, ...]
    token: str = field(repr=False)
    caps: Caps

    @classmethod
    def read(cls, text: str, caps: Caps) -> Gateways:
        """Those of `URL,URL`; `ValueError` if one is no address."""
        addresses = tuple(read_address(one) for one in text.split(",") if one.strip())
        if not addresses:
            raise ValueError("--gateway needs an address, such as http://127.0.0.1:8765")
        if any(address.authorization for address in addresses):
            raise ValueError(f"--gateway: leave user and password out of the address; the token belongs into {TOKEN}")
        return cls(addresses, os.environ.get(TOKEN, "").strip(), caps)

    def route(self, terms: Terms) -> Callable[[str], Model | None]:
        """For a spec, the model behind the gateways; None for a model that answers where the episode is played."""

        def model(spec: str) -> Model | None:
            if not goes_over_network(spec):
                return None
            content = {"run": f"{socket.gethostname()}:{os.getpid()}", "model": spec, "caps": self.caps.as_json()}
            traits = [_post(address, self.token, "/join", content) for address in self.addresses]
            doors: list[Door] = [HttpDoor(address, self.token, terms) for address in self.addresses]
            return RemoteModel(Remote(spec, traits[0], doors), terms)

        return model


@contextmanager
def through(text: str | None) -> Iterator[None]:
    """Within the block, models over a network are asked through these gateways; None for none."""
    route = None if text is None else Gateways.read(text, Caps()).route(Terms())
    with routed(route):
        yield


class HttpDoor:
    """One gateway over HTTP."""

    def __init__(self, address: Address, token: str, terms: Terms) -> None:
        self.name = f"the gateway at {address.shown}"
        self._address, self._headers, self._terms = address, _headers(token), terms
        self._client: Any = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def ask(self, spec: str, content: Any) -> Reply:
        """The reply."""
        body = json.dumps({"model": spec, "request": content}).encode()
        try:
            return read_reply(await self._send("POST", "/ask", body))
        except ValueError as error:
            raise ModelRefused(f"{self.name}: {error}") from None

    async def keep(self, sha256: str, png: bytes) -> None:
        """Send a picture."""
        await self._send("PUT", f"/pictures/{sha256}", png)

    async def close(self) -> None:
        """Let go of the connections."""
        client, self._client = self._client, None
        if client is not None and self._loop is asyncio.get_running_loop():
            await client.aclose()

    async def _send(self, method: str, path: str, body: bytes) -> Any:
        import httpx2

        try:
            response = await self._open().request(method, f"{self._address.shown}{path}", content=body)
        except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
            raise Transient(f"{self.name} cannot be reached: {error}", down=True) from None
        except httpx2.HTTPError as error:
            raise Transient(f"{self.name} dropped the connection: {error or type(error).__name__}", down=True) from None
        if response.status_code == 409:
            raise MissingPictures(_json(response.content)["missing"])
        return _read(self.name, response.status_code, response.content)

    def _open(self) -> Any:
        """The client, in this event loop."""
        loop = asyncio.get_running_loop()
        if self._client is None or self._loop is not loop:
            import httpx2

            most = self._terms.limits.in_flight
            self._loop = loop
            self._client = httpx2.AsyncClient(
                headers=self._headers,
                trust_env=False,
                timeout=httpx2.Timeout(FOREVER, connect=max(0.1, min(10.0, self._terms.limits.patience))),
                limits=httpx2.Limits(max_connections=most, max_keepalive_connections=most),
            )
        return self._client


def _post(address: Address, token: str, path: str, content: Mapping[str, Any]) -> Any:
    """One request without an event loop; `ValueError` says what is wrong."""
    parts, name = urlsplit(address.url), f"the gateway at {address.shown}"
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    connection = kind(parts.hostname or "", parts.port, timeout=JOIN_SECONDS)
    try:
        connection.request("POST", f"{parts.path}{path}", json.dumps(content).encode(), _headers(token))
        response = connection.getresponse()
        return _read(name, response.status, response.read())
    except (OSError, HTTPException) as error:
        raise ValueError(
            f"--gateway: {name} does not answer ({getattr(error, 'strerror', None) or error}); "
            "start one with python -m models.gateway"
        ) from None
    except ModelRefused as error:
        raise ValueError(f"--gateway: {error}") from None
    finally:
        connection.close()


def _read(name: str, status: int, content: bytes) -> Any:
    """What a gateway answered, or its error."""
    if status == 401:
        raise ModelRefused(f"{name} does not take this token: set {TOKEN} to the one that it printed when it started")
    found = _json(content)
    if status == 200:
        return found
    if status in (400, 422) and isinstance(found, dict) and "error" in found:
        raise read_error(found)
    if status >= 500:
        raise Transient(f"{name} failed ({status})")
    raise ModelRefused(f"{name} is no gateway of Plumbline: it answers with status {status}")


def _json(content: bytes) -> Any:
    try:
        return json.loads(content)
    except ValueError:
        return None


def _headers(token: str) -> dict[str, str]:
    return {"content-type": "application/json", **({"authorization": f"Bearer {token}"} if token else {})}
