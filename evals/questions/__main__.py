"""Score replies, filter and check questions, and collect people's answers.

    python -m evals.questions score CASES.csv --profile both

Each sub-command is a file in `evals/questions/commands`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from pkgutil import iter_modules

from evals.questions import commands
from evals.run.pipes import quietly

DESCRIPTION = """\
Work on questions and replies without playing a run. Each sub-command has its own --help.
"""
EPILOG = """\
examples:
  python -m evals.questions score CASES.csv --profile both
  python -m evals.questions leaks erqa_plus
  python -m evals.questions leaks --help

exit code: 0 done, 1 not as it should be, 2 the input cannot be used
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m evals.questions",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for module in sorted(iter_modules(commands.__path__), key=lambda module: module.name):
        import_module(f"{commands.__name__}.{module.name}").add(subparsers)
    arguments = parser.parse_args(argv)
    try:
        code: int = arguments.run(arguments)
    except (ValueError, OSError) as error:
        if isinstance(error, BrokenPipeError):
            raise
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130
    return code


if __name__ == "__main__":
    sys.exit(quietly(main))
