"""Options that the benchmarks share."""

from __future__ import annotations

import argparse


def parser(name: str, doc: str | None) -> argparse.ArgumentParser:
    """The options of `python -m benchmarks.NAME`; its docstring without the command is what help says."""
    first, _, rest = (doc or "").partition("\n\n")
    return argparse.ArgumentParser(
        prog=f"python -m benchmarks.{name}",
        description="\n\n".join([first, *rest.split("\n\n")[1:]]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def at_least_one(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, not {number}")
    return number
