"""Texts of prompts for any world: objects and predicates, what is known, and the outcome of an attempt.

The original lists no objects and writes outcomes as codes; its rules use nothing of this module.
"""

from __future__ import annotations

from collections.abc import Iterable

from envs.base import Outcome, Symbolic, glossary
from models.parsing import Proposal
from planners.formula import State, Variable
from planners.task import Domain

_CAME_OF_IT = {
    Outcome.EXECUTED: "It was carried out.",
    Outcome.FAILED: "It was possible and was tried, but it did not succeed.",
    Outcome.NOT_LEGAL: "It was not possible: one of its conditions did not hold.",
}


def world_text(env: Symbolic) -> str:
    """The description of the world, and its objects by name."""
    listed = "\n".join(f"- {name}: {words}" for name, words in glossary(env).items())
    return f"{env.description}\n\nObjects, by the names that actions take:\n{listed}" if listed else env.description


def objects_text(env: Symbolic) -> str:
    """The objects by type, as in a problem file."""
    kinds = dict.fromkeys(env.objects.values())
    listed = (f"{' '.join(name for name in env.objects if env.objects[name] == kind)} - {kind}" for kind in kinds)
    return "\n".join(["(:objects", *(f"  {line}" for line in listed), ")"])


def vocabulary_text(domain: Domain) -> str:
    """Types, predicates and actions with their parameters: a domain without what its actions need and do."""
    types = (f"  {kind} - {parent}" for kind, parent in domain.parents.items())
    predicates = (f"  ({name}{_typed(terms)})" for name, terms in domain.predicates.items())
    actions = (
        f"(:action {action.name}\n  :parameters ({_typed(action.parameters).strip()}))"
        for action in domain.actions.values()
    )
    return "\n".join(["(:types", *types, ")", "(:predicates", *predicates, ")", *actions])


def known_text(static: State | None, remembered: State) -> str:
    """What a problem need not state: static facts, and what is remembered of things out of view."""
    parts = []
    if static:
        names = " and ".join(f"`{name}`" for name in sorted({atom.predicate for atom in static}))
        parts.append(f"The facts of {names} are known and are added by themselves: leave them out.")
    if remembered:
        listed = "\n".join(f"({' '.join((atom.predicate, *atom.args))})" for atom in sorted(remembered))
        parts.append(f"What is out of view is remembered, and added by itself:\n{listed}")
    return "\n\n".join(["## What need not be stated", *parts]) if parts else ""


def _typed(variables: Iterable[Variable]) -> str:
    return "".join(f" ?{variable.name} - {variable.type}" for variable in variables)


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
