"""A process that keeps a planning engine loaded and answers requests, as `planners._pool` starts it.

    python -I _worker.py ENGINE_FILE ENGINE_ARGUMENT PRIVATE_DIR

The worker is run by its path and loads the engine by its path, so that our packages are not importable: the
translator of Fast Downward consists of top-level modules with names like `tools`. The worker reads one JSON request per
line from its standard input and answers with one line each. On SIGTERM, or when the input ends and
its parent is gone, it ends together with its child processes.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import importlib.util
import json
import os
import shutil
import signal
import sys
import threading
import time
from pathlib import Path
from queue import SimpleQueue
from typing import Any

GONE = 70
"""The exit code if no child process is left."""


MOST_MEMORY = int(os.environ.get("PLUMBLINE_PLANNER_MEMORY", 4096)) * 2**20
"""Bytes. Without a limit, a long search would use all memory of the machine."""


def main(engine_file: str, argument: str, private: str) -> None:
    """Answer requests until the input ends."""
    signal.signal(signal.SIGTERM, reap)
    adopt_orphans()
    limit_memory()
    requests: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=listen, args=(requests, private), daemon=True).start()
    # Engines print to standard output; only answers may reach the pipe.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    engine = load(engine_file).Engine(argument)
    os.chdir(private)
    # Garbage collection takes a tenth of a translation's time, so it runs between requests,
    # and never visits permanently loaded objects.
    gc.disable()
    gc.freeze()
    while True:
        request = json.loads(requests.get())
        answers.write(json.dumps(answer(engine, request)) + "\n")
        answers.flush()
        gc.collect()


def listen(requests: SimpleQueue[bytes], private: str) -> None:
    """Pass on requests as they arrive; at the end of the input, end everything."""
    try:
        for line in sys.stdin.buffer:
            requests.put(line)
        shutil.rmtree(private, ignore_errors=True)
    finally:  # even if memory is used up: no other process would end this one
        try:
            os.killpg(os.getpgrp(), signal.SIGTERM)
            time.sleep(2.0)
        finally:
            os.killpg(os.getpgrp(), signal.SIGKILL)


def reap(*_: object) -> None:
    """Wait for the children, which received the same signal, and exit; otherwise they would stay as zombies."""
    with contextlib.suppress(ChildProcessError):
        while True:
            os.waitpid(-1, 0)
    os._exit(GONE)


def limit_memory() -> None:
    """Limit the memory of this process and its children, where the system supports it."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        most = MOST_MEMORY if hard == resource.RLIM_INFINITY else min(MOST_MEMORY, hard)
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def adopt_orphans() -> None:
    """Adopt orphaned grandchildren, where the system supports it."""
    if sys.platform == "linux":
        pr_set_child_subreaper = 36
        ctypes.CDLL(None).prctl(pr_set_child_subreaper, 1, 0, 0, 0)


def load(file: str) -> Any:
    """Import the module in a file."""
    spec = importlib.util.spec_from_file_location(Path(file).stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def answer(engine: Any, request: dict[str, Any]) -> dict[str, Any]:
    """The engine's answer. A failure is an answer too."""
    try:
        result: dict[str, Any] = engine.answer(request)
    except MemoryError:
        return {"status": "out of memory"}
    except (Exception, SystemExit) as error:
        return {"status": "error", "message": f"{type(error).__name__}: {error}"}
    return result


if __name__ == "__main__":
    main(*sys.argv[1:4])
