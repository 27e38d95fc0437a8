"""Tools over the APIs of OpenAI and Anthropic, on a real server: what is sent, what is called, what goes back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from models.base import Message, ModelRefused, Part, Provider, Transient
from models.conduct import Conducted
from models.registry import load_model
from models.turns import Call, Turn, TurnReply, read_turn, write_turn
from tests.lessons import pictures_of
from tests.loopback import Loopback
from tests.loopback_replies import Calling
from tests.models.asking import Painted, ask, without_ambient_settings

LOOK = json.dumps(
    {"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": {}}}}
)
PLAN = json.dumps(
    {
        "type": "function",
        "function": {
            "name": "plan",
            "description": "Make a plan.",
            "parameters": {"type": "object", "properties": {"goal": {"type": "string"}}, "required": ["goal"]},
        },
    }
)
START = (Message("system", ("Act.",)), Message("user", ("Stack them.",)))


@pytest.fixture(params=["openai", "anthropic"])
def family(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    without_ambient_settings(monkeypatch)
    return str(request.param)


@pytest.fixture
def server() -> Iterator[Loopback]:
    with Loopback() as server:
        yield server


@pytest.fixture
def provider(family: str, server: Loopback) -> Provider:
    model = load_model(f"{family}:some-model@{server.url}")
    assert isinstance(model, Conducted)
    assert model.calls_tools
    return model.provider


def turn(*messages: Message) -> Turn:
    return Turn((*START, *messages), tools=(LOOK, PLAN))


def said(provider: Provider, *messages: Message) -> TurnReply:
    return read_turn(ask(provider, turn(*messages))[0].text)


def spoken(*calls: Call, text: str = "") -> Message:
    return Message("assistant", (write_turn(text, calls),))


def result(id: str, *parts: Part) -> Message:
    return Message("tool", (id, *parts))


def test_tools_are_described_in_the_servers_own_words(server: Loopback, family: str, provider: Provider) -> None:
    said(provider)
    sent = server.seen[0].body["tools"]
    if family == "openai":
        assert sent == [json.loads(LOOK), json.loads(PLAN)]
    else:
        assert [tool["name"] for tool in sent] == ["look", "plan"]
        assert sent[1]["description"] == "Make a plan."
        assert sent[1]["input_schema"] == json.loads(PLAN)["function"]["parameters"]


def test_no_tools_no_word_of_them(server: Loopback, provider: Provider) -> None:
    assert read_turn(ask(provider, Turn(START))[0].text).text == "Yes"
    assert "tools" not in server.seen[0].body


def test_calls_are_read_with_the_words_beside_them(server: Loopback, provider: Provider) -> None:
    server.answer = lambda body: Calling("Let me see.", (("c1", "look", "{}"), ("c2", "plan", '{"goal": "on r,b"}')))
    heard = said(provider)
    assert heard.text == "Let me see."
    assert heard.calls == (Call("look", {}, "c1"), Call("plan", {"goal": "on r,b"}, "c2"))


def test_words_alone_call_nothing(server: Loopback, provider: Provider) -> None:
    heard = said(provider)
    assert (heard.text, heard.calls) == ("Yes", ())


@pytest.mark.parametrize("written", ['{"goal": [', "[1]", '"on r,b"', "7", "[" * 100_000])
def test_arguments_that_cannot_be_read_are_the_models_fault(server: Loopback, provider: Provider, written: str) -> None:
    if written.startswith("[["):
        written = json.dumps(written)  # in a text of its own, so that the server's JSON stays readable
    server.answer = lambda body: Calling("", (("c1", "plan", written),))
    (call,) = said(provider).calls
    assert (call.name, call.arguments, call.id) == ("plan", {}, "c1")
    assert call.fault.startswith("its arguments are not a JSON object")
    assert len(call.fault) < 600


@pytest.mark.parametrize("nothing", ["", "{}"])
def test_no_arguments_may_be_written_as_nothing(server: Loopback, family: str, nothing: str) -> None:
    server.answer = lambda body: Calling("", (("c1", "look", nothing if family == "openai" else "{}"),))
    model = load_model(f"{family}:some-model@{server.url}")
    assert isinstance(model, Conducted)
    assert said(model.provider).calls == (Call("look", {}, "c1"),)


def test_what_was_called_and_what_came_of_it_go_back(server: Loopback, family: str, provider: Provider) -> None:
    picture = Painted(b"now")
    calls = (Call("look", {}, "c1"), Call("plan", {"goal": "on r,b"}, "c2"))
    said(
        provider,
        spoken(*calls, text="Let me see."),
        result("c1", "In view: r."),
        result("c2", "no plan"),
        Message("user", ("This is what you see now:", picture)),
    )
    body = server.seen[0].body
    assert pictures_of(body) == [picture.png()]
    if family == "openai":
        assistant, first, second, seen = body["messages"][2:]
        assert assistant["content"] == "Let me see."
        assert [call["function"]["name"] for call in assistant["tool_calls"]] == ["look", "plan"]
        assert json.loads(assistant["tool_calls"][1]["function"]["arguments"]) == {"goal": "on r,b"}
        assert first == {"role": "tool", "tool_call_id": "c1", "content": "In view: r."}
        assert (second["tool_call_id"], seen["role"]) == ("c2", "user")
    else:
        _, assistant, user = body["messages"]
        assert [block["type"] for block in assistant["content"]] == ["text", "tool_use", "tool_use"]
        assert assistant["content"][2]["input"] == {"goal": "on r,b"}
        assert [block["type"] for block in user["content"]] == ["tool_result", "tool_result", "text", "image"]
        assert user["content"][0]["content"] == [{"type": "text", "text": "In view: r."}]
        # What comes again next time is kept by the server up to here.
        assert ["cache_control" in block for block in user["content"]] == [False, True, False, False]


def test_a_tool_may_show_a_picture(server: Loopback, family: str, provider: Provider) -> None:
    picture = Painted(b"shown")
    calls = (Call("look", {}, "c1"), Call("look", {}, "c2"))
    said(provider, spoken(*calls), result("c1", "one", picture), result("c2", "two"))
    messages = server.seen[0].body["messages"]
    if family == "openai":
        assert [message["role"] for message in messages[3:]] == ["tool", "tool", "user"]
        assert pictures_of(server.seen[0].body) == [picture.png()]
    else:
        shown = messages[-1]["content"][0]["content"]
        assert [block["type"] for block in shown] == ["text", "image"]


def test_a_call_that_could_not_be_read_goes_back_without_its_arguments(
    server: Loopback, family: str, provider: Provider
) -> None:
    server.answer = lambda body: Calling("", (("c1", "plan", '{"goal": ['),))
    (first,) = ask(provider, turn())
    said(provider, Message("assistant", (first.text,)), result("c1", "this call cannot be read"))
    sent = server.seen[-1].body["messages"]
    if family == "openai":
        assert sent[2]["tool_calls"][0]["function"]["arguments"] == "{}"
    else:
        assert sent[1]["content"][0]["input"] == {}


def test_thoughts_go_back_to_who_thought_them(server: Loopback, family: str, provider: Provider) -> None:
    def thinking(reply: Any) -> Any:
        if family == "openai":
            reply["choices"][0]["message"]["reasoning_content"] = "hm"
        else:
            reply["content"].insert(0, {"type": "thinking", "thinking": "hm", "signature": "s1"})
        return reply

    server.answer = lambda body: Calling("", (("c1", "look", "{}"),))
    server.mangle = thinking
    (first,) = ask(provider, turn())
    said(provider, Message("assistant", (first.text,)), result("c1", "In view: r."))
    sent = server.seen[-1].body["messages"]
    if family == "openai":
        assert sent[2]["reasoning_content"] == "hm"
    else:
        assert sent[1]["content"][0] == {"type": "thinking", "thinking": "hm", "signature": "s1"}
        assert sent[1]["content"][1]["type"] == "tool_use"


def test_calls_without_an_id_are_told_apart(server: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    without_ambient_settings(monkeypatch)
    server.answer = lambda body: Calling("", (("", "look", "{}"), ("", "look", "{}"), ("x", "look", "{}")))
    model = load_model(f"openai:some-model@{server.url}")
    assert isinstance(model, Conducted)
    ids = [call.id for call in said(model.provider).calls]
    assert len(set(ids)) == 3
    assert all(ids)


@pytest.mark.parametrize("shape", [{}, [7], [{"id": "c1"}], [{"id": 7, "function": {"name": "look"}}], "look"])
def test_calls_in_no_shape_are_the_servers_fault(
    server: Loopback, monkeypatch: pytest.MonkeyPatch, shape: object
) -> None:
    without_ambient_settings(monkeypatch)

    def mangle(reply: Any) -> Any:
        reply["choices"][0]["message"]["tool_calls"] = shape
        return reply

    server.mangle = mangle
    model = load_model(f"openai:some-model@{server.url}")
    assert isinstance(model, Conducted)
    with pytest.raises(Transient, match="malformed reply: choices"):
        said(model.provider)


def test_a_server_that_knows_no_tools_is_one_clear_error(server: Loopback, family: str, provider: Provider) -> None:
    server.refuses = {"tools"}
    with pytest.raises(ModelRefused, match="use one that can call tools") as refused:
        said(provider)
    assert "Unsupported parameter: 'tools'" in str(refused.value)
    assert "\n" not in str(refused.value)
