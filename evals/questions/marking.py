"""Marks answers by a reference in the run's profile, and adds the verdict of the other profile."""

from __future__ import annotations

from evals.judges.question import Marked, Marking
from evals.questions.reference import Reference
from evals.questions.scorers import verdict
from evals.run.judging import Measure
from models.parsing import Profile
from tools.events import Value

BOTH = (
    Measure(
        "official", "mean", "official", "success as the authors' program scores the same replies", of=("official",)
    ),
    Measure("robust", "mean", "robust", "success as a person would score the same replies", of=("robust",)),
    Measure("profiles_differ", "mean", "differ", "answers that the two profiles score differently", of=("differs",)),
)
"""The measures of both profiles, whichever of them success is scored in."""


def by_reference(reference: Reference, profile: Profile) -> Marking:
    """A function that marks replies to a question with this reference."""

    def mark(text: str, value: Value) -> Marked:
        verdicts = {each: verdict(text, reference, each) for each in Profile}
        points = {str(each): float(bool(found.right)) for each, found in verdicts.items()}
        differs = float(len(set(points.values())) > 1)
        read = {str(each): found.read or found.fault for each, found in verdicts.items()}
        return Marked(points[profile], verdicts[profile].fault, {**points, "differs": differs}, read)

    return mark
