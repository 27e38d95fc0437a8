"""No reply raises: ten thousand generated ones for each evaluator and for each form of answer, in both profiles."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from evals.questions.reference import Reference
from evals.questions.scorers import verdict
from evals.questions.scorers.check import LETTERED, NEEDED
from models.base import Kind
from models.parsing import Profile, read_form
from tests.evals.more_scored_replies import MORE
from tests.evals.scored_replies import CASES

REPLIES = 10_000
PIECES = tuple(dict.fromkeys(reply for *_, rights, wrongs in (*CASES, *MORE) for reply in (*rights, *wrongs)))
MARKS = (
    *("Final Answer:", "Answer", "答案：", "\\boxed{", "}", "<think>", "</think>", "<answer>", "</answer>"),
    *("[", "]", "(", ")", "{", ",", ";", ":", "=", "-", "–", "−", "→", "=>", "\n", "\t", "*", "`", "'", '"', "/", "%"),
    *("A", "b", "C.", "(D)", "0", "1", "-0", "1/0", "1e999", "1,000", "½", "²", "٣", "１２", "Ⅳ", "ii", "∞", "①"),
    *("İ", "ı", "ſ", "K", "ß", "\x00", "\ud800", "\u202e", "\u2009", "yes", "no", "none", "or", "then", "not"),
    *("9" * 5000, "A" * 3000),
)
"""What readers look for, and what looks like it: letters that upper and lower case change, digits of other scripts."""
FORMS = (Kind.CHOICE, Kind.CHOICES, Kind.ORDER, Kind.MATCHING, Kind.JUDGEMENTS, Kind.NUMBER, Kind.YES_NO, Kind.TEXT)
OPTIONS = ((), ("a cup", "a box", "42", "A"), ("the object marked 1", "the object marked 2", "none"))


def replies(name: str) -> Iterator[str]:
    """Parts of replies, marks and any characters, joined."""
    dice = random.Random(name)
    for _ in range(REPLIES):
        parts = []
        for _ in range(dice.randint(1, 5)):
            piece = dice.choice(PIECES)
            cut = dice.randint(0, len(piece))
            noise = "".join(chr(dice.randrange(0x3000)) for _ in range(dice.randrange(8)))
            parts.append(dice.choice((piece[cut:], piece[:cut], dice.choice(MARKS), dice.choice(MARKS), noise)))
        yield dice.choice(("", " ", "\n")).join(parts)


def references(evaluator: str) -> list[Reference]:
    if evaluator in LETTERED:
        return [Reference(evaluator, options=options, text="B") for options in OPTIONS]
    known: list[tuple[Mapping[str, Any], Mapping[str, Any]]]
    known = [(kwargs, more) for name, kwargs, more, *_ in (*CASES, *MORE) if name == evaluator]
    return [Reference(evaluator, kwargs, **more) for kwargs, more in known]


@pytest.mark.slow
@pytest.mark.parametrize("evaluator", NEEDED)
def test_no_generated_reply_raises_in_an_evaluator(evaluator: str) -> None:
    dice, known = random.Random(evaluator), references(evaluator)
    for reply in replies(evaluator):
        reference = dice.choice(known)
        for profile in Profile:
            assert verdict(reply, reference, profile).right in (True, False, None), reply


@pytest.mark.slow
@pytest.mark.parametrize("kind", FORMS)
def test_no_generated_reply_raises_in_a_reader(kind: Kind) -> None:
    dice = random.Random(str(kind))
    for reply in replies(str(kind)):
        options, items = dice.choice(OPTIONS), dice.choice(((), ("left", "right")))
        for profile in Profile:
            read_form(reply, kind, options=options, items=items, profile=profile)


@pytest.mark.parametrize("kind", FORMS)
@pytest.mark.parametrize("reply", ["İ", "ſ", "Final Answer: İ", "1. İ\n2. A", "Answer: İ, A"])
def test_letters_that_change_their_case_are_no_letters(reply: str, kind: Kind) -> None:
    read_form(reply, kind, options=OPTIONS[1])
