"""Questions answered in batches by a thread of its own. It knows nothing of models; `models.hf` gives it one."""

from __future__ import annotations

import atexit
import queue
import threading
from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from models.base import ModelUnavailable

Asked = TypeVar("Asked")
Ready = TypeVar("Ready")
Said = TypeVar("Said")
AskedIn = TypeVar("AskedIn", contravariant=True)
SaidOut = TypeVar("SaidOut", covariant=True)

_CLOSING_SECONDS = 10.0


class TooLarge(Exception):
    """The batch does not fit into memory; a smaller one may."""


class Worker(Protocol[AskedIn, Ready, SaidOut]):
    """Prepares and answers questions. Only one thread calls it."""

    def prepare(self, asked: AskedIn) -> Ready:
        """One question made ready to be put into a batch."""
        ...

    def alike(self, ready: Ready) -> Hashable:
        """Questions for which this is equal may be answered together."""
        ...

    def answer(self, batch: Sequence[Ready], given_up: Callable[[], bool]) -> Sequence[SaidOut]:
        """The answers in order. If all questions were cancelled, any value may be returned."""
        ...


@dataclass(eq=False)
class _Waiting(Generic[Asked, Ready, Said]):
    asked: Asked
    future: Future[Said] = field(default_factory=Future)
    ready: Ready | None = None
    alike: Hashable = None

    def fail(self, error: Exception) -> None:
        with suppress(InvalidStateError):  # cancelled
            self.future.set_exception(error)

    def tell(self, said: Said) -> None:
        with suppress(InvalidStateError):
            self.future.set_result(said)


class Batches(Generic[Asked, Ready, Said]):
    """Collects what is asked at the same time and has it answered together, at most `size` at once.

    A batch that is too large is halved, and batches of its kind stay that small.
    """

    def __init__(self, worker: Worker[Asked, Ready, Said], size: int, wait: float = 0.005) -> None:
        self._worker = worker
        self._size = size
        self._wait = wait
        self._fitting: dict[Hashable, int] = {}
        self._queue: queue.SimpleQueue[_Waiting[Asked, Ready, Said] | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closed = threading.Event()

    def ask(self, asked: Asked) -> Future[Said]:
        """The answer to come. Cancelling it leaves the others of its batch alone."""
        waiting: _Waiting[Asked, Ready, Said] = _Waiting(asked)
        with self._lock:
            if self._closed.is_set():
                waiting.fail(ModelUnavailable("the model is closed"))
                return waiting.future
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="hf", daemon=True)
                self._thread.start()
                # A thread that is in the middle of a computation when the interpreter ends would abort the process.
                atexit.register(self.close)
            self._queue.put(waiting)
        return waiting.future

    def close(self) -> None:
        """End the thread; what is still waiting fails."""
        with self._lock:
            self._closed.set()
            thread, self._thread = self._thread, None
        if thread is not None:
            atexit.unregister(self.close)
            self._queue.put(None)
            thread.join(_CLOSING_SECONDS)

    def _work(self) -> None:
        waiting: list[_Waiting[Asked, Ready, Said]] = []
        while self._collect(waiting):
            waiting[:] = [one for one in waiting if not one.future.cancelled()]
            batch = self._first_batch(waiting)
            waiting[:] = [one for one in waiting if one not in batch]
            if batch:
                self._answer(batch)
        for left in (*waiting, *self._left()):
            left.fail(ModelUnavailable("the model was closed before it could answer"))

    def _left(self) -> Iterator[_Waiting[Asked, Ready, Said]]:
        """The questions that will not be answered; the queue is closed and takes no more."""
        with suppress(queue.Empty):
            while True:
                one = self._queue.get_nowait()
                if one is not None:
                    yield one

    def _collect(self, waiting: list[_Waiting[Asked, Ready, Said]]) -> bool:
        """Add what is asked until nothing more comes or a batch is full; False when it is time to end."""
        while len(self._first_batch(waiting)) < self._room(waiting):
            try:
                one = self._queue.get(timeout=self._wait if waiting else None)
            except queue.Empty:
                return True
            if one is not None and not one.future.cancelled():
                self._prepare(one, waiting)
            if self._closed.is_set():
                return False
        return not self._closed.is_set()

    def _prepare(self, one: _Waiting[Asked, Ready, Said], waiting: list[_Waiting[Asked, Ready, Said]]) -> None:
        try:
            one.ready = self._worker.prepare(one.asked)
            one.alike = self._worker.alike(one.ready)
        except Exception as error:  # the error concerns this question only
            one.fail(error)
        else:
            waiting.append(one)

    def _room(self, waiting: list[_Waiting[Asked, Ready, Said]]) -> int:
        return self._fitting.get(waiting[0].alike, self._size) if waiting else self._size

    def _first_batch(self, waiting: list[_Waiting[Asked, Ready, Said]]) -> list[_Waiting[Asked, Ready, Said]]:
        """The question that waits longest, and those that go with it."""
        return [one for one in waiting if one.alike == waiting[0].alike][: self._room(waiting)]

    def _answer(self, batch: list[_Waiting[Asked, Ready, Said]]) -> None:
        while batch:
            part = batch[: self._room(batch)]
            if self._answered(part):
                batch = batch[len(part) :]
            else:
                self._fitting[part[0].alike] = len(part) // 2

    def _answered(self, batch: list[_Waiting[Asked, Ready, Said]]) -> bool:
        """False if the batch has to be made smaller; otherwise all of it have an answer, or an error."""

        def given_up() -> bool:
            return self._closed.is_set() or all(one.future.cancelled() for one in batch)

        failure: Exception = ModelUnavailable("the model was closed before it could answer")
        answers: Sequence[Said] = ()
        try:
            answers = self._worker.answer([one.ready for one in batch if one.ready is not None], given_up)
        except TooLarge as error:
            if len(batch) > 1:
                return False
            failure = ModelUnavailable(str(error))
        except Exception as error:
            failure = error
        if answers and not self._closed.is_set():
            for one, said in zip(batch, answers, strict=True):
                one.tell(said)
        else:
            for one in batch:
                one.fail(failure)
        return True
