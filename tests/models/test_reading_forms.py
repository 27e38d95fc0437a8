"""`read_form`: the value of a reply in every form of answer."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from models.base import Kind
from models.parsing import Profile, Unreadable, read_form
from models.parsing.forms import shown_with_letters

CUPS = ("the plate", "the red cup", "a blue cup", "the cup, on its side")
MARKS = ("the object marked 3", "the object marked 1", "the object marked 4", "the object marked 2")
ITEMS = ("picture of the hall", "picture of the kitchen", "picture of the bath")
ROOMS = ("the sofa", "the tub", "the coat")


@pytest.mark.parametrize(
    ("text", "options", "value"),
    [
        ("B", CUPS, "the red cup"),
        ("Final Answer: b) the red cup", CUPS, "the red cup"),
        ("Final Answer: red cup", CUPS, "the red cup"),
        ("Final Answer: the cup, on its side", CUPS, "the cup, on its side"),
        ("Final Answer: option d", CUPS, "the cup, on its side"),
        ("2", CUPS, "the red cup"),
        ("2", MARKS, "the object marked 2"),
        ("Final Answer: 4", MARKS, "the object marked 4"),
        ("Final Answer: mark 1", MARKS, "the object marked 1"),
        ("Final Answer: C. the object marked 4", MARKS, "the object marked 4"),
        ("Mark 4 is near, mark 3 is far.\nFinal Answer: A", MARKS, "the object marked 3"),
    ],
)
def test_a_choice_is_the_text_of_its_option(text: str, options: Sequence[str], value: str) -> None:
    assert read_form(text, Kind.CHOICE, options=options) == value


@pytest.mark.parametrize("text", ["", "A or B", "A, B", "Z", "9", "There are 2 robots.", "<think>B", "I cannot tell."])
def test_what_is_no_single_choice_is_not_read(text: str) -> None:
    assert isinstance(read_form(text, Kind.CHOICE, options=CUPS), Unreadable)


def test_a_choice_without_options_is_its_letter() -> None:
    assert read_form("Final Answer: (c)", Kind.CHOICE, letters="ABCD") == "C"
    assert isinstance(read_form("Final Answer: (e)", Kind.CHOICE, letters="ABCD"), Unreadable)


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("Final Answer: the sofa, the coat", Kind.ORDER, ("A", "C")),
        ("Final Answer: coat → tub → sofa", Kind.ORDER, ("C", "B", "A")),
        ("Final Answer:\n1. the coat\n2. the tub\n3. the sofa", Kind.ORDER, ("C", "B", "A")),
        ("Final Answer: C. the coat, B. the tub, A. the sofa", Kind.ORDER, ("C", "B", "A")),
        ("Final Answer: 3-B, 1-C, 2-A", Kind.MATCHING, ("C", "A", "B")),
        ("Final Answer: picture of the hall: C, picture of the kitchen: A, picture of the bath: B", Kind.MATCHING,
         ("C", "A", "B")),
        ("Final Answer:\npicture of the hall → the coat\nthe picture of the kitchen → sofa\npicture of the bath → tub",
         Kind.MATCHING, ("C", "A", "B")),
        ("Final Answer: A and C", Kind.CHOICES, ("A", "C")),
        ("Final Answer: the tub", Kind.CHOICES, ("B",)),
        ("Final Answer: yes, no, yes", Kind.JUDGEMENTS, ("1", "0", "1")),
        ("All are true.", Kind.JUDGEMENTS, ("1", "1", "1")),
        ("Only 2 is true.", Kind.JUDGEMENTS, ("0", "1", "0")),
        ("Final Answer: none of them is true", Kind.JUDGEMENTS, ("0", "0", "0")),
        ("Final Answer: four of the 5", Kind.NUMBER, 4.0),
        ("Final Answer: Yes, it is.", Kind.YES_NO, True),
        ("It is open.\nFinal Answer: on the left\n\nThe right one is shut.", Kind.TEXT, "on the left"),
        ("It is on the left.", Kind.TEXT, "It is on the left."),
    ],
)  # fmt: skip
def test_every_form_has_its_value(text: str, kind: Kind, value: object) -> None:
    read = read_form(text, kind, options=ROOMS, items=ITEMS)
    assert read == value
    assert type(read) is type(value)


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("Final Answer: B", Kind.CHOICE, "the tub"),
        ("Final Answer: A, C", Kind.CHOICES, ("A", "C")),
        ("Final Answer: C, A, B", Kind.ORDER, ("C", "A", "B")),
        ("Final Answer: C, A, B", Kind.MATCHING, ("C", "A", "B")),
        ("Final Answer: [1,0,1]", Kind.JUDGEMENTS, ("1", "0", "1")),
        ("Final Answer: 4", Kind.NUMBER, 4.0),
    ],
)
def test_both_profiles_read_the_form_that_was_asked_for(text: str, kind: Kind, value: object) -> None:
    for profile in Profile:
        assert read_form(text, kind, options=ROOMS, profile=profile) == value


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Final Answer: B) the tub", Kind.CHOICE),
        ("Final Answer: A, Z", Kind.CHOICES),
        ("Final Answer: C > A > B", Kind.ORDER),
        ("Final Answer: [yes, no]", Kind.JUDGEMENTS),
        ("Final Answer: four", Kind.NUMBER),
        ("", Kind.TEXT),
    ],
)
def test_official_reads_no_other_form(text: str, kind: Kind) -> None:
    options = ("The Red one", *ROOMS) if kind is Kind.CHOICE else ROOMS
    reply = text.replace("the tub", "The Red one")
    assert isinstance(read_form(reply, kind, options=options, profile=Profile.OFFICIAL), Unreadable)


def test_a_kind_that_no_question_has_is_named() -> None:
    with pytest.raises(ValueError, match="no question asks for plan"):
        read_form("B", Kind.PLAN)


def test_options_are_told_to_be_shown_with_letters() -> None:
    assert shown_with_letters("Which?\nA. the sofa\nB. the tub\nC. the coat\n\nReply …", ROOMS)
    assert not shown_with_letters("Which?\n1. the sofa\n2. the tub\n3. the coat", ROOMS)
    assert not shown_with_letters("Which?", ())
