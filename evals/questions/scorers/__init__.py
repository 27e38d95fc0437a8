"""Scorers of replies: as the authors' programs score them, and as a person would."""

from __future__ import annotations

from evals.questions.reference import Reference, Verdict
from models.parsing import Profile


def verdict(reply: str, reference: Reference, profile: Profile) -> Verdict:
    """What the profile's scorer says of a reply."""
    raise NotImplementedError
