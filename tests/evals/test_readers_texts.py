"""The text of a published question is split into the question, its options and its items."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.questions.readers.splitting import split

SPLIT = {
    "Which?\nA.one\nB.two\n": ("Which?", ("one", "two"), ()),
    "Which?\n(A) one\n(B) two": ("Which?", ("one", "two"), ()),
    "Which?\nA) one\n\nB) two, which\ngoes on\n\nLook well.": (
        "Which?\nLook well.",
        ("one", "two, which goes on"),
        (),
    ),
    "A. is this a list?": ("A. is this a list?", (), ()),
    "Object A. Which?\nA.\nB.": ("Object A. Which?", ("", ""), ()),
    "Which? Choices: A. Yes B. No": ("Which?", ("Yes", "No"), ()),
    "Which? choices: A. A. B. B.": ("Which?", ("A", "B"), ()),
    "Which? Choices: none": ("Which? Choices: none", (), ()),
    "Which? Choices: A. alone": ("Which? Choices: A. alone", (), ()),
    "Judge:\n(1) one\n(2) two": ("Judge:", (), ("one", "two")),
    "Judge:\n①one\n② two": ("Judge:", (), ("one", "two")),
    "In 3. order\n1. alone": ("In 3. order\n1. alone", (), ()),
}


@pytest.mark.parametrize("text", SPLIT)
def test_a_text_is_taken_apart(text: str) -> None:
    found = split(text)
    assert (found.text, found.options, found.items) == SPLIT[text]


@given(st.text(alphabet="ABC.): 12\nx①Choices", max_size=80))
def test_taking_apart_never_raises(text: str) -> None:
    found = split(text)
    assert len(found.options) != 1
    assert len(found.items) != 1
