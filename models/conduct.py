"""One conduct for all endpoints: a provider's single attempts made into a model that answers.

What can pass is tried again with growing, jittered pauses, as long as the server asks; what cannot is not. An endpoint
that is down is waited for. Every attempt keeps to the endpoint's limits and the run's budget.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type

from models.base import ModelRefused, ModelUnavailable, Provider, Reply, Request, RunMustStop, Transient
from models.budget import Budget
from models.limiter import Endpoint, Limits
from models.prices import Prices, estimated_prompt, most_prompt, read_prices

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0


@dataclass
class Terms:
    """How an endpoint is asked in a run. `deadline` is what a question may take, waiting for a dead endpoint apart."""

    limits: Limits = field(default_factory=Limits)
    deadline: float = 300.0
    attempts: int = 12
    attempt_seconds: float = 120.0
    budget: Budget = field(default_factory=Budget)
    prices: Prices = field(default_factory=read_prices)
    tell: Callable[[str], None] = lambda text: None


class Conducted:
    """A provider as a model."""

    looks = True
    simulated = False
    cacheable = True

    def __init__(self, provider: Provider, terms: Terms | None = None) -> None:
        self.provider = provider
        self.identity = provider.identity
        self.answered = 0
        self._surprise = 1.0
        self._terms = terms or Terms()
        self._endpoint: Endpoint | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._price = self._terms.prices.find(self.family, provider.name)

    @property
    def family(self) -> str:
        """The provider's name, by which prices are kept."""
        return self.identity.partition(":")[0]

    @property
    def priced(self) -> bool:
        """Whether it is known what tokens cost here."""
        return self._price is not None

    def agree(self, terms: Terms) -> None:
        """Follow these terms from now on."""
        self._terms = terms
        self._endpoint = None
        self._price = terms.prices.find(self.family, self.provider.name)

    async def ask(self, request: Request) -> Reply:
        """The reply, however many attempts it takes."""
        endpoint = self._at_the_door()
        started, waited = asyncio.get_running_loop().time(), endpoint.waited

        def enough(state: RetryCallState) -> bool:
            """Whether to give up; time and tries spent on a dead endpoint do not count."""
            trouble = state.outcome.exception() if state.outcome else None
            if isinstance(trouble, Transient) and trouble.down:
                state.attempt_number -= 1
                return False
            spent = asyncio.get_running_loop().time() - started - (endpoint.waited - waited)
            return state.attempt_number >= self._terms.attempts or spent >= self._terms.deadline

        retrying = AsyncRetrying(
            retry=retry_if_exception_type(Transient), stop=enough, wait=_pause, reraise=True, sleep=asyncio.sleep
        )
        try:
            return await retrying(self._attempt, endpoint, request)
        except ModelRefused as refusal:
            if self.answered:
                raise
            # It never answered: nothing that follows would fare better.
            raise RunMustStop(str(refusal)) from refusal
        except Transient as trouble:
            raise ModelUnavailable(f"{self.provider.endpoint} did not answer in time: {trouble}") from trouble

    async def close(self) -> None:
        """Let go of connections."""
        await self.provider.close()

    async def _attempt(self, endpoint: Endpoint, request: Request) -> Reply:
        terms = self._terms
        prompt = estimated_prompt(request, self.family)
        most = int(most_prompt(request, self.family) * self._surprise)
        room = self.provider.most_tokens(request)
        reserved = terms.budget.reserve(most, room, self._price)
        used = None
        try:
            async with endpoint.turn(prompt + room):
                reply = await self._send(request)
            cost = self._price.of(reply.usage) if self._price else 0.0
            used = replace(reply.usage, cost=cost)
            # A picture may take more than anyone thought: the next one is reckoned with that.
            self._surprise = max(self._surprise, self._surprise * used.prompt_tokens / max(1, most))
        finally:
            terms.budget.settle(reserved, used)
        self.answered += 1
        return replace(reply, usage=used)

    async def _send(self, request: Request) -> Reply:
        seconds = self._terms.attempt_seconds
        try:
            async with asyncio.timeout(seconds):
                return await self.provider.send(request)
        except TimeoutError:
            raise Transient(f"no answer within {seconds:g} s") from None

    def _at_the_door(self) -> Endpoint:
        """The endpoint's limiter; one for each event loop, since its waiting belongs to one."""
        loop = asyncio.get_running_loop()
        if self._endpoint is None or self._loop is not loop:
            self._endpoint = Endpoint(self.provider.endpoint, self._terms.limits, self._terms.tell)
            self._loop = loop
        return self._endpoint


def _pause(state: RetryCallState) -> float:
    """Longer after every try, never less than the server asked for, and never the same for all who wait."""
    trouble = state.outcome.exception() if state.outcome else None
    growing = min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** (state.attempt_number - 1)) * random.uniform(0.5, 1.0)
    asked = trouble.retry_after if isinstance(trouble, Transient) else None
    if asked is None:
        return growing
    return asked + random.uniform(0.0, min(1.0, 0.1 * asked + 0.05))
