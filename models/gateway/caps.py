"""The caps and limits that a run asks for: those of its gateway, or the first ones that the gateway is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from models.conduct import Terms


@dataclass(frozen=True, slots=True)
class Caps:
    """What a run wants to hold for all who use the gateway; None for what it does not care about."""

    max_cost: float | None = None
    max_tokens: int | None = None
    per_minute: int | None = None
    tokens_per_minute: int | None = None
    deadline: float | None = None

    @classmethod
    def of(cls, terms: Terms) -> Caps:
        """Those in some terms; the usual deadline is nobody's wish."""
        limits, budget = terms.limits, terms.budget
        deadline = None if terms.deadline == Terms.deadline else terms.deadline
        return cls(budget.max_cost, budget.max_tokens, limits.per_minute, limits.tokens_per_minute, deadline)

    def as_json(self) -> dict[str, float | int]:
        """Those that are given."""
        return {name: value for name, value in asdict(self).items() if value is not None}

    @classmethod
    def read(cls, content: Mapping[str, Any]) -> Caps:
        """The caps in some JSON; `ValueError` if there is something else in it."""
        known = {one.name for one in fields(cls)}
        if set(content) - known or not all(_is_number(value) for value in content.values()):
            raise ValueError(f"caps of another version, or none: {dict(content)}")
        return cls(**content)

    def agreed(self, wanted: Caps) -> Caps:
        """These caps with those of a run; `ValueError` if they differ in one that is set already."""
        for one in fields(self):
            ours, theirs = getattr(self, one.name), getattr(wanted, one.name)
            if ours is not None and theirs is not None and ours != theirs:
                option = f"--{one.name.replace('_', '-')}"
                raise ValueError(
                    f"{option}: the gateway has {option} {ours:g} for all its runs, and this run asks for {theirs:g}; "
                    "give the same or leave it out, or start another gateway"
                )
        return Caps.read({**self.as_json(), **wanted.as_json()})

    def applied(self, terms: Terms) -> Terms:
        """The terms under these caps. The budget stays the same one, with what has been spent."""
        terms.budget.max_cost, terms.budget.max_tokens = self.max_cost, self.max_tokens
        limits = replace(terms.limits, per_minute=self.per_minute, tokens_per_minute=self.tokens_per_minute)
        return replace(terms, limits=limits, deadline=self.deadline or terms.deadline)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value > 0
