"""What the published counts of ERQA have to add up to."""

from __future__ import annotations

from pathlib import Path

from evals.questions.arithmetic import Rule, Sums
from evals.questions.published import Expected
from evals.questions.published import report as report_on

CATEGORIES = {
    "Trajectory Reasoning": 66,
    "Action Reasoning": 72,
    "Pointing": 34,
    "State Estimation": 55,
    "Spatial Reasoning": 84,
    "Multi-view Reasoning": 37,
    "Task Reasoning": 38,
    "Other": 14,
}
"""How many questions each category has."""
PAGE, BOTH = "evalscope page", "evalscope page / aiwiki"

RULES: tuple[Rule, ...] = (
    *(Sums("counts of categories", PAGE, "count", ("", name), stated=count) for name, count in CATEGORIES.items()),
    Sums("counts add up", BOTH, "questions", ("", ""), stated=sum(CATEGORIES.values())),
    Sums("counts add up", BOTH, "single_image_questions", ("", ""), stated=400 - 112),
)
EXPECTED = Expected("erqa", RULES, {})


def report(path: Path, form: str = "terminal") -> int:
    """Print the published figures and check their counts."""
    return report_on(path, EXPECTED, "ERQA", form)
