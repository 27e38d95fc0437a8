"""Models of OpenAI and Anthropic asked in batches: half the price, and replies within a day.

Requests of one round, such as all questions of a set or the enumerations of many episodes, go out together. The first
request of a process goes out alone, at the full price: it finds a wrong key, or a parameter that the model does not
take, before thousands of requests are sent.

    store = BatchStore(cache_path)
    model = Batched(load_model("openai:gpt-4.1"), store)
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import ExitStack, asynccontextmanager
from typing import Any, TypeVar

from models._batch_api import BatchApi, NoRoom
from models._batch_queue import AskPlainly, BatchQueue, Gathering
from models._batch_store import BatchStore as BatchStore
from models._replies import fault_in
from models._wire import Rejected
from models.base import CapReached, Model, ModelUnavailable, Reply, Request, Transient
from models.conduct import Bill, Conducted, Question
from models.limiter import Endpoint
from models.wrapped import Wrapped

T = TypeVar("T")

PRICE = 0.5
"""What a request costs in a batch, as a share of its price."""
BATCHES = 3
"""In how many batches a request may be before it counts as not answerable."""
CALL_SECONDS = 1200.0
"""How long one call of the API may take, files included."""


def takes_batches(model: Model) -> bool:
    """Whether the model is one of a provider with a batch API."""
    return isinstance(model, Conducted) and hasattr(model.provider, "batches")


class Batched(Wrapped):
    """A model whose requests go out in batches. With `plain`, what a batch does not answer is asked without one."""

    def __init__(
        self, model: Conducted, store: BatchStore, gathering: Gathering | None = None, *, plain: bool = False
    ) -> None:
        super().__init__(model)
        self._conducted, self._store = model, store
        self._gathering, self._plain = gathering or Gathering(), plain
        self._queue: BatchQueue | None = None
        self._api: BatchApi | None = None
        self._first = asyncio.Lock()
        self._settled = asyncio.Event()

    async def ask(self, request: Request) -> Reply:
        """The reply, out of a batch if that is possible."""
        key, queue = request.fingerprint(self.identity, looks=self.looks), self._batches()
        if not self._conducted.answered and not queue.knows(key):
            async with self._first:
                if not self._conducted.answered:
                    return await self._conducted.ask(request)
        try:
            async with self._reserved(request) as bill:
                return bill.paid(await self._from_batches(key, request))
        except AskPlainly:
            return await self._conducted.ask(request)

    async def stop(self) -> None:
        """Wait for no batch any more. Those under way stay written down, to be collected by the next run."""
        if self._queue is not None:
            await self._queue.finish()
            batches, requests = self._store.under_way()
            if batches:
                self._conducted.terms.notify(f"{requests} requests in {batches} batches are not collected yet")
        if self._api is not None:
            await self._api.close()

    async def close(self) -> None:
        """Let go of connections."""
        await self.stop()
        await self._conducted.close()

    async def _from_batches(self, key: str, request: Request) -> Reply:
        queue, api = self._batches(), self._batch_api()
        problem: ModelUnavailable | None = None
        batches = 0
        while batches < BATCHES:
            batches += 1
            try:
                answer = await queue.answer(key, request)
                reply = api.read(request, answer)
                fault = fault_in(reply)
                if not fault:
                    return reply
                problem = Transient(f"a malformed reply: {fault}")
            except Rejected as rejected:
                if not api.adapts(request, rejected):
                    raise
                problem = rejected
            except NoRoom:
                batches -= 1  # it is sent again in smaller batches
            except Transient as error:
                problem = error
            self._store.forget(key)
            if self._plain:
                raise AskPlainly
        raise ModelUnavailable(f"{self._conducted.provider.endpoint}: no answer in {BATCHES} batches: {problem}")

    @asynccontextmanager
    async def _reserved(self, request: Request) -> AsyncIterator[Bill]:
        """Set aside what the request may cost. What is waited for may leave some of what it set aside."""
        with ExitStack() as reservation:
            while True:
                self._settled.clear()
                try:
                    bill = reservation.enter_context(self._conducted.reserved(request, PRICE))
                    break
                except CapReached:
                    if not self._batches().busy:
                        raise
                    await self._settled.wait()
            try:
                yield bill
            finally:
                reservation.close()
                self._settled.set()

    def _batch_api(self) -> BatchApi:
        provider: Any = self._conducted.provider
        api: BatchApi = provider.batches
        return api

    def _batches(self) -> BatchQueue:
        if self._queue is None:
            self._api, terms = self._batch_api(), self._conducted.terms
            host = self._conducted.provider.endpoint
            self._queue = BatchQueue(
                self._api, host, self._store, self._gathering, self._persist, lambda text: terms.notify(text)
            )
        return self._queue

    async def _persist(self, call: Callable[[], Awaitable[T]]) -> T:
        """What a call of the API gives, however many attempts it takes, within the endpoint's limits."""

        async def attempt(endpoint: Endpoint, question: Question) -> T:
            async with endpoint.turn(1, question.left):
                with question.attempt():
                    try:
                        async with asyncio.timeout(CALL_SECONDS):
                            return await call()
                    except TimeoutError:
                        raise Transient(f"no answer within {CALL_SECONDS:g} s") from None

        return await self._conducted.persist(attempt)


def as_batched(model: Model, store: BatchStore, gathering: Gathering, *, plain: bool) -> Batched:
    """The model, asked in batches; `ValueError` if its provider has none."""
    if not isinstance(model, Conducted) or not takes_batches(model):
        raise ValueError(f"--batch: {model.identity} has no batch API; models of openai: and anthropic: have one")
    return Batched(model, store, gathering, plain=plain)


__all__ = ["BatchStore", "Batched", "Gathering", "as_batched", "takes_batches"]
