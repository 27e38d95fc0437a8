"""Run ERQA.

    python -m evals.erqa
    python -m evals.erqa verify
    python -m evals.erqa generate --seed 1 --out mine

Plays all questions with one agent and one model, computes every answer again, or makes a new set.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evals.families.command import SetCommand
from evals.run.pipes import quietly

if TYPE_CHECKING:
    from evals.erqa.benchmark import Erqa
    from evals.families.base import Recipe
    from evals.run.settings import Settings

DESCRIPTION = """\
Run ERQA: questions with four options about pictures from a robot's eyes.

Without options it asks a simulated model our 400 embedded questions: no key, no GPU, no download. Every answer is on
disk before the next question; a run that was stopped or killed is resumed with --resume.

Other commands: generate (make a new set) and verify (compute every answer again); each has a --help of its own.
"""
EXAMPLES = """\
examples:
  python -m evals.erqa
  python -m evals.erqa --model openai:gpt-4.1 --prompt cot --category pointing
  python -m evals.erqa --data erqa.tfrecord --model anthropic:claude-sonnet-4-5 --parsing official
  python -m evals.erqa --control blind
  python -m evals.erqa generate --seed 1 --out mine
  python -m evals.erqa verify --workers 2
"""


def _settings() -> type[Settings]:
    from evals.erqa.settings import ErqaSettings

    return ErqaSettings


def _benchmark() -> Erqa:
    from evals.erqa.benchmark import BENCHMARK

    return BENCHMARK


def _make(only: str | None, **options: Any) -> list[Recipe]:
    from evals.erqa.embedded import make

    return make(only, **options)


def _published(path: Path) -> int:
    from evals.erqa.published import report

    return report(path)


main = SetCommand("erqa", DESCRIPTION, EXAMPLES, _settings, _benchmark, _make, _published).main

if __name__ == "__main__":
    sys.exit(quietly(main))
