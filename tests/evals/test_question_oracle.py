"""What a stand-in replies to each form of question and to each part of one, right, wrong or guessed."""

from __future__ import annotations

import asyncio
import json
import math

import pytest

from envs.base import Question
from evals.judges.question import Facts, QuestionJudge
from evals.judges.question_oracle import MOST_LISTED, chance, possible
from models.base import Kind, Request, Unanswerable
from tests.evals.test_question_judge import Nothing
from tests.evals.test_question_judge import Somebody as Anybody
from tools.events import Value

ABC = ("x", "y", "z")
PLAIN = Facts()


class Somebody(Anybody):
    """Sees what is there, or, if blind, the opposite."""

    def sees(self, fact: str, true: bool) -> bool:
        return true != self.blind


WRONG, GUESS = Somebody(blind=True), Somebody(guesses=True)


def judge(
    kind: Kind, answer: Value, *options: str, items: tuple[str, ...] = (), facts: Facts | None = None
) -> QuestionJudge:
    return QuestionJudge(Question("?", (), options, kind, items), answer, facts=facts or Facts())


def said(told: QuestionJudge, mind: Anybody | None = None, about: str = "", *, kind: Kind | None = None,
         options: tuple[str, ...] = (), place: str = "") -> str:  # fmt: skip
    wanted = Request((), kind or told.question.kind, options=options, about=about, place=place)
    return asyncio.run(told.right(wanted, mind or Somebody()))


@pytest.mark.parametrize(
    ("kind", "options", "items", "expected"),
    [
        (Kind.YES_NO, 0, 0, 1 / 2),
        (Kind.CHOICE, 4, 0, 1 / 4),
        (Kind.CHOICES, 3, 0, 1 / 7),
        (Kind.ORDER, 4, 0, 1 / 24),
        (Kind.MATCHING, 4, 2, 1 / 12),
        (Kind.MATCHING, 2, 2, 1 / 2),
        (Kind.MATCHING, 2, 3, 1 / 8),
        (Kind.JUDGEMENTS, 3, 0, 1 / 8),
        (Kind.NUMBER, 0, 0, 0.0),
        (Kind.TEXT, 0, 0, 0.0),
        *((kind, 0, 0, 0.0) for kind in (Kind.CHOICE, Kind.CHOICES, Kind.ORDER, Kind.MATCHING, Kind.JUDGEMENTS)),
        (Kind.MATCHING, 3, 0, 0.0),
    ],
)
def test_the_success_of_guessing(kind: Kind, options: int, items: int, expected: float) -> None:
    question = Question("?", (), tuple("abcdef"[:options]), kind, tuple("123456"[:items]))
    assert chance(question) == pytest.approx(expected)


def test_all_answers_of_a_form() -> None:
    def listed(kind: Kind, answer: str, options: int) -> list[str]:
        question = Question("?", (), tuple("xyzuvwqr"[:options]), kind)
        return ["".join(one) for one in possible(question, tuple(answer))]

    assert listed(Kind.CHOICES, "A", 3) == ["A", "B", "C", "AB", "AC", "BC", "ABC"]
    assert listed(Kind.JUDGEMENTS, "10", 2) == listed(Kind.JUDGEMENTS, "10", 0) == ["00", "01", "10", "11"]
    assert listed(Kind.ORDER, "ABC", 3) == ["ABC", "ACB", "BAC", "BCA", "CAB", "CBA"]
    assert listed(Kind.MATCHING, "AB", 3) == ["AB", "AC", "BA", "BC", "CA", "CB"]
    assert listed(Kind.MATCHING, "AAB", 2) == ["AAB", "AAB", "BAA", "ABA"]
    assert len(listed(Kind.ORDER, "ABCDEF", 6)) == math.factorial(6) <= MOST_LISTED
    assert len(listed(Kind.ORDER, "ABCDEFG", 7)) == 1 + math.comb(7, 2)
    assert len(listed(Kind.MATCHING, "ABCD", 7)) == math.perm(7, 4)
    assert len(listed(Kind.MATCHING, "ABCDE", 7)) == 1 + math.comb(5, 2)


