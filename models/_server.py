"""A server of models in a process of its own, which ends when the run does, however that ends."""

from __future__ import annotations

import asyncio
import atexit
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import ProxyHandler, build_opener

from models._secrets import scrubbed
from models.base import RunMustStop

LOOK_EVERY = 0.25
"""Seconds between two looks at whether the server is ready."""
END_SECONDS = 25.0
"""How long the guard may take to end the server."""
SHOWN = 3
"""How many of the last lines of the log are shown when the server fails."""
_GUARD = Path(__file__).with_name("_guard.py")


class Server:
    """One server. `command` gives its command line for a port."""

    def __init__(self, name: str, command: Callable[[int], Sequence[str]], wait: float) -> None:
        self.name, self._command, self._wait = name, command, wait
        self.log: Path | None = None
        self.port = 0
        self._guard: subprocess.Popen[bytes] | None = None
        self._starting: asyncio.Task[None] | None = None

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}"

    async def ready(self, notify: Callable[[str], None]) -> None:
        """Start it once, and wait until it answers; `RunMustStop` if it does not."""
        if self._starting is None:
            self._starting = asyncio.create_task(self._start(notify))
        await asyncio.shield(self._starting)

    def check(self) -> None:
        """`RunMustStop` if it has ended."""
        code = None if self._guard is None else self._guard.poll()
        if code is not None:
            raise RunMustStop(f"{self.name} ended with code {code}{self._last_words()}")

    def stop(self) -> None:
        """End it, with all processes that it has started."""
        guard, self._guard, self._starting = self._guard, None, None
        atexit.unregister(self.stop)
        if guard is None:
            return
        if guard.stdin is not None:
            with suppress(OSError):
                guard.stdin.close()
        try:
            guard.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            guard.kill()
            guard.wait()

    async def _start(self, notify: Callable[[str], None]) -> None:
        self.port = _free_port()
        if self.log is None:
            self.log = Path(tempfile.gettempdir()) / f"plumbline-serve-{self.port}.log"
        command = self._command(self.port)
        notify(f"starting {self.name} on port {self.port}; its log is {self.log}")
        self._guard = _guarded(self.log, command)
        atexit.register(self.stop)
        started = time.monotonic()
        while not await asyncio.to_thread(_answers, f"{self.url}/health"):
            self.check()
            if time.monotonic() - started > self._wait:
                raise RunMustStop(f"{self.name} does not answer after {self._wait:g} s{self._last_words()}")
            await asyncio.sleep(LOOK_EVERY)
        self.check()  # another program may have taken the port
        notify(f"{self.name} answers after {time.monotonic() - started:.0f} s")

    def _last_words(self) -> str:
        """The end of the log, and where it is."""
        if self.log is None or not self.log.is_file():
            return ""
        with self.log.open("rb") as file:
            file.seek(max(0, self.log.stat().st_size - 20_000))
            lines = [line.strip() for line in file.read().decode(errors="replace").splitlines() if line.strip()]
        output = " | ".join(scrubbed(line)[:300] for line in lines[-SHOWN:])
        return f": {output or 'it said nothing'} (log: {self.log})"


def _guarded(log: Path, command: Sequence[str]) -> subprocess.Popen[bytes]:
    """The guard of a new server. In a session of its own: Ctrl-C is for the run, which then ends the server."""
    return subprocess.Popen(
        [sys.executable, "-I", str(_GUARD), str(log), *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def _answers(url: str) -> bool:
    """Whether a server answers with success here, whatever proxies the environment names."""
    try:
        with build_opener(ProxyHandler({})).open(url, timeout=5) as response:
            return bool(response.status == 200)
    except (HTTPError, OSError, ValueError):
        return False
