"""Which requests go into which batch, and who waits for it.

Requests are gathered until none has come for a while, then sent as one batch, or several if they are too many. A
request that is in a batch already, such as one that was sent before the process was killed, waits for that one.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from models._batch_api import Batch, BatchApi, Line, NoRoom, State, unanswered
from models._batch_store import BatchStore
from models._wire import Rejected
from models.base import ModelRefused, ModelUnavailable, Request, RunMustStop, Transient

T = TypeVar("T")

LONGEST_POLL = 60.0
"""Seconds between two looks at a batch, at the most."""
LONGEST_LIFE = 30 * 3600.0
"""Seconds after which a batch that has not ended is given up. Providers end theirs after 24 hours."""
DOWNLOADS = 3
"""How often results are read that have broken lines."""
SHOWN_EVERY = 60.0
"""Seconds between two reports of what is waited for."""


class Persist(Protocol):
    """Makes a call of the API, however many attempts it takes."""

    async def __call__(self, call: Callable[[], Awaitable[T]]) -> T: ...


class AskPlainly(Exception):
    """The request is not worth a batch."""


@dataclass(frozen=True)
class Gathering:
    """When a batch is sent: after `wait` seconds without a new request. Fewer than `least` requests make no batch."""

    wait: float = 5.0
    least: int = 1


@dataclass
class Gathered:
    """Requests of a batch to be."""

    lines: dict[str, bytes]
    size: int = 0

    def add(self, key: str, line: bytes) -> None:
        """Add a request."""
        self.lines[key] = line
        self.size += len(line) + 1


class BatchQueue:
    """The batches of one model. `persist` makes a call of the API, however many attempts it takes."""

    def __init__(
        self,
        api: BatchApi,
        host: str,
        store: BatchStore,
        gathering: Gathering,
        persist: Persist,
        notify: Callable[[str], None],
    ) -> None:
        self._api, self._host, self._store = api, host, store
        self._gathering, self._persist, self._notify = gathering, persist, notify
        self._most_requests = api.most_requests
        self._waiting: dict[str, asyncio.Future[str]] = {}
        self._gathered = Gathered({})
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._states: dict[str, tuple[int, int]] = {}
        self._no_room = False
        self._shown = 0.0
        self._uploads = asyncio.Semaphore(1)
        self._room = asyncio.Event()
        self._room.set()

    def knows(self, key: str) -> bool:
        """Whether the request is in a batch, or answered by one."""
        return key in self._waiting or self._store.answer(key) is not None or self._store.batch_with(key) is not None

    @property
    def busy(self) -> bool:
        """Whether something is gathered, or waited for."""
        return bool(self._waiting)

    async def answer(self, key: str, request: Request) -> str:
        """The answer to a request, from the batch that it is in, or will be in."""
        kept = self._store.answer(key)
        if kept is not None:
            return kept
        if key not in self._waiting:
            self._waiting[key] = asyncio.get_running_loop().create_future()
            batch = self._store.batch_with(key)
            if batch is not None:
                self._start(batch.name, self._follow(batch))
            else:
                await self._gather(key, request)
        return await asyncio.shield(self._waiting[key])

    def stop(self) -> None:
        """Wait for nothing any more; batches under way stay where they are."""
        if self._timer is not None:
            self._timer.cancel()
        for task in list(self._tasks.values()):
            task.cancel()

    async def finish(self) -> None:
        """Stop, and wait until all tasks have."""
        self.stop()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def _gather(self, key: str, request: Request) -> None:
        # What is being sent is held in memory, so no more is gathered than one batch ahead.
        while not self._room.is_set():
            await self._room.wait()
        self._gathered.add(key, self._api.line(key, request))
        if self._timer is not None:
            self._timer.cancel()
        full = len(self._gathered.lines) >= self._most_requests or self._gathered.size >= self._api.most_bytes
        if full:
            self._room.clear()
            self._flush()
        else:
            self._timer = asyncio.get_running_loop().call_later(self._gathering.wait, self._flush)

    def _flush(self) -> None:
        """Send what is gathered, or give it back if it is too little."""
        if self._no_room and self._states:
            # The provider takes no more for now: wait until one of the batches under way has ended.
            self._timer = asyncio.get_running_loop().call_later(self._gathering.wait, self._flush)
            return
        gathered, self._gathered = self._gathered.lines, Gathered({})
        if not gathered:
            return
        if len(gathered) < self._gathering.least:
            self._fail(gathered, AskPlainly())
            return
        for lines in _in_parts(gathered, self._most_requests):
            name = _name(lines)
            self._start(name, self._send(Batch(name, time.time(), tuple(lines)), list(lines.values())))

    def _start(self, name: str, work: Awaitable[None]) -> None:
        if name in self._tasks:
            _drop(work)
            return

        async def run() -> None:
            try:
                await work
            finally:
                self._tasks.pop(name, None)
                self._states.pop(name, None)

        self._tasks[name] = asyncio.create_task(run())

    async def _send(self, batch: Batch, lines: Sequence[bytes]) -> None:
        """Send a batch and wait for it. Whatever happens, those who wait for it hear of it."""
        try:
            async with self._uploads:
                self._store.begin(batch)
                remote = await self._created(batch, lines)
                self._store.sent(batch.name, remote)
            del lines
            self._room.set()
            self._notify(f"{remote}: {len(batch.keys)} requests sent to {self._host} as a batch, within 24 hours")
        except asyncio.CancelledError:
            raise
        except Exception as error:
            self._room.set()
            self._give_up(batch, error)
            return
        await self._follow(replace(batch, remote=remote))

    async def _created(self, batch: Batch, lines: Sequence[bytes]) -> str:
        """Send a batch once, even if the connection breaks before the answer comes."""
        sent = False

        async def attempt() -> str:
            nonlocal sent
            found = await self._api.find(batch, self._store.remotes()) if sent else None
            if found is not None:
                return found
            try:
                sent = True
                return await self._api.create(batch.name, lines)
            except Transient as error:
                # These say that nothing was accepted.
                sent = not (error.down or error.slow_down)
                raise

        try:
            return await self._persist(attempt)
        except Rejected as rejected:
            if rejected.status in (404, 405, 501):
                raise RunMustStop(f"{rejected}; perhaps it takes no batches: leave out --batch") from None
            raise

    async def _follow(self, batch: Batch) -> None:
        """Wait for a batch, and give its answers to those who wait for them."""
        try:
            while True:
                remote = batch.remote or await self._found(batch)
                if remote is None:
                    self._end(batch, [], "it was never sent")
                    return
                batch = replace(batch, remote=remote)
                state = await self._ended(batch, remote)
                lines = [] if state.failure else await self._lines(remote, state)
                if not lines or {line.key for line in lines} & set(batch.keys):
                    self._end(batch, lines, "it says nothing about it", state.failure)
                    return
                self._store.disown(batch)
                batch = replace(batch, remote=None, others=(*batch.others, remote))
        except asyncio.CancelledError:
            raise
        except Rejected as rejected:
            if rejected.status != 404:
                self._fail(batch.keys, rejected)
                return
            self._notify(f"{batch.remote}: {self._host} does not know this batch any more; its requests are sent again")
            self._end(batch, [], "it is gone")
        except Exception as error:
            self._fail(batch.keys, error)

    async def _found(self, batch: Batch) -> str | None:
        """The id of a batch that may have been sent before the process ended."""
        remote = await self._persist(lambda: self._api.find(batch, self._store.remotes()))
        if remote is not None:
            self._store.sent(batch.name, remote)
            self._notify(f"{remote}: found again at {self._host}, {len(batch.keys)} requests")
        return remote

    async def _ended(self, batch: Batch, remote: str) -> State:
        """The state of a batch when it has ended."""
        pause = min(LONGEST_POLL, max(0.01, self._gathering.wait))
        while True:
            state = await self._persist(lambda: self._api.state(remote))
            if state.ended:
                return state
            if time.time() - batch.created > LONGEST_LIFE:
                raise ModelUnavailable(f"{remote}: {self._host} has not ended this batch in {LONGEST_LIFE / 3600:g} h")
            self._states[batch.name] = (state.answered, len(batch.keys))
            self._show_waiting()
            await asyncio.sleep(pause)
            pause = min(LONGEST_POLL, pause * 1.5)

    async def _lines(self, remote: str, state: State) -> list[Line]:
        """The lines of a batch. A file with broken lines is read again, because the answers are paid for."""
        for download in range(1, DOWNLOADS + 1):
            lines, broken = await self._persist(lambda: self._api.lines(remote, state))
            if not broken:
                break
            if download == DOWNLOADS:
                self._notify(f"{remote}: {broken} lines of its results cannot be read; these requests are sent again")
        return lines

    def _end(self, batch: Batch, lines: Iterable[Line], missing: str, failure: Exception | None = None) -> None:
        """Keep the answers of a batch; the problem of each other request goes to whoever waits for it."""
        known = set(batch.keys)
        found: dict[str, Line] = {}
        for line in lines:
            if line.key in known and (line.key not in found or found[line.key].answer is None):
                found[line.key] = line
        answers = {key: line.answer for key, line in found.items() if line.answer is not None}
        self._store.end(batch.name, answers)
        if batch.remote is not None and found:
            lost = len(batch.keys) - len(answers)
            self._notify(
                f"{batch.remote}: {len(answers)} of {len(batch.keys)} requests answered"
                + (f", {lost} not" * bool(lost))
            )
        self._no_room = isinstance(failure, NoRoom)
        if self._no_room:
            self._most_requests = max(1, len(batch.keys) // 2)
            if len(batch.keys) == 1:
                failure = ModelUnavailable(str(failure))  # it will not become smaller
        for key in batch.keys:
            line = found.get(key, Line(key, problem=failure or unanswered(missing)))
            if line.answer is None:
                self._fail([key], line.problem or unanswered(missing))
            elif (waiting := self._waiting.pop(key, None)) and not waiting.done():
                waiting.set_result(line.answer)

    def _give_up(self, batch: Batch, error: Exception) -> None:
        """Tell those who wait that their batch could not be sent. One that may have arrived stays written down."""
        if isinstance(error, ModelRefused):
            self._store.end(batch.name, {})
        self._fail(batch.keys, error)

    def _fail(self, keys: Iterable[str], error: Exception) -> None:
        for key in list(keys):
            waiting = self._waiting.pop(key, None)
            if waiting is not None and not waiting.done():
                waiting.set_exception(error)
                waiting.exception()  # it may be that nobody waits any more

    def _show_waiting(self) -> None:
        """Say how much is waited for, once in a while."""
        if time.monotonic() - self._shown < SHOWN_EVERY:
            return
        self._shown = time.monotonic()
        answered, total = (sum(counts) for counts in zip(*self._states.values(), strict=True))
        batches = f"{len(self._states)} batch{'es' if len(self._states) > 1 else ''}"
        self._notify(f"waiting for {batches} at {self._host}: {answered} of {total} requests answered")


def _in_parts(lines: dict[str, bytes], most: int) -> Iterator[dict[str, bytes]]:
    """The requests in parts of at most so many."""
    items = list(lines.items())
    for start in range(0, len(items), most):
        yield dict(items[start : start + most])


def _name(keys: Iterable[str]) -> str:
    """A name that no other batch has: the same requests may have to be sent again."""
    digest = hashlib.sha256("\n".join(keys).encode()).hexdigest()[:24]
    return f"plumbline-{digest}-{time.time_ns():x}"


def _drop(work: Awaitable[None]) -> None:
    """Close a coroutine that is not needed."""
    close = getattr(work, "close", None)
    if close is not None:
        close()
