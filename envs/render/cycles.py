"""Renders scenes with Blender's path tracer Cycles: slower, but photorealistic.

Blender (`bpy`) allows one thread, may crash, and is under the GPL, so it runs in a separate process, which is started
for the first picture and receives scenes through a pipe. Unlike those of `ray`, pictures are not bit-identical.
"""

from __future__ import annotations

import atexit
import importlib.util
import os
import pickle
import signal
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from envs.render.scene import Scene

_ROOT = Path(__file__).parents[2]
WORKER = (sys.executable, "-m", "envs.render.cycles_worker")


class BlenderUnavailable(ImportError):
    """Blender is not installed, or its process died or hung."""


class Blender:
    """A process that draws one scene at a time; ended if a picture takes longer than `patience` seconds."""

    def __init__(self, command: Sequence[str] = WORKER, patience: float = 300.0) -> None:
        self._command, self._patience = command, patience
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        atexit.register(self.close)

    def draw(self, scene: Scene, width: int = 480, height: int = 480, *, samples: int = 8) -> bytes:
        """The scene as a PNG file."""
        with self._lock:
            kind, answer = pickle.loads(self._ask(self._running(), pickle.dumps((scene, width, height, samples))))
        if kind == "error":
            raise BlenderUnavailable(f"Blender could not draw: {answer}")
        picture: bytes = answer
        return picture

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(BrokenPipeError):
            process.stdin.close()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            _kill(process)
            process.wait()
        process.stdout.close()

    def _ask(self, process: subprocess.Popen[bytes], request: bytes) -> bytes:
        assert process.stdin is not None
        assert process.stdout is not None
        deadline = time.monotonic() + self._patience
        watch = threading.Timer(self._patience, _kill, [process])
        watch.daemon = True
        watch.start()
        try:
            send(process.stdin, request)
            return receive(process.stdout)
        except (EOFError, BrokenPipeError) as error:
            code = process.wait()
            late = time.monotonic() >= deadline
            what = f"took more than {self._patience:g} s" if late else f"ended with code {code}"
            self._end()
            raise BlenderUnavailable(f"the Blender process {what} while drawing") from error
        finally:
            watch.cancel()

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is not None:
            self._end()
        if self._process is None:
            if self._command is WORKER and importlib.util.find_spec("bpy") is None:
                raise BlenderUnavailable("Blender pictures need bpy: pip install -e '.[blender]'")
            # In its own session, so that Ctrl-C does not reach it and its children can be ended with it.
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=_ROOT, start_new_session=True
            )
        return self._process


def _kill(process: subprocess.Popen[bytes]) -> None:
    with suppress(OSError):  # it may have ended already
        os.killpg(process.pid, signal.SIGKILL)


def send(pipe: IO[bytes], data: bytes) -> None:
    """Write one message, preceded by its length."""
    pipe.write(struct.pack(">Q", len(data)) + data)
    pipe.flush()


def receive(pipe: IO[bytes]) -> bytes:
    """Read one message."""
    header = pipe.read(8)
    if len(header) < 8:
        raise EOFError
    (length,) = struct.unpack(">Q", header)
    data = pipe.read(length)
    if len(data) < length:
        raise EOFError
    return data


def as_error(error: BaseException) -> Any:
    """An error as an answer."""
    return "error", f"{type(error).__name__}: {error}"
