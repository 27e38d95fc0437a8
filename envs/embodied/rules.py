"""The effects of options: pure functions from a state to the next one, with the reason for each failure.

The world and the expert use the same rules.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from math import hypot
from typing import TypeVar

from envs.embodied.model import Act, Check, Option, Place, Scene, Task
from envs.embodied.view import PITCH, START, Eye, Moment, Viewer
from envs.household.home.frames import spot
from envs.household.home.model import Pose
from envs.render.scene import Vector

T = TypeVar("T")
FORWARD, LEFT, RIGHT, UP, DOWN = "move forward", "turn left", "turn right", "look upward", "look downward"
MOVES = (FORWARD, LEFT, RIGHT, UP, DOWN)
AT = 0.3
"""A thing nearer than this to a point is at the point."""
NEAR = 1.5
SEEN = 60.0
"""The fewest visible pixels with which a thing can be handled."""
_ROUND = ((0.0, 0.0), *((r * c, r * s) for r in (0.12, 0.2) for c, s in ((1, 0), (-1, 0), (0, 1), (0, -1))))
"""Offsets that are tried when a thing is put down: the place itself, then points around it."""


@dataclass(frozen=True, slots=True)
class State:
    """Everything that can change during an episode, and the part of its past that predicates depend on."""

    point: int
    heading: int
    pitch: int = 0
    held: str = ""
    moment: Moment = START
    done: frozenset[str] = frozenset()
    grabbed: frozenset[str] = frozenset()
    passed: frozenset[str] = frozenset()
    choice: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of an option: the next state, and a `fault`, which is empty if it succeeded."""

    state: State
    fault: str = ""
    reply: str = ""


