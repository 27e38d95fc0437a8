"""The options of the commands that rerun episodes."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from evals.run.options import add_options, chosen
from evals.run.settings import HOW, NETWORK, WHERE, Asking, Running, option

EXIT_CODES = """\
exit code: 0 done, 1 some reruns could not be played (repeat the command to retry them), 2 invalid input, 3 stopped by
a cap or an unavailable model, 130 stopped by Ctrl-C (repeat the command to continue)
"""
TRUST = "code, addresses and files that the run names"


class Rerunning(Asking):
    """How reruns are played, which code, addresses and files of the run are confirmed, and where the reruns go."""

    concurrency: int = option(8, "concurrent episodes", metavar="N", group=HOW, gt=0)
    requests: int = option(64, "concurrent requests", metavar="N", group=HOW, gt=0)
    pictures: bool = option(False, "draw every picture, even if the model does not look", group=HOW)
    cache: Path | None = option(None, "cache of answers (default: a copy of the run's)", metavar="FILE", group=HOW)
    ask: bool = option(False, "ask the run's model questions that are not recorded", group=NETWORK)
    agent: str | None = option(None, "confirm the file of the run's agent", metavar="FILE", group=TRUST)
    model: str | None = option(None, "confirm the run's model and its address", metavar="SPEC", group=TRUST)
    benchmark: str | None = option(None, "confirm the file of the run's benchmark", metavar="FILE", group=TRUST)
    address: str | None = option(None, "confirm another address that the run uses", metavar="URL", group=TRUST)
    reads: str | None = option(None, "confirm a file or folder that the run reads", metavar="PATH", group=TRUST)
    trust_agent: bool = option(False, "confirm the files of agent and benchmark, whichever they are", group=TRUST)
    out: Path | None = option(None, "where to write (default: a folder in RUN)", metavar="DIR", group=WHERE)
    json_: bool = option(False, "print one JSON object on stdout", group=WHERE)

    @property
    def running(self) -> Running:
        """The same as options of a run."""
        shared = Running.model_fields.keys() & type(self).model_fields.keys()
        return Running(**{name: getattr(self, name) for name in shared})


def add_playing_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `Rerunning`."""
    add_options(parser, Rerunning)


def rerunning(arguments: Mapping[str, Any]) -> Rerunning:
    """The options that were given."""
    return Rerunning(**chosen(Rerunning, arguments))


def done(command: Callable[[], int]) -> int:
    """The exit code of a command, or 2 and an error message for invalid input."""
    from evals.run.prepare import BadInput, as_bad_input

    try:
        with as_bad_input():
            return command()
    except BadInput as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130
