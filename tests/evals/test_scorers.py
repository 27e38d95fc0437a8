"""The scorers of questions: the published code's verdicts, a person's, and what is no reference."""

from __future__ import annotations

import random
from typing import Any

import pytest

from evals.questions.reference import Reference, Verdict
from evals.questions.scorers import verdict
from models.base import Kind
from models.parsing import Profile
from tests.evals.more_scored_replies import MORE
from tests.evals.scored_replies import CASES

ROBUST = [
    pytest.param(Reference(evaluator, kwargs, **more), replies, right, id=f"{evaluator}-{number}-{right}")
    for number, (evaluator, kwargs, more, rights, wrongs) in enumerate((*CASES, *MORE))
    for right, replies in ((True, rights), (False, wrongs))
]
LABEL, ORDER, BOOL = {"label": "B"}, {"order": ["C", "B", "A"]}, {"bool_str": ["1", "0"]}


def official(reply: str, evaluator: str, kwargs: dict[str, Any], **more: Any) -> Verdict:
    return verdict(reply, Reference(evaluator, kwargs, **more), Profile.OFFICIAL)


@pytest.mark.parametrize(("reference", "replies", "right"), ROBUST)
def test_robust_judges_as_a_person_does(reference: Reference, replies: list[str], right: bool) -> None:
    assert [reply for reply in replies if verdict(reply, reference, Profile.ROBUST).right is not right] == []


def test_there_are_hundreds_of_replies_to_judge() -> None:
    assert sum(len(replies) for case in ROBUST for replies in case.values[1:2]) > 900


@pytest.mark.parametrize(
    ("reply", "label", "read", "right"),
    [
        ("Final Answer: B", "B", "B", True),
        ("Final Answer: B. Red cup", "B", "B", True),
        ("Final Answer: B) Red cup", "B", "B,R", False),
        ("Final Answer: b", "B", "", False),
        ("Final Answer: I", "I", "", False),
        ("Final Answer: The B", "B", "B", True),
        ("Final Answer: If B", "B", "B", True),
        ("It fits. The correct option is B", "B", "B", True),
        ("A is behind. correct option B", "B", "B", True),
        ("So \\boxed{B} or \\boxed{C}", "B", "B", True),
        ("A</think>B</think>C", "B", "B,C", False),
        ("Answer: A\nAnswer: B", "B", "B", True),
        ("A 答案：B", "B", "B", True),
        ("Final Answer: C, A", "A,C", "C,A", True),
        ("Final Answer: C, A", "a, c", "C,A", True),
        ("Final Answer: C, A", "AC", "C,A", False),
        ("Final Answer: C", "C,C", "C", False),
    ],
)
def test_official_choices_are_the_capitals_that_are_left(reply: str, label: str, read: str, right: bool) -> None:
    assert official(reply, "choices_matching", {"label": label}) == Verdict(right, read)


@pytest.mark.parametrize(
    ("reply", "order", "right"),
    [
        ("Final Answer: C, B, A", ["C", "B", "A"], True),
        ("Final Answer: `c, b, a`,", ["C", "B", "A"], True),
        ("Final Answer: C, B, A.", ["C", "B", "A"], False),
        ("Final Answer: [C, B, A]", ["C", "B", "A"], False),
        ("Final Answer: A-C, B–B, C−A", ["C", "B", "A"], True),
        ("Final Answer: B-B, A-C, C-A", ["B", "C", "A"], True),
        ("Final Answer: B-B, C-A", ["B", "A"], False),
        ("Final Answer: A-C, B-B", [["C", "B"]], False),
        ("Final Answer: C, B", [["B", "C"], ["C", "B"]], True),
    ],
)
def test_official_orders_are_compared_as_texts(reply: str, order: list[Any], right: bool) -> None:
    assert official(reply, "ordered_list_matching", {"order": order}).right is right


@pytest.mark.parametrize(
    ("reply", "right"),
    [("[1, 0]", True), ("1, 0", True), ("[1,0].", False), ("(1,0)", False), ("1,0]", False), ("[yes,no]", False)],
)
def test_official_judgements_are_compared_as_texts(reply: str, right: bool) -> None:
    assert official(f"Final Answer: {reply}", "bool_list_matching", BOOL).right is right


@pytest.mark.parametrize(
    ("reply", "value", "right"),
    [
        ("4", 4, True),
        ("4.0009", 4, True),
        ("4.002", 4, False),
        ("4 of 5", 4, False),
        ("3-4", -4, True),
        ("3−4", -4, True),
        ("2.15", 2.0, True),
        ("2.25", 2.0, False),
        ("2.15", 2, False),
        ("four", 4, False),
    ],
)
def test_official_numbers_are_the_last_of_the_answer(reply: str, value: float, right: bool) -> None:
    assert official(f"Answer: {reply}", "number_matching", {"value_to_match": value}).right is right


@pytest.mark.parametrize(
    ("reply", "items", "space", "right"),
    [
        ("evergreen", ["green"], False, True),
        ("the LEFT drawer", [["left"], ["drawer", "cabinet"]], False, True),
        ("the drawer", [["left"], ["drawer", "cabinet"]], False, False),
        ("onthetable", ["on the table"], False, False),
        ("onthetable", ["on the table"], True, True),
    ],
)
def test_official_texts_hold_the_key_items_anywhere(reply: str, items: list[Any], space: bool, right: bool) -> None:
    assert official(reply, "key_items_matching", {"key_items": items, "remove_space": space}).right is right