class Rules:
    """The rules of one task in its scene."""

    def __init__(self, task: Task, scene: Scene, viewer: Viewer) -> None:
        self.task, self.scene, self.viewer = task, scene, viewer
        self.places: dict[str, Place] = {place.name: place for place in task.places}
        self._passing = [
            (predicate.place, self.places[predicate.place].position)
            for predicate in task.predicates
            if predicate.check is Check.AGENT_PASS
        ]
        self._shut = lru_cache(maxsize=64)(self._closed)
        self._reachable = lru_cache(maxsize=65536)(self._reaches)

    def start(self) -> State:
        """The state at the start."""
        return self._pass(State(self.task.start.point, self.task.start.heading))

    def eye(self, state: State) -> Eye:
        """The camera in a state."""
        point = self.scene.graph.points[state.point]
        return Eye(point.x, point.y, point.headings[state.heading].yaw, state.pitch * PITCH)

    def shut(self, moment: Moment) -> frozenset[str]:
        """The doors that are shut and close a way."""
        return self._shut(moment.openings)

    def _closed(self, openings: tuple[tuple[str, float], ...]) -> frozenset[str]:
        every = self.viewer.openings(Moment(openings))
        return frozenset(name for name, opening in every.items() if opening < 0.5)

    def can_walk(self, state: State) -> bool:
        """Whether `move forward` is offered."""
        return self.scene.graph.ahead(state.point, state.heading, self.shut(state.moment)) is not None

    def moved(self, state: State, move: str) -> State:
        """The state after a move. After walking or turning the pitch is zero."""
        graph, point, heading, pitch = self.scene.graph, state.point, state.heading, 0
        if move == FORWARD:
            ahead = graph.ahead(point, heading, self.shut(state.moment))
            if ahead is None:
                return state
            point, heading = ahead
        elif move in (LEFT, RIGHT):
            heading = graph.turned(point, heading, 1 if move == LEFT else -1)
        else:
            pitch = min(max(state.pitch + (1 if move == UP else -1), -1), 1)
        # No `replace` here, because a search creates hundreds of thousands of states.
        past = (state.held, state.moment, state.done, state.grabbed, state.passed, state.choice)
        new = State(point, heading, pitch, *past)
        return self._pass(new) if move == FORWARD and self._passing else new

    def _pass(self, state: State) -> State:
        point = self.scene.graph.points[state.point]
        new = {name for name, (x, y, _) in self._passing if hypot(point.x - x, point.y - y) < AT}
        return replace(state, passed=state.passed | new) if new - state.passed else state

    def apply(self, state: State, option: Option) -> Result:
        """The result of an option of the task."""
        if option.act is Act.ANSWER:
            return Result(replace(state, choice=option.text))
        fault = self._unmet(state, option)
        if fault:
            return Result(state, fault)
        match option.act:
            case Act.PICK_UP:
                return self._pick_up(state, option)
            case Act.PLACE_TO:
                return self._place(state, option)
            case Act.SPECIAL:
                return self._special(state, option)
            case _:
                return self._leaf(state, option)

    def _unmet(self, state: State, option: Option) -> str:
        """The fault of the first further condition that is not met; empty if all are."""
        for need in option.needs:
            kind, _, what = need.partition(": ")
            if kind == "done" and what not in state.done:
                return f"you have to {what} first"
            if kind == "holding" and what != state.held:
                return f"you are not holding {self.called(what)}"
            if kind == "state" and not self._is(state, what):
                return f"{self.called(what.partition('=')[0])} is not {what.partition('=')[2]}"
        return ""

    def _is(self, state: State, what: str) -> bool:
        name, _, value = what.partition("=")
        if value in ("open", "shut"):
            return (self.viewer.openings(state.moment)[name] >= 0.5) == (value == "open")
        return self.state_of(state, name) == value

    def state_of(self, state: State, name: str) -> str:
        """The state of a thing that has some."""
        return dict(state.moment.states).get(name, self.scene.states.get(name, ""))

    def called(self, name: str) -> str:
        """The name of a thing, person or place in words."""
        if name in self.places:
            support = self.places[name].support
            return "the place" if not support else f"the place on {self.called(support)}"
        traits = self.scene.traits.get(name)
        return f"the {traits.noun}" if traits else f"the {name.rpartition('_')[0].replace('_', ' ')}"

    def _pick_up(self, state: State, option: Option) -> Result:
        if state.held:
            return Result(state, f"you already hold {self.called(state.held)}")
        name, fault = self._within_reach(state, option)
        if not name:
            return Result(state, fault)
        moment = replace(state.moment, moved=_put(state.moment.moved, name, None))
        return Result(replace(state, held=name, grabbed=state.grabbed | {name}, moment=moment))

    def _place(self, state: State, option: Option) -> Result:
        if not state.held:
            return Result(state, "you hold nothing")
        name, fault = self._within_reach(state, option)
        if not name:
            return Result(state, fault)
        pose = self._landing(state, self.places[name])
        if pose is None:
            return Result(state, "there is no room for it")
        moment = replace(state.moment, moved=_put(state.moment.moved, state.held, pose))
        return Result(replace(state, held="", moment=moment))

    def _special(self, state: State, option: Option) -> Result:
        for name in option.objects:
            if name != state.held:
                fault = self._out_of_reach(state, name, option.distance)
                if fault:
                    return Result(state, fault)
        moment, held = state.moment, state.held
        for effect in option.effects:
            kind, _, what = effect.partition(": ")
            if kind == "state":
                name, _, value = what.partition("=")
                if value in ("open", "shut"):
                    openings = _put(moment.openings, name, 1.0 if value == "open" else 0.0)
                    moment = replace(moment, openings=openings)
                else:
                    moment = replace(moment, states=_put(moment.states, name, value))
            elif kind == "give" and held:
                moment, held = replace(moment, moved=_put(moment.moved, held, self._given(held, what))), ""
        done = state.done | {option.text}
        return Result(replace(state, moment=moment, held=held, done=done), reply=option.reply)

    def _leaf(self, state: State, option: Option) -> Result:
        wanted = 1.0 if option.act in (Act.OPEN_DOOR, Act.OPEN_DRAWER) else 0.0
        openings = self.viewer.openings(state.moment)
        others = [name for name in option.objects if openings[name] != wanted]
        if not others:
            return Result(state, f"{self.called(option.objects[0])} is already {'open' if wanted else 'shut'}")
        name, fault = self._within_reach(state, replace(option, objects=tuple(others)))
        if not name:
            return Result(state, fault)
        moment = replace(state.moment, openings=_put(state.moment.openings, name, wanted))
        return Result(replace(state, moment=moment))

    def _within_reach(self, state: State, option: Option) -> tuple[str, str]:
        """The nearest reachable object of an option and no fault, or no object and the fault of the best one."""
        point = self.scene.graph.points[state.point]

        def away(name: str) -> float:
            at = self.position(state.moment, name)
            return 99.0 if at is None else hypot(at[0] - point.x, at[1] - point.y)

        faults = []
        for name in sorted(option.objects, key=lambda name: (round(away(name), 6), name)):
            fault = self._out_of_reach(state, name, option.distance)
            if not fault:
                return name, ""
            faults.append(fault)
        return "", faults[0] if faults else "there is nothing of the kind"

    def _out_of_reach(self, state: State, name: str, distance: float) -> str:
        """The reason why something cannot be handled; empty if it can."""
        return self._reachable(state.point, state.heading, state.pitch, state.moment, name, distance)

    def _reaches(self, point: int, heading: int, pitch: int, moment: Moment, name: str, distance: float) -> str:
        here, what = self.scene.graph.points[point], self.called(name)
        eye = Eye(here.x, here.y, here.headings[heading].yaw, pitch * PITCH)
        place = self.places.get(name)
        if place is not None:
            at: Vector | None = place.position
        else:
            at = self.position(moment, name)
        if at is None:
            return f"{what} is in your hand"
        if self.gap(here.x, here.y, name, moment) > distance:
            return f"{what} is too far away"
        if place is not None:
            return self._hidden_place(eye, place, moment)
        if self.viewer.pixels(eye, name, moment) < SEEN:
            return f"{what} is not in view"
        return ""

    def _hidden_place(self, eye: Eye, place: Place, moment: Moment) -> str:
        x, y, z = place.position
        support = self.scene.placed.get(place.support)
        if support is not None and support.thing.leaves and support.thing.cavities:
            inside = z < support.pose.position[2] + support.thing.size[2] - 0.02
            if inside and self.viewer.openings(moment)[place.support] < 0.5:
                return f"{self.called(place.support)} is shut"
        rims = ((0.0, 0.0), (0.08, 0.0), (-0.08, 0.0), (0.0, 0.08), (0.0, -0.08))
        if any(self.viewer.clear(eye, (x + a, y + b, z + 0.02), moment) for a, b in rims):
            return ""
        return f"{self.called(place.name)} is not in view"

    def position(self, moment: Moment, name: str) -> Vector | None:
        """The centre of a thing or a place; None for the held thing."""
        if name in self.places:
            return self.places[name].position
        pose = self.viewer.pose(name, moment)
        return None if pose is None else pose.position

    def gap(self, x: float, y: float, name: str, moment: Moment) -> float:
        """The distance of a point from a thing on the floor plan: to its centre, or to the box of a fixed thing."""
        at = self.position(moment, name)
        if at is None:
            return 0.0
        placed = self.scene.placed.get(name)
        if placed is None or placed.thing.movable:
            return hypot(at[0] - x, at[1] - y)
        turn, (width, depth, _) = placed.pose.rotation, placed.thing.size
        dx, dy = x - at[0], y - at[1]
        across, along = abs(dx * turn[0] + dy * turn[3]), abs(dx * turn[1] + dy * turn[4])
        return hypot(max(across - width / 2.0, 0.0), max(along - depth / 2.0, 0.0))

    def _landing(self, state: State, place: Place) -> Pose | None:
        """The pose of the held thing after it is put down: at the place, or beside it if the place is taken."""
        thing, turn = self.viewer.thing(state.held), self.scene.placed[state.held].pose.rotation
        reach = hypot(*thing.size[:2]) / 2.0
        others = self._lying(state)
        for dx, dy in _ROUND:
            x, y, z = (round(a + b, 4) for a, b in zip(place.position, (dx, dy, 0.0), strict=True))
            if not self._supported(place, (x, y, z)):
                continue
            if all(abs(z - c) > 0.12 or hypot(x - a, y - b) > 0.8 * (reach + far) for (a, b, c), far in others):
                return Pose((x, y, z), turn)
        return None

    def _supported(self, place: Place, point: Vector) -> bool:
        """Whether a point is over its place's support."""
        support = self.scene.placed.get(place.support)
        if support is None or point == place.position:
            return True
        r, (a, b, _) = support.pose.rotation, support.pose.position
        dx, dy = point[0] - a, point[1] - b
        width, depth, _ = support.thing.size
        return abs(dx * r[0] + dy * r[3]) < width / 2.0 - 0.05 and abs(dx * r[1] + dy * r[4]) < depth / 2.0 - 0.05

    def _lying(self, state: State) -> list[tuple[Vector, float]]:
        """The positions and radii of other movables."""
        found = []
        for name, placed in self.scene.placed.items():
            pose = self.viewer.pose(name, state.moment) if placed.thing.movable and name != state.held else None
            if pose is not None:
                found.append((pose.position, hypot(*placed.thing.size[:2]) / 2.0))
        return found

    def _given(self, name: str, person: str) -> Pose:
        """The pose of a thing that was handed to a person: in front of the chest, or in the outstretched hand."""
        placed = self.scene.placed[person]
        at = next((cavity.centre for cavity in placed.thing.cavities), (0.0, -0.3, 1.0))
        x, y, z = spot(placed.pose, at)
        return Pose((round(x, 4), round(y, 4), round(z, 4)), self.scene.placed[name].pose.rotation)

    def truths(self, state: State) -> tuple[int, ...]:
        """Each predicate: 1 if it holds, 0 if not, -1 if it cannot hold any more."""
        return tuple(self._truth(state, number) for number in range(len(self.task.predicates)))

    def _truth(self, state: State, number: int) -> int:
        predicate = self.task.predicates[number]
        match predicate.check:
            case Check.CHOOSE:
                return 0 if not state.choice else 1 if state.choice == predicate.value else -1
            case Check.AGENT_AT | Check.AGENT_NEAR:
                limit = AT if predicate.check is Check.AGENT_AT else NEAR
                point = self.scene.graph.points[state.point]
                at = self.position(state.moment, predicate.place)
                return int(at is not None and hypot(point.x - at[0], point.y - at[1]) < limit)
            case Check.AGENT_PASS:
                return int(predicate.place in state.passed)
            case Check.AT:
                at, there = self.position(state.moment, predicate.thing), self.places[predicate.place].position
                return int(at is not None and hypot(at[0] - there[0], at[1] - there[1]) < AT)
            case Check.GRAB:
                return int(state.held == predicate.thing)
            case Check.GRAB_ONCE:
                return int(predicate.thing in state.grabbed)
            case Check.SPECIAL:
                return int(predicate.value in state.done)


def _put(pairs: tuple[tuple[str, T], ...], name: str, value: T) -> tuple[tuple[str, T], ...]:
    """The pairs with a new value for a name, sorted."""
    return tuple(sorted({**dict(pairs), name: value}.items(), key=lambda pair: pair[0]))
