"""A pool of long-lived worker processes that answer one request at a time each and always clean up.

Every worker has its own session and working directory. If a request times out or is cancelled, the worker's whole
process group is ended, and the next request starts a new worker.

    NoAnswer       why a request has no answer
    ├── TimedOut   the time limit was reached
    ├── Cancelled  the caller cancelled it
    └── Died       the worker ended; the message is the last line of its output
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
    """The request has no answer; its worker was ended."""


class TimedOut(NoAnswer):
    """The time limit was reached."""


class Cancelled(NoAnswer):
    """The caller cancelled it."""


class Died(NoAnswer):
    """The worker ended by itself."""


class Worker:
    """A worker process that reads JSON requests and writes JSON answers."""

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
        """The last line of its log, which is the message if the log ends with a traceback."""
        with suppress(OSError):
            lines = self._log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
            return lines[-1][-500:] if lines else ""
        return ""

    def alive(self) -> bool:
        """Whether the process is running. Only for idle workers, which have no child processes."""
        with self._lock:
            return self._process.poll() is None

    def kill(self) -> None:
        """End the process and its children, and wait for it. The thread that reads its answer sees the pipe close."""
        with self._lock:
            if self._process.returncode is None:
                # SIGTERM first, so that the worker can wait for its children.
                self._signal(signal.SIGTERM)
                with suppress(subprocess.TimeoutExpired):
                    self._process.wait(1.0)
                if self._process.returncode != GONE:
                    self._signal(signal.SIGKILL)
                    self._process.wait()
        shutil.rmtree(self._directory, ignore_errors=True)

    def _signal(self, number: int) -> None:
        # The worker leads its session, so its process group contains only it and its children.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)

    def dispose(self) -> None:
        """End the process and close its pipes. Only for the thread that reads from them."""
        self.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()


class Call:
    """A handle to cancel a request."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._worker: Worker | None = None
        self.cancelled = False

    def hold(self, worker: Worker | None) -> None:
        """Set the worker of the request."""
        with self._lock:
            self._worker = worker
            if self.cancelled and worker is not None:
                worker.kill()

    def cancel(self) -> None:
        """End the worker of the request, now or as soon as it has one."""
        with self._lock:
            self.cancelled = True
            if self._worker is not None:
                self._worker.kill()


class Pool:
    """At most `size` workers, started on demand."""

    def __init__(self, command: Sequence[str], size: int) -> None:
        self._command = tuple(command)
        self._size = size
        self._slots = threading.BoundedSemaphore(size)
        self._lock = threading.Lock()
        self._idle: list[Worker] = []
        self._busy: set[Worker] = set()
        self._threads: ThreadPoolExecutor | None = None
        # Runs when the pool is garbage-collected or the interpreter exits; must not refer to the pool itself.
        weakref.finalize(self, _dispose_all, self._idle, self._busy)

    def ask(self, request: dict[str, Any], timeout: float, call: Call) -> dict[str, Any]:
        """Wait for a free worker and return its answer; raises `NoAnswer`.

        Waiting for a free worker does not count against the time limit.
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
        """Run blocking work in a thread. When cancelled, returns after the worker and the thread have ended."""
        call = Call()
        with self._lock:
            if self._threads is None:
                self._threads = ThreadPoolExecutor(self._size, thread_name_prefix="planner")
            job = self._threads.submit(work, call)
        try:
            return await asyncio.shield(asyncio.wrap_future(job))
        except asyncio.CancelledError:
            await asyncio.to_thread(call.cancel)  # ending a process takes time; do not block the event loop
            if not job.cancel():
                await asyncio.wait([asyncio.wrap_future(job)])
            raise

    def close(self) -> None:
        """End every worker; pending requests get no answer. A later request starts new workers."""
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
