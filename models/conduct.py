"""Retries, limits and budgets for all endpoints: makes a `Model` of a provider's single attempts.

Errors that may pass are retried with growing, jittered pauses, or after the pause that the server asks for; other
errors are not. An endpoint that is down is waited for. Every attempt respects the endpoint's limits and the
run's budget.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type

from models._replies import fault_in
from models.base import Model, ModelRefused, ModelUnavailable, Provider, Reply, Request, RunMustStop, Transient, Usage
from models.budget import Budget
from models.limiter import Endpoint, Limits
from models.prices import Price, Prices, estimated_prompt, most_prompt, read_prices

T = TypeVar("T")

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0


@dataclass
class Terms:
    """Settings for asking an endpoint in a run. `deadline` is the time limit of a question, pauses included.

    The wait for an endpoint that is down is not part of it: `Limits.patience` sets that. `route` has the models that
    are asked through a gateway, whose terms then hold.
    """

    limits: Limits = field(default_factory=Limits)
    deadline: float = 300.0
    attempts: int = 12
    attempt_seconds: float = 120.0
    budget: Budget = field(default_factory=Budget)
    prices: Prices = field(default_factory=read_prices)
    notify: Callable[[str], None] = lambda text: None
    route: Callable[[str], Model | None] | None = None


class Conducted:
    """A provider as a model."""

    looks = True
    simulated = False
    cacheable = True

    def __init__(self, provider: Provider, terms: Terms | None = None) -> None:
        self.provider = provider
        self.identity = provider.identity
        self.calls_tools: bool = getattr(provider, "calls_tools", False)
        self.answered = 0
        self._estimate_factor = 1.0
        self._terms = terms or Terms()
        self._endpoint: Endpoint | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._price = self._terms.prices.find(self.family, provider.name)
        self._limit_connecting()

    @property
    def family(self) -> str:
        """The provider's name, for prices."""
        return self.identity.partition(":")[0]

    @property
    def priced(self) -> bool:
        """Whether the price of tokens is known."""
        return self._price is not None

    @property
    def terms(self) -> Terms:
        """How the endpoint is asked."""
        return self._terms

    def use_terms(self, terms: Terms) -> None:
        """Use these terms from now on."""
        self._terms = terms
        self._endpoint = None
        self._price = terms.prices.find(self.family, self.provider.name)
        self._limit_connecting()

    async def ask(self, request: Request) -> Reply:
        """The reply, after as many attempts as the terms allow."""
        try:
            return await self.persist(partial(self._attempt, request))
        except ModelRefused as refusal:
            if self.answered:
                raise
            # The endpoint never answered, so later questions would fail too.
            raise RunMustStop(str(refusal)) from refusal

    async def persist(self, attempt: Callable[[Endpoint, Question], Awaitable[T]]) -> T:
        """The result of an attempt, after as many attempts as the terms allow."""
        question = Question(self._terms)
        retrying = AsyncRetrying(
            retry=retry_if_exception_type(Transient),
            stop=question.is_given_up,
            wait=question.pause,
            reraise=True,
            sleep=asyncio.sleep,
        )
        try:
            return await retrying(attempt, self._limiter(), question)
        except Transient as error:
            raise ModelUnavailable(f"{self.provider.endpoint} did not answer in time: {error}") from error

    @contextmanager
    def reserved(self, request: Request, share: float = 1.0) -> Iterator[Bill]:
        """Reserve the most that the request may use, and count what it used. `share` is a factor of the price."""
        terms, price = self._terms, self._price and self._price.times(share)
        most = int(most_prompt(request, self.family) * self._estimate_factor)
        reserved = terms.budget.reserve(most, self.provider.most_tokens(request), price)
        bill = Bill(price)
        try:
            yield bill
        finally:
            if bill.used is not None:
                self.answered += 1
                # A picture may take more tokens than estimated; the next estimate accounts for it.
                factor = self._estimate_factor * bill.used.prompt_tokens / max(1, most)
                self._estimate_factor = max(self._estimate_factor, factor)
            terms.budget.settle(reserved, None if bill.settled else bill.used)

    async def close(self) -> None:
        """Close the connections."""
        await self.provider.close()

    async def _attempt(self, request: Request, endpoint: Endpoint, question: Question) -> Reply:
        tokens = estimated_prompt(request, self.family) + self.provider.most_tokens(request)
        with self.reserved(request) as bill:
            async with endpoint.turn(tokens, question.left):
                with question.attempt():
                    reply = await self._send(request)
            return bill.paid(reply)

    async def _send(self, request: Request) -> Reply:
        seconds = min(self._terms.attempt_seconds, self._terms.deadline)
        try:
            async with asyncio.timeout(seconds):
                reply = await self.provider.send(request)
        except TimeoutError:
            raise Transient(f"no answer within {seconds:g} s") from None
        fault = fault_in(reply)
        if fault:
            raise Transient(f"{self.provider.endpoint} gave a malformed reply: {fault}")
        return reply

    def _limit_connecting(self) -> None:
        """Limit the time for connecting to the patience with an endpoint that is down."""
        connect_within = getattr(self.provider, "connect_within", None)
        if connect_within is not None:
            connect_within(max(0.1, self._terms.limits.patience))

    def _limiter(self) -> Endpoint:
        """The endpoint's limiter. Each event loop has its own, because futures belong to one loop."""
        loop = asyncio.get_running_loop()
        if self._endpoint is None or self._loop is not loop:
            self._endpoint = Endpoint(self.provider.endpoint, self._terms.limits, self._terms.notify)
            self._loop = loop
            open_provider = getattr(self.provider, "open", None)
            if open_provider is not None:
                open_provider()
        return self._endpoint


