"""Drafts of household problems: the required things, where they are, and the goal."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random

from envs.household.home.draft import Need
from envs.household.home.things import KINDS
from envs.household.predicates import OPEN
from planners.formula import Atom, Literal, State

LEAVED = ("cabinet", "electric_refrigerator", "carton", "door", "window")
"""Kinds that open. The domain calls them containers, as it does shelves with doors."""


@dataclass(frozen=True, slots=True)
class Brief:
    """The needs and the goal of a problem. The home is chosen later."""

    needs: tuple[Need, ...]
    goal: tuple[Literal, ...]

    def types(self) -> dict[str, str]:
        """The objects of the problem by name."""
        return {need.name: type_of(need) for need in self.needs}

    def given(self) -> State:
        """The facts that hold at the start by construction."""
        return frozenset(fact for need in self.needs for fact in _given(need))


@dataclass(frozen=True, slots=True)
class Row:
    """A task in a split: the number of problems, the length of the shortest plan, and the function that drafts them."""

    task: str
    split: str
    count: int
    shortest: int
    brief: Callable[[Random], Brief]


def type_of(need: Need) -> str:
    """The domain's type of a thing."""
    if KINDS[need.kind].movable:
        return "movable"
    return "container" if need.kind in LEAVED or "doors" in need.options else "object"


def _given(need: Need) -> Iterable[Atom]:
    if need.on is not None:
        yield Atom("ontop", (need.name, need.on))
    if need.inside is not None:
        yield Atom("inside", (need.name, need.inside))
        yield Atom("nextto", (need.name, need.inside))
    if type_of(need) == "container" and need.opening >= OPEN:
        yield Atom("open", (need.name,))


def need(
    name: str,
    *options: str,
    room: str | None = None,
    on: str | None = None,
    inside: str | None = None,
    shut: bool = True,
) -> Need:
    """A need by the thing's name; its kind is the name without the number."""
    return Need(name, name.rpartition("_")[0], options, room, on, inside, opening=0.0 if shut else 1.0)


def wants(*facts: str) -> tuple[Literal, ...]:
    """Parse goal literals such as `ontop a,b` and `not open c`."""
    return tuple(Literal(Atom.parse(fact.removeprefix("not ")), not fact.startswith("not ")) for fact in facts)
