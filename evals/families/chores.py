"""Chores in a small world: three objects (1, 2, 3), a container (4) that opens, and a piece of furniture (5).

    state = State({"1": "5", "2": "1", "3": HAND}, opened=False)
    shortest(state, GOALS["..."])               # all shortest plans, by a search over states
    planned(state, goal)                        # the length of Fast Downward's plan, from the same rules in PDDL
    followed(state, plan, goal)                 # whether a plan works, by the semantics of PDDL

The two halves share only the wording of actions: one proposes answers, the other verifies them.
"""

from __future__ import annotations

import atexit
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from random import Random
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from planners.formula import Atom
    from planners.outcome import Planner
    from planners.steps import Step
    from planners.task import Domain, Task

OBJECTS = ("1", "2", "3")
CONTAINER, FURNITURE, HAND = "4", "5", "hand"


class Action(NamedTuple):
    """`move` an object to a place, or `open` or `close` the container."""

    verb: str
    thing: str = CONTAINER
    place: str = ""

    def __str__(self) -> str:
        if self.verb != "move":
            return f"{self.verb} {self.thing}"
        return f"move object {self.thing} {'into' if self.place == CONTAINER else 'onto'} {self.place}"

    @classmethod
    def parse(cls, text: str) -> Action:
        """The inverse of `str`."""
        words = text.split()
        return cls("move", words[2], words[4]) if words[0] == "move" else cls(words[0], words[1])


ACTIONS: tuple[Action, ...] = (
    Action("open"),
    Action("close"),
    *(Action("move", thing, place) for thing in OBJECTS for place in (CONTAINER, FURNITURE)),
)
Plan = tuple[Action, ...]


@dataclass(frozen=True)
class Goal:
    """The final places of objects. The container is closed in the end."""

    places: Mapping[str, str]

    def __str__(self) -> str:
        parts = []
        for place, words in ((CONTAINER, "in"), (FURNITURE, "on")):
            found = [thing for thing, where in self.places.items() if where == place]
            if found:
                named = ", ".join(found[:-1]) + " and " * (len(found) > 1) + found[-1]
                several = len(found) > 1
                parts.append(f"object{'s' * several} {named} {'are' if several else 'is'} {words} {place}")
        return f"{', '.join(parts)}, and {CONTAINER} is closed"


GOALS: Mapping[str, Goal] = {
    str(goal): goal
    for goal in (
        Goal({"1": CONTAINER}),
        Goal({"1": CONTAINER, "2": CONTAINER, "3": FURNITURE}),
        Goal({"1": CONTAINER, "2": FURNITURE, "3": FURNITURE}),
        Goal({"1": CONTAINER, "2": CONTAINER, "3": CONTAINER}),
    )
}
"""Goals by their words."""


@dataclass(frozen=True)
class State:
    """The place of each object: on the furniture, on another object, in the container or in the hand."""

    places: Mapping[str, str]
    opened: bool

    @property
    def key(self) -> tuple[object, ...]:
        """A key that is equal for equal states."""
        return (*(self.places[thing] for thing in OBJECTS), self.opened)

    def allows(self, action: Action) -> bool:
        """Whether the action can be carried out, and changes something."""
        held = next((thing for thing, place in self.places.items() if place == HAND), None)
        if action.verb != "move":
            return held is None and self.opened == (action.verb == "close")
        here = self.places[action.thing]
        if here == action.place or held not in (None, action.thing) or action.thing in self.places.values():
            return False
        return self.opened or CONTAINER not in (here, action.place)

    def idle(self, action: Action) -> bool:
        """Whether the effect of the action holds already."""
        if action.verb != "move":
            return self.opened == (action.verb == "open")
        return self.places[action.thing] == action.place

    def after(self, action: Action) -> State:
        """The state after a legal action."""
        if action.verb != "move":
            return State(self.places, action.verb == "open")
        return State({**self.places, action.thing: action.place}, self.opened)

    def meets(self, goal: Goal) -> bool:
        """Whether the goal is reached."""
        return not self.opened and all(self.places[thing] == place for thing, place in goal.places.items())


def works(state: State, plan: Sequence[Action], goal: Goal | None = None, *, lenient: bool = False) -> bool:
    """Whether a plan is executable and reaches the goal; `lenient` skips actions that change nothing."""
    for action in plan:
        if lenient and state.idle(action):
            continue
        if not state.allows(action):
            return False
        state = state.after(action)
    return goal is None or state.meets(goal)


def shortest(state: State, goal: Goal) -> list[Plan]:
    """All plans with the fewest actions."""
    ends: list[tuple[State, Plan]] = [(state, ())]
    seen = {state.key}
    while ends and not any(end.meets(goal) for end, _ in ends):
        grown = [(end.after(action), (*plan, action)) for end, plan in ends for action in ACTIONS if end.allows(action)]
        ends = [(end, plan) for end, plan in grown if end.key not in seen]
        seen |= {end.key for end, _ in ends}
    return [plan for end, plan in ends if end.meets(goal)]


def random_state(dice: Random) -> State:
    """A state that cannot be guessed: stacks, a full hand, an open container with content."""
    opened = dice.random() < 0.5
    order = dice.sample(OBJECTS, len(OBJECTS))
    places: dict[str, str] = {}
    for thing in order:
        free = [other for other in places if places[other] != CONTAINER and other not in places.values()]
        free = [other for other in free if places[other] != HAND]
        places[thing] = dice.choice(free) if free and dice.random() < 0.6 else FURNITURE
    loose = [thing for thing in order if places[thing] == FURNITURE and thing not in places.values()]
    if loose and opened and dice.random() < 0.5:
        places[loose.pop()] = CONTAINER
    if loose and dice.random() < 0.5:
        places[loose.pop()] = HAND
    if not opened and set(places.values()) == {FURNITURE}:
        return random_state(dice)
    return State({thing: places[thing] for thing in OBJECTS}, opened)


