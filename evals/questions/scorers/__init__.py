"""Whether a reply is right: by the published evaluation code to the letter, or as a person would judge.

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
    """What a profile says of a reply.

    An evaluator that does not exist, or arguments that it does not take, is a `ValueError` that names them.
    """
    asked = checked(reference)
    return official(reply, asked) if profile is Profile.OFFICIAL else robust(reply, asked)
