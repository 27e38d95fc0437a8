"""A home of words: the rules of Household over a few places, without rooms, physics or pictures.

The robot stands at a piece of furniture and sees and reaches what is there. That is not all that the domain says: what
lies beside the target of a drive stays within reach, and what is inside something is next to it.
"""

from __future__ import annotations

import random
from collections.abc import Mapping

from envs.base import Observation, Outcome, Stepped
from envs.household import texts
from envs.household.problems import domain as household
from envs.household.world import laws, nowhere_near
from planners.formula import Atom, Literal, Objects, State, conjunction, holds
from planners.task import Step
from tests.small_worlds import Sketch

RECORDED = {
    "navigate-to": 0.08,
    "grasp": 0.02,
    "place-on": 0.28,
    "place-inside": 0.20,
    "place-next-to": 0.50,
    "open-container": 0.12,
    "close-container": 0.24,
}
"""How often legal actions failed in the recorded runs of the original."""

THINGS = {
    "apple_1": "movable",
    "apple_2": "movable",
    "orange_1": "movable",
    "orange_2": "movable",
    "fridge_1": "container",
    "cabinet_1": "container",
    "table_1": "object",
    "sink_1": "object",
}
WANTED = ("inside apple_1,fridge_1", "ontop orange_2,table_1", "nextto orange_1,sink_1")


class SmallHome:
    """Places are (relation, furniture) pairs; what is on a movable is where that is."""

    name = "household"
    description = texts.DESCRIPTION
    action_help = texts.ACTION_HELP
    signatures = texts.SIGNATURES

    def __init__(
        self,
        wanted: tuple[str, ...] = WANTED,
        things: Mapping[str, str] = THINGS,
        *,
        failing: Mapping[str, float] | None = None,
        seed: int = 0,
    ) -> None:
        self.domain = household()
        self.laws = laws()
        self.objects: Objects = self.domain.objects(things)
        self._dice = random.Random(seed)
        self._failing = failing or {}
        furniture = [name for name, kind in things.items() if kind != "movable"]
        containers = set(self.objects.of_type("container"))
        self.place = {}
        for name in self.objects.of_type("movable"):
            where = self._dice.choice(furniture)
            self.place[name] = ("inside" if where in containers else "ontop", where)
        self.open = {name for name in sorted(containers) if self._dice.random() < 0.3}
        self.held: str | None = None
        self.at = self._dice.choice(furniture)
        self.goal = conjunction(tuple(Literal(Atom.parse(text)) for text in wanted))
        self.goal_text = texts.goal_text(tuple(Literal(Atom.parse(text)) for text in wanted))
        self.prior: State = self.truth()
        self.candid = True
        self._said = ""

    def question(self, atom: Atom) -> str:
        return texts.question(atom)

    def observe(self) -> Observation:
        near, facts = self._near(), sorted(map(str, self.truth()))
        shown = [text for text in facts if near.issuperset(Atom.parse(text).args)]
        picture = Sketch(str(facts), str(shown).encode())
        return Observation(picture, near, (), nowhere_near(self.objects, near))

    def step(self, step: Step) -> Stepped:
        outcome = self._outcome(step)
        self._said = str(outcome)
        if outcome is Outcome.EXECUTED:
            self._do(step)
        return Stepped(outcome, holds(self.goal, self.truth(), self.objects))

    def truth(self) -> State:
        return frozenset(self._facts())

    def happened(self) -> str:
        return self._said

    def _outcome(self, step: Step) -> Outcome:
        if self.domain.check(step, self.objects):
            return Outcome.BAD_PARAMETERS
        if not self.laws.ground(step, self.objects).applicable(self.truth()):
            return Outcome.NOT_LEGAL
        odd = step.action == "navigate-to" and not self._can_be_seen_from(step.args[0])
        odd = odd or (len(step.args) == 2 and step.args[0] == step.args[1])
        failed = odd or self._dice.random() < self._failing.get(step.action, 0.0)
        return Outcome.FAILED if failed else Outcome.EXECUTED

    def _do(self, step: Step) -> None:
        first, second = step.args[0], step.args[-1]
        match step.action:
            case "navigate-to":
                self.at = self._spot(first)
            case "grasp":
                for other, (_, where) in self.place.items():
                    if where == first:
                        self.place[other] = ("nextto", self._spot(first))
                del self.place[first]
                self.held = first
            case "open-container":
                self.open.add(first)
            case "close-container":
                self.open.discard(first)
            case "place-on" | "place-next-to" | "place-inside":
                how = {"place-on": "ontop", "place-next-to": "nextto", "place-inside": "inside"}[step.action]
                self.place[first] = (how, second)
                self.held = None

    def _spot(self, name: str) -> str:
        """The furniture where a thing is."""
        seen: set[str] = set()
        while name in self.place and name not in seen:
            seen.add(name)
            name = self.place[name][1]
        return name if name not in self.place else self.at

    def _hidden(self, name: str) -> bool:
        while name in self.place:
            how, where = self.place[name]
            if how == "inside" and where not in self.open:
                return True
            name = where
        return False

    def _can_be_seen_from(self, name: str) -> bool:
        return name != self.held and not self._hidden(name)

    def _near(self) -> frozenset[str]:
        here = {name for name in self.objects if name != self.held and self._spot(name) == self.at}
        return frozenset(name for name in here if not self._hidden(name)) | ({self.held} if self.held else set())

    def _facts(self) -> set[Atom]:
        facts = {Atom("reachable", (name,)) for name in self._near() if name != self.held}
        facts |= {Atom("open", (name,)) for name in self.open}
        if self.held:
            facts.add(Atom("holding", (self.held,)))
        for name, (how, where) in self.place.items():
            facts.add(Atom(how, (name, where)))
            if how == "inside":
                facts.add(Atom("nextto", (name, where)))
            if how == "nextto" and where in self.place:
                facts.add(Atom("nextto", (where, name)))
        return facts
