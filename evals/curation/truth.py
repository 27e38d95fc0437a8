"""The judge that knows the truth about our own pictures: scores a pipeline, and replies for simulated models."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from envs.base import Question
from evals.curation.commission import BLIND, GENERATE, JUDGE, REVISE, SOLVE, TRUTH, Commission
from evals.curation.defects import (
    CUE,
    EQUAL,
    FORM,
    FRAMES,
    LABEL,
    NO_RIGHT,
    PLANTERS,
    TWO_RIGHT,
    Known,
    known_of,
    true_defects,
)
from evals.curation.drafts import LETTERS, Candidate, Draft, Status
from evals.judges.question import Marked, QuestionJudge
from evals.run.judging import Score
from evals.run.trace import NOTHING, Record, Truth
from models.base import Mind, Request, Unanswerable
from models.quality import PERFECT
from tools.events import Answered, Event, Value

SCORES: Mapping[str, int] = {FORM: 1, NO_RIGHT: 2, LABEL: 3, FRAMES: 3, TWO_RIGHT: 4, EQUAL: 4, CUE: 6}
"""The score that a simulated judge gives when it notices a fault."""
UNSURE: Mapping[str, float] = {**PERFECT, "sound": 0.6, "hits": 0.8, "alarms": 0.1, "fixes": 0.6, "solves": 0.8}
"""Rates of simulated models that state none, except of the one that is always right."""


@dataclass(frozen=True)
class CurationJudge(QuestionJudge):
    """The judge of one set of pictures."""

    known: tuple[Known, ...] = ()

    def beside(self, event: Event) -> Truth:
        """Nothing: all versions are judged at the end."""
        return NOTHING

    def score(self, records: Sequence[Record]) -> Score:
        """The share of accepted questions, and the counts of the measures."""
        drafts = drafts_in(records)
        marked = self.mark("", None) if drafts is None else _marked(drafts, self.known)
        failure = None if drafts else self._failure(records, marked, answered=False)
        return Score(marked.value, marked.value == 1.0, failure, dict(marked.counts))

    def mark(self, text: str, value: Value) -> Marked:
        """Nothing was made."""
        return Marked(0.0, "there are no questions")

    async def right(self, request: Request, mind: Mind) -> str:
        """The reply of a simulated model of the mind's quality."""
        role = request.place.partition(" ")[0]
        about: dict[str, Any] = json.loads(request.about or "{}")
        dice = _Dice(mind, request, self.tags.get("problem", ""))
        match role:
            case "generate":
                return json.dumps([one.as_json() for one in self._written(about, dice)], ensure_ascii=False)
            case "truth":
                return json.dumps(self._found(Candidate.of(about)))
            case "judge":
                return json.dumps(self._verdict(Candidate.of(about), dice))
            case "revise":
                return json.dumps(self._revised(Candidate.of(about), dice).as_json(), ensure_ascii=False)
            case "blind" | "solve":
                return self._answered(Candidate.of(about), about["order"], dice, blind=role == BLIND)
        raise Unanswerable(f"a simulated model has no role {role!r} in a pipeline")

    def _written(self, about: Mapping[str, Any], dice: _Dice) -> list[Candidate]:
        wanted = [one for one in self.known if not about["sub_types"] or one.sub_type in about["sub_types"]]
        if not wanted:
            raise Unanswerable("a simulated model can only write about our own pictures: use --images embedded")
        found = []
        for number, one in enumerate(wanted[: about["most"]]):
            candidate = one.sound(dice.random(f"order {number}"))
            sound = dice.below("sound", f"sound {number}")
            found.append(candidate if sound else _spoiled(candidate, dice.random(f"fault {number}")))
        return found

    def _found(self, candidate: Candidate) -> list[str]:
        """The faults that only the truth shows."""
        return [one for one in true_defects(candidate, self.known) or () if one in (LABEL, NO_RIGHT, FRAMES)]

    def _defects(self, candidate: Candidate) -> tuple[str, ...]:
        found = true_defects(candidate, self.known)
        if found is None:
            raise Unanswerable(
                "a simulated model can only judge questions about our own pictures: use --images embedded"
            )
        return found

    def _verdict(self, candidate: Candidate, dice: _Dice) -> dict[str, Any]:
        faults = self._defects(candidate)
        noticed = [fault for fault in faults if dice.below("hits", f"notices {fault}")]
        if noticed:
            score = min(SCORES[fault] for fault in noticed)
            return {"score": score, "short_explanation": f"Faults: {', '.join(noticed)}.", "detected_issue": noticed}
        if not faults and dice.below("alarms", "alarm"):
            return {"score": 7, "short_explanation": "An option can be disputed.", "detected_issue": ["ambiguous"]}
        score = 10 if dice.value("praise") < 0.7 else 9
        return {"score": score, "short_explanation": "No fault was found.", "detected_issue": []}

    def _revised(self, candidate: Candidate, dice: _Dice) -> Candidate:
        self._defects(candidate)
        known = known_of(candidate, self.known)
        assert known is not None
        sound = known.sound(dice.random("order"))
        return sound if dice.below("fixes", "fixes") else _spoiled(sound, dice.random("fault"))

    def _answered(self, candidate: Candidate, order: Sequence[int], dice: _Dice, *, blind: bool) -> str:
        known = known_of(candidate, self.known)
        right = known.right if known else ""
        sees = not blind and dice.below("solves", "solves")
        leaked = (
            blind and right and right.rstrip(".") in candidate.question.removeprefix(known.question if known else "")
        )
        if (sees or leaked) and right in candidate.choices:
            return LETTERS[list(order).index(candidate.choices.index(right))]
        return LETTERS[int(dice.value("guess") * len(order))]


