"""The commands: make questions or play an exam, compare judges, publish the questions of a run."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from evals.command import parser_of, run_command

if TYPE_CHECKING:
    from evals.curation.benchmark import Curation
    from evals.run.directory import RunDirectory

DESCRIPTION = """\
Make multiple-choice questions about pictures: a writer proposes some about each set of pictures, programs check them, a
judge scores them from 0 to 10, a reviser improves those that are not good enough, for a few rounds.

IMAGES is a folder: each picture in it is a set, and so is each folder in it, with its pictures in order. Without it our
own pictures are used, whose truth is known, and simulated models: no key, no GPU, no download. Every reply is on disk
before it is used; a run that was stopped or killed is resumed with --resume and asks nothing twice.

Other commands: exam (compare judges by their exams, and with people), publish (write the questions of a run as a data
set), soundness (how many questions about our own pictures are sound, by round); each has a --help of its own.
"""
EXAMPLES = """\
examples:
  python -m evals.erqa_diagnostic build photos --generator openai:gpt-4o --judge google:gemini-2.5-pro \\
      --reviser openai:gpt-4o --accept 9 --rounds 3 --per-image 2-5 --max-cost 5
  python -m evals.erqa_diagnostic build photos --sub-type spatial --dry-run
  python -m evals.erqa_diagnostic build --limit 20 --judge 'quality:?hits=0.5&alarms=0.1' --check off
  python -m evals.erqa_diagnostic build --agent mine.py:build
  python -m evals.erqa_diagnostic build --task exam --judge openai:gpt-4.1

Besides the report a run has: rounds.csv (how many questions need revision and the mean score, by round), issues.csv,
questions.html (all versions side by side, with the verdicts) and dataset/, the accepted questions in published form.
"""


def main(argv: Sequence[str] | None = None, program: str = "python -m evals.curation") -> int:
    """Run the command; the exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    if words[:1] == ["exam"]:
        from evals.curation.examining import main as examine

        return or_refuse(lambda: examine(words[1:]))
    if words[:1] == ["publish"]:
        from evals.curation.publishing import main as publish

        return or_refuse(lambda: publish(words[1:]))
    if words[:1] == ["soundness"]:
        from evals.curation.soundness import main as measure

        return or_refuse(lambda: measure(words[1:]))
    from evals.curation.settings import CurationSettings

    parser = parser_of(CurationSettings, program, DESCRIPTION, EXAMPLES)
    parser.add_argument("folder", nargs="?", metavar="IMAGES", help="the same as --images IMAGES")
    arguments = vars(parser.parse_args(words))
    folder = arguments.pop("folder")
    if folder is not None:
        arguments["images"] = folder
    return run_command(arguments, _benchmark, lambda run: or_refuse(lambda: _after(run)))


def or_refuse(do: Callable[[], int]) -> int:
    """Run a command; input that cannot be used is reported in one line, with exit code 2."""
    from evals.run.prepare import BadInput, as_bad_input

    try:
        with as_bad_input():
            return do()
    except BadInput as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


def _benchmark() -> Curation:
    from evals.curation.benchmark import BENCHMARK

    return BENCHMARK


def _after(run: RunDirectory) -> int:
    from evals.curation.publishing import conclude

    return conclude(run)
