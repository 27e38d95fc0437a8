"""The tool-calling agent on questions: it looks closer, asks and answers, over the APIs of OpenAI and Anthropic too."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from langchain_core.messages import AIMessage

from agents.calling import TURNS_TO_ANSWER
from models.base import Kind, Reply
from models.registry import load_model
from models.scripted import Scripted, always
from tests.handy import Handy, Puppet, call, calling, in_turn
from tests.lessons import pictures_of
from tests.loopback import Body, Loopback
from tests.loopback_replies import Calling
from tests.models.asking import without_ambient_settings
from tests.question_sets import events, item_of, play, questions
from tests.small_sets import Fruit, played
from tools.events import Answered, Asked, Called, Ended, Looked, Reason
from tools.langchain_questions import MOST_LOOKS

PART = {"picture": 1, "left": 0.0, "top": 0.0, "right": 0.5, "bottom": 0.5}


class Seeing(Handy):
    """A model with hands that needs the pictures themselves."""

    looks = True

    def for_episode(self, witness: Any) -> Seeing:
        return self


def answering(
    *messages: AIMessage, kind: Kind = Kind.CHOICE, eyes: str = "I see dots."
) -> tuple[Any, list[Any], Puppet]:
    chat = in_turn(*messages)
    result, records = play("tools", item_of(kind), Seeing(Scripted(always(eyes)), chat))
    return result, records, chat


def test_it_looks_closer_asks_and_answers() -> None:
    item = item_of(Kind.CHOICE)
    letter = "ABCDE"[item.options.index(str(item.answer))]
    result, records, chat = answering(
        calling(call("look_closer", **PART)),
        calling(call("ask", question="What is there?")),
        calling(call("answer", answer=letter)),
    )
    assert result.success
    assert [event.result for event in events(records, Called)] == [
        "picture 2 is this part of picture 1, enlarged",
        "I see dots.",
        "the answer is given",
    ]
    (looked,) = events(records, Looked)
    assert (looked.what, bool(looked.sha256)) == ("part of picture 1: 0 0 0.5 0.5", True)
    assert events(records, Answered)[0].text == f"Final Answer: {letter}"
    assert {tool["function"]["name"] for tool in chat.tools[0]} == {"look_closer", "ask", "answer"}
    assert "Which dot is highest?" in str(chat.heard[0][1].text)
    shown = [block for block in chat.heard[1][-1].content if isinstance(block, dict) and block["type"] == "image"]
    assert len(shown) == 1


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("look_closer", {**PART, "picture": 2}, "there is no picture 2; pictures: 1 to 1"),
        ("look_closer", {**PART, "right": 50.0}, "left, top, right and bottom are shares of the picture, from 0 to 1"),
        ("look_closer", {**PART, "right": float("nan")}, "left, top, right and bottom are shares"),
        ("look_closer", {**PART, "right": 0.0}, "so small a part shows nothing"),
        ("look_closer", {"picture": 1}, "wrong arguments for look_closer: left: Field required; for example {"),
        ("answer", {"answer": "the grey one"}, "this is no answer to the question: "),
        ("answer", {}, "wrong arguments for answer: answer: Field required"),
        ("step_environment", {}, "there is no tool 'step_environment'; tools: look_closer, ask, answer"),
    ],
)
def test_a_wrong_call_is_told_to_the_model_and_ends_nothing(name: str, arguments: dict[str, Any], told: str) -> None:
    result, records, _ = answering(calling(call(name, **arguments)), calling(call("answer", 1, answer="A")))
    first, second = events(records, Called)
    assert first.result.startswith(told)
    assert second.result == "the answer is given"
    assert result.reason == Reason.FINISHED


def test_the_answer_counts_that_is_given_first() -> None:
    _, records, _ = answering(calling(call("answer", answer="B"), call("answer", 1, answer="C")))
    assert [event.text for event in events(records, Answered)] == ["Final Answer: B"]
    assert events(records, Called)[1].result == "not done: the answer is given"


def test_looks_and_turns_have_an_end() -> None:
    parts = iter(range(99))

    def looking(heard: list[Any]) -> AIMessage:
        return calling(call("look_closer", len(heard), **{**PART, "right": 0.5 + next(parts) / 200}))

    result, records = play("tools", item_of(Kind.CHOICE), Handy(Scripted(always("")), Puppet(script=looking)))
    assert (result.reason, result.failure) == (Reason.STEP_LIMIT, "no_answer")
    assert sum(event.decides for event in events(records, Asked)) == TURNS_TO_ANSWER
    assert len(events(records, Looked)) == MOST_LOOKS


@pytest.mark.parametrize(
    ("said", "failure"),
    [
        (AIMessage("Final Answer: D"), "wrong"),
        (AIMessage("I cannot say."), "unreadable"),
        (AIMessage(""), "unreadable"),
        (AIMessage("I would", response_metadata={"finish_reason": "length"}), "truncated"),
    ],
)
def test_words_without_a_call_are_an_answer_if_they_can_be_read(said: AIMessage, failure: str) -> None:
    assert answering(said)[0].failure == failure


@pytest.mark.parametrize("kind", [item.kind for item in questions(1)])
def test_every_form_can_be_answered(kind: Kind) -> None:
    item = item_of(kind)
    value = item.answer
    if kind is Kind.CHOICE:
        value = "ABCDE"[item.options.index(str(value))]
    elif isinstance(value, tuple):
        value = ",".join(value)
    elif kind is Kind.YES_NO:
        value = "Yes" if value else "No"
    assert answering(calling(call("answer", answer=str(value))), kind=kind)[0].success


def test_a_question_without_pictures_cannot_be_looked_at() -> None:
    chat = in_turn(calling(call("answer", answer="A")))
    play("tools", item_of(Kind.CHOICE, pictures=()), Handy(Scripted(always("")), chat))
    assert {tool["function"]["name"] for tool in chat.tools[0]} == {"ask", "answer"}


def test_no_planner_is_made_for_it(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(name: str) -> Any:
        raise AssertionError("a planner was made")

    monkeypatch.setattr("evals.run.equipment.get_planner", none)
    model = Handy(Scripted(lambda request: Reply("")), in_turn())
    monkeypatch.setattr("evals.run.equipment.load_model", lambda spec: model)
    run = played(Fruit(), tmp_path / "run", limit=1, agent="tools", model="puppet")
    assert {result.failure for result in run.results()} == {"unreadable"}


@pytest.fixture(params=["openai", pytest.param("anthropic", marks=pytest.mark.slow)])
def family(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    without_ambient_settings(monkeypatch)
    return str(request.param)


@pytest.fixture
def server() -> Iterator[Loopback]:
    with Loopback() as server:
        yield server


def test_a_question_is_answered_over_http(server: Loopback, family: str) -> None:
    item = item_of(Kind.ORDER)
    right = ",".join(item.answer)  # type: ignore[arg-type]
    turns = iter([("look_closer", PART), ("ask", {"question": "Which colours?"}), ("answer", {"answer": right})])

    def answer(body: Body) -> str | Calling:
        if "tools" not in body:
            return "Red and blue."
        name, arguments = next(turns)
        return Calling("", (("call_1", name, json.dumps(arguments)),))

    server.answer = answer
    result, records = play("tools", item, load_model(f"{family}:any@{server.url}"))
    assert result.success, result
    assert [event.result for event in events(records, Called)][1:] == ["Red and blue.", "the answer is given"]
    assert events(records, Ended)[0].reason is Reason.FINISHED
    # The question's own picture, then the part beside it; both where something is asked about them.
    assert [len(pictures_of(seen.body)) for seen in server.seen] == [1, 2, 2, 2]
