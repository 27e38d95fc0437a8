"""The gateway itself, whichever way requests come in: HTTP (`models.gateway.server`), or an actor of a cluster.

It loads each model once, with its key, and answers from one cache. Equal requests of different processes that are under
way at the same time are asked once, and one budget and one set of limits hold for all of them.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from models.base import CannotKeep, CapReached, Model, Reply, Request, RunMustStop, Witnessing
from models.cache import AnswerCache, CachedModel
from models.conduct import Conducted, Terms, agree
from models.gateway.caps import Caps
from models.gateway.ledger import Ledger
from models.gateway.wire import FORMAT, MissingPictures, read_request
from models.limited import LimitedModel
from models.registry import load_model, needs_trust

MOST_PICTURES = 256 * 2**20
"""Bytes of pictures that are kept for further questions about them."""


class NotServed(ValueError):
    """A model that this gateway does not ask."""


@dataclass(frozen=True)
class Served:
    """A model of the gateway, and the same one behind the cache."""

    model: Model
    cached: CachedModel


class Gateway:
    """Answers requests for models by their specs.

    Any model may be named that asks its own provider, at the address and with the key of this process. Others, which
    would run code, read files or send a key elsewhere, have to be in `allowed`; with `trusts` all are.
    """

    def __init__(
        self,
        cache: AnswerCache,
        terms: Terms,
        allowed: Iterable[str] = (),
        *,
        trusts: bool = False,
        load: Callable[[str], Model] = load_model,
    ) -> None:
        self.terms = terms
        self.caps = Caps.of(terms)
        self.runs: set[str] = set()
        self.questions = self.answered = self.from_cache = 0
        self.notices: deque[str] = deque(maxlen=1000)
        self._cache, self._allowed, self._trusts, self._load = cache, set(allowed), trusts, load
        self._room = asyncio.Semaphore(terms.limits.in_flight)
        self._served: dict[str, Served] = {}
        self._loading = asyncio.Lock()
        self._pictures = Pictures(MOST_PICTURES)
        self._ledger = Ledger(cache.path)
        terms.budget.cost, terms.budget.tokens = self._ledger.begin()
        show = terms.notify

        def notify(text: str) -> None:
            self.notices.append(text)
            show(text)

        terms.notify = notify

    async def join(self, run: str, caps: Mapping[str, Any], spec: str) -> dict[str, Any]:
        """Let a run ask a model. What it needs to know of the model; `ValueError` if it cannot be asked so."""
        wanted = self.caps.agreed(Caps.read(caps))
        served = await self._find(spec)
        if wanted != self.caps:
            terms = wanted.applied(self.terms)
            for other in self._served.values():
                agree(other.model, terms)
            self.terms, self.caps = terms, wanted
        self.runs.add(run)
        return _traits(served.model)

    def leave(self, run: str) -> int:
        """Forget a run that has ended; how many are left."""
        self.runs.discard(run)
        return len(self.runs)

    def keep(self, sha256: str, png: bytes) -> None:
        """Take the bytes of a picture, for requests that name it; `ValueError` if its hash is another one."""
        self._pictures.add(sha256, png)

    async def ask(self, spec: str, content: Any) -> Reply:
        """The reply to a request; `MissingPictures` if the model would have to be asked without some."""
        served = await self._find(spec)
        request = read_request(content, self._pictures.get)
        if not self._is_known(served.model, request):
            missing = [picture.sha256 for picture in request.pictures if getattr(picture, "content", None) is None]
            if missing:
                raise MissingPictures(list(dict.fromkeys(missing)))
        self.questions += 1
        try:
            reply = await served.cached.ask(request)
        except (CapReached, CannotKeep):
            raise
        except RunMustStop:
            # The endpoint was given up. Later runs may find it again.
            agree(served.model, self.terms)
            raise
        self.answered += 1
        self.from_cache += reply.cached
        return reply

    def status(self) -> dict[str, Any]:
        """What the gateway has done so far."""
        budget = self.terms.budget
        return {
            "pid": os.getpid(),
            "runs": sorted(self.runs),
            "models": sorted(self._served),
            "questions": self.questions,
            "answered": self.answered,
            "from_cache": self.from_cache,
            "under_way": len(self._cache.under_way),
            "cost": budget.cost,
            "tokens": budget.tokens,
            "caps": self.caps.as_json(),
            "pictures": self._pictures.size,
            "notices": list(self.notices),
        }

    async def close(self) -> None:
        """Give up what is under way, close connections and the cache."""
        self._cache.give_up()
        for served in self._served.values():
            closing = getattr(served.model, "close", None)
            if closing is not None:
                await closing()
        self._cache.close()
        self._ledger.end()

    def _is_known(self, model: Model, request: Request) -> bool:
        """Whether the answer is there, or on its way."""
        key = request.fingerprint(model.identity, looks=model.looks)
        return key in self._cache.under_way or self._cache.get(key) is not None

    async def _find(self, spec: str) -> Served:
        async with self._loading:
            found = self._served.get(spec)
            if found is None:
                if spec not in self._allowed and not self._trusts and needs_trust(spec):
                    raise NotServed(f"the gateway does not ask {spec}: start it with --model {spec!r} to allow that")
                found = self._served[spec] = self._serve(await asyncio.to_thread(self._load, spec))
        return found

    def _serve(self, model: Model) -> Served:
        if isinstance(model, Witnessing) or not model.cacheable:
            raise NotServed(f"{model.identity} is not asked through a gateway: it answers where the episode is played")
        agree(model, self.terms)
        return Served(model, CachedModel(LimitedModel(model, self._room, None, self._cache), self._cache))


class Pictures:
    """Bytes of pictures by their hash, the latest ones up to a total size."""

    def __init__(self, most: int) -> None:
        self._most, self.size = most, 0
        self._kept: OrderedDict[str, bytes] = OrderedDict()

    def add(self, sha256: str, png: bytes) -> None:
        """Keep a picture; `ValueError` if its hash is another one."""
        if hashlib.sha256(png).hexdigest() != sha256:
            raise ValueError(f"the bytes that were sent are not those of picture {sha256}")
        if sha256 not in self._kept:
            self._kept[sha256] = png
            self.size += len(png)
        while self.size > self._most and len(self._kept) > 1:
            self.size -= len(self._kept.popitem(last=False)[1])

    def get(self, sha256: str) -> bytes | None:
        """The bytes, if they are here."""
        if sha256 in self._kept:
            self._kept.move_to_end(sha256)
        return self._kept.get(sha256)


def _traits(model: Model) -> dict[str, Any]:
    kinds = getattr(model, "kinds", None)
    return {
        "format": FORMAT,
        "identity": model.identity,
        "looks": model.looks,
        "simulated": model.simulated,
        "calls_tools": bool(getattr(model, "calls_tools", False)),
        "kinds": None if kinds is None else sorted(kinds),
        "conducted": isinstance(model, Conducted),
    }
