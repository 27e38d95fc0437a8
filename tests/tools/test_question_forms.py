"""Every form of answer can be asked for, and a reply is unreadable for an agent where it is for the judge."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from envs.base import Question
from evals.judges.changes import unreadable
from models.base import Kind, Message, Reply, Request
from models.parsing import Profile
from models.scripted import Scripted
from tools.base import Reading
from tools.questions import QuestionTools

THINGS = ("mark 4", "mark 1", "mark 3")


def asked(reply: str, kind: Kind, options: Sequence[str] = THINGS, prompt: str = "") -> Reading:
    shown = prompt or "\n".join(f"{letter}. {option}" for letter, option in zip("ABC", options, strict=False))
    tools = QuestionTools(model=Scripted(lambda request: reply), task=Question("Which?"))
    return asyncio.run(tools.ask(shown, kind=kind, options=options))


@pytest.mark.parametrize(
    ("kind", "reply", "value"),
    [
        (Kind.CHOICE, "Final Answer: A. mark 4", "mark 4"),
        (Kind.CHOICE, "Final Answer: mark 1", "mark 1"),
        (Kind.CHOICES, "Final Answer: A and C", ("A", "C")),
        (Kind.ORDER, "Final Answer: C > A > B", ("C", "A", "B")),
        (Kind.MATCHING, "Final Answer: 2-A, 1-C, 3-B", ("C", "A", "B")),
        (Kind.JUDGEMENTS, "Final Answer: [yes, no, yes]", ("1", "0", "1")),
        (Kind.NUMBER, "Final Answer: four", 4.0),
    ],
)
def test_a_reply_in_any_form_is_read(kind: Kind, reply: str, value: object) -> None:
    assert asked(reply, kind).value == value


def test_options_that_are_shown_with_numbers_are_chosen_by_number() -> None:
    assert asked("Choice: [2]", Kind.CHOICE, prompt="1. mark 4\n2. mark 1\n3. mark 3").value == "mark 1"


@pytest.mark.parametrize("kind", [Kind.CHOICE, Kind.CHOICES, Kind.ORDER, Kind.MATCHING, Kind.JUDGEMENTS, Kind.NUMBER])
@pytest.mark.parametrize(
    "reply", ["", "<think>A, 1, B, [1,0,1]", "I cannot tell.", "A or B", "Final Answer: A, B, C", "4"]
)
def test_agent_and_judge_agree_on_what_cannot_be_read(kind: Kind, reply: str) -> None:
    text = "A. mark 4\nB. mark 1\nC. mark 3"
    request = Request((Message("user", (text,)),), kind, options=THINGS)
    assert unreadable(request, Reply(reply), Profile.ROBUST) is (asked(reply, kind).value is None)