def agree(model: Model, terms: Terms) -> None:
    """Apply the terms to a model over a network, or to all models in one; a cap in dollars needs a price."""
    for part in getattr(model, "parts", ()):
        agree(part, terms)
    if not isinstance(model, Conducted):
        return
    model.use_terms(terms)
    if terms.budget.max_cost is not None and not model.priced:
        raise ValueError(
            f"--max-cost: no price is known for {model.provider.name}; give one with --prices FILE, or use --max-tokens"
        )


@dataclass
class Bill:
    """What one reply costs. It is `settled` already if a gateway had the reply in its cache."""

    price: Price | None
    used: Usage | None = None
    settled: bool = False

    def paid(self, reply: Reply) -> Reply:
        """The reply with its cost. Without a price here, that is what the reply says."""
        self.settled = reply.cached
        self.used = replace(reply.usage, cost=self.price.of(reply.usage) if self.price else reply.usage.cost)
        return replace(reply, usage=self.used)


class Question:
    """Measures the time of one question: its attempts and the pauses between them.

    Time in the queue does not count, nor does waiting for an endpoint that is down.
    """

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._used = 0.0
        self._pause = 0.0

    @property
    def left(self) -> float:
        """Seconds until the deadline."""
        return max(0.0, self._terms.deadline - self._used)

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """One attempt."""
        self._used += self._pause
        self._pause, started = 0.0, time.monotonic()
        try:
            yield
        except Transient as error:
            if not error.down:
                self._used += time.monotonic() - started
            raise

    def is_given_up(self, state: RetryCallState) -> bool:
        """Whether no attempts or no time are left; attempts at an endpoint that is down do not count."""
        error = _transient(state)
        if error is not None and error.down:
            state.attempt_number -= 1
            return False
        return state.attempt_number >= self._terms.attempts or not self.left

    def pause(self, state: RetryCallState) -> float:
        """A pause that grows with each attempt, is at least what the server asked for, and is jittered."""
        error = _transient(state)
        asked = error.retry_after if error is not None else None
        if asked is None:
            pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** (state.attempt_number - 1)) * random.uniform(0.5, 1.0)
        else:
            pause = asked + random.uniform(0.0, min(1.0, 0.1 * asked + 0.05))
        if error is None or not error.down:
            # Count the pause when it is over: the last attempt follows it.
            pause = self._pause = min(pause, self.left)
        return pause


def _transient(state: RetryCallState) -> Transient | None:
    error = state.outcome.exception() if state.outcome else None
    return error if isinstance(error, Transient) else None
