"""The openai provider against a real server on loopback."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Iterator

import pytest

from models._keys import Key
from models._openai_messages import yes_no
from models._spec import Address
from models.base import Kind, Message, ModelRefused, Request
from models.openai import OpenAI, load
from models.registry import load_model
from tests.conftest import ROOT
from tests.lessons import pictures_of, question_of
from tests.loopback import Fault, Loopback, in_turn
from tests.models.asking import KEY, Painted, ask, plan, question, without_ambient_settings

pytestmark = pytest.mark.usefixtures("alone")


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    without_ambient_settings(monkeypatch)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


@pytest.fixture
def server() -> Iterator[Loopback]:
    with Loopback(lambda body: "Yes") as server:
        yield server


def model(server: Loopback, name: str = "gpt-4.1", **options: str) -> OpenAI:
    provider = load(f"{name}@{server.url}", options).provider
    assert isinstance(provider, OpenAI)
    return provider


def test_the_question_comes_last_and_the_picture_is_itself(server: Loopback) -> None:
    picture = Painted(b"one")
    ask(model(server), question("Is it?", picture))
    body = server.seen[0].body
    system, user = body["messages"]
    assert system == {"role": "system", "content": "Look."}
    assert [part["type"] for part in user["content"]] == ["text", "image_url", "text"]
    assert user["content"][0]["text"] == "A world."
    assert question_of(body) == "Is it?"
    assert pictures_of(body) == [picture.png()]
    assert (body["model"], body["temperature"], body["max_tokens"]) == ("gpt-4.1", 0, 16)


def test_what_repeats_is_the_same_to_the_byte(server: Loopback) -> None:
    picture = Painted(b"two")
    ask(model(server), *(question(f"“{word}” ü?", picture) for word in ("Left", "Right")))
    left, right = (seen.content for seen in server.seen)
    place = left.index("“Left".encode())
    assert left[:place] == right[:place]
    assert picture.drawn == 1


def test_all_parts_keep_their_order(server: Loopback) -> None:
    first, second = Painted(b"1"), Painted(b"2")
    said = (Message("user", ("a", first, "b", second, "c")), Message("assistant", ("d",)), Message("user", ("e", "f")))
    ask(model(server), Request(said))
    sent = server.seen[0].body["messages"]
    assert [part.get("text", "picture") for part in sent[0]["content"]] == ["a", "picture", "b", "picture", "c"]
    assert pictures_of(server.seen[0].body) == [first.png(), second.png()]
    assert sent[1] == {"role": "assistant", "content": "d"}
    assert [part["text"] for part in sent[2]["content"]] == ["e", "f"]


def test_any_text_arrives_as_it_was(server: Loopback) -> None:
    texts = ['"quoted"\\ {braces}\n\t', "日本語 🟥", "half \ud83d"]
    ask(model(server), *(question(text) for text in texts))
    assert [question_of(seen.body) for seen in server.seen] == texts


def test_probabilities_come_from_the_first_word(server: Loopback) -> None:
    server.confidence = 0.8
    (reply,) = ask(model(server), question())
    assert reply.text == "Yes"
    assert [reply.yes, reply.no] == pytest.approx([0.8, 0.2])
    assert server.seen[0].body["top_logprobs"] >= 5


@pytest.mark.parametrize("request_", [question(cot=True), plan()])
def test_only_plain_questions_ask_for_probabilities(server: Loopback, request_: Request) -> None:
    (reply,) = ask(model(server), request_)
    assert "logprobs" not in server.seen[0].body
    assert (reply.yes, reply.no) == (None, None)


def test_probabilities_can_be_switched_off(server: Loopback) -> None:
    ask(model(server, logprobs="off"), question())
    assert "logprobs" not in server.seen[0].body


def token(text: str, chance: float, *rivals: tuple[str, float]) -> dict[str, object]:
    others = [{"token": rival, "logprob": math.log(share)} for rival, share in rivals]
    return {"token": text, "logprob": math.log(chance), "top_logprobs": others}


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [
        ([token("Yes", 0.7, ("Yes", 0.7), (" yes", 0.1), ("NO", 0.15), ("Maybe", 0.05))], (0.8, 0.15)),
        ([token("No", 1.0)], (0.0, 1.0)),
        ([token("\n", 1.0), token(" No.", 0.6, ("**Yes", 0.4))], (0.4, 0.6)),
        ([token("Well", 0.9, ("Hm", 0.1))], (None, None)),
        ([token("Well", 1.0), token("Yes", 1.0)], (None, None)),
        ([], (None, None)),
        (None, (None, None)),
    ],
)
def test_first_words_are_summed_whatever_their_case(tokens: object, expected: tuple[float | None, ...]) -> None:
    assert yes_no({"content": tokens}) == tuple(None if value is None else pytest.approx(value) for value in expected)
    assert yes_no(None) == (None, None)


@pytest.mark.parametrize("refused", ["logprobs", "top_logprobs", "temperature", "max_tokens"])
def test_a_parameter_that_is_refused_is_left_out_from_then_on(server: Loopback, refused: str) -> None:
    server.refuses = {refused}
    provider = model(server)
    first, second = ask(provider, question("1"), question("2"))
    assert (first.text, second.text) == ("Yes", "Yes")
    assert server.count == 3
    assert provider.left_out == {refused}
    last = server.seen[-1].body
    assert refused not in last
    assert last.get("max_tokens", last.get("max_completion_tokens")) == 16
    assert "logprobs" not in last or "logprobs" not in refused


def test_all_that_can_be_left_out_at_once(server: Loopback) -> None:
    server.refuses = {"logprobs", "temperature", "max_tokens"}
    provider = model(server)
    assert len(ask(provider, *(question(str(number)) for number in range(20)), at_once=True)) == 20
    assert set(server.seen[-1].body) == {"model", "messages", "max_completion_tokens"}


def test_what_cannot_be_left_out_is_refused(server: Loopback) -> None:
    server.refuses = {"max_tokens", "max_completion_tokens"}
    with pytest.raises(ModelRefused, match="max_completion_tokens"):
        ask(model(server), question())
    server.refuses = {"reasoning_effort"}
    with pytest.raises(ModelRefused, match="reasoning_effort"):
        ask(model(server, reasoning_effort="low"), question())


@pytest.mark.parametrize("name", ["o1", "o3-mini", "o4-mini", "gpt-5", "gpt-5.2-mini", "openai/o3"])
def test_models_that_think_get_room_and_no_temperature(server: Loopback, name: str) -> None:
    ask(model(server, name, reasoning_effort="low"), question())
    body = server.seen[0].body
    assert body["model"] == name
    assert body["max_completion_tokens"] >= 2048 + 16
    assert body["reasoning_effort"] == "low"
    assert not {"temperature", "logprobs", "top_logprobs", "max_tokens"} & set(body)


@pytest.mark.parametrize("name", ["gpt-4o", "gpt-4.1-mini", "gpt-5-chat-latest", "omni", "Qwen/Qwen3-VL-8B-Instruct"])
def test_others_do_not(server: Loopback, name: str) -> None:
    ask(model(server, name), question())
    assert server.seen[0].body["temperature"] == 0
    assert server.seen[0].body["max_tokens"] == 16


def test_options_reach_the_server(server: Loopback) -> None:
    ask(model(server, detail="high", max_tokens="99"), question())
    body = server.seen[0].body
    assert body["max_tokens"] == 99
    assert body["messages"][1]["content"][1]["image_url"]["detail"] == "high"


def test_usage_counts_what_the_server_had_kept(server: Loopback) -> None:
    first, second = ask(model(server), question("1?"), question("2?"))
    assert first.usage.prompt_tokens == second.usage.prompt_tokens > 500
    assert (first.usage.cached_tokens, first.usage.completion_tokens) == (0, 1)
    assert 500 < second.usage.cached_tokens <= second.usage.prompt_tokens


def test_a_reply_that_breaks_off_says_so(server: Loopback) -> None:
    server.answer = lambda body: "word " * 40
    (reply,) = ask(model(server), question())
    assert reply.truncated
    assert len(reply.text.split()) == 16


def test_saying_nothing_is_a_reply(server: Loopback) -> None:
    server.answer = lambda body: ""
    assert ask(model(server), question())[0].text == ""


def test_the_key_goes_to_the_server_and_nowhere_else(server: Loopback) -> None:
    server.key = KEY
    ask(model(server, key_env="OPENAI_API_KEY"), question())
    seen = server.seen[0]
    assert seen.headers["authorization"] == f"Bearer {KEY}"
    assert [name for name, value in seen.headers.items() if KEY in value] == ["authorization"]
    assert KEY.encode() not in seen.content
    server.key = "another"
    with pytest.raises(ModelRefused, match="set OPENAI_API_KEY"):
        ask(model(server, key_env="OPENAI_API_KEY"), question())


def test_organisation_and_address_come_from_the_environment(server: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-1")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-1")
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    ask(load("gpt-4.1", {}).provider, question())
    assert not {"openai-organization", "openai-project"} & set(server.seen[0].headers)
    at_home = OpenAI("gpt-4.1", Address(server.url), Key(KEY, "OPENAI_API_KEY", home=True), {})
    ask(at_home, question())
    headers = server.seen[1].headers
    assert (headers["openai-organization"], headers["openai-project"]) == ("org-1", "proj-1")
    assert headers["authorization"] == f"Bearer {KEY}"


def test_a_server_of_ones_own_needs_no_key(server: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    assert ask(model(server), question())[0].text == "Yes"


def test_the_key_is_missed_when_the_model_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(ValueError, match=r"no key for openai: set OPENAI_API_KEY"):
        load_model("openai:gpt-4.1")
    monkeypatch.setenv("OPENAI_API_KEY", "two words")
    with pytest.raises(ValueError, match="OPENAI_API_KEY does not hold a key") as refused:
        load_model("openai:gpt-4.1")
    assert "two words" not in str(refused.value)


def test_a_name_tells_models_apart_and_holds_no_password() -> None:
    home = load("gpt-4.1", {}).provider
    assert (home.identity, home.endpoint) == ("openai:gpt-4.1 at https://api.openai.com/v1", "api.openai.com")
    own = load("Qwen/Qwen2.5-VL-7B-Instruct@http://me:hush-hush@LOCALHOST:8000/v1/", {"max_tokens": "9"}).provider
    assert own.identity == "openai:Qwen/Qwen2.5-VL-7B-Instruct at http://localhost:8000/v1, max_tokens 9"
    assert (own.name, own.endpoint) == ("Qwen/Qwen2.5-VL-7B-Instruct", "localhost:8000")
    assert load("gpt-4.1", {"timeout": "5"}).identity == home.identity


def test_a_password_in_the_address_is_used_and_not_told(server: Loopback) -> None:
    provider = load(f"any@{server.url.replace('//', '//me:hush-hush@')}", {}).provider
    server.faults = in_turn(None, Fault.MALFORMED)
    ask(provider, question())
    assert server.seen[0].headers["authorization"].startswith("Basic ")
    with pytest.raises(ModelRefused) as refused:
        ask(provider, question())
    assert "hush" not in str(refused.value)
    assert "hush" not in repr(vars(provider))
    assert server.seen[0].headers["authorization"].removeprefix("Basic ") not in str(refused.value)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("openai:gpt-4.1?detial=high", "Did you mean 'detail'"),
        ("openai:gpt-4.1?detail=some", "detail is one of auto, high, low, not 'some'"),
        ("openai:gpt-4.1?max_tokens=0", "max_tokens is a positive whole number, not '0'"),
        ("openai:o3?reasoning_effort=lots", "reasoning_effort is one of none, minimal"),
        ("openai:", "openai needs the name of a model"),
        ("openai:x@ftp://y", "'ftp://y' is not the address of a server: it must start with http:// or https://"),
        ("openai:x@notaurl", "'notaurl' is not the address of a server: it must start with http:// or https://"),
        (
            "openai:x@localhost:8000/v1",
            "'localhost:8000/v1' is not the address of a server: it must start with http://",
        ),
        ("openai:x@", "'' is not the address"),
        ("openai:x@http://", "'http://' is not the address"),
        ("openai:x@http://h:port", "'http://h:port' is not the address"),
    ],
)
def test_bad_specs_say_what_is_possible(spec: str, words: str) -> None:
    with pytest.raises(ValueError, match=r"openai|address") as refused:
        load_model(spec)
    assert words in str(refused.value)


@pytest.mark.parametrize("version", ["20241022", "2024-10-22", "001", "latest", "default"])
def test_a_version_behind_an_at_is_part_of_the_name(version: str) -> None:
    assert load(f"some-model@{version}", {}).provider.name == f"some-model@{version}"
    here = load(f"some-model@{version}@http://localhost/v1", {}).provider
    assert (here.name, here.endpoint) == (f"some-model@{version}", "localhost")


def test_one_model_outlives_an_event_loop(server: Loopback) -> None:
    provider = model(server)
    for _ in range(2):
        assert ask(provider, question())[0].text == "Yes"


def test_nobody_pays_for_the_clients_but_who_asks_them() -> None:
    code = (
        "import sys; from models.registry import load_model, providers; providers();"
        "load_model('openai:gpt-4.1'), load_model('anthropic:claude@http://localhost');"
        "print([name for name in ('openai', 'anthropic', 'httpx2') if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert ran.stdout.strip() == "[]", ran.stderr


def test_a_picture_is_not_needed(server: Loopback) -> None:
    assert ask(model(server), Request((Message("user", ("Hello",)),), Kind.TEXT))[0].text == "Yes"
