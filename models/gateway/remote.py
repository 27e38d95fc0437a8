"""A model behind a gateway: requests go through a door (HTTP, or an actor), and no key is needed on this side.

Each of several doors answers its own part of the requests, by their hash. Equal requests come to the same door, so that
nothing is asked twice.
"""

from __future__ import annotations

from asyncio import Lock
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from models.base import Picture, Reply, Request, Transient
from models.conduct import Conducted, Terms
from models.gateway.wire import FORMAT, MissingPictures, request_as_json
from models.limiter import Limits
from models.prices import Prices

TRIES = 10
"""How often pictures are sent again that the gateway did not keep."""
FOREVER = 30 * 86_400.0
"""Seconds: the gateway decides how long a question may take."""


class Door(Protocol):
    """One gateway."""

    @property
    def name(self) -> str:
        """Its address, fit to be printed."""
        ...

    async def ask(self, spec: str, content: Any) -> Reply:
        """The reply; `MissingPictures` if the gateway needs some, `Transient` if it cannot be reached."""
        ...

    async def keep(self, sha256: str, png: bytes) -> None:
        """Send a picture."""
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...


class Remote:
    """A model behind some doors, as a provider."""

    def __init__(self, spec: str, traits: Mapping[str, Any], doors: Sequence[Door]) -> None:
        if traits.get("format") != FORMAT:
            raise ValueError(f"{doors[0].name} is a gateway of another version of Plumbline")
        self.identity = str(traits["identity"])
        self.endpoint = doors[0].name
        self.name = self.identity
        self.calls_tools = bool(traits["calls_tools"])
        self._spec, self._doors = spec, tuple(doors)
        self._sent: defaultdict[tuple[str, str], int] = defaultdict(int)
        self._sending: defaultdict[tuple[str, str], Lock] = defaultdict(Lock)

    async def send(self, request: Request) -> Reply:
        """One attempt; pictures are sent when the gateway asks for them."""
        door = self._door(request)
        content, pictures = request_as_json(request), {picture.sha256: picture for picture in request.pictures}
        for _ in range(TRIES):
            before = {sha256: self._sent[door.name, sha256] for sha256 in pictures}
            try:
                return await door.ask(self._spec, content)
            except MissingPictures as missing:
                for sha256 in missing.hashes:
                    await self._send(door, pictures[sha256], before[sha256])
        raise Transient(f"{door.name} does not keep the pictures that it is sent")

    def most_tokens(self, request: Request) -> int:
        """What the request asks for; the gateway knows better."""
        return request.max_tokens

    async def close(self) -> None:
        """Let go of connections."""
        for door in self._doors:
            await door.close()

    def _door(self, request: Request) -> Door:
        if len(self._doors) == 1:
            return self._doors[0]
        return self._doors[int(request.fingerprint(self.identity, looks=True)[:8], 16) % len(self._doors)]

    async def _send(self, door: Door, picture: Picture, before: int) -> None:
        """Send a picture, once for all questions that miss it at the same time."""
        place = door.name, picture.sha256
        async with self._sending[place]:
            if self._sent[place] == before:
                await door.keep(picture.sha256, picture.png())
                self._sent[place] += 1


class RemoteModel(Conducted):
    """A model behind a gateway. Limits, caps and prices are the gateway's; here only its silence is waited for.

    What this process spends is counted in the budget of the terms, which should have no cap of its own.
    """

    def __init__(self, remote: Remote, terms: Terms) -> None:
        waiting = Terms(
            Limits(in_flight=terms.limits.in_flight, patience=terms.limits.patience),
            deadline=FOREVER,
            attempt_seconds=FOREVER,
            budget=terms.budget,
            prices=Prices({}),
            notify=lambda text: terms.notify(text),
        )
        super().__init__(remote, waiting)

    @property
    def priced(self) -> bool:
        """Prices are the gateway's business."""
        return True

    def use_terms(self, terms: Terms) -> None:
        """Keep the terms that it was made with."""
