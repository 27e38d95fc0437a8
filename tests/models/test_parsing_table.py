"""Messy replies are read as a person would read them, and by `official` as the published code does."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from models.parsing import Profile, Unreadable, choice, differs, letter, letters, listed, number, proposals, yes_no
from tests.models.messy_replies import (
    ACTIONS,
    CHOICES,
    JUDGEMENTS,
    LETTERS,
    LISTS,
    NUMBERS,
    OPTIONS,
    PLANS,
    RG,
    SEVERAL,
    SIGNATURES,
)


def check(read: object, right: object) -> None:
    if isinstance(right, str) and isinstance(read, Unreadable):
        assert any(read.reason.startswith(reason) for reason in right.split("|")), read
    else:
        assert read == right
        assert type(read) is type(right) or isinstance(read, float)


@pytest.mark.parametrize("cot", [False, True])
@pytest.mark.parametrize(("text", "right"), JUDGEMENTS.items())
def test_yes_and_no(text: str, right: object, cot: bool) -> None:
    check(yes_no(text, cot=cot), right)


@pytest.mark.parametrize(("text", "right"), PLANS.items())
def test_plans(text: str, right: object) -> None:
    read = proposals(text, "plan", SIGNATURES)
    if isinstance(right, int):
        assert isinstance(read, tuple), read
        assert tuple(proposal.step for proposal in read) == RG[:right]
    else:
        check(read, right)


@pytest.mark.parametrize(("text", "readable"), ACTIONS.items())
def test_actions(text: str, readable: bool) -> None:
    read = proposals(text, "action", SIGNATURES)
    assert isinstance(read, tuple) == readable, read
    if isinstance(read, tuple):
        assert [proposal.step for proposal in read] == [RG[0]]


@pytest.mark.parametrize(("text", "right"), CHOICES.items())
def test_choices(text: str, right: object) -> None:
    check(choice(text, OPTIONS), right)


@pytest.mark.parametrize(("text", "right"), LETTERS.items())
def test_one_letter(text: str, right: str) -> None:
    check(letter(text), right)


@pytest.mark.parametrize(("text", "right"), SEVERAL.items())
def test_several_letters(text: str, right: object) -> None:
    check(letters(text), right)


@pytest.mark.parametrize(("text", "right"), NUMBERS.items())
def test_numbers(text: str, right: object) -> None:
    check(number(text), right)


@pytest.mark.parametrize(("text", "right"), LISTS.items())
def test_lists(text: str, right: object) -> None:
    check(listed(text), right)


@pytest.mark.parametrize(
    ("reader", "text", "official"),
    [
        (letter, "A) Red cup", "not one letter"),
        (letter, "Answer: B. The cup", "B"),
        (letters, "A) Red cup", ("A", "R")),
        (letters, "Answer: A, C", ("A", "C")),
        (number, "4 objects (out of 5)", 5.0),
        (number, "1,234", 234.0),
        (number, "Answer 3 of them", 3.0),
        (listed, "[A, B, C]", ("[a", "b", "c]")),
        (listed, "A, B, C.", ("a", "b", "c.")),
        (listed, "**A**, B", ("a", "b")),
    ],
)
def test_official_reads_as_the_published_code_does(reader: Callable[..., object], text: str, official: object) -> None:
    check(reader(text, profile=Profile.OFFICIAL), official)


@pytest.mark.parametrize(
    ("text", "place"), [("Choice: [2] or Choice: [3]", 1), ("I choose 2 out of 6", 5), ("turn left", "no choice")]
)
def test_official_choices_are_the_first_choice_or_the_last_number(text: str, place: object) -> None:
    check(choice(text, OPTIONS, profile=Profile.OFFICIAL), place)


def test_where_the_profiles_part_can_be_told() -> None:
    assert differs(yes_no, "Yes, it is.")
    assert not differs(yes_no, "Yes.")
    assert not differs(yes_no, "banana")
    assert differs(number, "4 objects (out of 5)")
    assert differs(choice, "I choose 2 out of 6", OPTIONS)
    assert differs(proposals, "{'plan': [{'action': 'wait'}]}", "plan", SIGNATURES)
