from __future__ import annotations

import pytest

from memory.failures import FailureNote, Mishap
from planners.task import Step

STEP = Step("moveblock", ("r", "c2"))
ASKED = (("Is the red block clear?", True), ("Is the red block in column c2?", False))


@pytest.mark.parametrize("mishap", list(Mishap))
def test_a_note_names_the_action_the_questions_and_the_answers(mishap: Mishap) -> None:
    text = FailureNote(STEP, mishap, ASKED).text()
    assert "moveblock(r, c2)" in text
    assert "- Is the red block clear? You answered: Yes." in text
    assert "- Is the red block in column c2? You answered: No." in text
    assert ("this very picture" in text) is (mishap is not Mishap.FAILED)


def test_each_mishap_is_told_in_its_own_words() -> None:
    texts = {mishap: FailureNote(STEP, mishap, ASKED).text() for mishap in Mishap}
    assert len(set(texts.values())) == len(Mishap)
    assert "probably wrong" in texts[Mishap.NOT_EXECUTABLE]
    assert "was not tried" in texts[Mishap.CALLED_OFF]
    assert "cannot be seen" in texts[Mishap.UNOBSERVED]
    assert "the picture before this one" in texts[Mishap.FAILED]


def test_a_note_says_nothing_of_what_is_true() -> None:
    assert FailureNote(STEP, Mishap.CALLED_OFF, ASKED) == FailureNote(STEP, Mishap.CALLED_OFF, ASKED)
    assert "You answered" not in FailureNote(STEP, Mishap.CALLED_OFF, ()).text()


def test_braces_in_names_are_left_alone() -> None:
    note = FailureNote(Step("push", ("{x}",)), Mishap.NOT_EXECUTABLE, (("Is {x} there?", True),))
    assert "push({x})" in note.text()
    assert "Is {x} there?" in note.text()


@pytest.mark.parametrize("mishap", Mishap)
def test_without_answers_it_speaks_of_none(mishap: Mishap) -> None:
    text = FailureNote(STEP, mishap, ()).text()
    assert "answers" not in text
    assert "asked" not in text
    assert str(STEP) in text
    assert text.endswith("Bear this in mind when you answer.")


@pytest.mark.parametrize("mishap", Mishap)
def test_the_original_speaks_of_answers_all_the_same(mishap: Mishap) -> None:
    text = FailureNote(STEP, mishap, ()).text(official=True)
    head, outcome, last = text.splitlines()
    assert head.startswith("Earlier you were asked about")
    assert outcome.startswith("Going by these answers the action")
    assert last == "Bear this in mind when you answer."
