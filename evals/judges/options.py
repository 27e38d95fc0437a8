"""The judge of worlds of options: the world itself knows whether the task is done and which option is best."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from enum import StrEnum
from typing import Protocol

from envs.base import Options, Rewindable
from evals.judges import options_changes
from evals.judges.changes import RerunContext, RerunSetup, contradiction
from evals.judges.controlled import BLIND, OTHER_ANSWERS, OtherPictures, blinded, guessing
from evals.judges.controlled import MEANING as CONTROLS
from evals.judges.disturbed import disturbed
from evals.run.controls import PICTURES
from evals.run.judging import Judge, Judging, Measure, Score
from evals.run.trace import NOTHING, Record, Truth
from models.base import Kind, Mind, Model, Request, Unanswerable
from models.sim import StandIn
from planners.outcome import Planner
from tools.events import Acted, Ended, Event, Observed, Reason


class Judged(Options, Protocol):
    """A world of options with its truth, for scoring only."""

    def reached(self) -> bool:
        """Whether the task is done."""
        ...

    def state(self) -> Sequence[str]:
        """What is true now, in words."""
        ...

    def best(self) -> str | None:
        """The option on a shortest way to the goal; None if there is none."""
        ...

    def worth(self) -> float:
        """How much of the task is done, from 0 to 1."""
        ...


class Failure(StrEnum):
    """Why a task was not done."""

    PARSING = "parsing"
    TOKEN_BUDGET = "token_budget"
    GAVE_UP = "gave_up"
    STEP_LIMIT = "step_limit"


MEANING = {
    Failure.PARSING: "A reply could not be read.",
    Failure.TOKEN_BUDGET: "A reply was cut off before it could be read.",
    Failure.GAVE_UP: "The agent ended the episode before the task was done.",
    Failure.STEP_LIMIT: "The steps were used up.",
}

JUDGING = Judging(
    classes={str(failure): meaning for failure, meaning in MEANING.items()},
    measures=(
        Measure("progress", "mean", meaning="how much of the task was done", of=("progress",), column=1),
        Measure("refused", "mean", meaning="attempts that the world refused", of=("refused",), column=2),
        Measure("steps", "mean", of=("steps",), column=3),
    ),
    groups={"attempts": "What came of attempts"},
    controls={**CONTROLS, **PICTURES},
    changes=options_changes.CHANGES,
    faculties=options_changes.FACULTIES,
    truthful=(options_changes.DECIDING,),
)


class OptionsJudge:
    """Knows the truth of one world of options."""

    def __init__(self, world: Judged, tags: Mapping[str, str]) -> None:
        self.world = world
        self.tags = {"world": world.name, **tags}
        self._worth = world.worth()

    def beside(self, event: Event) -> Truth:
        """The state, and whether the task is done."""
        match event:
            case Observed() | Ended():
                self._worth = self.world.worth()
                return Truth(state=tuple(self.world.state()), goal=self.world.reached())
            case Acted():
                legal = event.outcome == "executed"
                state = tuple(self.world.state())
                return Truth(legal=legal, happened=event.outcome, goal=self.world.reached(), state=state)
            case _:
                return NOTHING

    def score(self, records: Sequence[Record]) -> Score:
        """Success means that the task is done at the end."""
        last = records[-1] if records else None
        done = bool(last and last.truth.goal)
        attempts = Counter(str(record.event.outcome) for record in records if isinstance(record.event, Acted))
        measures = {
            "progress": self._worth,
            "steps": float(sum(attempts.values())),
            "refused": float(sum(number for outcome, number in attempts.items() if outcome != "executed")),
            **{f"attempts/{outcome}": float(number) for outcome, number in sorted(attempts.items())},
        }
        return Score(1.0 if done else self._worth, done, None if done else self._failure(records), measures)

    async def right(self, request: Request, mind: Mind) -> str:
        """The best option, or another one if the mind errs."""
        options = request.options or tuple(self.world.options())
        if request.kind is not Kind.CHOICE or not options:
            raise Unanswerable(f"a reply of the kind {request.kind} cannot be computed in this world")
        best = self.world.best()
        if best not in options or mind.blunders():
            best = options[mind.pick(len(options))]
        return f"Choice: [{options.index(best) + 1}]"

    def controlled(self, control: str, model: Model, other: Judge | None) -> Model:
        """The model under a control."""
        if control in PICTURES:
            return disturbed(control, model)
        identity = f"{model.identity}, control {control}"
        if control == BLIND:
            return guessing(model).for_episode(self) if isinstance(model, StandIn) else blinded(model, identity, self)
        if control == OTHER_ANSWERS and isinstance(other, OptionsJudge):
            own = model.for_episode(self) if isinstance(model, StandIn) else model
            return OtherPictures(own, identity, other.world.observe().pictures)
        raise ValueError(f"worlds of options have no control {control!r}")

    def planner(self, control: str | None, planner: Planner) -> Planner:
        """The planner, unchanged."""
        return planner

    def rehearse(self, planner: Planner) -> str:
        """Empty: there is no symbolic problem to plan."""
        return ""

    def attempt(self, action: str) -> str:
        """Do what an option says; its outcome."""
        return self.world.step(action).outcome

    def reseed(self, seed: int) -> None:
        """Reseed the world, if it can be."""
        if isinstance(self.world, Rewindable):
            self.world.reseed(seed)

    def could_fail(self, records: Sequence[Record], changes: Set[str]) -> frozenset[str]:
        """The faculties that could have failed in this record."""
        return options_changes.could_fail(records, changes)

    def impossible(self, records: Sequence[Record], changes: Set[str]) -> bool:
        """False: no change makes attempts succeed."""
        return False

    def unfit(self, records: Sequence[Record], changes: Set[str], agent: str) -> str:
        """Why the changes contradict each other; empty if they do not."""
        return contradiction(changes)

    async def changed(self, context: RerunContext) -> RerunSetup:
        """What to play a rerun with."""
        return await options_changes.changed(self, context)

    def _failure(self, records: Sequence[Record]) -> str:
        last = records[-1].event if records else None
        reason = last.reason if isinstance(last, Ended) else None
        named = {
            Reason.UNREADABLE: Failure.PARSING,
            Reason.TRUNCATED: Failure.TOKEN_BUDGET,
            Reason.STEP_LIMIT: Failure.STEP_LIMIT,
        }
        return named.get(reason, Failure.GAVE_UP) if reason else Failure.GAVE_UP
