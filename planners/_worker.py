"""A process that keeps a planning engine loaded and answers requests, as `planners._pool` starts it.

    python -I _worker.py ENGINE_FILE ENGINE_ARGUMENT PRIVATE_DIR

It is run by its path, and loads the engine by its path, so that none of our packages can be found: the
translator of Fast Downward is flat modules with names like `tools`. It reads one JSON request a line on its
standard input and answers with one line each. When the input ends, whoever started it is gone, and it ends its
whole process group.
"""

from __future__ import annotations

import gc
import importlib.util
import json
import os
import shutil
import signal
import sys
import threading
from pathlib import Path
from queue import SimpleQueue
from typing import Any


def main(engine_file: str, argument: str, private: str) -> None:
    """Answer requests until there is nobody to answer to."""
    requests: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=listen, args=(requests, private), daemon=True).start()
    # Engines talk; only answers may reach the pipe.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    engine = load(engine_file).Engine(argument)
    os.chdir(private)
    # What is loaded now stays; garbage collection need not walk it at every request.
    gc.freeze()
    while True:
        request = json.loads(requests.get())
        answers.write(json.dumps(answer(engine, request)) + "\n")
        answers.flush()


def listen(requests: SimpleQueue[bytes], private: str) -> None:
    """Pass requests on as they come; at the end of input, end everything."""
    for line in sys.stdin.buffer:
        requests.put(line)
    shutil.rmtree(private, ignore_errors=True)
    os.killpg(os.getpgrp(), signal.SIGKILL)


def load(file: str) -> Any:
    """The module in the file."""
    spec = importlib.util.spec_from_file_location(Path(file).stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def answer(engine: Any, request: dict[str, Any]) -> dict[str, Any]:
    """What the engine says; every way to fail is an answer."""
    try:
        result: dict[str, Any] = engine.answer(request)
    except MemoryError:
        return {"status": "error", "message": "out of memory"}
    except (Exception, SystemExit) as error:
        return {"status": "error", "message": f"{type(error).__name__}: {error}"}
    return result


if __name__ == "__main__":
    main(*sys.argv[1:4])
