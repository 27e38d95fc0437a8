"""The same scenes through Blender's path tracer Cycles: slower, photorealistic.

Blender (`bpy`) allows one thread, may crash, and is under the GPL: it lives in a process of its own, started on the
first picture and fed through a pipe. Pictures are alike between runs, not equal bit for bit as those of `ray` are.
"""

from __future__ import annotations

import atexit
import importlib.util
import pickle
import struct
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO, Any

from envs.render.scene import Scene

_ROOT = Path(__file__).parents[2]


class BlenderUnavailable(ImportError):
    """Blender is not installed, or its process died."""


class Blender:
    """A process that draws, one scene at a time."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def draw(self, scene: Scene, width: int = 480, height: int = 480, *, samples: int = 8) -> bytes:
        """The scene as a PNG file."""
        with self._lock:
            process = self._running()
            assert process.stdin is not None
            assert process.stdout is not None
            try:
                send(process.stdin, pickle.dumps((scene, width, height, samples)))
                kind, answer = pickle.loads(receive(process.stdout))
            except (EOFError, BrokenPipeError) as error:
                code = process.wait()
                self._process = None
                raise BlenderUnavailable(f"the Blender process ended with code {code} while drawing") from error
        if kind == "error":
            raise BlenderUnavailable(f"Blender could not draw: {answer}")
        picture: bytes = answer
        return picture

    def close(self) -> None:
        """End the process."""
        with self._lock:
            if self._process is not None and self._process.stdin is not None:
                self._process.stdin.close()
                self._process.wait()
            self._process = None

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            if importlib.util.find_spec("bpy") is None:
                raise BlenderUnavailable("Blender pictures need bpy: pip install 'plumbline[blender]'")
            self._process = subprocess.Popen(
                [sys.executable, "-m", "envs.render.cycles_worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                cwd=_ROOT,
            )
            atexit.register(self.close)
        return self._process


def send(pipe: IO[bytes], data: bytes) -> None:
    """Write one message: its length, then itself."""
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
    """An answer that says what went wrong."""
    return "error", f"{type(error).__name__}: {error}"