class _Dice:
    """Random decisions in one request, at the stated rates."""

    def __init__(self, mind: Mind, request: Request, problem: str) -> None:
        self._rates: Mapping[str, float] | None = getattr(mind, "rates", None)
        if self._rates is None:
            self._rates = PERFECT if _perfect(mind) else UNSURE
        chance = getattr(mind, "chance", None)
        own = chance("dice") if callable(chance) else f"{request.place} {request.about}"
        # The writer's request has the same text for every set of pictures, so the set must be part of the seed.
        self._seed = f"{problem} {own}"

    def value(self, what: str) -> float:
        """A number from 0 to 1."""
        return self.random(what).random()

    def random(self, what: str) -> Random:
        """A random generator for one decision."""
        return Random(f"{self._seed} {what}")

    def below(self, rate: str, what: str) -> bool:
        """Whether an event with a stated rate happens."""
        assert self._rates is not None
        return self.value(what) < self._rates[rate]


def _perfect(mind: Mind) -> bool:
    """Whether a simulated model without rates of this kind is always right."""
    try:
        return mind.sees("a question is sound", True) and not mind.blunders()
    except (ValueError, KeyError):
        return False


def _spoiled(candidate: Candidate, dice: Random) -> Candidate:
    """The candidate with one fault."""
    return PLANTERS[dice.choice(tuple(PLANTERS))](candidate, dice)


def drafts_in(records: Sequence[Record]) -> list[Draft] | None:
    """The drafts that a pipeline handed in; None if it handed in none, or a text that holds no drafts."""
    given = next((record.event for record in records if isinstance(record.event, Answered)), None)
    try:
        return None if given is None else [Draft.from_json(kept) for kept in json.loads(given.text)]
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def _marked(drafts: Sequence[Draft], known: Sequence[Known]) -> Marked:
    accepted = [draft for draft in drafts if draft.status is Status.ACCEPTED]
    judged = [true_defects(draft.last.candidate, known) for draft in accepted]
    counts = {
        "questions": float(len(drafts)),
        "accepted": float(len(accepted)),
        "unjudged": float(sum(draft.status is Status.UNJUDGED for draft in drafts)),
        "revisions": float(sum(len(draft.versions) - 1 for draft in drafts)),
        "judgings": float(sum(version.score is not None for draft in drafts for version in draft.versions)),
        "known": float(sum(faults is not None for faults in judged)),
        "sound": float(sum(faults == () for faults in judged)),
    }
    return Marked(len(accepted) / len(drafts) if drafts else 0.0, counts=counts)


def judge_of(task: Commission, known: tuple[Known, ...], tags: Mapping[str, str]) -> CurationJudge:
    """The judge of one set."""
    assert isinstance(task, Question)
    return replace(CurationJudge(task, "", dict(tags)), known=known)


__all__ = ["BLIND", "GENERATE", "JUDGE", "REVISE", "SOLVE", "TRUTH", "CurationJudge", "drafts_in", "judge_of"]