DOMAIN = """
(define (domain chores)
  (:requirements :strips :typing :negative-preconditions :equality)
  (:types container movable - object)
  (:predicates (open ?c - container) (holding ?m - movable) (inside ?m - movable ?c - container)
    (ontop ?m - movable ?o - object))
  (:action open-container :parameters (?c - container)
    :precondition (and (not (open ?c)) (forall (?x - movable) (not (holding ?x))))
    :effect (open ?c))
  (:action close-container :parameters (?c - container)
    :precondition (and (open ?c) (forall (?x - movable) (not (holding ?x))))
    :effect (not (open ?c)))
  (:action move-into :parameters (?m - movable ?c - container)
    :precondition (and (open ?c) (not (inside ?m ?c)) (forall (?x - movable) (not (ontop ?x ?m)))
      (forall (?x - movable) (or (= ?x ?m) (not (holding ?x)))))
    :effect (and (inside ?m ?c) (not (holding ?m)) (forall (?o - object) (not (ontop ?m ?o)))))
  (:action move-onto :parameters (?m - movable ?f - object)
    :precondition (and (not (= ?m ?f)) (not (ontop ?m ?f)) (forall (?x - movable) (not (ontop ?x ?m)))
      (forall (?x - movable) (or (= ?x ?m) (not (holding ?x))))
      (forall (?c - container) (or (not (inside ?m ?c)) (open ?c))))
    :effect (and (ontop ?m ?f) (not (holding ?m)) (forall (?c - container) (not (inside ?m ?c)))
      (forall (?o - object) (when (not (= ?o ?f)) (not (ontop ?m ?o)))))))
"""
"""The PDDL domain of the chores: like the household's without driving, with objects on each other."""
_NAMES: Mapping[str, str] = {
    **{thing: f"object_{thing}" for thing in OBJECTS},
    CONTAINER: "container_4",
    FURNITURE: "furniture_5",
}


@cache
def _domain() -> Domain:
    from planners.pddl import read_domain

    return read_domain(DOMAIN)


@cache
def _planner() -> Planner:
    """A planner for the whole process, closed at its end."""
    from planners import get_planner

    planner = get_planner("fd-opt")
    atexit.register(planner.close)
    return planner


def task_of(state: State, goal: Goal) -> Task:
    """The chore as a planning task."""
    from planners.pddl import read_problem

    facts = ["(open container_4)"] if state.opened else []
    for thing, place in state.places.items():
        if place == HAND:
            facts.append(f"(holding {_NAMES[thing]})")
        else:
            facts.append(f"({'inside' if place == CONTAINER else 'ontop'} {_NAMES[thing]} {_NAMES[place]})")
    wanted = [
        f"({'inside' if place == CONTAINER else 'ontop'} {_NAMES[thing]} {_NAMES[place]})"
        for thing, place in goal.places.items()
    ]
    movables = " ".join(_NAMES[thing] for thing in OBJECTS)
    text = (
        f"(define (problem chore) (:domain chores)"
        f" (:objects {movables} - movable container_4 - container furniture_5 - object)"
        f" (:init {' '.join(facts)}) (:goal (and {' '.join(wanted)} (not (open container_4)))))"
    )
    return read_problem(_domain(), text).task(_domain())


def planned(state: State, goal: Goal) -> int:
    """The length of the planner's shortest plan."""
    return _planned(tuple(state.places.items()), state.opened, tuple(goal.places.items()))


@lru_cache(maxsize=4096)
def _planned(places: tuple[tuple[str, str], ...], opened: bool, wanted: tuple[tuple[str, str], ...]) -> int:
    goal = Goal(dict(wanted))
    found = _planner().solve(task_of(State(dict(places), opened), goal)).checked()
    if not found.solved:
        raise ValueError(f"no plan reaches the goal: {goal}")
    return len(found.plan)


def all_plans(state: State, goal: Goal, number: int) -> Sequence[Plan]:
    """All plans of this length that reach the goal, by the semantics of PDDL."""
    return _all_plans(tuple(state.places.items()), state.opened, str(goal), number)


@lru_cache(maxsize=512)
def _all_plans(places: tuple[tuple[str, str], ...], opened: bool, goal: str, number: int) -> Sequence[Plan]:
    task = task_of(State(dict(places), opened), GOALS[goal])
    steps = [task.domain.ground(_step(action), task.objects) for action in ACTIONS]
    ends: list[tuple[frozenset[Atom], Plan]] = [(task.init, ())]
    for _ in range(number):
        ends = [
            (step.apply(end), (*plan, action))
            for end, plan in ends
            for action, step in zip(ACTIONS, steps, strict=True)
            if step.applicable(end)
        ]
    return tuple(plan for end, plan in ends if task.solved(end))


def followed(task: Task, plan: Sequence[Action], *, to_goal: bool = True) -> bool:
    """Whether a plan is executable and reaches the goal, by the semantics of PDDL."""
    try:
        last = task.states(tuple(map(_step, plan)))[-1]
    except ValueError:
        return False
    return task.solved(last) if to_goal else True


def _step(action: Action) -> Step:
    """The action in PDDL."""
    from planners.steps import Step

    if action.verb == "move":
        into = "into" if action.place == CONTAINER else "onto"
        return Step(f"move-{into}", (_NAMES[action.thing], _NAMES[action.place]))
    return Step(f"{action.verb}-container", (_NAMES[action.thing],))
