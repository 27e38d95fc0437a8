"""A home of which nothing is told: who wants to know where things are has to look.

Observation
    As at home otherwise, but neither the state at the start is given, nor which things are in view, nor what is inside
    something. Where the furniture stands is known, as to somebody who lives there.
Actions
    The seven actions, and `look-around(room)`: drive to an open spot of a room and take four pictures in turn, one in
    each direction. Driving to a movable is legal only if it was in view since the start, or if it is in or on something
    within reach. Furniture can be driven to at any time.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import product
from math import hypot, pi
from typing import TYPE_CHECKING, Any

from envs.base import Observation, Search, Snapshot, Stepped
from envs.household import texts
from envs.household.glossary import glossary
from envs.household.predicates import visible
from envs.household.problems import HERE, HouseholdProblem
from envs.household.world import Household, laws_of, nowhere_near
from models.base import Picture
from planners.formula import And, Atom, Formula, Not, Objects, Same, State
from planners.pddl import read_domain, with_axioms
from planners.task import Domain, Step

if TYPE_CHECKING:
    from envs.household.home.model import Room
    from envs.household.home.robot import Stance

LOOK = "look-around"
TILT = 0.35
"""How far the head is tilted down to look round a room."""
GRID = 9
"""Places tried in a room, along each wall."""
APART = 1.0
"""How far the next look round a room is from the earlier ones, in metres."""
_ACTION = f"""
  (:action {LOOK}
    :parameters (?r - room)
    :precondition (and)
    :effect (forall (?x - thing) (not (reachable ?x)))))
