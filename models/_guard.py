"""Runs a server and ends it with everything it started, as soon as the run that wants it is gone.

Started as a script by `models._server`, with the log file and the command as arguments. Its input is a pipe that the
run holds open: the pipe closes even if the run is killed, and then there is nothing left to serve.
"""

import ctypes
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

GRACE = 10.0
"""Seconds that the server has to end by itself."""
LOOK_EVERY = 0.5
"""Seconds between two looks at whether the run and the server are still there."""
_DEATH_SIGNAL, _ADOPT = 1, 36
"""Of `prctl` on Linux: the signal that a process gets when its parent ends, and who inherits orphans."""


def main() -> int:
    """Run the server until it ends or the run is gone; the server's exit code."""
    log, *command = sys.argv[1:]
    run = os.getppid()
    _prctl(_ADOPT, 1)  # what the server starts and leaves behind becomes a child of this process
    ended = [False]
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: ended.__setitem__(0, True))
    with Path(log).open("ab") as out:
        server = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, preexec_fn=_die_with_guard()
        )
    while server.poll() is None and not ended[0] and os.getppid() == run and not _closed():
        pass
    code = server.poll()
    if code is None:
        server.terminate()
        with suppress(subprocess.TimeoutExpired):
            server.wait(GRACE)
    _end_all(server)
    return 0 if code is None else code if code >= 0 else 128 - code


def _closed() -> bool:
    """Whether the run has closed its end of the pipe; returns after a while if not."""
    readable, _, _ = select.select([sys.stdin], [], [], LOOK_EVERY)
    return bool(readable) and not os.read(sys.stdin.fileno(), 1)


def _end_all(server: "subprocess.Popen[bytes]") -> None:
    """Kill the server and all its descendants: each that loses its parent becomes a child of this process."""
    if server.poll() is None:
        server.kill()
        server.wait()
    deadline = time.monotonic() + GRACE
    while time.monotonic() < deadline:
        for child in _children():
            with suppress(ProcessLookupError, PermissionError):
                os.kill(child, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def _children() -> list[int]:
    """The processes whose parent is this one; none where there is no /proc."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, ValueError, IndexError):
            fields = entry.read_text().rpartition(")")[2].split()
            if int(fields[1]) == os.getpid():
                found.append(int(entry.parent.name))
    return found


def _die_with_guard() -> Callable[[], None] | None:
    """What has the server killed when this process is; None where there is no such thing."""
    return (lambda: _prctl(_DEATH_SIGNAL, signal.SIGKILL)) if sys.platform == "linux" else None


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0)


if __name__ == "__main__":
    raise SystemExit(main())