@pytest.mark.parametrize(
    ("reply", "harness", "flageval"),
    [
        ("C", True, True),
        ("c", True, True),
        ("c.", True, False),
        (" C.\n", True, True),
        ("(C)", False, True),
        ("C or D", False, True),
        ("The boxed C", False, True),
        ("correct option is D, C", False, False),
        ("<think>A</think>C", False, True),
        ("D", False, False),
        ("", False, False),
    ],
)
def test_both_published_evaluations_of_one_letter(reply: str, harness: bool, flageval: bool) -> None:
    assert official(reply, "erqa_harness", {}, text="C").right is harness
    assert official(reply, "flageval_erqa", {}, text="C").right is flageval


@pytest.mark.parametrize(
    ("reply", "right"), [("C", True), ("<think>A</think>(C).", True), ("C, not B", False), ("c", False)]
)
def test_without_published_code_one_letter_must_stand_alone(reply: str, right: bool) -> None:
    assert official(reply, "letter", {}, text="C", letters="ABCD").right is right


@pytest.mark.parametrize("profile", Profile)
@pytest.mark.parametrize("reply", ["Error code: 500", "Can not answer because of x", "<think>B</think>Error code 1"])
def test_what_an_endpoint_says_of_an_error_does_not_count(reply: str, profile: Profile) -> None:
    counted = verdict(reply, Reference("choices_matching", LABEL), profile)
    assert counted.right is (False if profile is Profile.ROBUST and reply.startswith("<") else None)


@pytest.mark.parametrize(
    ("evaluator", "kwargs", "text", "message"),
    [
        ("choises_matching", LABEL, "", "no evaluator 'choises_matching'. Did you mean 'choices_matching'"),
        ("choices_matching", {}, "", "choices_matching needs 'label'; it was given nothing"),
        ("choices_matching", {"label": ""}, "", "choices_matching: 'label' must be letters, not ''"),
        ("choices_matching", {**LABEL, "order": []}, "", "choices_matching takes no 'order'; it takes label"),
        ("ordered_list_matching", {"order": []}, "", "'order' must be a list of texts or several such lists"),
        ("ordered_list_matching", {"order": ["A", ["B"]]}, "", "'order' must be"),
        ("bool_list_matching", {"bool_str": [1, 0]}, "", '\'bool_str\' must be a list of "0" and "1"'),
        ("number_matching", {"value_to_match": True}, "", "'value_to_match' must be a number, not True"),
        ("key_items_matching", {"key_items": ["a"], "remove_space": 1}, "", "'remove_space' must be true or false"),
        ("erqa_harness", {}, "", "erqa_harness needs one letter as its reference, not ''"),
    ],
)
@pytest.mark.parametrize("profile", Profile)
def test_what_is_no_reference_is_named(
    evaluator: str, kwargs: dict[str, Any], text: str, message: str, profile: Profile
) -> None:
    with pytest.raises(ValueError) as raised:  # noqa: PT011 - the message is what matters
        verdict("B", Reference(evaluator, kwargs, text=text), profile)
    assert message in str(raised.value)


ASKED = [
    ("choices_matching", {"label": "B"}, Kind.CHOICE, "B", "C"),
    ("choices_matching", {"label": "A,C"}, Kind.CHOICES, "A, C", "A, B"),
    ("ordered_list_matching", ORDER, Kind.ORDER, "C, B, A", "C, A, B"),
    ("ordered_list_matching", ORDER, Kind.MATCHING, "C, B, A", "A, B, C"),
    ("bool_list_matching", BOOL, Kind.JUDGEMENTS, "[1,0]", "[0,0]"),
    ("number_matching", {"value_to_match": 12}, Kind.NUMBER, "12", "11"),
    ("key_items_matching", {"key_items": ["on the left"]}, Kind.TEXT, "on the left", "on the right"),
]
REASONS = ("", "It is plain to see.\n\n", "First, A is red. Then 3 of 5 are near.\n", "<think>A? 7? [0,1]?</think>\n")


@pytest.mark.parametrize("before", REASONS)
@pytest.mark.parametrize(("evaluator", "kwargs", "kind", "right", "wrong"), ASKED)
def test_both_profiles_agree_on_the_form_that_was_asked_for(
    evaluator: str, kwargs: dict[str, Any], kind: Kind, right: str, wrong: str, before: str
) -> None:
    reference = Reference(evaluator, kwargs, kind)
    for profile in Profile:
        assert verdict(f"{before}Final Answer: {right}", reference, profile).right is True
        assert verdict(f"{before}Final Answer: {wrong}", reference, profile).right is False


def test_no_reply_raises_in_any_evaluator() -> None:
    dice = random.Random(7)
    pieces = [reply for *_, rights, wrongs in CASES for reply in (*rights, *wrongs)]
    for _ in range(600):
        one, other = dice.choice(pieces), dice.choice(pieces)
        reply = one[: dice.randrange(60)] + other[dice.randrange(20) :]
        evaluator, kwargs, more, *_ = dice.choice(CASES)
        for profile in Profile:
            assert verdict(reply, Reference(evaluator, kwargs, **more), profile).right in (True, False, None)
