"""Run ERQA-Plus, and build question sets as it was built.

    python -m evals.erqa_diagnostic
    python -m evals.erqa_diagnostic --mode open
    python -m evals.erqa_diagnostic verify
    python -m evals.erqa_diagnostic build IMAGES --generator MODEL --judge MODEL --reviser MODEL

Asks all questions, computes every answer again, or makes questions about pictures as these were made.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evals.families.command import SetCommand
from evals.run.pipes import quietly

if TYPE_CHECKING:
    from evals.erqa_diagnostic.benchmark import ErqaDiagnostic
    from evals.families.base import Recipe
    from evals.run.settings import Settings

DESCRIPTION = """\
Run ERQA-Plus: questions with four options in twelve sub-types of embodied reasoning, or the same questions open-ended.

Without options it asks a simulated model our 1,766 embedded questions: no key, no GPU, no download. Every answer is on
disk before the next question; a run that was stopped or killed is resumed with --resume.

Other commands: build (make questions about pictures with a writer, a judge and a reviser), generate (make a new set),
verify (compute every answer again), sheet (draw questions), dependencies (draw what depends on what, with the scores of
a run); each has a --help of its own.
"""
EXAMPLES = """\
examples:
  python -m evals.erqa_diagnostic
  python -m evals.erqa_diagnostic --model openai:gpt-4.1 --mode open --category "Path Planning"
  python -m evals.erqa_diagnostic --data huggingdas/erqa-plus --model anthropic:claude-sonnet-4-5
  python -m evals.erqa_diagnostic --control blind
  python -m evals.erqa_diagnostic --published published_tables.csv
  python -m evals.erqa_diagnostic dependencies runs/RUN --out dependencies.svg
  python -m evals.erqa_diagnostic verify --workers 2
"""


def _settings() -> type[Settings]:
    from evals.erqa_diagnostic.settings import ErqaDiagnosticSettings

    return ErqaDiagnosticSettings


def _benchmark() -> ErqaDiagnostic:
    from evals.erqa_diagnostic.benchmark import BENCHMARK

    return BENCHMARK


def _make(only: str | None, **options: Any) -> list[Recipe]:
    from evals.erqa_diagnostic.embedded import make

    return make(only, **options)


def _published(path: Path) -> int:
    from evals.erqa_diagnostic.published import report

    return report(path)


_SET = SetCommand("erqa_diagnostic", DESCRIPTION, EXAMPLES, _settings, _benchmark, _make, _published)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    if words[:1] == ["build"]:
        from evals.curation.command import main as build

        return build(words[1:], "python -m evals.erqa_diagnostic build")
    if words[:1] == ["dependencies"]:
        from evals.erqa_diagnostic.dependencies import main as draw

        return draw(words[1:])
    return _SET.main(words)


if __name__ == "__main__":
    sys.exit(quietly(main))