@pytest.mark.parametrize(
    ("told", "mind", "reply"),
    [
        (judge(Kind.YES_NO, False), Somebody(), "No"),
        (judge(Kind.NUMBER, 1), WRONG, "2"),
        (judge(Kind.NUMBER, 1), Somebody(blind=True, wants=1), "0"),
        (judge(Kind.NUMBER, 1), Somebody(blind=True, wants=2), "3"),
        (judge(Kind.NUMBER, 1), Somebody(blind=True, wants=3), "2"),
        (judge(Kind.NUMBER, 5), Somebody(blind=True, wants=3), "3"),
        (judge(Kind.NUMBER, 0), Somebody(blind=True, wants=1), "2"),
        (judge(Kind.NUMBER, 5), Somebody(guesses=True, wants=10), "12"),
        (judge(Kind.NUMBER, 5), Somebody(guesses=True, blind=True), "2"),
        (judge(Kind.NUMBER, 1.5), Somebody(), "1.5"),
        (judge(Kind.NUMBER, 1.5), GUESS, "2.5"),
        (judge(Kind.TEXT, "a cup"), Somebody(), "a cup"),
        (judge(Kind.TEXT, "a cup"), WRONG, "nothing of the kind"),
        (judge(Kind.TEXT, "a cup"), GUESS, "nothing of the kind"),
        (judge(Kind.CHOICES, ("A", "C"), *ABC), Somebody(), "A,C"),
        (judge(Kind.CHOICES, ("A",), *ABC), WRONG, "B"),
        (judge(Kind.CHOICES, ("A",), *ABC), GUESS, "A"),
        (judge(Kind.JUDGEMENTS, ("1", "0"), "x", "y"), Somebody(), "[1,0]"),
        (judge(Kind.ORDER, ("A", "B"), "x", "y"), WRONG, "B,A"),
        (judge(Kind.ORDER, ("A",), "x"), WRONG, "A"),
        (judge(Kind.CHOICE, "y", *ABC), Nothing(), "B"),
    ],
)
def test_whole_answers(told: QuestionJudge, mind: Anybody, reply: str) -> None:
    assert said(told, mind, place="question 1") == reply


def test_answers_are_in_the_letters_of_the_options_as_shown() -> None:
    assert said(judge(Kind.CHOICES, ("A", "B"), *ABC), options=("z", "y", "x")) == "B,C"
    assert said(judge(Kind.CHOICE, "x", *ABC), options=("z", "y", "x")) == "C"
    with pytest.raises(Unanswerable, match="not among the options"):
        said(judge(Kind.CHOICES, ("A",), *ABC), options=("x", "y"))
    with pytest.raises(Unanswerable, match="not among the options"):
        said(judge(Kind.CHOICE, "x", *ABC), options=("z", "y"))


def test_what_has_no_computable_reply_is_refused() -> None:
    for told, kind in [
        (judge(Kind.TEXT, "a cup"), Kind.NUMBER),
        (judge(Kind.NUMBER, "four"), Kind.NUMBER),
        (judge(Kind.CHOICE, "x"), Kind.CHOICE),
        (judge(Kind.YES_NO, None), Kind.YES_NO),
    ]:
        with pytest.raises(Unanswerable, match=f"of the kind {kind}"):
            said(told, kind=kind)


FREE = judge(Kind.TEXT, "a cup")
CHOICE = judge(Kind.CHOICE, "y", *ABC)
CHOICES = judge(Kind.CHOICES, ("A", "C"), *ABC)
TRUE = judge(Kind.JUDGEMENTS, ("1", "0", "1"), *ABC)
MATCH = judge(Kind.MATCHING, ("C", "A"), *ABC, items=("1", "2"))
ORDER = judge(Kind.ORDER, ("C", "A", "B"), *ABC)
COUNT = judge(Kind.NUMBER, 3, facts=Facts(spots=((0, 0.1, 0.2), (0, 0.5, 0.6), (1, 0.1, 0.2))))


