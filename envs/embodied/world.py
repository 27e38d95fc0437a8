"""Embodied as a world: an agent walks along a graph, handles things and meets people, by options listed in words.

Observation
    A 448x448 picture with a field of view of 90 degrees, from 1.45 m above the agent's point. It shows the held thing.
Options
    `move forward` where a free way is faced; `turn left`, `turn right`: to the next heading of the point; `look upward`
    and `look downward`: by 30 degrees; then the task's own: answers, pick up, place, open, close, and others in words.
Failures
    A task's option may fail: too far away, not in view, the hand full or empty, something shut. Nothing changes then.
    `feedback` decides what the agent learns of it: nothing, `success` or `failed` as in the original, or also why.
Termination
    All predicates hold, or a wrong answer was given. A right answer while another predicate is open ends nothing and is
    forgotten, as in the original.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import pi, remainder
from typing import Literal, TypeAlias

from envs.base import Observation, Outcome, Snapshot, Stepped
from envs.embodied.model import Act, Option, Task
from envs.embodied.rules import MOVES, Rules, State
from envs.embodied.scenes import scene, viewer
from envs.embodied.view import Eye
from envs.pictures import DrawnOnDemand, PictureStore
from envs.render.scene import Vector

Feedback: TypeAlias = Literal["none", "official", "reasons"]
VERSION = "embodied 1"
"""Part of every picture's key."""
DESCRIPTION = (
    "You are in a building. Each picture shows what you see from where you stand. You can turn to other directions, "
    "look up and down, and move forward where a way is free. Objects can be handled only if they are in view and "
    "within about one metre. You can hold one object at a time."
)


@dataclass(frozen=True, slots=True)
class _Saved:
    """The states so far, the present one last, and the option that led to it."""

    history: tuple[State, ...]
    last: str


