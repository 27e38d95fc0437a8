"""The toolbox of questions: letters of one order in those of another, answers by name, pictures made once."""

from __future__ import annotations

import asyncio
from itertools import permutations
from typing import Any

import pytest

from envs.base import Question
from envs.pictures import PictureStore
from models.base import Kind, Picture
from models.parsing import Unreadable
from models.scripted import Scripted, always
from tools.events import Event
from tools.parts import counts, parts
from tools.questions import QuestionTools, named, relettered, restated, written

OWN = ("red", "green", "blue")


@pytest.mark.parametrize(
    ("kind", "value", "shown", "own"),
    [
        (Kind.ORDER, ("A", "B", "C"), ("blue", "red", "green"), ("C", "A", "B")),
        (Kind.MATCHING, ("B", "B"), ("blue", "red", "green"), ("A", "A")),
        (Kind.CHOICES, ("A", "B"), ("blue", "red", "green"), ("A", "C")),
        (Kind.JUDGEMENTS, ("1", "0", "0"), ("blue", "red", "green"), ("0", "0", "1")),
        (Kind.CHOICE, "red", ("blue", "red", "green"), "red"),
        (Kind.ORDER, ("A", "B", "C"), OWN, ("A", "B", "C")),
        (Kind.ORDER, ("A", "B"), ("some", "others"), ("A", "B")),
        (Kind.ORDER, None, ("blue", "red", "green"), None),
    ],
)
def test_a_value_is_restated_in_the_questions_own_letters(kind: Kind, value: Any, shown: Any, own: Any) -> None:
    assert restated(value, kind, shown, OWN) == own


@pytest.mark.parametrize("kind", [Kind.ORDER, Kind.MATCHING, Kind.CHOICES, Kind.JUDGEMENTS])
def test_there_and_back_is_the_same(kind: Kind) -> None:
    value = ("1", "0", "0") if kind is Kind.JUDGEMENTS else ("A", "C")
    for shown in permutations(OWN):
        assert relettered(relettered(value, kind, OWN, shown), kind, shown, OWN) == value


def test_of_equal_options_the_first_is_the_first() -> None:
    assert relettered(("A", "B"), Kind.ORDER, ("red", "red", "blue"), ("blue", "red", "red")) == ("B", "C")


@pytest.mark.parametrize(
    ("kind", "value", "name"),
    [
        (Kind.CHOICE, "green", "B"),
        (Kind.CHOICES, ("A", "C"), "A,C"),
        (Kind.JUDGEMENTS, ("1", "0", "1"), "1,0,1"),
        (Kind.NUMBER, 4.0, "4"),
        (Kind.YES_NO, True, "Yes"),
        (Kind.TEXT, "a cup", "a cup"),
    ],
)
def test_answers_have_a_name_and_a_form(kind: Kind, value: Any, name: str) -> None:
    question = Question("?", (), OWN, kind)
    assert named(value, question) == name
    form = f"[{name}]" if kind is Kind.JUDGEMENTS else name
    assert written(value, question) == f"Final Answer: {form}"


def box(question: Question) -> tuple[QuestionTools, list[Event]]:
    told: list[Event] = []
    return QuestionTools(model=Scripted(always("")), task=question, emit=told.append), told


def test_the_same_picture_is_made_and_told_once() -> None:
    store = PictureStore()
    picture = store.picture("one", lambda: b"one")
    tools, told = box(Question("?", (picture,)))

    async def looked() -> list[Picture]:
        return [await tools.look(picture, name, lambda png: png + b"!", "louder") for name in ("a", "b", "a")]

    made = asyncio.run(looked())
    assert made[0] is made[2]
    assert tools.made == (made[0], made[1])
    assert len(told) == 2
    assert made[0].png() == b"one!"


def test_an_answer_is_read_in_the_form_of_the_question() -> None:
    assert box(Question("?", (), OWN, Kind.CHOICE))[0].read("Final Answer: B") == "green"
    assert box(Question("?", (), OWN, Kind.ORDER))[0].read("C, A, B") == ("C", "A", "B")
    assert box(Question("?", (), OWN, Kind.YES_NO))[0].read("No") is False
    assert isinstance(box(Question("?", (), (), Kind.NUMBER))[0].read("many"), Unreadable)


def test_parts_have_the_letters_of_the_question() -> None:
    assert list(parts(Question("?", (), OWN, Kind.ORDER))) == ["before A B", "before A C", "before B C"]
    assert list(parts(Question("?", (), OWN[:2], Kind.MATCHING, ("x", "y")))) == [
        "match 1 A", "match 1 B", "match 2 A", "match 2 B",
    ]  # fmt: skip
    assert "statement 2 (green)" in parts(Question("?", (), OWN, Kind.JUDGEMENTS))["option B"]
    assert parts(Question("?", (), (), Kind.TEXT)) == {}


@pytest.mark.parametrize(
    ("text", "pictures", "so"),
    [
        ("How many cups are there?", 1, True),
        ("Count the cups.", 1, True),
        ("The number of open drawers?", 1, True),
        ("How many cups are there?", 2, False),
        ("How far is the cup, in metres?", 1, False),
        ("What discount is on the label?", 1, False),
    ],
)
def test_counts_of_one_picture_can_be_taken_apart(text: str, pictures: int, so: bool) -> None:
    picture = PictureStore().picture("one", lambda: b"one")
    assert counts(Question(text, (picture,) * pictures, (), Kind.NUMBER)) is so
