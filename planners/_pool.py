"""A few long-lived processes that answer requests, one at a time each, and leave nothing behind.

Every worker leads a session of its own and works in a directory of its own. Out of time or cancelled, its whole
process group is ended and waited for, and the next request starts a new one.

    NoAnswer       why a request has no answer
    ├── TimedOut   the time limit was reached
    ├── Cancelled  the caller cancelled it
    └── Died       the worker ended; has the last line of its output
"""

from __future__ import annotations

import asyncio
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from planners._worker import GONE

T = TypeVar("T")


class NoAnswer(Exception):
    """A request without an answer; its worker is gone."""


class TimedOut(NoAnswer):
    """The time limit was reached."""


class Cancelled(NoAnswer):
    """The caller cancelled it."""


class Died(NoAnswer):
    """The worker ended by itself."""


class Worker:
    """One process: a JSON request in, a JSON answer out."""

    def __init__(self, command: Sequence[str]) -> None:
        self._directory = Path(tempfile.mkdtemp(prefix="plumbline-"))
        self._log = self._directory / "stderr"
        self._lock = threading.Lock()
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [*command, str(self._directory)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                cwd=self._directory,
                start_new_session=True,
                bufsize=0,
            )

    def ask(self, request: dict[str, Any], deadline: float) -> dict[str, Any]:
        """Send the request and wait for its answer until the deadline (of `time.monotonic`)."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
        except OSError:
            raise Died(self._last_words()) from None
        answer: dict[str, Any] = json.loads(self._read_line(deadline))
        return answer

    def _read_line(self, deadline: float) -> bytes:
        assert self._process.stdout is not None
        pipe = self._process.stdout.fileno()
        poll = select.poll()
        poll.register(pipe, select.POLLIN)
        line = b""
        while not line.endswith(b"\n"):
            left = deadline - time.monotonic()
            if left <= 0 or not poll.poll(left * 1000):
                raise TimedOut
            chunk = os.read(pipe, 1 << 16)
            if not chunk:
                raise Died(self._last_words())
            line += chunk
        return line

    def _last_words(self) -> str:
        """The last line of its log: of a traceback the one that says what is wrong."""
        with suppress(OSError):
            lines = self._log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
            return lines[-1][-500:] if lines else ""
        return ""

    def alive(self) -> bool:
        """Whether the process is still there; for idle workers only, whose group is just themselves."""
        with self._lock:
            return self._process.poll() is None

    def kill(self) -> None:
        """End it with all it has started, and wait. The thread that reads its answer sees the end of the pipe."""
        with self._lock:
            if self._process.returncode is None:
                # SIGTERM first: a worker that ends by itself waits for its children, one that is killed cannot.
                self._signal(signal.SIGTERM)
                with suppress(subprocess.TimeoutExpired):
                    self._process.wait(1.0)
                if self._process.returncode != GONE:
                    self._signal(signal.SIGKILL)
                    self._process.wait()
        shutil.rmtree(self._directory, ignore_errors=True)

    def _signal(self, number: int) -> None:
        # Its session is its own, so its process group is it and its children.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)

    def dispose(self) -> None:
        """Kill it and close its pipes; only for the thread that reads from them."""
        self.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()


class Call:
    """One request under way, and the handle to cancel it by."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._worker: Worker | None = None
        self.cancelled = False

    def hold(self, worker: Worker | None) -> None:
        """Note which worker is busy with it."""
        with self._lock:
            self._worker = worker
            if self.cancelled and worker is not None:
                worker.kill()

    def cancel(self) -> None:
        """End the worker that is busy with it, now or as soon as there is one."""
        with self._lock:
            self.cancelled = True
            if self._worker is not None:
                self._worker.kill()


class Pool:
    """At most `size` workers, started when they are needed."""

    def __init__(self, command: Sequence[str], size: int) -> None:
        self._command = tuple(command)
        self._size = size
        self._slots = threading.BoundedSemaphore(size)
        self._lock = threading.Lock()
        self._idle: list[Worker] = []
        self._busy: set[Worker] = set()
        self._threads: ThreadPoolExecutor | None = None
        # Runs when the pool is collected and when the interpreter exits; must not refer to the pool itself.
        weakref.finalize(self, _dispose_all, self._idle, self._busy)

    def ask(self, request: dict[str, Any], timeout: float, call: Call) -> dict[str, Any]:
        """The answer of some worker, waiting for a free one first; `NoAnswer` if there is none.

        The wait for a free worker does not count against the time limit.
        """
        with self._slots:
            if call.cancelled:
                raise Cancelled
            worker = self._take()
            call.hold(worker)
            try:
                answer = worker.ask(request, time.monotonic() + timeout)
            except BaseException as error:
                call.hold(None)
                self._put(worker, usable=False)
                if call.cancelled and isinstance(error, Died):
                    raise Cancelled from None
                raise
            call.hold(None)
            self._put(worker, usable=not call.cancelled)
            return answer

    def _take(self) -> Worker:
        with self._lock:
            worker = self._idle.pop() if self._idle else None
        if worker is not None and not worker.alive():
            worker.dispose()
            worker = None
        worker = worker or Worker(self._command)
        with self._lock:
            self._busy.add(worker)
        return worker

    def _put(self, worker: Worker, *, usable: bool) -> None:
        with self._lock:
            self._busy.discard(worker)
            if usable:
                self._idle.append(worker)
        if not usable:
            worker.dispose()

    async def run(self, work: Callable[[Call], T]) -> T:
        """Do blocking work in a thread; when cancelled, its worker and the thread have ended before it returns."""
        call = Call()
        with self._lock:
            if self._threads is None:
                self._threads = ThreadPoolExecutor(self._size, thread_name_prefix="planner")
            job = self._threads.submit(work, call)
        try:
            return await asyncio.shield(asyncio.wrap_future(job))
        except asyncio.CancelledError:
            await asyncio.to_thread(call.cancel)  # ending a process takes a moment; others go on meanwhile
            if not job.cancel():
                await asyncio.wait([asyncio.wrap_future(job)])
            raise

    def close(self) -> None:
        """End every worker; requests under way get no answer. A later request starts new ones."""
        with self._lock:
            idle, busy, threads = list(self._idle), list(self._busy), self._threads
            self._idle.clear()
            self._threads = None
        for worker in idle:
            worker.dispose()
        for worker in busy:
            worker.kill()
        if threads is not None:
            threads.shutdown(wait=True, cancel_futures=True)


def _dispose_all(idle: list[Worker], busy: set[Worker]) -> None:
    for worker in [*idle, *busy]:
        worker.dispose()
