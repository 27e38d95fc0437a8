"""Verdicts and questions as models write them: fenced, wordy, cut off, out of range."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.curation.drafts import Candidate, Draft, Finding, Status, Verdict, Version, stalled
from evals.curation.replies import read_candidate, read_candidates, read_verdict
from models.parsing.answer import Unreadable

PLAIN = '{"score": 8, "short_explanation": "Fine.", "detected_issue": ["weak option"]}'


@pytest.mark.parametrize(
    ("text", "score"),
    [
        (PLAIN, 8),
        (f"```json\n{PLAIN}\n```", 8),
        (f"I looked at it. {PLAIN} I hope this helps.", 8),
        (f"<think>score: 2</think>{PLAIN}", 8),
        ('{"score": 8, "short_explanation": "Fine", "detected_issue": [],}', 8),
        ('{"score": "7", "short_explanation": "", "detected_issue": []}', 7),
        ('{"score": "9/10", "short_explanation": ""}', 9),
        ('{"score": 8.5, "short_explanation": ""}', 8),
        ('{"score": 8.6}', 9),
        ('{"score": 10}', 10),
        ('{"score": 0}', 0),
        ('{"verdict": {"score": 3}}', 3),
        ('{"score": 6, "short_explanation": "It is cut o', 6),
        ("Score: 7/10. The options overlap.", 7),
    ],
)
def test_a_verdict_is_read_however_it_is_wrapped(text: str, score: int) -> None:
    found = read_verdict(text)
    assert isinstance(found, Verdict), found
    assert found.score == score


@pytest.mark.parametrize(
    "text",
    [
        "",
        "It is a good question.",
        '{"score": 11}',
        '{"score": -1}',
        '{"score": 90}',
        '{"score": null}',
        '{"score": true}',
        '{"score": "high"}',
        '{"score": "8/100"}',
        '{"score": 1',  # it may have been 10
        "Score: 85/100",
        '<think>{"score": 8}',
    ],
)
def test_what_is_no_score_from_0_to_10_is_none(text: str) -> None:
    assert isinstance(read_verdict(text), Unreadable)


def test_what_was_done_to_a_verdict_is_kept() -> None:
    def repaired(text: str) -> str:
        found = read_verdict(text)
        assert isinstance(found, Verdict)
        return found.repaired

    assert repaired(PLAIN) == ""
    assert repaired(f"So: {PLAIN}") == "taken out of the text round it"
    assert repaired('{"score": 8, "short_ex') == "only the score could be read"
    assert repaired('{"score": 7.2}') == "the score was rounded"
    assert repaired('{"score": "9/10"}') == "the score was a fraction"


def test_of_several_verdicts_the_last_counts() -> None:
    found = read_verdict('First {"score": 3}. No, {"score": 5, "detected_issue": "two right"}')
    assert found == Verdict(5, "", ("two right",), "taken out of the text round it")


ONE = {
    "type": "Object Reasoning",
    "question": "Q?",
    "choices": ["a", "b", "c", "d"],
    "answer": "B",
    "explanation": "E.",
}


def test_questions_are_read_from_lists_objects_and_texts() -> None:
    one = Candidate.of(ONE)
    assert one == Candidate("Object Reasoning", "Q?", ("a", "b", "c", "d"), "B", "E.")
    for text in (
        json.dumps([ONE, ONE]),
        f"```json\n{json.dumps({'questions': [ONE, ONE]})}\n```",
        f"{json.dumps(ONE)}\n{json.dumps(ONE)}",
    ):
        assert read_candidates(text) == (one, one)
    assert read_candidate(json.dumps([{**ONE, "question": "Other?"}, ONE])) == one


def test_letters_of_options_are_taken_off() -> None:
    lettered = {**ONE, "choices": ["A. a", "B) b", "C: c", "d"], "answer": "b."}
    assert Candidate.of(lettered) == Candidate.of(ONE)
    assert Candidate.of({**ONE, "choices": {"A": "a", "B": "b", "C": "c", "D": "d"}}) == Candidate.of(ONE)


@pytest.mark.parametrize("text", ["", "[]", "no JSON", '{"score": 3}', '{"question": "half'])
def test_what_holds_no_question_is_none(text: str) -> None:
    assert isinstance(read_candidates(text), Unreadable)


@given(st.text() | st.builds(lambda a, b: f"{a}{PLAIN}{b}", st.text(max_size=30), st.text(max_size=30)))
def test_readers_never_raise(text: str) -> None:
    for found in (read_verdict(text), read_candidates(text)):
        assert found is not None
    verdict = read_verdict(text)
    if isinstance(verdict, Verdict):
        assert verdict.score in range(11)


def draft(*scores: int | None) -> Draft:
    return Draft("1", tuple(Version(Candidate.of(ONE), verdict=Verdict(score)) for score in scores))


def test_a_score_stalls_that_fails_to_rise_twice() -> None:
    assert stalled(draft(3, 3, 3))
    assert stalled(draft(5, 4, 4))
    assert not stalled(draft(3, 3))
    assert not stalled(draft(3, 3, 4))
    assert not stalled(draft(3, 4, 4))
    assert not stalled(draft(None, 3, 3))


def test_a_draft_that_is_written_is_the_draft_that_is_read() -> None:
    version = Version(Candidate.of(ONE), (Finding("form", "broken", fatal=True),), Verdict(None, "unreadable"))
    whole = Draft("2", (version, Version(Candidate.of(ONE))), Status.GIVEN_UP, "no")
    assert Draft.from_json(json.loads(json.dumps(whole.as_json()))) == whole
