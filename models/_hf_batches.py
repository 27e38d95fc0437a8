"""Answers questions in batches, in a thread of its own. Independent of the model, which `models.hf` provides."""

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

Question = TypeVar("Question")
Prepared = TypeVar("Prepared")
Answer = TypeVar("Answer")
QuestionIn = TypeVar("QuestionIn", contravariant=True)
AnswerOut = TypeVar("AnswerOut", covariant=True)

_CLOSING_SECONDS = 10.0


class TooLarge(Exception):
    """The batch does not fit into memory; a smaller one may fit."""


class Worker(Protocol[QuestionIn, Prepared, AnswerOut]):
    """Prepares and answers questions. Only one thread calls it."""

    def prepare(self, question: QuestionIn) -> Prepared:
        """One question made ready to be put into a batch."""
        ...

    def batch_key(self, prepared: Prepared) -> Hashable:
        """A key; questions with equal keys may be answered in one batch."""
        ...

    def answer(self, batch: Sequence[Prepared], given_up: Callable[[], bool]) -> Sequence[AnswerOut]:
        """The answers in order. If all questions were cancelled, any value may be returned."""
        ...


@dataclass(eq=False)
class _Waiting(Generic[Question, Prepared, Answer]):
    question: Question
    future: Future[Answer] = field(default_factory=Future)
    prepared: Prepared | None = None
    batch_key: Hashable = None

    def fail(self, error: Exception) -> None:
        with suppress(InvalidStateError):  # cancelled
            self.future.set_exception(error)

    def resolve(self, answer: Answer) -> None:
        with suppress(InvalidStateError):
            self.future.set_result(answer)


class Batches(Generic[Question, Prepared, Answer]):
    """Collects questions that are asked at the same time into batches of at most `size`.

    A batch that is too large is halved, and batches of its kind stay that small.
    """

    def __init__(self, worker: Worker[Question, Prepared, Answer], size: int, wait: float = 0.005) -> None:
        self._worker = worker
        self._size = size
        self._wait = wait
        self._fitting: dict[Hashable, int] = {}
        self._queue: queue.SimpleQueue[_Waiting[Question, Prepared, Answer] | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closed = threading.Event()

    def ask(self, question: Question) -> Future[Answer]:
        """A future of the answer. Cancelling it does not affect the rest of its batch."""
        waiting: _Waiting[Question, Prepared, Answer] = _Waiting(question)
        with self._lock:
            if self._closed.is_set():
                waiting.fail(ModelUnavailable("the model is closed"))
                return waiting.future
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="hf", daemon=True)
                self._thread.start()
                # The process would abort if the interpreter ended while this thread computes.
                atexit.register(self.close)
            self._queue.put(waiting)
        return waiting.future

    def close(self) -> None:
        """End the thread; questions that still wait fail."""
        with self._lock:
            self._closed.set()
            thread, self._thread = self._thread, None
        if thread is not None:
            atexit.unregister(self.close)
            self._queue.put(None)
            thread.join(_CLOSING_SECONDS)

    def _work(self) -> None:
        waiting: list[_Waiting[Question, Prepared, Answer]] = []
        while self._collect(waiting):
            waiting[:] = [one for one in waiting if not one.future.cancelled()]
            batch = self._first_batch(waiting)
            waiting[:] = [one for one in waiting if one not in batch]
            if batch:
                self._answer(batch)
        for unanswered in (*waiting, *self._unanswered()):
            unanswered.fail(ModelUnavailable("the model was closed before it could answer"))

    def _unanswered(self) -> Iterator[_Waiting[Question, Prepared, Answer]]:
        """The questions that will not be answered; the queue is closed and takes no more."""
        with suppress(queue.Empty):
            while True:
                one = self._queue.get_nowait()
                if one is not None:
                    yield one

    def _collect(self, waiting: list[_Waiting[Question, Prepared, Answer]]) -> bool:
        """Add questions until no more arrive or a batch is full; False if the thread should end."""
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

    def _prepare(
        self, one: _Waiting[Question, Prepared, Answer], waiting: list[_Waiting[Question, Prepared, Answer]]
    ) -> None:
        try:
            one.prepared = self._worker.prepare(one.question)
            one.batch_key = self._worker.batch_key(one.prepared)
        except Exception as error:  # the error concerns this question only
            one.fail(error)
        else:
            waiting.append(one)

    def _room(self, waiting: list[_Waiting[Question, Prepared, Answer]]) -> int:
        return self._fitting.get(waiting[0].batch_key, self._size) if waiting else self._size

    def _first_batch(
        self, waiting: list[_Waiting[Question, Prepared, Answer]]
    ) -> list[_Waiting[Question, Prepared, Answer]]:
        """The question that has waited longest, and those that fit into its batch."""
        return [one for one in waiting if one.batch_key == waiting[0].batch_key][: self._room(waiting)]

    def _answer(self, batch: list[_Waiting[Question, Prepared, Answer]]) -> None:
        while batch:
            part = batch[: self._room(batch)]
            if self._answered(part):
                batch = batch[len(part) :]
            else:
                self._fitting[part[0].batch_key] = len(part) // 2

    def _answered(self, batch: list[_Waiting[Question, Prepared, Answer]]) -> bool:
        """Answer the batch; False if it is too large. If True, every question has an answer or an error."""

        def given_up() -> bool:
            return self._closed.is_set() or all(one.future.cancelled() for one in batch)

        failure: Exception = ModelUnavailable("the model was closed before it could answer")
        answers: Sequence[Answer] = ()
        try:
            answers = self._worker.answer([one.prepared for one in batch if one.prepared is not None], given_up)
        except TooLarge as error:
            if len(batch) > 1:
                return False
            failure = ModelUnavailable(str(error))
        except Exception as error:
            failure = error
        if answers and not self._closed.is_set():
            for one, answer in zip(batch, answers, strict=True):
                one.resolve(answer)
        else:
            for one in batch:
                one.fail(failure)
        return True
