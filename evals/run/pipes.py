"""Output that nobody reads to its end: `… | head -2` ends a command quietly, not with a code that means something."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Callable
from typing import TextIO

from evals.pages.terminal import make_inert

READER_LEFT = 141
"""What a shell says of a program whose reader went away."""


def quietly(command: Callable[[], int]) -> int:
    """What the command returns, or `READER_LEFT` if its output cannot be written any more.

    Use it where a module is run: `sys.exit(quietly(main))`. What is printed is inert, and a terminal that lacks a
    character shows a question mark for it.
    """
    make_inert()
    try:
        code = command()
        sys.stdout.flush()
    except BrokenPipeError:
        if not any(map(_broken, (sys.stdout, sys.stderr))):
            raise  # some other pipe broke: a real error
    except SystemExit as end:
        # rich ends the program by itself when it prints into a broken pipe, and with 1.
        if not isinstance(end.__context__, BrokenPipeError):
            raise
    else:
        return code
    # What is still to be written goes nowhere; else the interpreter complains at its end.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return READER_LEFT


def _broken(stream: TextIO) -> bool:
    poll = select.poll()
    poll.register(stream.fileno(), 0)  # a missing reader is reported without any flag
    return bool(poll.poll(0))
