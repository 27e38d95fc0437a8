"""Run ERQA+.

    python -m evals.erqa_plus
    python -m evals.erqa_plus verify
    python -m evals.erqa_plus generate --seed 1 --out mine

Plays all questions with one agent and one model, computes every answer again, or makes a new set.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evals.families.command import SetCommand
from evals.run.pipes import quietly

if TYPE_CHECKING:
    from evals.erqa_plus.benchmark import ErqaPlus
    from evals.families.base import Recipe
    from evals.run.settings import Settings

DESCRIPTION = """\
Run ERQA+: questions about pictures from a robot's eyes, with one or several letters, an order, a matching, a number,
judgements or a few words as answers.

Without options it asks a simulated model our 800 embedded questions: no key, no GPU, no download. Every answer is on
disk before the next question; a run that was stopped or killed is resumed with --resume.

Other commands: generate (make a new set), verify (compute every answer again), filter (drop questions that are too
easy); each has a --help of its own.
"""
EXAMPLES = """\
examples:
  python -m evals.erqa_plus
  python -m evals.erqa_plus --model openai:gpt-4.1 --prompt cot --category navigation
  python -m evals.erqa_plus --agent answer_vote --model sim:gemini-3-pro-preview?errors=fresh --type sorting
  python -m evals.erqa_plus --data FlagEval/ERQAPlus --model anthropic:claude-sonnet-4-5 --predictions replies.json
  python -m evals.erqa_plus --control blind
  python -m evals.erqa_plus --published published_tables.csv
  python -m evals.erqa_plus generate --seed 1 --out mine
  python -m evals.erqa_plus verify --workers 2
"""


def _settings() -> type[Settings]:
    from evals.erqa_plus.settings import ErqaPlusSettings

    return ErqaPlusSettings


def _benchmark() -> ErqaPlus:
    from evals.erqa_plus.benchmark import BENCHMARK

    return BENCHMARK


def _make(only: str | None, **options: Any) -> list[Recipe]:
    from evals.erqa_plus.quotas import QUOTAS
    from evals.families.generate import generate, of_family

    return generate(of_family(QUOTAS, only), **options)


def _published(path: Path) -> int:
    from evals.erqa_plus.published import report

    return report(path)


main = SetCommand("erqa_plus", DESCRIPTION, EXAMPLES, _settings, _benchmark, _make, _published).main

if __name__ == "__main__":
    sys.exit(quietly(main))