"""


@cache
def domain() -> Domain:
    """The planning domain, with rooms as objects and an action to look round them."""
    text = (HERE / "domain.pddl").read_text(encoding="utf-8").rstrip().removesuffix(")")
    types = "(:types container movable - thing thing room - object)"
    text = text.replace("(:types container movable - object)", "(:types)").replace("- object)", "- thing)")
    axioms = (HERE / "axioms.pddl").read_text(encoding="utf-8").replace("- object)", "- thing)")
    return with_axioms(read_domain(text.replace("(:types)", types) + _ACTION), axioms)


@lru_cache(maxsize=1024)
def laws(unknown: frozenset[str]) -> Domain:
    """What the home allows as long as some things were never in view: driving to all others."""
    found = laws_of(domain())
    drive = found.actions["navigate-to"]
    (target,) = (parameter.name for parameter in drive.parameters)
    known: tuple[Formula, ...] = tuple(Not(Same(target, name)) for name in sorted(unknown))
    return replace(found, actions={**found.actions, "navigate-to": replace(drive, precondition=And(known))})


@dataclass(frozen=True, slots=True)
class _Saved:
    moment: Snapshot
    found: frozenset[str]
    around: tuple[Stance, ...]
    stood: tuple[tuple[str, float, float], ...]


class HouseholdToSearch(Household):
    """One problem, of whose start nothing is told."""

    def __init__(self, problem: HouseholdProblem, **options: Any) -> None:
        super().__init__(problem, **options)
        self.domain = domain()
        self.prior = None
        self._rooms = {_name(room): room for room in self._sim.home.rooms}
        types = {name: "thing" if kind == "object" else kind for name, kind in problem.objects.items()}
        self.objects = self.domain.objects({**types, **dict.fromkeys(self._rooms, "room")})
        self.description = texts.DESCRIPTION + texts.UNKNOWN
        self.action_help = texts.ACTION_HELP + texts.LOOK_HELP
        self.signatures = {**texts.SIGNATURES, LOOK: ("room",)}
        places = {name: f"the {room.name}" for name, room in self._rooms.items()}
        self.glossary = {**glossary(replace(problem, given=frozenset())), **places}
        self.search = self._search()
        self._around: tuple[Stance, ...] = ()
        self._stood: tuple[tuple[str, float, float], ...] = ()
        self._found: frozenset[str] = frozenset()
        self._in_view = self._seen()

    @property
    def laws(self) -> Domain:
        """What is legal now, which depends on what was in view so far."""
        truth = self.truth()
        at_hand = {
            atom.args[0]
            for atom in truth
            if atom.predicate in ("ontop", "inside") and Atom("reachable", atom.args[1:]) in truth
            if atom.predicate == "ontop" or Atom("open", atom.args[1:]) in truth
        }
        return laws(frozenset(self._things.of_type("movable")) - self._found - at_hand)

    def view(self) -> State:
        """What is in view, as facts that can be asked about."""
        return frozenset(Atom("visible", (name,)) for name in self._in_view)

    def observe(self) -> Observation:
        """What the robot sees from where it stands, or all round it after `look-around`."""
        first, *more = self._pictures()
        return Observation(first, more=tuple(more))

    def step(self, step: Step) -> Stepped:
        """Attempt an action, and remember what came into view."""
        answer = super().step(step)
        self._in_view = self._seen()
        return answer

    def save(self) -> Snapshot:
        """The home as it is, and what was in view so far."""
        return _Saved(super().save(), self._found, self._around, self._stood)

    def restore(self, snapshot: Snapshot) -> None:
        """Be exactly as when it was saved."""
        if not isinstance(snapshot, _Saved):
            raise TypeError(f"not a moment of a HouseholdToSearch: {snapshot!r}")
        super().restore(snapshot.moment)
        self._found, self._around, self._stood = snapshot.found, snapshot.around, snapshot.stood
        self._in_view = self._seen()

    def _do(self, step: Step) -> str | None:
        if step.action == LOOK:
            return self._look_around(step.args[0])
        fault = super()._do(step)
        self._around = ()
        return fault

    def _look_around(self, name: str) -> str | None:
        spot = self._spot(self._rooms[name], name)
        if spot is None:
            return f"no place to stand in {name}"
        from envs.household.home.robot import Stance

        self._stood = (*self._stood, (name, *spot))
        self._around = tuple(Stance(*spot, turn * pi / 2, TILT) for turn in range(4))
        self._sim.move_robot(*spot, 0.0, TILT)
        return None

    def _spot(self, room: Room, name: str) -> tuple[float, float] | None:
        """The open spot nearest to the middle of a room; another one than before, if there is one."""
        x0, y0, x1, y1 = room.corners
        steps = [(number + 0.5) / GRID for number in range(GRID)]
        places = [(x0 + right * (x1 - x0), y0 + up * (y1 - y0)) for right, up in product(steps, steps)]
        places.sort(key=lambda place: (round(hypot(place[0] - (x0 + x1) / 2, place[1] - (y0 + y1) / 2), 6), place))
        fitting = (place for place in places if self._fits(*place))
        before = [(x, y) for other, x, y in self._stood if other == name]
        first = None
        for place in fitting:
            first = first or place
            if all(hypot(place[0] - x, place[1] - y) >= APART for x, y in before):
                return place
        return first

    def _fits(self, x: float, y: float) -> bool:
        return all(self._sim.robot_fits(x, y, turn * pi / 2, TILT) for turn in range(4))

    def _stances(self) -> tuple[Stance, ...]:
        return self._around or (self._sim.stance,)

    def _seen(self) -> frozenset[str]:
        """What is in one of the present pictures. Movables among it are known from now on."""
        here, found = self._sim.stance, frozenset[str]()
        for stance in self._stances():
            self._turn(stance)
            found |= visible(self._sim, self._things)
        self._turn(here)
        self._found |= found & frozenset(self._things.of_type("movable"))
        return found

    def _pictures(self) -> list[Picture]:
        from envs.household import pictures

        here = self._sim.stance
        drawn: list[Picture] = []
        for stance in self._stances():
            self._turn(stance)
            labelled = pictures.alike(visible(self._sim, self._things), self._sim)
            key = f"{pictures.VERSION} {self._problem.setting} {self._sim.save()}"
            scene = self._sim.scene()
            drawn.append(
                self._store.picture(
                    hashlib.sha256(key.encode()).hexdigest(),
                    lambda scene=scene, labelled=labelled: pictures.draw(scene, labelled),  # type: ignore[misc]
                )
            )
        self._turn(here)
        return drawn

    def _turn(self, stance: Stance) -> None:
        if stance != self._sim.stance:
            self._sim.move_robot(stance.x, stance.y, stance.yaw, stance.tilt)

    def _stands_in(self, name: str, room: str) -> bool:
        (x, y, _), (x0, y0, x1, y1) = self._sim.pose(name).position, self._rooms[room].corners
        return x0 <= x <= x1 and y0 <= y <= y1

    def _search(self) -> Search:
        """What is known of where things can be: in what has room, on what has a surface, or on the floor of a room."""
        containers = [name for name in self._things.of_type("container") if self._sim.thing(name).cavities]
        fixed = [name for name in self._things if not self._sim.thing(name).movable]
        carrying = [name for name in fixed if self._sim.thing(name).surfaces]
        things = self._things

        def places(name: str) -> tuple[Atom, ...]:
            within = (Atom("inside", (name, other)) for other in containers)
            return (*within, *(Atom("ontop", (name, other)) for other in carrying))

        return Search(
            tuple(things),
            {name: places(name) for name in things.of_type("movable")},
            {name: Step(LOOK, (name,)) for name in self._rooms},
            {name: room for name in fixed for room in self._rooms if self._stands_in(name, room)},
            lambda seen: out_of_view(things, seen),
        )


def out_of_view(things: Objects, seen: frozenset[str]) -> State:
    """What is not so of things out of view."""
    return nowhere_near(things, seen)


def _name(room: Room) -> str:
    return room.name.replace(" ", "_")
