"""The conditions of a task, evaluated from the state that the original's game sends.

The game names each as a line of text with numbers of things: `agent_at 3`, `at 5 9`, `choose answer "two"`. Distances
are in the floor plan, except for `not_at`; all comparisons are strict.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evals.embodiedeval.original.tasks import PredicateType

AT, NEAR, CLOSER, FURTHER = 0.3, 1.5, 2.0, 1.0
"""Metres: within `AT`, within `NEAR`, nearer or further than at the start by more than these."""
TEXTS = frozenset({PredicateType.CHOOSE, PredicateType.SPECIAL_ACTION_SUCCESS})
OF_AGENT = frozenset(
    {
        PredicateType.AGENT_AT,
        PredicateType.AGENT_NEAR,
        PredicateType.AGENT_PASS,
        PredicateType.GRAB,
        PredicateType.GRAB_ONCE,
    }
)
LASTING = frozenset({PredicateType.AGENT_PASS, PredicateType.GRAB_ONCE, PredicateType.SPECIAL_ACTION_SUCCESS})
"""Conditions that stay true once they have been."""
WRONG = -1


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition: its type, and the text or the things that it names."""

    type: PredicateType
    text: str = ""
    things: tuple[int, ...] = ()

    @classmethod
    def parse(cls, line: str) -> Condition:
        """Read a line of the game; `ValueError` names what cannot be read."""
        words = line.split()
        name, _, rest = " ".join(words).partition(" ")
        try:
            kind = PredicateType(name)
        except ValueError:
            raise ValueError(f"the game names an unknown condition: {line!r}") from None
        if kind in TEXTS:
            return cls(kind, rest)
        count = 1 if kind in OF_AGENT else 2
        try:
            things = tuple(int(word) for word in words[1 : 1 + count])
        except ValueError:
            things = ()
        if len(things) != count or min(things) < 0:
            needed = "the number of a thing" if count == 1 else "the numbers of two things"
            raise ValueError(f"the condition {line!r} needs {needed}")
        return cls(kind, things=things)


@dataclass
class Conditions:
    """The conditions of one episode. `start` is the state of the game before the first choice."""

    listed: Sequence[Condition]
    start: Mapping[str, Any]
    _lasting: set[int] = field(default_factory=set)

    def after(self, option: str, state: Mapping[str, Any]) -> tuple[int, ...]:
        """1, 0 or -1 (a wrong answer) for each condition after an option was chosen."""
        return tuple(self._one(number, condition, option, state) for number, condition in enumerate(self.listed))

    def _one(self, number: int, condition: Condition, option: str, state: Mapping[str, Any]) -> int:
        if number in self._lasting:
            return 1
        if condition.type is PredicateType.CHOOSE:
            if option == condition.text:
                return 1
            return WRONG if option.startswith("answer") else 0
        holds = self._holds(condition, option, state)
        if holds and condition.type in LASTING:
            self._lasting.add(number)
        return int(holds)

    def _holds(self, condition: Condition, option: str, state: Mapping[str, Any]) -> bool:
        kind, things = condition.type, condition.things
        match kind:
            case PredicateType.SPECIAL_ACTION_SUCCESS:
                return option == condition.text and state["option_mode_info"]["feedback"] == "success"
            case PredicateType.GRAB | PredicateType.GRAB_ONCE:
                return bool(state["agent_grab_instance"] == things[0])
            case PredicateType.AGENT_AT | PredicateType.AGENT_PASS:
                return _flat(_agent(state), _place(state, things[0])) < AT
            case PredicateType.AGENT_NEAR:
                return _flat(_agent(state), _place(state, things[0])) < NEAR
            case PredicateType.NOT_AT:
                return _straight(*(_place(state, thing) for thing in things)) > AT
        distance = _between(state, things)
        match kind:
            case PredicateType.AT:
                return distance < AT
            case PredicateType.NEAR:
                return distance < NEAR
            case PredicateType.NOT_NEAR:
                return distance > NEAR
            case PredicateType.CLOSER:
                return _between(self.start, things) - distance > CLOSER
            case _:
                return distance - _between(self.start, things) > FURTHER


def done(values: Sequence[int]) -> int:
    """The value of all conditions together: -1 after a wrong answer, 1 if all hold, else 0."""
    if WRONG in values:
        return WRONG
    return int(all(value == 1 for value in values))


def as_recorded(values: Sequence[int]) -> tuple[int, ...]:
    """The values as the original records them: up to the first wrong answer."""
    cut = values.index(WRONG) + 1 if WRONG in values else len(values)
    return tuple(values[:cut])


def _agent(state: Mapping[str, Any]) -> Mapping[str, float]:
    position: Mapping[str, float] = state["agent"]["position"]
    return position


def _place(state: Mapping[str, Any], thing: int) -> Mapping[str, float]:
    position: Mapping[str, float] = state["instances"][thing]["position"]
    return position


def _between(state: Mapping[str, Any], things: Sequence[int]) -> float:
    return _flat(_place(state, things[0]), _place(state, things[1]))


def _flat(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    return math.hypot(one["x"] - other["x"], one["z"] - other["z"])


def _straight(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    return math.dist((one["x"], one["y"], one["z"]), (other["x"], other["y"], other["z"]))
