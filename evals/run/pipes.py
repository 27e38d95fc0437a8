"""Broken pipes: `… | head -2` ends a command quietly, with the conventional exit code."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Callable
from typing import TextIO

from evals.pages.terminal import make_inert

READER_LEFT = 141
"""The exit code of shells after SIGPIPE."""


def quietly(command: Callable[[], int]) -> int:
    """The exit code of the command, or `READER_LEFT` if the pipe of its output broke.

    Use it in `__main__`: `sys.exit(quietly(main))`. Control characters in the output are made visible, and characters
    that the terminal lacks become question marks.
    """
    make_inert()
    try:
        code = command()
        sys.stdout.flush()
    except BrokenPipeError:
        if not any(map(_broken, (sys.stdout, sys.stderr))):
            raise  # another pipe broke: a real error
    except SystemExit as end:
        # rich exits with 1 when it prints into a broken pipe.
        if not isinstance(end.__context__, BrokenPipeError):
            raise
    else:
        return code
    # Discard buffered output; otherwise the interpreter reports an error at exit.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return READER_LEFT


def _broken(stream: TextIO) -> bool:
    poll = select.poll()
    poll.register(stream.fileno(), 0)  # a missing reader is reported even without flags
    return bool(poll.poll(0))
