"""What the judge of questions counts, which controls it has, and what its table shows."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from envs.base import Question
from evals.judges.question import CONTROLS, JUDGING, MEANING, Facts, Failure, Marked, QuestionJudge, same
from evals.questions.marking import by_reference
from evals.questions.reference import Reference
from evals.run.trace import NOTHING, Record
from models.base import Kind, Message, Request
from models.oracle import load as oracle
from models.parsing import Profile
from models.scripted import Scripted
from tests.small_worlds import Sketch, request
from tools.events import Answered, Asked, Ended, Event, Observed, Reason, Value
from tools.questions import written

COLOURS = ("red", "green", "blue")
PICTURES = (Sketch("one"), Sketch("two"), Sketch("three"))
WHICH = Question("Which?", PICTURES, COLOURS)
SEVERAL = Question("Which ones?", PICTURES, COLOURS, Kind.CHOICES)
JUDGE = QuestionJudge(WHICH, "green", {"colour": "g"}, facts=Facts("p1", captions=lambda: ("a cat", "a dog")))


def asked(value: Value, *, reply: str = "", phase: str = "question", truncated: bool = False, **more: Any) -> Asked:
    return Asked(step=0, kind=Kind.CHOICE, phase=phase, value=value, reply=reply, truncated=truncated, **more)


def records(*events: Event) -> list[Record]:
    return [Record(event=event) for event in events]


def by_words(text: str, value: Value) -> Marked:
    """Half for a reply that names the colour, with a fault and a count."""
    if "green" in text:
        return Marked(1.0, read={"strict": "green"})
    return Marked(0.5, "unclear", {"words": float(len(text.split()))})


WORDS = replace(JUDGE, marking=by_words)


@pytest.mark.parametrize(
    ("given", "right", "value"),
    [
        ("Green ", "green", 1.0), ("green", "blue", 0.0), (3, 3.0, 1.0), (("A",), ("A",), 1.0), (None, "green", 0.0),
        ("1", 1, 0.0),
    ],
)  # fmt: skip
def test_the_same_answer(given: Value, right: Value, value: float) -> None:
    assert same(given, right) == value


def test_the_first_answer_counts_and_only_a_whole_mark_is_right() -> None:
    score = JUDGE.score(records(asked("blue"), Answered(step=0, value="green"), Answered(step=0, value="blue")))
    assert (score.value, score.success) == (1.0, True)
    half = WORDS.score(records(asked("x", truncated=True), asked("y"), Answered(step=0, value=None, text="two words")))
    assert (half.value, half.success, half.failure) == (0.5, False, "unreadable")
    assert half.measures["words"] == 2.0
    assert half.measures["unreadable"] == 1.0
    assert half.tallies[0].right == 0


def test_an_answer_that_cannot_be_read_was_cut_off_if_the_last_reply_was() -> None:
    given = Answered(step=0, value=None, text="hm")
    assert WORDS.score(records(asked("y"), asked("x", truncated=True), given)).failure == "truncated"
    assert WORDS.score(records(given)).failure == "unreadable"


def test_without_an_answer_words_are_marked_by_the_last_reply_to_the_question() -> None:
    end = Ended(step=0, reason=Reason.UNREADABLE)
    replies = (asked(None, reply="red"), asked(None, reply="it is green"))
    assert WORDS.score(records(*replies, asked(None, reply="red", phase="describe"), end)).value == 1.0
    assert WORDS.score(records(*reversed(replies), end)).value == 0.5
    assert WORDS.score(records(end)).value == 0.0
    own = asked(None, reply="green", options=COLOURS)
    moved = asked(None, reply="green", options=COLOURS[::-1])
    assert WORDS.score(records(own, end)).value == 1.0
    assert WORDS.score(records(moved, end)).value == 0.0
    assert JUDGE.score(records(asked("green", reply="green"), end)).value == 0.0, "no marker of words"


def test_replies_in_another_order_of_options_are_read_in_the_own_one() -> None:
    several = QuestionJudge(SEVERAL, ("A",))
    right = several.beside(asked(("C",), options=COLOURS[::-1]))
    assert (right.value, right.right) == (("A",), True)
    assert several.beside(asked(("A",), options=COLOURS[::-1])).right is False
    assert several.beside(asked(("A",), options=COLOURS)).right is True
    assert WORDS.beside(asked("green", reply="no", options=COLOURS[::-1])).right is False
    assert WORDS.beside(asked("green", reply="green")).right is True
    assert WORDS.beside(asked(None, reply="green")).right is False
    assert JUDGE.beside(Observed(step=0, picture="")) == NOTHING


@pytest.mark.parametrize(
    ("kind", "evaluator", "kwargs", "own", "value"),
    [
        (Kind.CHOICES, "choices_matching", {"label": "A"}, ("A",), ("C",)),
        (Kind.ORDER, "ordered_list_matching", {"order": ["B", "C", "A"]}, ("B", "C", "A"), ("B", "A", "C")),
        (Kind.JUDGEMENTS, "bool_list_matching", {"bool_str": ["1", "0", "0"]}, ("1", "0", "0"), ("0", "0", "1")),
        (Kind.CHOICE, "choices_matching", {"label": "A"}, "red", "red"),
    ],
)
def test_a_rerun_with_options_in_another_order_is_marked_in_the_own_one(
    kind: Kind, evaluator: str, kwargs: dict[str, Any], own: Value, value: Value
) -> None:
    question = Question("Which?", PICTURES, COLOURS, kind)
    for profile in Profile:
        marking = by_reference(Reference(evaluator, kwargs, kind, COLOURS), profile)
        told = QuestionJudge(question, own, marking=marking)
        shown = replace(told, shown=COLOURS[::-1])
        text = written(value, replace(question, options=COLOURS[::-1]))
        answered = Answered(step=0, value=value, text=text)
        assert shown.score(records(answered)).success
        assert shown.beside(answered).right
        assert not told.score(records(answered)).success
        assert (
            not shown.score(records(Answered(step=0, value=own, text=written(own, question)))).success or own == value
        )


def test_votes_are_counted_where_there_are_several() -> None:
    def votes(*values: Value) -> dict[str, float]:
        score = JUDGE.score(records(*map(asked, values), asked("red", phase="describe")))
        return {name: number for name, number in score.measures.items() if name not in ("chance", "unreadable")}

    assert votes("red") == votes("red", None) == {}
    assert votes("red", "red") == {"votes": 2.0, "wrong_pairs": 1.0, "wrong_pairs_alike": 1.0}
    assert votes("red", "green") == {"votes": 2.0, "wrong_pairs": 0.0, "wrong_pairs_alike": 0.0}
    assert votes("red", "blue", "red", "green", None) == {"votes": 4.0, "wrong_pairs": 3.0, "wrong_pairs_alike": 1.0}
    shown = [asked(("C",), options=COLOURS[::-1]), asked(("A",))]
    alike = QuestionJudge(SEVERAL, ("B",)).score(records(*shown)).measures
    assert alike["wrong_pairs_alike"] == 1.0


def test_tags_that_say_which_question_it_is_are_no_dimension() -> None:
    tags = {"colour": "g", "problem": "p", "repeat": "1", "world": "w", "level": "l", "chance": "0.5"}
    (tally,) = QuestionJudge(WHICH, "green", tags).score(records(Answered(step=0, value="green"))).tallies
    assert (tally.by, tally.right, tally.total) == ({"colour": "g"}, 1, 1)


def test_chance_follows_from_the_form_unless_it_is_known() -> None:
    assert JUDGE.chance == pytest.approx(1 / 3)
    assert replace(JUDGE, facts=Facts(chance=0.0)).chance == 0.0
    assert QuestionJudge(WHICH, "green").facts == Facts() == Facts("", None, None, ())


class Looking(Scripted):
    looks = True


def shown(control: str, judge: QuestionJudge = JUDGE, other: Any = None, words: str = "Which?") -> Request:
    """What a model gets under a control: three pictures with words between them."""
    model = Looking(lambda request: "A")
    changed = judge.controlled(control, model, other)
    assert changed.identity == f"scripted, control {control}"
    first = request(words, PICTURES[0])
    second = replace(first.messages[0], parts=(*PICTURES[1:], "end"))
    asyncio.run(changed.ask(Request((*first.messages, second), Kind.CHOICE, options=COLOURS)))
    return model.asked[0]


def keys(request: Request) -> list[str]:
    return [picture.key for picture in request.pictures]


def test_controls_change_pictures_and_nothing_else() -> None:
    assert keys(shown("blind")) == ["blank"] * 3
    assert shown("blind").text == "Which?\nend"
    other = QuestionJudge(Question("?", (Sketch("x"), Sketch("y"))), "a")
    assert keys(shown("other-answers", other=other)) == ["x", "y", "x"]
    assert keys(shown("other-answers", other=QuestionJudge(Question("?"), "a"))) == ["one", "two", "three"]
    captioned = shown("captions")
    assert captioned.pictures == ()
    assert captioned.text == "Which?\n[Picture 1: a cat]\n[Picture 2: a dog]\n[Picture 3: a cat]\nend"
    without = replace(JUDGE, facts=Facts(captions=tuple))
    assert "[Picture 3: no description]" in shown("captions", without).text


def test_shuffled_pictures_have_one_order_for_each_question() -> None:
    order = keys(shown("shuffled-pictures"))
    assert sorted(order) == ["one", "three", "two"]
    assert order == keys(shown("shuffled-pictures", words="Other words")) != ["one", "two", "three"]
    orders = {tuple(keys(shown("shuffled-pictures", replace(JUDGE, facts=Facts(f"p{n}"))))) for n in range(20)}
    assert len(orders) == 5, "every order but their own"
    named = {
        tuple(keys(shown("shuffled-pictures", QuestionJudge(replace(WHICH, text=f"{n}?"), "green")))) for n in range(20)
    }
    assert len(named) == 5, "by the text, without an id"


@pytest.mark.parametrize(("before", "after"), [((), []), (PICTURES[:1], ["one"]), (PICTURES[:2], ["two", "one"])])
def test_two_pictures_are_swapped_and_a_single_one_stays(before: tuple[Sketch, ...], after: list[str]) -> None:
    for number in range(8):
        model = Looking(lambda request: "A")
        changed = replace(JUDGE, facts=Facts(f"p{number}")).controlled("shuffled-pictures", model, None)
        asyncio.run(changed.ask(Request((Message("user", (*before, "Which?")),), Kind.CHOICE, options=COLOURS)))
        assert keys(model.asked[0]) == after


def test_stand_ins_guess_and_the_oracle_does_not() -> None:
    texts = [request(f"Which {n}?", kind=Kind.CHOICE, options=COLOURS) for n in range(12)]

    def replies(control: str, model: Any) -> set[str]:
        changed = JUDGE.controlled(control, model, None)
        return {asyncio.run(changed.ask(text)).text for text in texts}

    for control in CONTROLS:
        assert (replies(control, oracle("", {})) == {"B"}) == (control == "oracle"), control
    assert replies("oracle", Looking(lambda request: "A")) == {"B"}


@pytest.mark.parametrize("control", ["none", "other-answers", "oracle-planning"])
def test_what_is_no_control_of_questions_is_refused(control: str) -> None:
    for model in (Looking(lambda request: "A"), oracle("", {})):
        if control == "other-answers" and not isinstance(model, Looking):
            continue
        with pytest.raises(ValueError, match=f"no control '{control}'"):
            JUDGE.controlled(control, model, None)


def test_captions_need_captions() -> None:
    with pytest.raises(ValueError, match="no descriptions"):
        shown("captions", QuestionJudge(WHICH, "green"))


def test_a_question_has_no_actions_chance_or_planner() -> None:
    planner: Any = object()
    assert JUDGE.planner("blind", planner) is planner
    assert JUDGE.rehearse(planner) == ""
    assert JUDGE.impossible([], {"blind"}) is False
    JUDGE.reseed(3)
    with pytest.raises(ValueError, match="'lift' cannot be repeated"):
        JUDGE.attempt("lift")


def test_the_table_of_a_question_set() -> None:
    columns = {measure.name: (measure.kind, measure.column, measure.of, measure.over) for measure in JUDGING.measures}
    assert columns == {
        "chance": ("mean", 2, ("chance",), ()),
        "unreadable": ("mean", 3, ("unreadable",), ()),
        "votes": ("mean", 0, ("votes",), ()),
        "same_wrong": ("share", 4, ("wrong_pairs_alike",), ("wrong_pairs",)),
    }
    assert JUDGING.cluster == "picture"
    assert JUDGING.overall == ()
    assert JUDGING.panels == ("question",)
    assert set(JUDGING.classes) == set(Failure) == set(MEANING)
    own = {"blind", "captions", "shuffled-pictures", "other-answers", "oracle"}
    assert set(CONTROLS) == own <= set(JUDGING.controls)
    assert JUDGING.truthful == ("answering",)
