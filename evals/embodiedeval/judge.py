"""The judge of EmbodiedEval: success, the share of conditions that hold, and path length."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Protocol

from evals.embodiedeval import sight
from evals.embodiedeval.sight import chosen
from evals.judges import options as common
from evals.judges.controlled import BLIND, OTHER_ANSWERS, guessing, oracle
from evals.judges.options import Judged, OptionsJudge
from evals.run.judging import Judge, Measure, Score
from evals.run.trace import Record, Truth
from models.base import Kind, Mind, Model, Request, Unanswerable
from models.sim import THE_WAY, StandIn
from tools.events import Acted, Ended, Event

RANDOM, EXPERT = "random", "expert"
CONTROLS = {
    BLIND: "the model sees grey pictures, a simulated one chooses at random; what is solved needs no eyes",
    OTHER_ANSWERS: "the model sees the first picture of another task",
    RANDOM: "every choice is made at random",
    EXPERT: "every choice is on a shortest way; what is not solved is lost by the agent or by how replies are read",
}


class Failure(StrEnum):
    """Reasons for failure in addition to those of every world of options."""

    WRONG_ANSWER = "wrong_answer"


MEANING = {Failure.WRONG_ANSWER: "A wrong answer was chosen."}
JUDGING = replace(
    common.JUDGING,
    classes={**{str(name): meaning for name, meaning in MEANING.items()}, **common.JUDGING.classes},
    measures=(
        Measure(
            "gcs",
            "share",
            "GcS",
            "the share of conditions that hold at the end",
            of=("gcs",),
            over=("played",),
            column=1,
        ),
        Measure(
            "spl",
            "share",
            "SPL",
            "success times L / max(L, P): L steps of a shortest way, P choices",
            of=("spl",),
            over=("timed",),
            column=2,
        ),
        Measure("steps", "mean", of=("steps",), column=3),
        Measure(
            "interactions",
            "mean",
            meaning="attempts to act on an object or a person",
            of=("interactions",),
        ),
        Measure(
            "interactions_done",
            "share",
            "of them done",
            "interactions that succeeded",
            of=("interactions_done",),
            over=("interactions",),
            column=4,
        ),
        Measure("invalid", "mean", meaning="replies that could not be read", of=("invalid",)),
    ),
    controls=CONTROLS,
    overall=(),
    cluster="scene",
)


class Tasked(Judged, Protocol):
    """A world of EmbodiedEval with its truth."""

    def predicates(self) -> Sequence[int]:
        """Each condition: 1 if it holds, 0 if not, -1 after a wrong answer."""
        ...

    def lost(self) -> bool:
        """Whether a wrong answer was given."""
        ...


class TaskJudge(OptionsJudge):
    """The judge of one task.

    `reference` is the number of choices in a shortest solution, if it is known; `interactions` are the options that act
    on objects or people; `answer` is the right answer of a question.
    """

    world: Tasked

    def __init__(
        self,
        world: Tasked,
        tags: Mapping[str, str],
        reference: int | None = None,
        interactions: Collection[str] = (),
        answer: str | None = None,
    ) -> None:
        super().__init__(world, {**tags, "world": "embodiedeval"})
        self.reference, self.interactions, self.answer = reference, frozenset(interactions), answer
        self._lost = False

    def beside(self, event: Event) -> Truth:
        """What is true, and whether the task is done."""
        self._lost = self.world.lost()
        return super().beside(event)

    def score(self, records: Sequence[Record]) -> Score:
        """Success is that all conditions hold at the end; the value is the share that does."""
        score = super().score(records)
        acts = [record.event for record in records if isinstance(record.event, Acted)]
        handled = [event for event in acts if event.action in self.interactions]
        reference = self.reference or 0
        measures = {
            "played": 1.0,
            "gcs": score.value,
            "steps": float(len(acts)),
            "interactions": float(len(handled)),
            "interactions_done": float(sum(event.outcome == "executed" for event in handled)),
            "invalid": float(sum(bool(getattr(record.event, "fault", None)) for record in records)),
            **({"timed": 1.0, "spl": reference / max(reference, len(acts)) * score.success} if reference else {}),
            **{name: value for name, value in score.measures.items() if name.startswith("attempts/")},
        }
        return replace(score, measures=measures)

    async def right(self, request: Request, mind: Mind) -> str:
        """The next option of a shortest solution, or another one where the mind errs.

        A simulated model with a published success rate for the category plays that share of episodes like the expert.
        In the rest it chooses at random, but never the right answer, so that it meets the rate. One that sees only what
        is in view (`sim:sight`) plays by `evals.embodiedeval.sight`.
        """
        options = request.options or tuple(self.world.options())
        if mind.blunders() and request.kind is Kind.CHOICE:
            return chosen(mind.pick(len(options)))
        knows = _knows(mind)
        if knows is None or request.kind is not Kind.CHOICE:
            return sight.reply(self.world, request, options, mind)
        best = self.world.best() if knows else self.answer
        if best in options and knows:
            return chosen(options.index(best))
        others = [place for place, option in enumerate(options) if option != best] or [0]
        return chosen(others[self._dice(request, mind) % len(others)])

    def _dice(self, request: Request, mind: Mind) -> int:
        """A pseudo-random number that depends only on the request and the problem."""
        facts = [self.tags.get("problem", ""), mind.pick(1_000_000), request.text, request.attempt]
        return int.from_bytes(hashlib.sha256(json.dumps(facts).encode()).digest()[:6])

    def controlled(self, control: str, model: Model, other: Judge | None) -> Model:
        """The model under a control."""
        if control == EXPERT:
            return oracle(self)
        if control == RANDOM:
            guesser = model if isinstance(model, StandIn) else StandIn(_Nothing(), simulated=False, name="random")
            return guessing(guesser).for_episode(self)
        return super().controlled(control, model, other)

    def _failure(self, records: Sequence[Record]) -> str:
        last = records[-1].event if records else None
        if self._lost and isinstance(last, Ended):
            return Failure.WRONG_ANSWER
        return super()._failure(records)


class _Nothing:
    """The perception of a player who chooses at random."""

    identity = "no eyes"

    def sees(self, fact: str, true: bool, request: Request, witness: object) -> bool:
        """Never called by a random player."""
        raise Unanswerable("a player who chooses at random perceives nothing")


def _knows(mind: Mind) -> bool | None:
    """Whether a simulated model knows the solution; None if it knows only what it sees."""
    try:
        return mind.sees(THE_WAY, True)
    except ValueError:
        return None
