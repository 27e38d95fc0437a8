"""The task of the pipeline: make questions about some pictures. It is a `Question`, so that the engine can play it."""

from __future__ import annotations

from dataclasses import dataclass

from envs.base import Question
from evals.curation.drafts import Candidate

GENERATE, JUDGE, REVISE = "generate", "judge", "revise"
BLIND, SOLVE, TRUTH = "blind", "solve", "truth"
CALLS = (GENERATE, JUDGE, REVISE, BLIND, SOLVE)
"""The roles that cost something: the first word of a request's place. The truth is looked up, not asked."""


@dataclass(frozen=True)
class Commission(Question):
    """Questions to be made about the pictures.

    A version is accepted from a score of `accept` on; there are at most `rounds` versions of a question. `checks` names
    what the node `check` does. With `given`, these candidates are judged and nothing is generated.
    """

    accept: int = 9
    rounds: int = 3
    least: int = 2
    most: int = 5
    sub_types: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()
    given: tuple[Candidate, ...] = ()
