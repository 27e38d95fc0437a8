"""Scores replies: exactly like the published evaluation code, or as a person would judge.

    verdict(reply, reference, Profile.OFFICIAL)
    verdict(reply, reference, Profile.ROBUST)

The names of the evaluators are those of the published data; `erqa_harness`, `flageval_erqa` and `letter` are ours, for
sets whose data name none.
"""

from __future__ import annotations

from evals.questions.reference import Reference, Verdict
from evals.questions.scorers.check import checked
from evals.questions.scorers.official import official
from evals.questions.scorers.robust import robust
from models.parsing import Profile

__all__ = ["checked", "verdict"]


def verdict(reply: str, reference: Reference, profile: Profile) -> Verdict:
    """The verdict on a reply in a profile.

    Raises `ValueError` for an unknown evaluator or invalid arguments.
    """
    asked = checked(reference)
    return official(reply, asked) if profile is Profile.OFFICIAL else robust(reply, asked)
