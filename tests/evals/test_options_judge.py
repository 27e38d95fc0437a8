"""The judge of worlds of options, event by event."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from evals.judges.controlled import BlankPicture
from evals.judges.options import JUDGING, OptionsJudge
from evals.judges.question import QuestionJudge
from evals.run.trace import NOTHING, Record, Truth
from models.base import Kind, Request, Unanswerable
from models.oracle import load as oracle
from models.scripted import Scripted
from tests.evals.test_question_judge import Somebody, judge
from tests.small_sets import Stairs
from tests.small_worlds import request
from tools.events import Acted, Asked, Ended, Event, Observed, Reason

SHOWN = ("jump", "go up", "go down")


def climbed(height: int, *actions: str, reason: Reason = Reason.FINISHED) -> tuple[OptionsJudge, list[Record]]:
    """The judge of a staircase, and the record of an episode in it."""
    told = OptionsJudge(Stairs(height), {"level": "steep"})
    records: list[Record] = []

    def emit(event: Event) -> None:
        records.append(Record(event=event, truth=told.beside(event)))

    emit(Observed(step=0, picture="front"))
    for action in actions:
        emit(Acted(step=0, action=action, outcome=told.attempt(action)))
    emit(Ended(step=len(actions), reason=reason))
    return told, records


def test_the_truth_beside_each_event() -> None:
    _, records = climbed(1, "jump", "go up")
    assert [record.truth for record in records] == [
        Truth(state=("on step 0 of 1",), goal=False),
        Truth(legal=False, happened="not legal", goal=False, state=("on step 0 of 1",)),
        Truth(legal=True, happened="executed", goal=True, state=("on step 1 of 1",)),
        Truth(state=("on step 1 of 1",), goal=True),
    ]
    told = OptionsJudge(Stairs(1), {})
    assert told.beside(Asked(step=0, kind=Kind.CHOICE, reply="")) == NOTHING
    assert told.tags == {"world": "stairs"}


def test_a_done_task_is_a_success_worth_one() -> None:
    told, records = climbed(2, "go up", "jump", "go up")
    score = told.score(records)
    assert (score.value, score.success, score.failure) == (1.0, True, None)
    assert score.measures == {
        "progress": 1.0, "steps": 3.0, "refused": 1.0, "attempts/executed": 2.0, "attempts/not legal": 1.0,
    }  # fmt: skip


def test_half_the_way_is_worth_half() -> None:
    told, records = climbed(2, "go up", reason=Reason.STEP_LIMIT)
    score = told.score(records)
    assert (score.value, score.success, score.failure) == (0.5, False, "step_limit")
    assert score.measures["progress"] == 0.5


@pytest.mark.parametrize(
    ("reason", "failure"),
    [
        (Reason.UNREADABLE, "parsing"),
        (Reason.TRUNCATED, "token_budget"),
        (Reason.STEP_LIMIT, "step_limit"),
        (Reason.FINISHED, "gave_up"),
        (Reason.LOOP, "gave_up"),
    ],
)
def test_why_it_failed(reason: Reason, failure: str) -> None:
    told, records = climbed(2, reason=reason)
    assert told.score(records).failure == failure
    assert JUDGING.classes[failure]


def test_of_an_episode_without_an_end_nothing_was_done() -> None:
    told, records = climbed(2, "go up")
    assert told.score([]).failure == told.score(records[:1]).failure == "gave_up"
    assert told.score([]).success is False


@pytest.mark.parametrize(
    ("mind", "options", "reply"),
    [
        (Somebody(), SHOWN, "Choice: [2]"),
        (Somebody(wants=2), SHOWN, "Choice: [2]"),
        (Somebody(guesses=True, wants=2), SHOWN, "Choice: [3]"),
        (Somebody(wants=1), ("jump", "go down"), "Choice: [2]"),
        (Somebody(), (), "Choice: [1]"),
    ],
)
def test_what_a_stand_in_chooses(mind: Somebody, options: tuple[str, ...], reply: str) -> None:
    wanted = Request((), Kind.CHOICE, options=options)
    assert asyncio.run(OptionsJudge(Stairs(2), {}).right(wanted, mind)) == reply


def test_only_a_choice_can_be_computed() -> None:
    told = OptionsJudge(Stairs(2), {})
    with pytest.raises(Unanswerable, match="yes_no"):
        asyncio.run(told.right(Request((), Kind.YES_NO, options=SHOWN), Somebody()))
    told.world.options = list  # type: ignore[method-assign]
    with pytest.raises(Unanswerable):
        asyncio.run(told.right(Request((), Kind.CHOICE), Somebody()))


class Looking(Scripted):
    looks = True


def pictures(control: str, other: OptionsJudge | QuestionJudge | None = None) -> list[str]:
    """What a model under a control is shown instead of three pictures."""
    model = Looking(lambda request: "Choice: [1]")
    told: Any = OptionsJudge(Stairs(2), {})
    one = request(kind=Kind.CHOICE)
    three = Request(one.messages * 3, Kind.CHOICE)
    changed = told.controlled(control, model, other)
    assert changed.identity == f"scripted, control {control}"
    asyncio.run(changed.ask(three))
    return [picture.key for picture in model.asked[0].pictures]


def test_controls_change_what_a_model_is_shown() -> None:
    assert pictures("blind") == [BlankPicture.key] * 3
    other = OptionsJudge(Stairs(4), {})
    other.attempt("go up")
    assert pictures("other-answers", other) == ["front 1", "side 1", "front 1"]


def test_a_stand_in_guesses_when_blind_and_knows_its_own_world_otherwise() -> None:
    told = OptionsJudge(Stairs(2), {})
    wanted = request("Which?", kind=Kind.CHOICE, options=("jump", "wait", "sit", "go up"))
    texts = [request(f"Which {number}?", kind=Kind.CHOICE, options=wanted.options) for number in range(12)]
    blind, seeing = (
        told.controlled("blind", oracle("", {}), None),
        told.controlled("other-answers", oracle("", {}), told),
    )
    assert len({asyncio.run(blind.ask(text)).text for text in texts}) > 1
    assert {asyncio.run(seeing.ask(text)).text for text in texts} == {"Choice: [4]"}


@pytest.mark.parametrize(("control", "other"), [("oracle", None), ("other-answers", None), ("other-answers", judge())])
def test_what_is_no_control_here_is_refused(control: str, other: QuestionJudge | None) -> None:
    with pytest.raises(ValueError, match=f"no control '{control}'"):
        pictures(control, other)


class Windy(Stairs):
    """Stairs with chance."""

    seed: int | None = None

    def save(self) -> object:
        return self.at

    def restore(self, snapshot: object) -> None: ...

    def reseed(self, seed: int) -> None:
        self.seed = seed


def test_chance_is_reseeded_where_there_is_any() -> None:
    windy = Windy(2)
    OptionsJudge(windy, {}).reseed(7)
    assert windy.seed == 7
    OptionsJudge(Stairs(2), {}).reseed(7)


def test_what_a_rerun_asks_of_the_judge() -> None:
    told, records = climbed(2, "jump", reason=Reason.STEP_LIMIT)
    asked = [Record(event=Asked(step=0, kind=Kind.CHOICE, reply="", fault=fault)) for fault in (None, "unreadable")]
    assert told.could_fail(records, set()) == {"protocol"}
    assert told.could_fail(asked[:1], set()) == {"deciding"}
    assert told.could_fail([*records, *asked], {"deciding"}) == {"parsing", "protocol"}
    assert told.could_fail([Record(event=Asked(step=0, kind=Kind.YES_NO, reply=""))], set()) == set()
    assert told.impossible(records, {"deciding"}) is False
    assert told.unfit(records, {"deciding", "blind"}, "choose") == ""
    assert told.unfit(records, {"no-picture", "blind"}, "choose").startswith("blind and no-picture do not go together")
    planner: Any = object()
    assert told.planner("blind", planner) is planner
    assert told.rehearse(planner) == ""
    assert told.attempt("go up") == "executed"


def test_the_table_of_a_world_of_options() -> None:
    columns = [(measure.name, measure.kind, measure.of, measure.column) for measure in JUDGING.measures]
    assert columns == [
        ("progress", "mean", ("progress",), 1),
        ("refused", "mean", ("refused",), 2),
        ("steps", "mean", ("steps",), 3),
    ]
    assert JUDGING.groups == {"attempts": "What came of attempts"}
    assert set(JUDGING.controls) == {"blind", "other-answers", "bright", "dark", "noise", "crop", "small"}
    assert JUDGING.truthful == ("deciding",)
