"""The options of the commands that play episodes again."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from evals.command import add_endpoint_options

EXIT_CODES = """\
exit code: 0 done, 1 some reruns could not be played (the same command tries them again), 2 the input cannot be used,
3 stopped by a cap or because the model cannot be asked at all, 130 stopped by Ctrl-C (the same command goes on)
"""


def add_playing_options(parser: argparse.ArgumentParser, where: str) -> None:
    """How reruns are played, and where they go."""
    how = parser.add_argument_group("how to play")
    how.add_argument("--concurrency", type=int, default=8, metavar="N", help="episodes at a time (default: 8)")
    how.add_argument("--requests", type=int, default=64, metavar="N", help="questions under way (default: 64)")
    how.add_argument("--pictures", action="store_true", help="draw every picture, even if the model does not look")
    how.add_argument("--cache", type=Path, metavar="FILE", help="answers kept there (default: those of the run)")
    network = parser.add_argument_group("models over a network")
    network.add_argument("--ask", action="store_true", help="ask the run's model what it was never asked")
    add_endpoint_options(network)
    group = parser.add_argument_group("where it goes")
    group.add_argument("--out", type=Path, metavar="DIR", help=f"where to write (default: {where})")
    group.add_argument("--json", action="store_true", help="print one JSON object on stdout")


def done(command: Callable[[], int]) -> int:
    """What a command returns, or 2 with a line about what cannot be used."""
    from evals.prepare import BadInput, as_bad_input

    try:
        with as_bad_input():
            return command()
    except BadInput as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130
