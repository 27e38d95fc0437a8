"""Unique descriptions of the objects of a problem, such as `a green cabinet in the kitchen`.

Furniture is described by its look and room, a movable by its look. If that fits another object too, the text adds the
print on it, and then what it stands near, or where it is at the start.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from planners.formula import State

if TYPE_CHECKING:
    from envs.household.home.model import Home, Placed, Room
    from envs.household.problems import HouseholdProblem

_KINDS = {"book": "paperback book", "hardback": "hardback book", "snack_food": "packet of snack food"}
_OPTIONS = {
    "coffee": "coffee table",
    "desk": "desk",
    "doors": "shelf with doors",
    "drawers": "chest of drawers",
    "file": "file cabinet",
    "office": "office chair",
    "round": "round table",
}
_STARTS = {"ontop": "on", "inside": "inside"}
_IN_WALLS = 0.35
"""How far beyond the corners of a room its doors and windows may be."""
_SHOWS = 0.02
"""A colour is named if it covers at least this share of a thing."""
_MOST, _MUCH = 0.85, 0.15
"""One colour suffices if it covers the first share; a second one is named if it covers the second share."""
_MOTLEY, _MANY = 0.12, 4
"""A thing with this many colours of that share is described as having many colours."""
_LOW = 0.1
"""Things that are lower than this, or hang higher, are not used as landmarks."""


def kind_words(name: str) -> str:
    """The kind in a name: `electric refrigerator` for `electric_refrigerator_1`."""
    kind, _, number = name.rpartition("_")
    kind = kind if kind and number.isdecimal() else name
    return _KINDS.get(kind, kind.replace("_", " "))


def glossary(problem: HouseholdProblem) -> dict[str, str]:
    """A unique description of each object of a problem."""
    home = problem.setting.build()
    options = {need.name: need.options for need in problem.setting.needs}
    placed = {one.thing.name: one for one in home.placed}
    entries = [Entry(placed[name], home, options.get(name, ()), problem.given) for name in problem.objects]
    return {
        entry.name: entry.described([other for other in entries if other.kind == entry.kind and other is not entry])
        for entry in entries
    }


@dataclass(frozen=True)
class Entry:
    """An object of a problem, and the clauses that describe it."""

    placed: Placed
    home: Home
    options: tuple[str, ...] = ()
    given: State = frozenset()

    def described(self, others: list[Entry]) -> str:
        """A description that fits none of the other objects of its kind, if there is one."""
        colours = self.named_colours(others)
        rivals = [other for other in others if other.room == self.room and other.has(colours)]
        text = " ".join(filter(None, (self._look(colours), self.room)))
        for clause, theirs in self._clauses(rivals):
            if rivals and any(their != clause for their in theirs):
                text += f", {clause}"
                rivals = [rival for rival, their in zip(rivals, theirs, strict=True) if their == clause]
        return text

    def _clauses(self, rivals: list[Entry]) -> Iterator[tuple[str, list[str]]]:
        """Further clauses about the object, each with the same clause about its rivals."""
        for clause in (Entry.printed, Entry.place):
            if phrase := clause(self):
                yield phrase, [clause(rival) for rival in rivals]

    @property
    def name(self) -> str:
        """Its name in the problem."""
        return self.placed.thing.name

    @cached_property
    def kind(self) -> str:
        """The everyday noun for the object."""
        from envs.household.home.things import KINDS

        kind, number = self.placed.thing.kind, self.name.rpartition("_")[2]
        types = KINDS[kind].types if kind in KINDS else ()
        if types and number.isdecimal():
            return types[(int(number) - 1) % len(types)]
        return next((_OPTIONS[option] for option in self.options), kind_words(self.name))

    @cached_property
    def colours(self) -> Mapping[str, float]:
        """Its colours, largest first; of a window only the largest, because the rest is glass."""
        from envs.household.home.looks import colours

        found = {name: share for name, share in colours(self.placed.thing).items() if share >= _SHOWS}
        return dict([next(iter(found.items()))]) if self.kind == "window" else found

    def has(self, colours: list[str]) -> bool:
        """Whether the object has all of these colours."""
        return all(colour in self.colours for colour in colours)

    def named_colours(self, others: list[Entry]) -> list[str]:
        """The dominant colours, and another one if only that distinguishes the object from others of its kind."""
        main, *more = self.colours
        second = [one for one in more[:1] if self.colours[main] < _MOST and self.colours[one] >= _MUCH]
        named = [main, *second]
        alike = [other for other in others if other.has(named)]
        left = (one for one in more if one not in named and alike)
        return named + [one for one in left if not any(other.has([one]) for other in alike)][:1]

    def _look(self, colours: list[str]) -> str:
        motley = sum(share >= _MOTLEY for share in self.colours.values()) >= _MANY
        named = "many-coloured" if motley else " and ".join(colours)
        if self.kind == "window":
            return f"a window with a {named} frame"
        words = self.kind if named == self.kind else f"{named} {self.kind}"
        return f"{'an' if words[0] in 'aeiou' else 'a'} {words}"

    @cached_property
    def room(self) -> str:
        """The room that it stands in; empty for movables."""
        if self.placed.thing.movable:
            return ""
        rooms = sorted({room.kind for room in self._rooms()})
        if self.kind == "door" and len(rooms) == 2:
            return f"between the {rooms[0]} and the {rooms[1]}"
        return f"in the {rooms[0]}" if rooms else ""

    def _rooms(self) -> list[Room]:
        wide = _IN_WALLS if self.kind in ("door", "window") else 0.0
        return [room for room in self.home.rooms if _within(self.placed, room, wide)]

    def printed(self) -> str:
        """The print on it."""
        from envs.household.home.looks import prints

        return next((f'with "{text}" printed on it' for text in prints(self.placed.thing)), "")

    def place(self) -> str:
        """The landmark near a piece of furniture, or the place of a movable at the start."""
        if not self.placed.thing.movable:
            near = self._nearest()
            return f"near the {kind_words(near.thing.name)}" if near else ""
        given = (atom for atom in sorted(self.given) if atom.predicate in _STARTS and atom.args[0] == self.name)
        where = next((f"{_STARTS[atom.predicate]} {atom.args[1]}" for atom in given), "on the floor")
        return f"{where} at the start"

    def _nearest(self) -> Placed | None:
        """The nearest piece of furniture of another kind that is unique in its room."""
        here = [one for one in self.home.placed if any(_within(one, room) for room in self._rooms())]
        kinds = [one.thing.kind for one in here if _furniture(one)]
        single = [one for one in here if _furniture(one) and kinds.count(one.thing.kind) == 1]
        others = [one for one in single if one.thing.kind != self.placed.thing.kind]
        x, y, _ = self.placed.pose.position
        return min(others, key=lambda one: _squared(one, x, y), default=None)


def _furniture(placed: Placed) -> bool:
    """Whether a thing is immovable furniture on the floor of a room."""
    return not placed.thing.movable and placed.pose.position[2] < _LOW < placed.thing.size[2]


def _within(placed: Placed, room: Room, wide: float = 0.0) -> bool:
    (x, y, _), (x0, y0, x1, y1) = placed.pose.position, room.corners
    return x0 - wide <= x <= x1 + wide and y0 - wide <= y <= y1 + wide


def _squared(placed: Placed, x: float, y: float) -> float:
    return (placed.pose.position[0] - x) ** 2 + (placed.pose.position[1] - y) ** 2
