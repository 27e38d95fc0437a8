"""What the published tables of ERQA+ have to add up to.

Tables 2 and 3 give percentages of whole numbers of right answers. One cell of table 3 does not.
"""

from __future__ import annotations

from pathlib import Path

from evals.questions.arithmetic import Fractions, Key, Place, Ratios, Rule, Sums, Total
from evals.questions.published import Expected
from evals.questions.published import report as report_on

CATEGORIES: dict[str, dict[str, int]] = {
    "Perception": {"Counting": 107, "State & Activity Understanding": 92, "Object & Scene Recognition": 18},
    "Planning": {"Goal Decomposition": 77, "Navigation": 23},
    "Spatial Reasoning": {
        "Dynamic": 62,
        "Relative distance": 103,
        "Relative direction": 49,
        "Multi-view matching": 106,
        "Relative shape": 113,
    },
    "Prediction": {"Future prediction": 50},
}
"""How many questions each sub-category has, under its published name."""
TYPES = {
    "Multiple-choice": 283,
    "Sorting": 214,
    "Matching": 101,
    "Counting": 121,
    "Composite-judgment": 64,
    "Open": 17,
}
COUNTS: dict[Place, int] = {(name, ""): sum(parts.values()) for name, parts in CATEGORIES.items()}
ALL = sum(COUNTS.values())
HALF = 0.05
"""Values are printed to one decimal."""
MODEL = "Gemini-3-Pro-preview"

RULES: tuple[Rule, ...] = (
    Sums(
        "table 1: types add up", "1", "count", ("question type", "Total"), [("question type", name) for name in TYPES]
    ),
    *(
        Sums("table 1: counts as stated", "1", "count", ("question type", name), stated=count)
        for name, count in TYPES.items()
    ),
    Fractions("table 1: shares", "1", "share_percent", {("question type", name): ALL for name in TYPES}, HALF),
    Fractions("table 2: right answers are whole", "2", "accuracy", {**COUNTS, ("All", ""): ALL}, HALF),
    Total("table 2: All from the categories", "accuracy", "2", COUNTS, "2", ("All", ""), HALF, whole=True),
    *(
        Sums("table 3: sub-categories add up", "3", metric, (name, "Total"), [(name, part) for part in parts])
        for name, parts in CATEGORIES.items()
        for metric in ("correct", "total")
    ),
    *(
        Sums("table 3: categories add up", "3", metric, ("Overall", "Total"), [(name, "Total") for name in CATEGORIES])
        for metric in ("correct", "total")
    ),
    *(
        Sums("table 3: counts as stated", "3", "total", (name, part), stated=count)
        for name, parts in CATEGORIES.items()
        for part, count in parts.items()
    ),
    Ratios("table 3: accuracy from right answers", "3", "accuracy", "correct", "total", HALF),
)
KNOWN = {
    Key("3", MODEL, "Prediction", "Future prediction", "accuracy"): "37 of 50 are 74.00, as its category says",
}
EXPECTED = Expected("erqa_plus", RULES, KNOWN)


def report(path: Path, form: str = "terminal") -> int:
    """Print the published tables and check them; 0 if only the known cell deviates."""
    return report_on(path, EXPECTED, "ERQA+", form)