class EmbodiedWorld:
    """One task, played from its start."""

    name = "embodied"
    description = DESCRIPTION

    def __init__(self, task: Task, *, feedback: Feedback = "official", pictures: PictureStore | None = None) -> None:
        self.task = task
        self.goal_text = task.text
        self.feedback = feedback
        self.scene, self.viewer = scene(task.scene), viewer(task.scene)
        self.rules = Rules(task, self.scene, self.viewer)
        self._pictures = pictures or PictureStore()
        self._state = self.rules.start()
        self._history: tuple[State, ...] = (self._state,)
        self._last = ""
        self._options = {option.text: option for option in task.options}
        self.reason = ""
        self._ahead: list[str] | None = None

    def observe(self) -> Observation:
        """The present picture."""
        return Observation(self._picture(self.rules.eye(self._state), self._state))

    def _picture(self, eye: Eye, state: State) -> DrawnOnDemand:
        key = hashlib.sha256(f"{VERSION} {self.task.scene} {eye} {state.moment}".encode()).hexdigest()
        return self._pictures.picture(key, lambda: self.viewer.png(eye, state.moment))

    def options(self) -> Sequence[str]:
        """The options that can be chosen now, in the original's order, without `idle`."""
        moves = MOVES if self.rules.can_walk(self._state) else MOVES[1:]
        return [*moves, *self._options]

    def step(self, option: str) -> Stepped:
        """Carry out an option."""
        if option not in self.options():
            return Stepped(Outcome.NOT_LEGAL, feedback="This cannot be chosen now.")
        self._last, self.reason = option, ""
        self._ahead = self._ahead[1:] if self._ahead and self._ahead[0] == option else None
        if self._state.choice:
            self._state = replace(self._state, choice="")
        if option in MOVES:
            self._go(self.rules.moved(self._state, option))
            return Stepped(Outcome.EXECUTED, self.reached(), over=self.lost())
        chosen = self._options[option]
        result = self.rules.apply(self._state, chosen)
        self._go(result.state)
        self.reason = result.fault
        outcome = Outcome.FAILED if result.fault else Outcome.EXECUTED
        return Stepped(
            outcome, self.reached(), feedback=self._heard(chosen, result.fault, result.reply), over=self.lost()
        )

    def _go(self, state: State) -> None:
        self._state = state
        self._history = (*self._history, state)

    def _heard(self, option: Option, fault: str, reply: str) -> str:
        if option.act is Act.ANSWER or self.feedback == "none":
            return ""
        word = "failed" if fault else "success"
        more = reply or (fault if self.feedback == "reasons" else "")
        return f"{word}: {more}" if more else word

    # Only judges and the game's protocol call the methods below: they tell the truth.

    def predicates(self) -> tuple[int, ...]:
        """Each predicate: 1 if it holds, 0 if not, -1 if it cannot hold any more."""
        return self.rules.truths(self._state)

    def reached(self) -> bool:
        """Whether all predicates hold."""
        return all(value == 1 for value in self.predicates())

    def lost(self) -> bool:
        """Whether a wrong answer was given."""
        return -1 in self.predicates()

    def over(self) -> bool:
        """Whether the episode is over."""
        return self.reached() or self.lost()

    def worth(self) -> float:
        """The share of predicates that hold."""
        values = self.predicates()
        return sum(value == 1 for value in values) / len(values)

    def state(self) -> Sequence[str]:
        """What is true now, in words."""
        state, room = self._state, self.scene.room_of((*self.position()[:2], 0.0))
        held = [f"holding {state.held}"] if state.held else []
        moved = [f"{name} at {pose.position}" for name, pose in state.moment.moved if pose is not None]
        leaves = [f"{name} {'open' if opening >= 0.5 else 'shut'}" for name, opening in state.moment.openings]
        states = [f"{name} {value}" for name, value in state.moment.states]
        done = [
            f"{predicate.check} {predicate.thing or predicate.place or predicate.value}: {value}"
            for predicate, value in zip(self.task.predicates, self.predicates(), strict=True)
        ]
        here = f"point {state.point} heading {state.heading} pitch {state.pitch} in the {room or 'doorway'}"
        return [here, *held, *moved, *leaves, *states, *(f"done: {text}" for text in sorted(state.done)), *done]

    def best(self) -> str | None:
        """The first option of a shortest solution; None if there is none."""
        ahead = self._way()
        return ahead[0] if ahead else None

    def _way(self) -> list[str]:
        """The options that lead to success soonest, found anew only when one has left the way."""
        if self._ahead is None:
            from envs.embodied.expert import plan

            self._ahead = plan(self.rules, self._state, self._seen()) or []
        return self._ahead

    def _seen(self) -> frozenset[str]:
        """The evidence that has been seen so far."""
        from envs.embodied.expert import looked

        evidence = frozenset(self.task.evidence)
        return frozenset(name for state in self._history for name in looked(self.rules, state, evidence))

    def needed(self) -> tuple[str, ...]:
        """The things or places that the expert needs next; empty if all evidence for an answer has been seen."""
        chosen = next((self._options[option] for option in self._way() if option in self._options), None)
        if chosen is None:
            done = zip(self.task.predicates, self.predicates(), strict=True)
            return tuple(one.place or one.thing for one, value in done if value != 1 and (one.place or one.thing))
        if chosen.act is Act.ANSWER:
            return tuple(sorted(frozenset(self.task.evidence) - self._seen()))
        return chosen.objects

    def shows(self, name: str) -> bool:
        """Whether a thing or a place can be made out from here."""
        from envs.embodied.expert import EVIDENCE

        eye, moment = self.rules.eye(self._state), self._state.moment
        place = self.rules.places.get(name)
        if place is not None:
            x, y, z = place.position
            return self.viewer.clear(eye, (x, y, z + 0.02), moment)
        return self.viewer.pixels(eye, name, moment) >= EVIDENCE

    def objects(self, option: str) -> tuple[str, ...]:
        """The things or places that an option of the task is about."""
        found = self._options.get(option)
        return found.objects if found is not None else ()

    def useful(self) -> tuple[str, ...]:
        """The options of the task that its shortest solution takes from the start, in their order."""
        from envs.embodied.expert import plan

        found = plan(self.rules, self._history[0]) or ()
        return tuple(option for option in found if option in self._options)

    def position(self) -> tuple[float, float, float]:
        """The agent's position."""
        point = self.scene.graph.points[self._state.point]
        return point.x, point.y, 0.0

    def positions(self) -> Mapping[str, Vector]:
        """The present positions of all things; a held thing is at the agent's position."""
        moment, here = self._state.moment, self.position()
        return {name: self.rules.position(moment, name) or here for name in self.scene.placed}

    def where(self, name: str) -> tuple[float, float, float] | None:
        """The position of a thing, person or named place; None for the held thing."""
        return self.rules.position(self._state.moment, name)

    def yaw(self) -> float:
        """The agent's direction of view, counter-clockwise from the x axis."""
        return self.rules.eye(self._state).yaw

    @property
    def held(self) -> str:
        """The held thing; empty for none."""
        return self._state.held

    def frames(self, number: int = 8) -> Sequence[DrawnOnDemand]:
        """Pictures along the last move, the last one as it is now: for video."""
        now = self.rules.eye(self._state)
        if self._last not in MOVES:
            return [self._picture(now, self._state)]
        then = self.rules.eye(self._history[-2])
        return [self._picture(_between(then, now, k / number), self._state) for k in range(1, number + 1)]

    def save(self) -> Snapshot:
        """The state, and those before it."""
        return _Saved(self._history, self._last)

    def restore(self, snapshot: Snapshot) -> None:
        """Restore a saved state exactly."""
        if not isinstance(snapshot, _Saved):
            raise TypeError(f"not a moment of an EmbodiedWorld: {snapshot!r}")
        self._history, self._last, self.reason = snapshot.history, snapshot.last, ""
        self._state, self._ahead = snapshot.history[-1], None

    def reseed(self, seed: int) -> None:
        """Nothing: there is no chance here."""


def _between(then: Eye, now: Eye, share: float) -> Eye:
    """An eye between two others; it turns the shorter way."""
    turn = remainder(now.yaw - then.yaw, 2.0 * pi)
    x, y = (round(a + (b - a) * share, 4) for a, b in ((then.x, now.x), (then.y, now.y)))
    return Eye(x, y, round(then.yaw + turn * share, 4), round(then.pitch + (now.pitch - then.pitch) * share, 4))
