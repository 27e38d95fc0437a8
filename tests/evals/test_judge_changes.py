"""What puts a reply right in a rerun, what a model is shown instead, and which replies cannot be read."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from evals.judges import symbolic_changes
from evals.judges.changes import (
    CorrectedReplies,
    RerunSetup,
    changed_view,
    contradiction,
    ended_by_rule,
    unchanged,
    unreadable,
)
from evals.judges.controlled import (
    BLIND,
    OTHER_ANSWERS,
    CoinEyes,
    RoutedByKind,
    TruthInPrompt,
    blinded,
    guessing,
    oracle,
    with_eyes,
)
from evals.judges.symbolic_changes import Faculty
from evals.run.trace import Record
from models.base import Kind, Message, Model, Reply, Request, Unanswerable
from models.oracle import PerfectEyes
from models.parsing import Profile
from models.scripted import Scripted
from models.sim import StandIn
from tests.evals.test_question_judge import COLOURS, judge
from tests.small_worlds import about, blocksworld, request
from tools.events import Ended, Event, Observed, Reason

KEPT, BROKEN = Reply("kept"), Reply("broken")


def right(request: Request) -> str:
    if request.text.startswith("Unknown"):
        raise Unanswerable("nobody knows")
    return "right"


def replied(kept: Reply | None, *changes: str, faculty: str | None = "seeing", read: str = "", text: str = "") -> str:
    """The text of a reply that was put right where these changes say so."""
    asked = Scripted(lambda request: "broken" if request.text.endswith("broken") else "asked")
    put = CorrectedReplies(
        frozenset(changes), Scripted(right), lambda _: faculty, lambda _, reply: reply is BROKEN or reply == BROKEN,
        frozenset({read} if read else ()),
    )  # fmt: skip
    return asyncio.run(put(request(text or "Is it?"), kept, asked.ask)).text


@pytest.mark.parametrize(
    ("kept", "changes", "options", "text"),
    [
        (KEPT, (), {}, "kept"),
        (None, (), {}, "asked"),
        (BROKEN, (), {}, "broken"),
        (KEPT, ("seeing",), {}, "right"),
        (None, ("seeing",), {}, "right"),
        (BROKEN, ("seeing",), {}, "broken"),
        (BROKEN, ("seeing",), {"read": "seeing"}, "right"),
        (BROKEN, ("seeing", "parsing"), {}, "right"),
        (KEPT, ("parsing",), {}, "kept"),
        (BROKEN, ("parsing",), {}, "right"),
        (None, ("parsing",), {"text": "broken"}, "right"),
        (None, ("parsing",), {}, "asked"),
        (BROKEN, ("seeing", "parsing"), {"faculty": None}, "broken"),
        (None, ("seeing", "parsing"), {"faculty": None}, "asked"),
        (KEPT, ("seeing",), {"text": "Unknown"}, "kept"),
        (None, ("seeing",), {"text": "Unknown"}, "asked"),
        (BROKEN, ("parsing",), {"text": "Unknown"}, "broken"),
        (KEPT, ("acting",), {}, "kept"),
    ],
)
def test_replies_are_put_right_where_a_faculty_is_perfect(
    kept: Reply | None, changes: tuple[str, ...], options: dict[str, Any], text: str
) -> None:
    assert replied(kept, *changes, **options) == text


def test_without_changes_a_recorded_reply_is_kept() -> None:
    model = Scripted(lambda request: "asked")
    assert asyncio.run(unchanged(request(), KEPT, model.ask)) is KEPT
    assert asyncio.run(unchanged(request(), None, model.ask)).text == "asked"


@pytest.mark.parametrize(
    ("kind", "good", "bad", "options"),
    [
        (Kind.YES_NO, "Yes", "perhaps", ()),
        (Kind.CHOICE, "Choice: [2]", "Choice: [9]", COLOURS),
        (Kind.CHOICES, "A,C", "hm", COLOURS),
        (Kind.ORDER, "A,C,B", "hm", COLOURS),
        (Kind.JUDGEMENTS, "[1,0,1]", "hm", COLOURS),
        (Kind.NUMBER, "4", "many", ()),
        (Kind.PLAN, '{"plan": [{"action": "wait", "parameters": {}}]}', "wait", ()),
        (Kind.ACTION, '{"action": {"action": "wait", "parameters": {}}}', "wait", ()),
        (Kind.TEXT, "x", " \n", ()),
    ],
)
@pytest.mark.parametrize("profile", list(Profile))
def test_a_reply_is_read_in_the_form_that_was_asked_for(
    kind: Kind, good: str, bad: str, options: tuple[str, ...], profile: Profile
) -> None:
    if profile is Profile.OFFICIAL and kind in (Kind.CHOICES, Kind.ORDER, Kind.JUDGEMENTS):
        return  # no official evaluation asks for these
    asked = request("Which?", kind=kind, options=options)
    assert not unreadable(asked, Reply(good), profile, {"wait": ()})
    assert unreadable(asked, Reply(bad), profile, {"wait": ()})


def test_options_with_letters_are_chosen_by_letter_and_others_by_number() -> None:
    options = ("walk", "wait", "sit")
    lettered = request("Which?\nA. walk\nB. wait\nC. sit", kind=Kind.CHOICE, options=options)
    numbered = request("Which?\n1. walk\n2. wait\n3. sit", kind=Kind.CHOICE, options=options)
    assert not unreadable(lettered, Reply("B"), Profile.OFFICIAL)
    assert unreadable(numbered, Reply("B"), Profile.OFFICIAL)


def test_an_action_is_read_without_knowing_parameters() -> None:
    wait = Reply('{"action": {"action": "wait", "parameters": {}}}')
    assert not unreadable(request(kind=Kind.ACTION), wait, Profile.ROBUST)
    assert unreadable(request(kind=Kind.ACTION), Reply("wait"), Profile.ROBUST)


def test_a_rerun_changes_nothing_by_default() -> None:
    task: Any = object()
    plain = RerunSetup(task, None)
    assert (plain.model, plain.answer, plain.fresh, plain.rewritten) == (None, unchanged, False, False)


def test_rules_that_end_an_episode() -> None:
    def is_ruled(event: Event) -> bool:
        return ended_by_rule(Record(event=event))

    by_rule = {reason for reason in Reason if is_ruled(Ended(step=0, reason=reason))}
    assert by_rule == {Reason.STEP_LIMIT, Reason.LOOP, Reason.UNSEEN_PRECONDITION}
    assert not is_ruled(Observed(step=0, picture=""))


def test_a_model_is_shown_one_thing_at_a_time() -> None:
    assert contradiction(set()) == contradiction({"blind"}) == contradiction({"blind", "parsing"}) == ""
    assert contradiction({"other-picture", "blind"}).startswith("blind and other-picture do not go together")


class Looking(Scripted):
    looks = True


def seen_by(*changes: str, model: Model | None = None) -> Model | None:
    episode = judge("green", *COLOURS)
    context: Any = SimpleNamespace(
        changes=frozenset(changes), model=model or Looking(lambda request: "A"), other=lambda: episode
    )
    return changed_view(episode, context)


def test_what_a_model_is_shown_in_a_rerun() -> None:
    assert seen_by() is seen_by("parsing") is seen_by("blind", "no-picture") is None
    names = {change: seen_by(change) for change in ("blind", "other-picture", "no-picture")}
    assert {change: model.identity for change, model in names.items() if model} == {
        "blind": f"scripted, control {BLIND}",
        "other-picture": f"scripted, control {OTHER_ANSWERS}",
        "no-picture": "scripted, no-picture",
    }
    model = Looking(lambda request: "A")
    unseeing = seen_by("no-picture", model=model)
    assert unseeing is not None
    asyncio.run(unseeing.ask(request("Only words")))
    assert [message.parts for message in model.asked[0].messages] == [("Only words",)]
    stand_in = seen_by("no-picture", model=StandIn(PerfectEyes()))
    assert stand_in is not None
    assert stand_in.identity.startswith("sim:perfect eyes, blunder 1")


def asked(model: Model, *facts: str) -> list[str]:
    return [asyncio.run(model.ask(about(fact))).text for fact in facts]


class Yes:
    """A witness to whom everything is true."""

    tags: dict[str, str] = {}  # noqa: RUF012

    async def right(self, request: Request, mind: Any) -> str:
        return "Yes" if mind.sees(request.about, True) and not mind.blunders() else "No"


FACTS = [f"on {a},{b}" for a in "abcd" for b in "wxyz"]


def test_stand_ins_with_other_eyes_decide_as_before() -> None:
    model = StandIn(PerfectEyes(), blunder=0.25, simulated=False, name="some")
    other = with_eyes(model, CoinEyes("x"))
    assert (other.identity, other.simulated, other.blunder) == ("some:a coin for x, blunder 0.25", False, 0.25)
    always = guessing(model)
    assert (always.identity, always.simulated, always.blunder) == ("some:perfect eyes, blunder 1", False, 1.0)
    knowing = oracle(Yes())
    assert knowing.identity.startswith("oracle:perfect eyes, blunder 0")
    assert knowing.simulated is False
    assert set(asked(knowing, *FACTS)) == {"Yes"}
    assert set(asked(guessing(model).for_episode(Yes()), *FACTS)) == {"No"}


def test_a_coin_says_yes_half_the_time_and_depends_on_who_asks() -> None:
    blind = blinded(StandIn(PerfectEyes()), "me", Yes())
    assert asked(blind, *FACTS) == asked(blind, *FACTS)
    assert 4 <= asked(blind, *FACTS).count("Yes") <= 12
    assert asked(blind, *FACTS) != asked(blinded(StandIn(PerfectEyes()), "you", Yes()), *FACTS)


def test_what_is_true_is_written_behind_the_last_message() -> None:
    model = Scripted(lambda request: "A")
    words = iter(["first", "second"])
    told = TruthInPrompt(model, "told", lambda: next(words))
    conversation = Request((Message("system", ("Be brief.",)), Message("user", ("Is it?",))), Kind.YES_NO)
    asyncio.run(told.ask(conversation))
    asyncio.run(told.ask(conversation))
    assert [[m.parts for m in one.messages] for one in model.asked] == [
        [("Be brief.",), ("Is it?", "\n\nfirst")],
        [("Be brief.",), ("Is it?", "\n\nsecond")],
    ]


def test_a_split_model_asks_the_other_one_by_kind() -> None:
    split = RoutedByKind(Scripted(lambda r: "own"), "split", {Kind.PLAN: Scripted(lambda r: "other")})
    assert asyncio.run(split.ask(request(kind=Kind.PLAN))).text == "other"
    assert asyncio.run(split.ask(request(kind=Kind.ACTION))).text == "own"
    assert split.identity == "split"


@pytest.mark.parametrize(
    ("kind", "subject", "faculty"),
    [
        (Kind.YES_NO, "on r,b", Faculty.PERCEPTION),
        (Kind.YES_NO, "", None),
        (Kind.TEXT, "on r,b", None),
        (Kind.PLAN, "", Faculty.DECIDING),
        (Kind.PLAN, "on r,b", Faculty.DECIDING),
        (Kind.ACTION, "on r,b", Faculty.DECIDING),
    ],
)
def test_a_faculty_answers_only_the_requests_that_need_it(kind: Kind, subject: str, faculty: Faculty | None) -> None:
    wanted = replace(request(), kind=kind, about=subject)
    world: Any = SimpleNamespace(world=blocksworld(), tags={}, right=lambda request, mind: None)
    context: Any = SimpleNamespace(
        changes=frozenset(), planner=None, profile=Profile.ROBUST, task=None, records=(), step=0, limit=1, progress=None
    )
    answer = asyncio.run(symbolic_changes.changed(world, context)).answer
    assert isinstance(answer, CorrectedReplies)
    assert answer.faculty(wanted) == faculty
