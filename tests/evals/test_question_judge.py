"""What answers to a question are worth, and what a stand-in replies that errs."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import pytest

from envs.base import Question
from evals.judges.question import QuestionJudge
from evals.run.trace import Record
from models.base import Kind, Request, Unanswerable
from tools.events import Answered, Asked, Ended, Reason, Value

COLOURS = ("red", "green", "blue")
CHOICE = Request((), Kind.CHOICE, options=COLOURS)


@dataclass
class Somebody:
    """A mind that errs as it is made."""

    blind: bool = False
    guesses: bool = False
    wants: int = 0

    def sees(self, fact: str, true: bool) -> bool:
        return not self.blind

    def blunders(self) -> bool:
        return self.guesses

    def pick(self, count: int) -> int:
        return self.wants % count


class Nothing(Somebody):
    """A mind without rates for questions."""

    def sees(self, fact: str, true: bool) -> bool:
        raise ValueError("no rates")


def judge(answer: Value = "green", *options: str, **tags: str) -> QuestionJudge:
    kind = Kind.YES_NO if isinstance(answer, bool) else Kind.NUMBER if isinstance(answer, int) else Kind.CHOICE
    return QuestionJudge(Question("Which?", (), options, kind), answer, tags)


def ended(reason: Reason, *before: Answered) -> list[Record]:
    return [Record(event=event) for event in (*before, Ended(step=0, reason=reason))]


@pytest.mark.parametrize(
    ("records", "value", "failure", "unreadable"),
    [
        (ended(Reason.FINISHED, Answered(step=0, value="green")), 1.0, None, 0.0),
        (ended(Reason.FINISHED, Answered(step=0, value="blue")), 0.0, "wrong", 0.0),
        (ended(Reason.UNREADABLE), 0.0, "unreadable", 1.0),
        (ended(Reason.TRUNCATED), 0.0, "truncated", 0.0),
        (ended(Reason.FINISHED), 0.0, "no_answer", 0.0),
        ([], 0.0, "no_answer", 0.0),
    ],
)
def test_an_episode_is_scored(records: list[Record], value: float, failure: str | None, unreadable: float) -> None:
    score = judge("green", *COLOURS, colour="g", problem="p1").score(records)
    assert (score.value, score.success, score.failure) == (value, value == 1.0, failure)
    assert score.measures == {"chance": pytest.approx(1 / 3), "unreadable": unreadable}
    (tally,) = score.tallies
    assert (dict(tally.by), tally.right, tally.total) == ({"colour": "g"}, int(value), 1)


def test_without_options_there_is_no_chance_and_without_tags_no_tally() -> None:
    score = judge(3).score(ended(Reason.FINISHED, Answered(step=0, value=3)))
    assert score.measures["chance"] == 0.0
    assert score.tallies == ()


@pytest.mark.parametrize(("value", "right"), [("green", True), ("blue", False), (None, False)])
def test_the_truth_stands_beside_replies_to_the_question(value: Value, right: bool) -> None:
    beside = judge("green").beside
    asked = beside(Asked(step=0, kind=Kind.CHOICE, phase="question", value=value, reply=""))
    assert (asked.value, asked.right) == ("green", right)
    assert beside(Asked(step=0, kind=Kind.CHOICE, phase="describe", value=value, reply="")).right is None
    assert beside(Answered(step=0, value=value)).right is right


@pytest.mark.parametrize(
    ("answer", "request_", "mind", "reply"),
    [
        ("green", CHOICE, Somebody(), "B"),
        ("green", CHOICE, Nothing(), "B"),
        # By the alphabet (blue, green, red), whatever order they are shown in.
        ("green", CHOICE, Somebody(blind=True), "C"),
        ("green", CHOICE, Somebody(blind=True, wants=1), "A"),
        ("green", CHOICE, Somebody(guesses=True, wants=1), "B"),
        ("green", CHOICE, Somebody(guesses=True, wants=2), "A"),
        (True, Request((), Kind.YES_NO), Somebody(), "Yes"),
        (True, Request((), Kind.YES_NO), Somebody(blind=True), "No"),
        (False, Request((), Kind.YES_NO), Somebody(blind=True), "Yes"),
        (True, Request((), Kind.YES_NO), Somebody(guesses=True), "No"),
        (True, Request((), Kind.YES_NO), Somebody(guesses=True, wants=1), "Yes"),
        (7, Request((), Kind.NUMBER), Somebody(), "7"),
        (7, Request((), Kind.NUMBER), Somebody(blind=True), "8"),
        (7, Request((), Kind.NUMBER), Somebody(guesses=True), "2"),
    ],
)
def test_what_a_stand_in_replies(answer: Value, request_: Request, mind: Somebody, reply: str) -> None:
    assert asyncio.run(judge(answer, *COLOURS).right(request_, mind)) == reply


@pytest.mark.parametrize(
    "request_",
    [Request((), Kind.TEXT), Request((), Kind.YES_NO), Request((), Kind.CHOICE, options=("red", "blue"))],
)
def test_what_cannot_be_computed_is_refused(request_: Request) -> None:
    with pytest.raises(Unanswerable):
        asyncio.run(judge("green", *COLOURS).right(request_, Somebody()))
