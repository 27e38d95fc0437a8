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


class Gateway:
    """Answers requests for models by their specs.

    Any model may be named that asks its own provider, at the address and with the key of this process. Others, which
    would run code, read files or send a key elsewhere, have to be in `allowed`; with `trusts` all are. The cache is
    opened when the first question is asked.
    """

    def __init__(
        self,
        open_cache: Callable[[], AnswerCache],
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
        self.noticed = 0
        self.notices: deque[str] = deque(maxlen=100)
        self._open_cache, self._allowed, self._trusts, self._load = open_cache, set(allowed), trusts, load
        self._cache: AnswerCache | None = None
        self._room = asyncio.Semaphore(terms.limits.in_flight)
        self._models: dict[str, Model] = {}
        self._cached: dict[str, CachedModel] = {}
        self._loading = asyncio.Lock()
        self._pictures = Pictures(MOST_PICTURES)
        show = terms.notify

        def notify(text: str) -> None:
            self.noticed += 1
            self.notices.append(text)
            show(text)

        terms.notify = notify

    async def join(self, run: str, caps: Mapping[str, Any], spec: str) -> dict[str, Any]:
        """Let a run ask a model. What it needs to know of the model; `ValueError` if it cannot be asked so."""
        wanted = self.caps.agreed(Caps.read(caps))
        model = await self._find(spec)
        if wanted != self.caps:
            terms = wanted.applied(self.terms)
            for other in self._models.values():
                agree(other, terms)
            self.terms, self.caps = terms, wanted
        self.runs.add(run)
        return _traits(model)

    def leave(self, run: str) -> int:
        """Forget a run that has ended; how many are left."""
        self.runs.discard(run)
        return len(self.runs)

    def keep(self, sha256: str, png: bytes) -> None:
        """Take the bytes of a picture, for requests that name it; `ValueError` if its hash is another one."""
        self._pictures.add(sha256, png)

    async def ask(self, spec: str, content: Any) -> Reply:
        """The reply to a request; `MissingPictures` if the model would have to be asked without some."""
        model, cache = await self._find(spec), self.cache
        request = read_request(content, self._pictures.get)
        if not _is_known(cache, model, request):
            missing = [picture.sha256 for picture in request.pictures if getattr(picture, "content", None) is None]
            if missing:
                raise MissingPictures(list(dict.fromkeys(missing)))
        self.questions += 1
        if spec not in self._cached:
            self._cached[spec] = CachedModel(LimitedModel(model, self._room, None, cache), cache)
        try:
            reply = await self._cached[spec].ask(request)
        except (CapReached, CannotKeep):
            raise
        except RunMustStop:
            # The endpoint was given up. Later runs may find it again.
            agree(model, self.terms)
            raise
        self.answered += 1
        self.from_cache += reply.cached
        return reply

    @property
    def cache(self) -> AnswerCache:
        """The cache of answers. What a killed gateway had spent is counted when it is opened."""
        if self._cache is None:
            self._cache = self._open_cache()
            cost, tokens = Ledger(self._cache.path).begin()
            self.terms.budget.cost += cost
            self.terms.budget.tokens += tokens
        return self._cache

    def status(self) -> dict[str, Any]:
        """What the gateway has done so far."""
        budget = self.terms.budget
        return {
            "pid": os.getpid(),
            "runs": sorted(self.runs),
            "models": sorted(self._models),
            "questions": self.questions,
            "answered": self.answered,
            "from_cache": self.from_cache,
            "under_way": len(self._cache.under_way) if self._cache else 0,
            "cost": budget.cost,
            "tokens": budget.tokens,
            "caps": self.caps.as_json(),
            "pictures": self._pictures.size,
            "noticed": self.noticed,
            "notices": list(self.notices),
        }

    async def close(self) -> None:
        """Give up what is under way, close connections and the cache."""
        cache, self._cache = self._cache, None
        if cache is not None:
            cache.give_up()
        for model in self._models.values():
            closing = getattr(model, "close", None)
            if closing is not None:
                await closing()
        if cache is not None:
            cache.close()
            Ledger(cache.path).end()

    async def _find(self, spec: str) -> Model:
        async with self._loading:
            found = self._models.get(spec)
            if found is None:
                if spec not in self._allowed and not self._trusts and needs_trust(spec):
                    raise NotServed(f"the gateway does not ask {spec}: start it with --model {spec!r} to allow that")
                found = await asyncio.to_thread(self._load, spec)
                if isinstance(found, Witnessing) or not found.cacheable:
                    raise NotServed(
                        f"{found.identity} is not asked through a gateway: it answers where the episode is played"
                    )
                agree(found, self.terms)
                self._models[spec] = found
        return found


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


def _is_known(cache: AnswerCache, model: Model, request: Request) -> bool:
    """Whether the answer is there, or on its way."""
    key = request.fingerprint(model.identity, looks=model.looks)
    return key in cache.under_way or cache.get(key) is not None


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
