"""What a recorded reply is the reply to, where several requests were made at the same place."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from evals.judges.changes import CorrectedReplies
from evals.rerun.situations import describe
from evals.rerun.tape import Tape
from evals.run.prompts import PromptStore
from evals.run.trace import Record
from models.base import Kind, Reply, Request, Unanswerable
from models.scripted import Scripted, always
from tests.small_worlds import request
from tools.events import Answered, Asked, Value


def free(text: str, phase: str = "free") -> Request:
    return request(text, place=f"{phase} 0")


def recorded(asked: Request, reply: str, *, looks: bool = False, value: Value = None, phase: str = "free") -> Record:
    prompt = PromptStore().keep(asked, looks=looks)
    return Record(event=Asked(step=0, kind=asked.kind, phase=phase, prompt=prompt, reply=reply, value=value))


@pytest.mark.parametrize("looks", [False, True])
def test_of_several_replies_the_one_to_this_prompt_is_recalled(looks: bool) -> None:
    one, other = free("What is there?"), free("Who is there?")
    tape = Tape([recorded(other, "Nobody.", looks=looks), recorded(one, "A block.", looks=looks)], 0)
    assert [recalled(tape, asked) for asked in (one, other, one)] == ["A block.", "Nobody.", None]


def recalled(tape: Tape, asked: Request) -> str | None:
    reply = tape.recall(asked)
    return reply.text if reply else None


def test_replies_to_the_same_prompt_come_in_their_order() -> None:
    asked = free("What is there?")
    tape = Tape([recorded(asked, "first"), recorded(asked, "second")], 0)
    assert [recalled(tape, asked), recalled(tape, asked)] == ["first", "second"]


def test_a_phase_may_have_several_words() -> None:
    asked = free("What is there?", "a second look")
    assert recalled(Tape([recorded(asked, "A block.", phase="a second look")], 0), asked) == "A block."
    assert recalled(Tape([recorded(asked, "A block.", phase="a")], 0), asked) is None


def heard(replies: Sequence[str], now: Sequence[str]) -> bool:
    """Whether the record is still followed after replies were heard, and then an answer as recorded."""
    asked, end = free("What is there?"), Record(event=Answered(step=0, value="x"))
    tape = Tape([*(recorded(asked, reply, value=reply) for reply in replies), end], 0)
    for reply in now:
        tape.follow(recorded(asked, reply, value=reply))
    tape.follow(end)
    return tape.following


def test_replies_may_come_in_another_order_but_must_be_the_same() -> None:
    assert heard(["a", "b"], ["b", "a"])
    assert heard(["a", "b"], ["a", "b"])
    assert not heard(["a", "b"], ["a", "c"])
    assert not heard(["a"], ["a", "a"])


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (True, "the question is answered yes"),
        (False, "the question is answered no"),
        (3, "the question is answered 3"),
        (("a", "b"), "the question is answered a, b"),
        (None, "the question is answered nothing that can be read"),
    ],
)
def test_what_a_reply_came_to_is_told(value: Value, words: str) -> None:
    assert describe(Asked(step=0, kind=Kind.TEXT, reply="", value=value)) == words
    assert describe(Answered(step=0, value=value)) == words.replace("question is answered", "answer is")


class Helpless(Scripted):
    """An oracle that knows no answer."""

    def __init__(self) -> None:
        super().__init__(always(""))

    async def ask(self, request: Request) -> Reply:
        raise Unanswerable("nobody knows")


def answered(
    changes: set[str], kept: str | None, *, oracle: Scripted | None = None, faculty: str | None = "eyes"
) -> str:
    """Who answers: the record with what is kept, the model with `model`, the oracle with `right`."""
    right = CorrectedReplies(
        changes, oracle or Scripted(always("right")), lambda asked: faculty, lambda asked, reply: "?" in reply.text
    )
    model = Scripted(always("model"))
    return asyncio.run(right(request(), None if kept is None else Reply(kept), model.ask)).text


@pytest.mark.parametrize(
    ("changes", "kept", "who"),
    [
        (set(), "kept", "kept"),
        (set(), "kept?", "kept?"),
        (set(), None, "model"),
        ({"eyes"}, "kept", "right"),
        ({"eyes"}, None, "right"),
        ({"eyes"}, "kept?", "kept?"),
        ({"eyes", "parsing"}, "kept?", "right"),
        ({"parsing"}, "kept", "kept"),
        ({"parsing"}, "kept?", "right"),
        ({"parsing"}, None, "model"),
    ],
)
def test_who_answers(changes: set[str], kept: str | None, who: str) -> None:
    assert answered(changes, kept) == who


def test_what_nobody_can_put_right_stays() -> None:
    everything = {"eyes", "parsing"}
    assert answered(everything, "kept", faculty=None) == "kept"
    assert answered(everything, "kept", oracle=Helpless()) == "kept"
    assert answered(everything, None, oracle=Helpless()) == "model"
    assert answered({"parsing"}, "kept?", oracle=Helpless()) == "kept?"