@pytest.mark.parametrize(
    ("told", "about", "true"),
    [
        (CHOICE, "option B", True), (CHOICE, "option A", False), (CHOICES, "option C", True),
        (CHOICES, "option B", False), (TRUE, "option A", True), (TRUE, "option B", False),
        (MATCH, "match 1 C", True), (MATCH, "match 2 C", False), (MATCH, "match 2 A", True),
        (ORDER, "before C A", True), (ORDER, "before B C", False), (ORDER, "before A B", True),
        (ORDER, "before A Z", True), (ORDER, "before Z A", False), (ORDER, "before A A", False),
        (CHOICE, "refute B", False), (CHOICE, "refute A", True), (CHOICES, "refute A,C", False),
        (CHOICES, "refute a,c", False), (COUNT, "refute 4", True), (COUNT, "refute 3", False),
    ],
)  # fmt: skip
def test_parts_of_a_question(told: QuestionJudge, about: str, true: bool) -> None:
    yes, no = ("Yes", "No") if true else ("No", "Yes")
    assert said(told, Somebody(), about, kind=Kind.YES_NO) == yes
    assert said(told, Nothing(), about, kind=Kind.YES_NO) == yes
    assert said(told, Perverse(), about, kind=Kind.YES_NO) == no
    assert said(told, GUESS, about, kind=Kind.YES_NO) == "No"
    assert said(told, Somebody(guesses=True, wants=1), about, kind=Kind.YES_NO) == "Yes"


class Perverse(Somebody):
    """Sees the opposite of every part, and notes what it was asked to see."""

    def __init__(self) -> None:
        super().__init__()
        self.looked: list[str] = []

    def sees(self, fact: str, true: bool) -> bool:
        self.looked.append(fact)
        return not true


@pytest.mark.parametrize(
    ("told", "about"),
    [
        (CHOICE, "option B"),
        (MATCH, "match 1 C"),
        (ORDER, "before C A"),
        (CHOICE, "refute B"),
        (COUNT, "count 0 0 0 1 1"),
    ],
)
def test_dice_are_thrown_for_the_part_that_is_asked_about(told: QuestionJudge, about: str) -> None:
    mind = Perverse()
    said(told, mind, about)
    assert mind.looked == [f"part {about}"]


@pytest.mark.parametrize(("told", "about"), [(ORDER, "option A"), (CHOICE, "match 1 A"), (CHOICE, "before A B")])
def test_parts_that_a_question_does_not_have(told: QuestionJudge, about: str) -> None:
    with pytest.raises(Unanswerable, match="the question has no"):
        said(told, about=about, kind=Kind.YES_NO)


@pytest.mark.parametrize(
    ("about", "number"),
    [
        ("count 0 0 0 1 1", 2), ("count 1 0 0 1 1", 1), ("count 2 0 0 1 1", 0), ("count 0 .1 .2 .5 .6", 1),
        ("count 0 .11 .2 1 1", 1), ("count 0 .1 .21 1 1", 1), ("count 0 .1 .2 .51 .61", 2),
        ("count 0 .1 .2 .51 .6", 1), ("count 0 .1 .2 .5 .61", 1),
    ],
)  # fmt: skip
def test_counts_of_a_part_of_a_picture(about: str, number: int) -> None:
    """From the left and upper edge, which are of the part, to the right and lower one, which are not."""
    assert said(COUNT, Somebody(), about) == said(COUNT, Nothing(), about) == str(number)
    assert said(COUNT, WRONG, about) == str(number + 1)
    assert said(COUNT, Somebody(guesses=True, wants=number + 1), about) == str(number + 1)
    assert said(COUNT, Somebody(guesses=True, wants=number + 2), about) == "0"


def test_places_are_known_or_not() -> None:
    assert json.loads(said(COUNT, about="point")) == [[1, 0.1, 0.2], [1, 0.5, 0.6], [2, 0.1, 0.2]]
    fine = judge(Kind.NUMBER, 1, facts=Facts(spots=((0, 0.12345, 0.98765),)))
    assert json.loads(said(fine, about="point")) == [[1, 0.123, 0.988]]
    unknown = "I do not know where they are."
    assert said(CHOICE, about="point") == said(CHOICE, about="count 0 0 0 1 1") == unknown


def test_where_to_look_is_any_of_the_parts() -> None:
    assert said(FREE, Somebody(wants=4), "look", options=ABC) == "B"
    assert said(FREE, about="look") == "none"


def test_free_text_is_the_answer_only_where_the_question_is_put() -> None:
    assert said(FREE, place="question 1") == "a cup"
    with pytest.raises(Unanswerable, match="of the kind text"):
        said(FREE, place="describe 1")
