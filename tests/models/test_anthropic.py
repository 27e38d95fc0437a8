"""The anthropic provider against a real server on loopback."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from models.anthropic import Anthropic, load
from models.base import Message, ModelRefused, Request
from models.registry import load_model
from tests.lessons import pictures_of, question_of, texts_of
from tests.loopback import Loopback
from tests.models.asking import KEY, Painted, ask, plan, question, without_ambient_settings

pytestmark = pytest.mark.usefixtures("alone")
KEEP = {"type": "ephemeral"}


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    without_ambient_settings(monkeypatch)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)


@pytest.fixture
def server() -> Iterator[Loopback]:
    with Loopback(lambda body: "Yes") as server:
        yield server


def model(server: Loopback, **options: str) -> Anthropic:
    provider = load(f"claude@{server.url}", options).provider
    assert isinstance(provider, Anthropic)
    return provider


def test_the_question_comes_last_and_all_before_it_is_to_be_kept(server: Loopback) -> None:
    picture = Painted(b"one")
    (reply,) = ask(model(server), question("Is it?", picture))
    body = server.seen[0].body
    assert server.seen[0].path == "/v1/messages"
    assert body["system"] == [{"type": "text", "text": "Look."}]
    (turn,) = body["messages"]
    assert [part["type"] for part in turn["content"]] == ["text", "image", "text"]
    assert [part.get("cache_control") for part in turn["content"]] == [None, KEEP, None]
    assert turn["content"][1]["source"]["media_type"] == "image/png"
    assert pictures_of(body) == [picture.png()]
    assert (question_of(body), body["max_tokens"], body["temperature"]) == ("Is it?", 16, 0)
    assert body["thinking"] == {"type": "disabled"}
    assert (reply.text, reply.yes, reply.no) == ("Yes", None, None)


def test_what_repeats_is_the_same_to_the_byte(server: Loopback) -> None:
    picture = Painted(b"two")
    ask(model(server), *(question(f"“{word}” ü?", picture) for word in ("Left", "Right")))
    left, right = (seen.content for seen in server.seen)
    place = left.index("“Left".encode())
    assert left[:place] == right[:place]
    assert picture.drawn == 1


def test_where_nothing_follows_the_picture_the_system_text_is_kept(server: Loopback) -> None:
    ask(model(server), plan())
    body = server.seen[0].body
    assert body["system"][0]["cache_control"] == KEEP
    assert not any("cache_control" in part for part in body["messages"][0]["content"])


def test_keeping_can_be_switched_off(server: Loopback) -> None:
    ask(model(server, cache="off"), question(), plan())
    assert not any(b"cache_control" in seen.content for seen in server.seen)
    assert load("claude", {"cache": "off"}).identity == load("claude", {}).identity


def test_turns_keep_their_order(server: Loopback) -> None:
    said = (Message("user", ("a", Painted(), "b")), Message("assistant", ("c",)), Message("user", ("d",)))
    ask(model(server), Request(said))
    body = server.seen[0].body
    assert [turn["role"] for turn in body["messages"]] == ["user", "assistant", "user"]
    assert texts_of(body) == ["a", "b", "c", "d"]
    assert "system" not in body


def test_usage_counts_what_is_kept_and_what_was(server: Loopback) -> None:
    first, second = ask(model(server), question("1?"), question("2?"))
    assert first.usage.prompt_tokens == second.usage.prompt_tokens > 500
    assert (first.usage.cached_tokens, first.usage.completion_tokens) == (0, 1)
    assert 500 < second.usage.cached_tokens <= second.usage.prompt_tokens


def test_a_reply_that_breaks_off_says_so(server: Loopback) -> None:
    server.answer = lambda body: "word " * 40
    (reply,) = ask(model(server), question())
    assert reply.truncated
    server.answer = lambda body: ""
    (silent,) = ask(model(server), question())
    assert (silent.text, silent.truncated) == ("", False)


@pytest.mark.parametrize("refused", ["temperature", "thinking"])
def test_a_parameter_that_is_refused_is_left_out_from_then_on(server: Loopback, refused: str) -> None:
    server.refuses = {refused}
    provider = model(server)
    assert [reply.text for reply in ask(provider, question("1"), question("2"))] == ["Yes", "Yes"]
    assert server.count == 3
    assert provider.left_out == {refused}
    assert refused not in server.seen[-1].body


def test_a_model_that_cannot_be_kept_from_thinking_gets_room_for_it(server: Loopback) -> None:
    server.refuses = {"thinking", "temperature"}
    ask(model(server), *(question(str(number)) for number in range(8)), at_once=True)
    assert server.seen[-1].body["max_tokens"] >= 2048 + 16


@pytest.mark.parametrize(
    ("told", "sent"), [("adaptive", {"type": "adaptive"}), ("4096", {"type": "enabled", "budget_tokens": 4096})]
)
def test_thinking_gets_room_and_takes_no_temperature(server: Loopback, told: str, sent: dict[str, object]) -> None:
    ask(model(server, thinking=told, effort="low"), question())
    body = server.seen[0].body
    assert body["thinking"] == sent
    assert body["output_config"] == {"effort": "low"}
    assert body["max_tokens"] > (4096 if told == "4096" else 2048)
    assert "temperature" not in body
    server.refuses = {"thinking"}
    with pytest.raises(ModelRefused, match="thinking"):
        ask(model(server, thinking=told), question())


def test_the_key_goes_to_the_server_and_nowhere_else(server: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    server.key = KEY
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.root)
    ask(load("claude", {"key_env": "ANTHROPIC_API_KEY"}).provider, question())
    seen = server.seen[0]
    assert len([name for name, value in seen.headers.items() if KEY in value]) == 1
    assert KEY.encode() not in seen.content


def test_the_key_is_missed_when_the_model_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    with pytest.raises(ValueError, match=r"no key for anthropic: set ANTHROPIC_API_KEY"):
        load_model("anthropic:claude")


def test_a_name_tells_models_apart() -> None:
    home = load("claude", {}).provider
    assert (home.identity, home.endpoint) == ("anthropic:claude at https://api.anthropic.com", "api.anthropic.com")
    assert load("claude", {"thinking": "2048"}).identity == f"{home.identity}, thinking 2048"


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("anthropic:claude?efort=low", "Did you mean 'effort'"),
        ("anthropic:claude?thinking=hard", "thinking is off, adaptive, or a number of tokens from 1024 on, not 'hard'"),
        ("anthropic:claude?thinking=5", "not '5'"),
        ("anthropic:", "anthropic needs the name of a model"),
    ],
)
def test_bad_specs_say_what_is_possible(spec: str, words: str) -> None:
    with pytest.raises(ValueError, match="anthropic") as refused:
        load_model(spec)
    assert words in str(refused.value)
