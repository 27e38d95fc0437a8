"""Household as a world: a robot in a home, seven actions, facts from geometry, pictures on demand.

Observation
    A 480x480 picture from the robot's head. If several things of one kind are in view, each has a box with its name.
    The agent is given the initial state, and a hint about things out of reach inside containers.
Actions
    `navigate-to(object)`, always legal; `grasp(object)`, `place-on(object, support)`, `place-next-to(object,
    neighbour)`, `place-inside(object, container)`, `open-container(container)` and `close-container(container)`, legal
    as in domain.pddl; closing also needs an empty hand.
Failures
    An action searches for a possible end state in a limited number of samples, so it can be legal
    and still fail: the world answers `executed but failed`. If opening, closing or driving fails, nothing changes; a
    thing that could not be grasped or placed lies where it fell. With `fail_probability`, legal actions also fail
    at random.
Termination
    The goal holds.
Official rules
    As in the original, an agent is given the truth about everything out of view. Planner methods get `executed` for an
    action that failed and `parameters incorrectly specified` for one that is not legal. The world states which
    effects the action should have had, conditional ones resolved by the true state.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from envs.base import Observation, Outcome, Snapshot, Stepped
from envs.household import official as original
from envs.household import texts
from envs.household.actions import ACTIONS, bungle
from envs.household.glossary import glossary
from envs.household.predicates import facts, visible
from envs.household.problems import HouseholdProblem, domain, wanted_of
from envs.pictures import PictureStore
from planners.formula import TRUE, And, Atom, ForAll, Holds, Not, Objects, State, Variable, holds
from planners.task import Domain, Step

if TYPE_CHECKING:
    from envs.household.home.simulation import Snapshot as Moment


@cache
def laws() -> Domain:
    """The legal actions: like the domain, but driving is always legal, and closing needs an empty hand."""
    return laws_of(domain())


def laws_of(planned: Domain) -> Domain:
    """The laws of a domain that agents plan with."""
    actions = dict(planned.actions)
    drive, close = actions["navigate-to"], actions["close-container"]
    empty = ForAll((Variable("x", "movable"),), Not(Holds("holding", ("x",))))
    actions["navigate-to"] = replace(drive, precondition=TRUE)
    actions["close-container"] = replace(close, precondition=And((close.precondition, empty)))
    return replace(planned, actions=actions)


@dataclass(frozen=True, slots=True)
class _Saved:
    """A snapshot of the home with its random state."""

    moment: Moment
    attempts: int
    seed: int
    happened: str


class Household:
    """One problem, played from its start."""

    rewordings = Path(__file__).with_name("rewordings.json")
    """Its texts in other words."""

    def __init__(
        self,
        problem: HouseholdProblem,
        *,
        seed: int = 0,
        official: bool = False,
        fail_probability: float = 0.0,
        pictures: PictureStore | None = None,
    ) -> None:
        from envs.household.home.simulation import Simulation

        self.name = "household"
        self.domain = domain()
        self.objects = problem.objects
        self.goal = problem.goal
        self.goal_text = texts.goal_text(wanted_of(problem))
        self.description = texts.DESCRIPTION
        self.action_help = texts.ACTION_HELP
        self.signatures = texts.SIGNATURES
        self._problem = problem
        self._things = problem.objects
        self._seed = seed
        self._official = official
        self._fail_probability = fail_probability
        self._store = pictures or PictureStore()
        self._attempts = 0
        self._happened = "nothing yet"
        self._truth: State | None = None
        self._sim = Simulation(problem.setting.build())
        self.prior: State | None = self.truth()
        self.candid = True
        self.glossary = glossary(problem)

    @property
    def laws(self) -> Domain:
        """What decides whether an action is legal."""
        return laws()

    def question(self, atom: Atom) -> str:
        """The yes/no question that asks whether the atom is true."""
        return texts.question(atom)

    def observe(self) -> Observation:
        """The robot's current view."""
        from envs.household import pictures

        seen, truth = visible(self._sim, self.objects), self.truth()
        key = hashlib.sha256(f"{pictures.VERSION} {self._problem.setting} {self._sim.save()}".encode()).hexdigest()
        scene, labelled = self._sim.scene(), pictures.alike(seen, self._sim)
        picture = self._store.picture(key, lambda: pictures.draw(scene, labelled))
        looked = Observation(picture, seen, hints(truth), nowhere_near(self.objects, seen))
        return original.looked(looked, truth) if self._official else looked

    def step(self, step: Step) -> Stepped:
        """Attempt an action, if it is legal."""
        before = self.truth()
        answer = self._attempt(step, before)
        return original.stepped(answer, step, self, before) if self._official else answer

    def _attempt(self, step: Step, before: State) -> Stepped:
        if step.action not in self.domain.actions:
            return self._answer(Outcome.UNKNOWN_ACTION, "no such action")
        if self.domain.check(step, self.objects):
            return self._answer(Outcome.BAD_PARAMETERS, "no such parameters")
        if not self.laws.ground(step, self.objects).applicable(before):
            return self._answer(Outcome.NOT_LEGAL, "not legal")
        fault = self._do(step)
        self._attempts += 1
        self._truth = None
        return self._answer(Outcome.FAILED, f"failed: {fault}") if fault else self._answer(Outcome.EXECUTED, "success")

    def _do(self, step: Step) -> str | None:
        """Why the action failed, or None."""
        dice = Random(f"{self._seed} {self._attempts}")
        # Random failures have their own dice, so that they do not change the other random draws.
        if self._fail_probability > Random(f"{self._seed} {self._attempts} luck").random():
            return bungle(self._sim, step.action, step.args, dice)
        return ACTIONS[step.action](self._sim, step.args, dice)

    def truth(self) -> State:
        """The atoms that are true now."""
        if self._truth is None:
            self._truth = facts(self._sim, self._things)
        return self._truth

    def happened(self) -> str:
        """`success`, why the action failed, or why there was none."""
        return self._happened

    def save(self) -> Snapshot:
        """Save the state of the home and its random state."""
        return _Saved(self._sim.save(), self._attempts, self._seed, self._happened)

    def restore(self, snapshot: Snapshot) -> None:
        """Restore a snapshot exactly."""
        if not isinstance(snapshot, _Saved):
            raise TypeError(f"not a moment of a Household: {snapshot!r}")
        self._sim.restore(snapshot.moment)
        self._attempts, self._seed, self._happened = snapshot.attempts, snapshot.seed, snapshot.happened
        self._truth = None

    def reseed(self, seed: int) -> None:
        """Reseed the search for end states from here on."""
        self._seed, self._attempts = seed, 0

    def _answer(self, outcome: Outcome, happened: str) -> Stepped:
        self._happened = happened
        return Stepped(outcome, terminated=holds(self.goal, self.truth(), self.objects))


def nowhere_near(objects: Objects, seen: frozenset[str]) -> State:
    """The false facts about things out of view: they are not in reach and not in the hand, which is always in view."""
    far = (Atom("reachable", (name,)) for name in objects if name not in seen)
    lost = (Atom("holding", (name,)) for name in objects.of_type("movable") if name not in seen)
    return frozenset(chain(far, lost))


def hints(truth: State) -> tuple[str, ...]:
    """The stated facts about things inside closed or distant containers."""
    return tuple(
        texts.hint(*atom.args)
        for atom in sorted(truth)
        if atom.predicate == "inside" and Atom("reachable", atom.args[:1]) not in truth
    )
