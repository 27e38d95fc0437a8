"""How much of a result is owed to wording, names and the looks of pictures.

    python -m evals.robustness BENCHMARK --agent ground --model openai:gpt-4.1 --out runs/robustness

Plays an agent as it is, and again under disturbances that should not matter: prompts and questions in other words,
other names of things, pictures that are darker, brighter, noisy, cropped, small, or from another renderer. The table
has a paired test of each against the undisturbed run.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evals.run.pipes import quietly

DESCRIPTION = """\
Play an agent as it is, and under disturbances that should not matter; say how much of the result they make. All
options of the benchmark can be added, such as --agent, --model, --limit, --seed, --repeats and --max-cost (one cap for
all runs).
"""
EPILOG = """\
The runs are below --out, and a stopped experiment is continued by the same command. Models that do not look cannot show
effects of pictures, and simulated ones cannot show effects of wording; the table says so.

exit code: 0 played, 2 invalid input, 3 stopped by a cap or because the model is unavailable, 130 stopped by Ctrl-C
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit code."""
    own, rest = _parser().parse_known_args(argv)
    from evals.command import parser_of
    from evals.run.benchmarks import find_benchmark
    from evals.run.prepare import BadInput
    from models.base import RunMustStop

    try:
        benchmark = find_benchmark(own.benchmark)
    except ValueError as error:
        return _failed(f"error: {error}", 2)
    program = f"python -m evals.robustness {own.benchmark}"
    arguments = vars(parser_of(benchmark.settings, program, DESCRIPTION).parse_args([*rest, "--out", str(own.out)]))
    try:
        return _play_and_tell(benchmark, arguments, own)
    except BadInput as error:
        return _failed(f"error: {error}", 2)
    except RunMustStop as reason:
        return _failed(f"stopped: {reason}\ncontinue with the same command", 3)
    except KeyboardInterrupt:
        return _failed("stopped: Ctrl-C\ncontinue with the same command", 130)


def _play_and_tell(benchmark: Any, arguments: dict[str, Any], own: argparse.Namespace) -> int:
    from evals.pages.tables import as_csv, print_table
    from evals.robustness.effects import effects_of
    from evals.robustness.playing import play_all

    played = play_all(benchmark, arguments, own.out, own.disturb or (), _say)
    found = effects_of(played)
    table = found.as_table()
    (own.out / "robustness.json").write_text(json.dumps(found.as_json(), indent=1), encoding="utf-8")
    (own.out / "robustness.csv").write_text(as_csv(table), encoding="utf-8")
    if own.json:
        print(json.dumps(found.as_json()))
    else:
        print_table(table)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m evals.robustness",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("benchmark", metavar="BENCHMARK", help="its name, or FILE.py:NAME")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where the runs and the table go")
    parser.add_argument("--disturb", nargs="+", metavar="NAME", help="only these disturbances, such as noise renamed")
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else on stdout")
    return parser


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _failed(text: str, code: int) -> int:
    _say(text)
    return code


if __name__ == "__main__":
    sys.exit(quietly(main))
