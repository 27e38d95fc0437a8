"""Checking: refuted answers are ruled out."""

from __future__ import annotations

from typing import Any

import pytest

from agents.checked import Checker
from agents.posing import question_agent
from envs.base import Question
from models.base import Kind, Reply, Request
from models.registry import load_model
from models.scripted import Scripted, always
from tests.agents.question_replies import FORMS, asked_about
from tests.question_sets import events, item_of, play
from tools.events import Answered
from tools.questions import written


def test_what_is_refuted_is_ruled_out_and_at_most_twice() -> None:
    letters = iter("ABC")
    model = Scripted(lambda request: "Yes" if request.kind is Kind.YES_NO else f"Final Answer: {next(letters)}")
    _, records = play("answer_checked", item_of(Kind.CHOICE), model)
    assert asked_about(records) == ["", "refute A", "", "refute B", ""]
    assert "ruled out: A; B." in model.asked[-1].text
    assert events(records, Answered)[0].text == "Final Answer: C"


def test_an_answer_that_stands_or_is_insisted_on_is_final() -> None:
    for refuted, asked in (("No", ["", "refute A"]), ("Yes", ["", "refute A", ""]), ("perhaps", ["", "refute A"])):
        model = Scripted(lambda request, refuted=refuted: refuted if request.about else "Final Answer: A")
        _, records = play("answer_checked", item_of(Kind.CHOICE), model, reask=0)
        assert asked_about(records) == asked
        assert events(records, Answered)[0].text == "Final Answer: A"


def test_a_refuted_answer_is_better_than_none() -> None:
    replies = iter(["Final Answer: A", "Yes", "no idea"])
    _, records = play("answer_checked", item_of(Kind.CHOICE), Scripted(lambda request: next(replies)), reask=0)
    assert events(records, Answered)[0].text == "Final Answer: A"


@pytest.mark.parametrize("kind", FORMS)
def test_the_oracle_refutes_a_wrong_answer_of_every_form_and_no_right_one(kind: Kind) -> None:
    item = item_of(kind)
    question = Question(item.text, (), item.options, item.kind, item.items)
    wrong = {
        Kind.CHOICE: next((option for option in item.options if option != item.answer), ""),
        Kind.NUMBER: 99.0,
        Kind.YES_NO: not item.answer,
        Kind.TEXT: "grey",
        Kind.JUDGEMENTS: ("0",) * len(item.options),
    }
    given = wrong[kind] if kind in wrong else tuple(reversed(item.answer))  # type: ignore[arg-type]
    first = iter([written(given, question)])

    class Corrected(Scripted):
        """Wrong at first, and then an oracle."""

        def for_episode(self, witness: Any) -> Any:
            oracle = load_model("oracle").for_episode(witness)  # type: ignore[attr-defined]
            said = next(first)

            async def ask(request: Request) -> Reply:
                return Reply(said) if request.about is None and not self.asked else await oracle.ask(request)

            async def kept(request: Request) -> Reply:
                reply = await ask(request)
                self.asked.append(request)
                return reply

            self.ask = kept  # type: ignore[method-assign]
            return self

    result, records = play("answer_checked", item, Corrected(always("")))
    assert result.success
    assert [about.partition(" ")[0] for about in asked_about(records)] == ["", "refute", "", "refute"]


def test_the_rounds_are_a_parameter() -> None:
    agent = question_agent("once", "one round", Checker(rounds=1).graph)
    letters = iter("ABC")
    model = Scripted(lambda request: "Yes" if request.kind is Kind.YES_NO else f"Final Answer: {next(letters)}")
    assert asked_about(play(agent, item_of(Kind.CHOICE), model)[1]) == ["", "refute A", ""]
