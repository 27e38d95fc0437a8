"""Texts of prompts for any world: the list of objects, and the outcome of an attempt.

The original lists no objects and writes outcomes as codes; its rules use nothing of this module.
"""

from __future__ import annotations

from envs.base import Outcome, Symbolic, glossary
from models.parsing import Proposal

_CAME_OF_IT = {
    Outcome.EXECUTED: "It was carried out.",
    Outcome.FAILED: "It was possible and was tried, but it did not succeed.",
    Outcome.NOT_LEGAL: "It was not possible: one of its conditions did not hold.",
}


def world_text(env: Symbolic) -> str:
    """The description of the world, and its objects by name."""
    listed = "\n".join(f"- {name}: {words}" for name, words in glossary(env).items())
    return f"{env.description}\n\nObjects, by the names that actions take:\n{listed}" if listed else env.description


def outcome_text(outcome: Outcome, proposal: Proposal, env: Symbolic) -> str:
    """The outcome of an attempt as a sentence, with the reason if the proposal was invalid."""
    if outcome in _CAME_OF_IT:
        return _CAME_OF_IT[outcome]
    return f"It was not possible: {_fault(proposal, env)}."


def _fault(proposal: Proposal, env: Symbolic) -> str:
    """Why a proposal is invalid in this world."""
    names = env.signatures.get(proposal.action)
    if names is None:
        return f"there is no action {_short(proposal.action)!r}; actions: {', '.join(env.signatures)}"
    wrong = env.domain.check(proposal.step, env.objects) if proposal.step else None
    if wrong is None:
        return f"{proposal.action} takes the parameters {', '.join(names)}, each with the name of one object"
    return _short(wrong)


def _short(text: str, most: int = 120) -> str:
    return text if len(text) <= most else f"{text[:most]}…"
