"""The forms that are asked for, and what the original makes of others."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.parsing import Profile, Proposal, Unreadable, proposals, yes_no
from planners.task import Step

SIGNATURES = {"moveblock": ("block", "column"), "wait": ()}
MOVE = Step("moveblock", ("r", "c2"))

PIECES = [
    "<answer>",
    "</answer>",
    "<ANSWER>",
    "yes",
    "No",
    "{",
    "}",
    "[",
    "]",
    '"plan"',
    '"action"',
    ":",
    ",",
    " ",
    "\n",
]
messy = st.text() | st.lists(st.sampled_from(PIECES) | st.text(max_size=3)).map("".join)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=4)
    | st.sampled_from(["moveblock", "wait"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["action", "plan", "parameters", "block", "column", "x"]), inner, max_size=3)
    ),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Yes", True),
        ("no", False),
        ("YES.", True),
        (" \n No! \n", False),
        ("**Yes**", True),
        ("`no`", False),
        ('"Yes."', True),
        ("(no)", False),
        ("_Yes_,", True),
        ("No。", False),
    ],
)
@pytest.mark.parametrize("cot", [False, True])
def test_a_bare_answer_is_read_whatever_stands_around_it(text: str, value: bool, cot: bool) -> None:
    assert yes_no(text, cot=cot) is value


@pytest.mark.parametrize(
    "text",
    ["Yes, it is.", "yes no", "Nope", "I cannot tell.", "Yes and no", "noyes", "<answer>Yes</answer>", "1", "true"],
)
def test_officially_the_reply_without_reasoning_must_be_the_answer(text: str) -> None:
    read = yes_no(text, profile=Profile.OFFICIAL)
    assert isinstance(read, Unreadable)
    assert read.reason.startswith("neither yes nor no: ")


@pytest.mark.parametrize("text", ["", " \n\t", "...", "**", "<answer></answer>"])
def test_nothing_said_is_an_empty_reply(text: str) -> None:
    assert yes_no(text, cot=True) == Unreadable("the reply is empty")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("<explanation>There is no doubt.</explanation>\n<answer>Yes</answer>", True),
        ("<answer>\n **No**.\n</answer> I hope that helps.", False),
        ("<ANSWER>yes</Answer>", True),
        ("<answer>No", False),
        ("<answer>Yes</answer> Wait, I looked again. <answer>No</answer>", False),
    ],
)
def test_with_reasoning_the_last_tagged_answer_counts(text: str, value: bool) -> None:
    assert yes_no(text, cot=True) is value


@pytest.mark.parametrize(
    "text", ["<answer>Yes, I think</answer>", "The answer is Yes", "<answer>maybe</answer>", "<explanation>Yes"]
)
def test_officially_prose_is_no_answer(text: str) -> None:
    assert isinstance(yes_no(text, cot=True, profile=Profile.OFFICIAL), Unreadable)


def test_a_long_reply_is_shortened_in_the_reason() -> None:
    read = yes_no("well " * 1000)
    assert isinstance(read, Unreadable)
    assert len(read.reason) < 200


@given(messy, st.booleans())
def test_reading_yes_or_no_never_raises(text: str, cot: bool) -> None:
    assert isinstance(yes_no(text, cot=cot), bool | Unreadable)


@pytest.mark.parametrize(
    "parameters",
    [
        {"block": "r", "column": "c2"},
        {"column": "c2", "block": "r"},
        ["r", "c2"],
        [" R ", "C2"],
    ],
)
def test_parameters_by_name_or_in_order_give_the_same_step(parameters: object) -> None:
    text = json.dumps({"plan": [{"action": "moveblock", "parameters": parameters}]})
    assert proposals(text, "plan", SIGNATURES) == (Proposal("moveblock", parameters, MOVE),)


@pytest.mark.parametrize(
    "parameters",
    [
        {"block": "r"},
        {"block": "r", "to": "c2"},
        {"block": "r", "column": "c2", "speed": "fast"},
        {"block": "r", "column": 2},
        {"block": "r", "column": None},
        ["r"],
        ["r", "c2", "c3"],
        ["r", ["c2"]],
        "r, c2",
        7,
        None,
    ],
)
def test_parameters_that_do_not_fit_leave_the_action_without_a_step(parameters: object) -> None:
    text = json.dumps({"action": {"action": "moveblock", "parameters": parameters}})
    assert proposals(text, "action", SIGNATURES) == (Proposal("moveblock", parameters, None),)


def test_an_action_that_does_not_exist_is_kept_as_it_was_written() -> None:
    text = '{"plan": [{"action": "levitate", "parameters": {"block": "r"}}]}'
    assert proposals(text, "plan", SIGNATURES) == (Proposal("levitate", {"block": "r"}, None),)


def test_an_action_without_parameters_needs_none() -> None:
    assert proposals('{"action": {"action": " wait "}}', "action", SIGNATURES) == (Proposal("wait", [], Step("wait")),)


def test_the_action_may_stand_beside_its_parameters() -> None:
    text = '{"action": "moveblock", "parameters": {"block": "r", "column": "c2"}}'
    read = proposals(text, "action", SIGNATURES)
    assert isinstance(read, tuple)
    assert [proposal.step for proposal in read] == [MOVE]


def test_all_actions_of_a_plan_are_read_in_order() -> None:
    steps = [Step("moveblock", ("r", "c2")), Step("moveblock", ("b", "c1"))]
    plan = [{"action": step.action, "parameters": list(step.args)} for step in steps]
    read = proposals(f"Here is my plan:\n```json\n{json.dumps({'plan': plan})}\n```\nGood luck!", "plan", SIGNATURES)
    assert isinstance(read, tuple)
    assert [proposal.step for proposal in read] == steps


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no JSON object"),
        ("I would move r to c2.", "no JSON object"),
        ("} {", "no JSON object"),
        ('{"plan": [}', "broken JSON"),
        ('{"plan": []} and {"plan": []}', "broken JSON"),
        ("{'plan': []}", "broken JSON"),
        ("{}", "the JSON has no 'plan'"),
        ('{"action": "wait"}', "the JSON has no 'plan'"),
        ('{"plan": []}', "the plan is empty"),
        ('{"plan": ["wait"]}', "not an action"),
        ('{"plan": [{"name": "wait"}]}', "not an action"),
        ('{"plan": [{"action": 3}]}', "not an action"),
        ('{"plan": null}', "not an action"),
        ('{"plan": [{"action": "wait"}, "rest"]}', "not an action"),
    ],
)
def test_what_officially_holds_no_plan_says_why(text: str, reason: str) -> None:
    read = proposals(text, "plan", SIGNATURES, profile=Profile.OFFICIAL)
    assert isinstance(read, Unreadable)
    assert read.reason.startswith(reason)


@given(messy | JSON.map(json.dumps), st.sampled_from(["plan", "action"]))
def test_reading_proposals_never_raises(text: str, key: str) -> None:
    read = proposals(text, key, SIGNATURES)
    assert isinstance(read, Unreadable) or all(isinstance(proposal, Proposal) for proposal in read)


@pytest.mark.parametrize("depth", [50, 200, 400, 600, 800, 900, 950, 990, 2000, 100_000])
@pytest.mark.parametrize("text", ['{"plan": %s}', '{"plan": [{"action": "moveblock", "parameters": %s}]}'])
def test_no_depth_of_nesting_raises(text: str, depth: int) -> None:
    read = proposals(text % ("[" * depth + "]" * depth), "plan", SIGNATURES)
    assert isinstance(read, tuple | Unreadable)


@given(st.dictionaries(st.sampled_from(["block", "column"]), st.text(max_size=5)))
def test_a_step_has_as_many_arguments_as_its_signature(parameters: dict[str, str]) -> None:
    read = proposals(json.dumps({"action": {"action": "moveblock", "parameters": parameters}}), "action", SIGNATURES)
    assert isinstance(read, tuple)
    assert (read[0].step is not None) == (set(parameters) == {"block", "column"})
