"""A process that keeps a planning engine loaded and answers requests, as `planners._pool` starts it.

    python -I _worker.py ENGINE_FILE ENGINE_ARGUMENT PRIVATE_DIR

It is run by its path, and loads the engine by its path, so that none of our packages can be found: the
translator of Fast Downward is flat modules with names like `tools`. It reads one JSON request a line on its
standard input and answers with one line each. On SIGTERM, or when the input ends and
its parent is gone, it ends with all it has started.
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
"""Bytes. A search that goes on for long would otherwise take all that the machine has."""


def main(engine_file: str, argument: str, private: str) -> None:
    """Answer requests until the input ends."""
    signal.signal(signal.SIGTERM, reap)
    adopt_orphans()
    limit_memory()
    requests: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=listen, args=(requests, private), daemon=True).start()
    # Engines print; only answers may reach the pipe.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    engine = load(engine_file).Engine(argument)
    os.chdir(private)
    # Collecting garbage in the middle of a translation costs a tenth of its time: it is done between requests,
    # and never walks what is loaded for good.
    gc.disable()
    gc.freeze()
    while True:
        request = json.loads(requests.get())
        answers.write(json.dumps(answer(engine, request)) + "\n")
        answers.flush()
        gc.collect()


def listen(requests: SimpleQueue[bytes], private: str) -> None:
    """Pass requests on as they come; at the end of input, end everything."""
    try:
        for line in sys.stdin.buffer:
            requests.put(line)
        shutil.rmtree(private, ignore_errors=True)
    finally:  # also if there is no memory left for any of this: nobody else would end it
        try:
            os.killpg(os.getpgrp(), signal.SIGTERM)
            time.sleep(2.0)
        finally:
            os.killpg(os.getpgrp(), signal.SIGKILL)


def reap(*_: object) -> None:
    """Wait for what was started, which has had the same signal, and end. Left alone they would stay as zombies."""
    with contextlib.suppress(ChildProcessError):
        while True:
            os.waitpid(-1, 0)
    os._exit(GONE)


def limit_memory() -> None:
    """Have this process, and each that it starts, get no more memory than this, where the system has such limits."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        most = MOST_MEMORY if hard == resource.RLIM_INFINITY else min(MOST_MEMORY, hard)
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def adopt_orphans() -> None:
    """Become the parent of grandchildren whose parent ends, where the system has that."""
    if sys.platform == "linux":
        pr_set_child_subreaper = 36
        ctypes.CDLL(None).prctl(pr_set_child_subreaper, 1, 0, 0, 0)


def load(file: str) -> Any:
    """The module in the file."""
    spec = importlib.util.spec_from_file_location(Path(file).stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def answer(engine: Any, request: dict[str, Any]) -> dict[str, Any]:
    """The engine's answer; every failure is an answer, too."""
    try:
        result: dict[str, Any] = engine.answer(request)
    except MemoryError:
        return {"status": "out of memory"}
    except (Exception, SystemExit) as error:
        return {"status": "error", "message": f"{type(error).__name__}: {error}"}
    return result


if __name__ == "__main__":
    main(*sys.argv[1:4])
