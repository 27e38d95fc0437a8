"""What there is to do with question sets beside running them.

    python -m evals.questions people SET

The sub-commands are found: every module and package of this room that has `add(subparsers)` adds its own.
"""

from __future__ import annotations

import argparse
import importlib
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from evals.run.pipes import quietly

HERE = Path(__file__).parent
_DECLARED = re.compile(r"^(?:def add\(|from \S+ import add$)", re.MULTILINE)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m evals.questions",
        description="Work with question sets: what people say of them, and how far they agree.",
        epilog="exit code: 0 done, 2 the input cannot be used",
    )
    subparsers = parser.add_subparsers(required=True, metavar="COMMAND")
    for name in modules():
        importlib.import_module(f"evals.questions.{name}").add(subparsers)
    arguments = parser.parse_args(argv)
    code: int = arguments.run(arguments)
    return code


def modules() -> list[str]:
    """The modules and packages that add sub-commands. Only their text is read."""
    files = {path.stem: path for path in HERE.glob("*.py") if path.stem != "__main__"}
    packages = {path.parent.name: path for path in HERE.glob("*/__init__.py")}
    return sorted(name for name, path in {**files, **packages}.items() if _DECLARED.search(path.read_text("utf-8")))


if __name__ == "__main__":
    sys.exit(quietly(main))
