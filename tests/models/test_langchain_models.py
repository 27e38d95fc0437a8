"""Chat models of LangChain behind our protocol: what they are sent, what comes back, and what goes wrong."""

from __future__ import annotations

import asyncio
import base64
import os
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from pydantic import Field, SecretStr

from models._langchain_errors import translated
from models.base import Message, ModelRefused, Request, RunMustStop, Transient
from models.langchain import THINKING_TOKENS, ChatModel, LangChainChat, messages_of, options_suffix
from models.registry import load_model
from models.turns import Call, Turn, TurnReply, read_turn, write_turn
from tests.handy import Puppet, call, calling, in_turn
from tests.small_worlds import Sketch, request

FAKES = "langchain_core.language_models.fake_chat_models"
FAKE = f"langchain:{FAKES}:FakeListChatModel"
TOOL = '{"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": {}}}}'


def provider(chat: Any) -> LangChainChat:
    return LangChainChat(chat, "langchain:puppet", "nowhere", "puppet")


def send(chat: Any, asked: Request | None = None) -> Any:
    return asyncio.run(provider(chat).send(asked or request()))


def test_a_class_is_loaded_with_its_parameters() -> None:
    model = load_model(f'{FAKE}?responses=["Yes","No"]')
    assert isinstance(model, ChatModel)
    assert model.identity == f'{FAKE}, responses ["Yes","No"]'
    assert (model.looks, model.simulated, model.cacheable, model.calls_tools) == (True, False, True, True)
    assert [asyncio.run(model.ask(request())).text for _ in range(2)] == ["Yes", "No"]
    assert type(model.chat).__name__ == "FakeListChatModel"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("langchain", "langchain needs a module and a class, as in langchain:langchain_openai:ChatOpenAI"),
        ("langchain:langchain_core", "langchain needs a module and a class"),
        ("langchain:no_such_thing:Chat", "there is no module 'no_such_thing' here: pip install no-such-thing"),
        (f"langchain:{FAKES}:Nobody", "has no class 'Nobody'"),
        (f"langchain:{FAKES}:Any", "is not a chat model"),
        (f"langchain:{FAKES}:re", "has no class|is not a chat model"),
        (f'{FAKE}?responses=["x"]&colour=red', r"no option of FakeListChatModel 'colour'\. .*responses"),
        (FAKE, "FakeListChatModel cannot be made: ValidationError"),
        (f"{FAKE}?openai_api_key=sk-123456789", "openai_api_key must not be on the command line"),
        ("google", "google needs the name of a model"),
        ("google:gemini-2.5-flash?model=x", "already names its model"),
    ],
)
def test_what_cannot_be_loaded_says_why(spec: str, message: str) -> None:
    with pytest.raises(ValueError, match=message) as refused:
        load_model(spec)
    assert "sk-123" not in str(refused.value)
    assert "\n" not in str(refused.value)


class Keyed(Puppet):
    """A class that finds its key and its address in the environment, as most do."""

    script: Any = lambda heard: AIMessage("Yes")
    temperature: float = 0.7
    own_api_key: SecretStr | None = Field(alias="api_key", default_factory=lambda: SecretStr(os.environ["OWN_API_KEY"]))
    base_url: str | None = Field(default_factory=lambda: os.environ.get("OWN_BASE_URL"))
    endpoint: str = "https://api.own.example/v1"
    default_headers: dict[str, str] | None = None
    model_kwargs: dict[str, Any] = Field(default_factory=dict)

    @property
    def lc_secrets(self) -> dict[str, str]:
        return {"own_api_key": "OWN_API_KEY"}


@pytest.fixture
def keyed(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("OWN_API_KEY", "own-0123456789")
    monkeypatch.setenv("MY_SERVER_KEY", "mine-0123456789")
    return f"langchain:{__name__}:Keyed"


@pytest.mark.parametrize(
    ("options", "key"),
    [
        ("temperature=0", "own-0123456789"),
        ("base_url=http://here:1/v1", "none"),
        ("base_url=https://api.openai.com.evil.org", "none"),
        ("endpoint=elsewhere.org", "none"),
        ('model_kwargs={"api_endpoint":"elsewhere.org"}', "none"),
        ("base_url=http://here:1/v1&key_env=MY_SERVER_KEY", "mine-0123456789"),
        ("key_env=MY_SERVER_KEY", "mine-0123456789"),
    ],
)
def test_the_key_of_a_class_goes_to_its_own_provider_only(keyed: str, options: str, key: str) -> None:
    model = load_model(f"{keyed}?{options}")
    assert model.chat.own_api_key.get_secret_value() == key  # type: ignore[attr-defined]
    assert "0123456789" not in model.identity
    assert "key_env" not in model.identity


def test_an_address_in_the_environment_is_another_server_too(keyed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OWN_BASE_URL", "http://here:1/v1")
    assert load_model(keyed).chat.own_api_key.get_secret_value() == "none"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "option",
    [
        "api_key=abcdefgh",
        "own_api_key=abcdefgh",
        'default_headers={"Authorization":"abcdefgh"}',
        'default_headers={"X-Mine":"abcdefgh"}',
        'model_kwargs={"extra_headers":{"X-Mine":"abcdefgh"}}',
        'model_kwargs={"a":[{"auth_token":"abcdefgh"}]}',
        "endpoint=sk-abcdefgh",
        "password=abcdefgh",
    ],
)
def test_what_may_hold_a_key_is_refused_with_where_to_put_it(keyed: str, option: str) -> None:
    with pytest.raises(ValueError, match=r"must not be on the command line.*set OWN_API_KEY, or .*key_env=NAME") as no:
        load_model(f"{keyed}?{option}")
    assert "abcdefgh" not in str(no.value)


def test_a_class_without_keys_takes_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_SERVER_KEY", "mine-0123456789")
    with pytest.raises(ValueError, match="FakeListChatModel takes no key"):
        load_model(f'{FAKE}?responses=["x"]&key_env=MY_SERVER_KEY')


def test_a_key_in_a_reply_is_masked(keyed: str) -> None:
    chat = Keyed(script=lambda heard: calling(call("look", 1, what="own-0123456789"), text="I got own-0123456789."))
    reply = send(chat)
    assert reply.text == "I got [key]."
    reply = send(chat, Turn((Message("user", ("Go.",)),), tools=(TOOL,)))
    assert "0123456789" not in reply.text
    assert read_turn(reply.text).calls[0].arguments == {"what": "[key]"}


def test_without_its_package_google_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "langchain_google_genai", None)
    with pytest.raises(ValueError, match=r"pip install -e '\.\[google\]'"):
        load_model("google:gemini-2.5-flash")


def test_google_is_the_class_of_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    class ChatGoogleGenerativeAI(Puppet):
        model: str
        temperature: float = 0.7
        thinking_budget: int | None = None
        max_retries: int = 6

    package = ModuleType("langchain_google_genai")
    package.ChatGoogleGenerativeAI = lambda **options_suffix: made(**options_suffix)  # type: ignore[attr-defined]
    made = lambda **options_suffix: ChatGoogleGenerativeAI(script=lambda heard: AIMessage("Yes"), **options_suffix)  # noqa: E731
    package.ChatGoogleGenerativeAI.model_fields = ChatGoogleGenerativeAI.model_fields  # type: ignore[attr-defined]
    package.ChatGoogleGenerativeAI.__name__ = "ChatGoogleGenerativeAI"  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "langchain_google_genai", package)
    model = load_model("google:gemini-2.5-flash?thinking_budget=0")
    assert model.identity == "google:gemini-2.5-flash, thinking_budget 0"
    chat = model.chat  # type: ignore[attr-defined]
    assert (chat.model, chat.temperature, chat.thinking_budget, chat.max_retries) == ("gemini-2.5-flash", 0, 0, 1)
    assert asyncio.run(model.ask(request())).text == "Yes"


def test_words_and_pictures_are_sent_in_order() -> None:
    asked = (Message("system", ("Be brief.",)), Message("user", ("Look:", Sketch(), "Is it so?")), Message("user", ()))
    system, user = messages_of(asked)
    assert isinstance(system, SystemMessage)
    assert system.content == "Be brief."
    assert isinstance(user, HumanMessage)
    picture = {"type": "image", "base64": base64.b64encode(b"pixels").decode(), "mime_type": "image/png"}
    assert user.content == [{"type": "text", "text": "Look:"}, picture, {"type": "text", "text": "Is it so?"}]
    assert messages_of(asked) == [system, user]  # nothing random: servers keep prefixes


def test_tokens_and_the_end_of_the_budget_are_told() -> None:
    used = {"input_tokens": 120, "output_tokens": 3, "total_tokens": 123}
    reply = send(in_turn(AIMessage("Yes", usage_metadata=used, response_metadata={"finish_reason": "MAX_TOKENS"})))  # type: ignore[arg-type]
    assert (reply.text, reply.usage.prompt_tokens, reply.usage.completion_tokens) == ("Yes", 120, 3)
    assert reply.truncated
    reply = send(in_turn(AIMessage("Yes", response_metadata={"stop_reason": "end_turn"})))
    assert (reply.usage.prompt_tokens, reply.truncated) == (0, False)


def test_what_the_server_had_kept_is_told() -> None:
    used = {"input_tokens": 9, "output_tokens": 1, "total_tokens": 10, "input_token_details": {"cache_read": 7}}
    assert send(in_turn(AIMessage("Yes", usage_metadata=used))).usage.cached_tokens == 7  # type: ignore[arg-type]


def test_a_password_is_no_part_of_what_a_model_is_called() -> None:
    assert options_suffix({"base_url": "http://me:hush@host/v1", "model": "m"}) == ", base_url http://host/v1, model m"


def test_the_budget_is_that_of_the_class_where_it_has_one() -> None:
    class Frugal(Puppet):
        max_output_tokens: int | None = None

    some = [Frugal(script=lambda heard: AIMessage("Yes"), max_output_tokens=room) for room in (64, None)]
    assert [provider(chat).most_tokens(request(max_tokens=16)) for chat in some] == [64, 16 + THINKING_TOKENS]


def test_what_was_thought_aloud_is_no_part_of_the_reply() -> None:
    blocks: list[Any] = [{"type": "reasoning", "reasoning": "No?"}, {"type": "text", "text": "Yes"}]
    assert send(in_turn(AIMessage(blocks))).text == "Yes"


class Failed(Exception):
    """An error as clients raise them."""

    def __init__(self, said: str = "", **facts: Any) -> None:
        super().__init__(said)
        self.__dict__.update(facts)


def led_to(error: Exception) -> Exception:
    outer = RuntimeError("wrapped")
    outer.__cause__ = error
    return outer


@pytest.mark.parametrize(
    ("error", "slow_down", "retry_after", "down"),
    [
        (Failed(status_code=429), True, None, False),
        (Failed(status_code=429, response=SimpleNamespace(headers={"retry-after": "2.5"})), True, 2.5, False),
        (Failed(status_code=429, response=SimpleNamespace(headers={"retry-after": "soon"})), True, None, False),
        (Failed(code=503), False, None, False),
        (Failed(response=SimpleNamespace(status_code=500)), False, None, False),
        (led_to(Failed(http_status=529)), False, None, False),
        (Failed("who knows"), False, None, False),
        (TimeoutError(), False, None, False),
        (ConnectionResetError(), False, None, False),
        (led_to(ConnectionRefusedError()), False, None, True),
    ],
)
def test_what_can_pass_may_be_tried_again(
    error: Exception, slow_down: bool, retry_after: float | None, down: bool
) -> None:
    trouble = translated(error, "puppet")
    assert isinstance(trouble, Transient)
    assert (trouble.slow_down, trouble.retry_after, trouble.down) == (slow_down, retry_after, down)


@pytest.mark.parametrize(
    "error",
    [Failed(status_code=401), Failed(code=404), led_to(Failed(status=400)), TypeError("x"), NotImplementedError()],
)
def test_what_cannot_pass_is_refused(error: Exception) -> None:
    assert isinstance(translated(error, "puppet"), ModelRefused)


def test_no_key_is_told_when_something_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "hush-hush-hush")

    def failing(heard: Any) -> AIMessage:
        raise Failed("wrong key hush-hush-hush\nand Bearer abcdefghij", status_code=401)

    with pytest.raises(ModelRefused) as refused:
        send(Puppet(script=failing))
    assert "hush-hush" not in str(refused.value)
    assert "abcdefghij" not in str(refused.value)
    assert refused.value.__cause__ is None


def test_a_refusal_before_the_first_answer_stops_the_run() -> None:
    def failing(heard: Any) -> AIMessage:
        raise Failed("no such model", status_code=404)

    with pytest.raises(RunMustStop, match="no such model"):
        asyncio.run(ChatModel(provider(Puppet(script=failing))).ask(request()))


def test_a_turn_gives_tools_and_gets_calls() -> None:
    chat = in_turn(calling(call("look", 7), text="Let me see."))
    reply = send(chat, Turn((Message("user", ("Go.",)),), tools=(TOOL,)))
    assert [tool["function"]["name"] for tool in chat.tools[0]] == ["look"]
    said = read_turn(reply.text)
    assert (said.text, said.calls) == ("Let me see.", (Call("look", {}, "call_7"),))


def test_what_was_said_goes_back_as_it_was() -> None:
    signed = AIMessage(
        [{"type": "thinking", "thinking": "hm", "signature": "s1"}, {"type": "text", "text": "Let me see."}],
        tool_calls=[call("look", 7)],
        additional_kwargs={"thought": "s2"},
    )
    reply = send(in_turn(signed), Turn((Message("user", ("Go.",)),), tools=(TOOL,)))
    spoken, options_suffix = messages_of(
        (Message("assistant", (reply.text,)), Message("tool", ("call_7", "In view: r.")))
    )
    assert isinstance(spoken, AIMessage)
    assert (spoken.content, spoken.tool_calls) == (signed.content, signed.tool_calls)
    assert spoken.additional_kwargs == signed.additional_kwargs
    assert isinstance(options_suffix, ToolMessage)
    assert (options_suffix.tool_call_id, options_suffix.content) == ("call_7", "In view: r.")


def test_a_model_without_tools_says_so() -> None:
    model = load_model(f'{FAKE}?responses=["Yes"]')
    asked = Turn((Message("user", ("Go.",)),), tools=(TOOL,))
    with pytest.raises(RunMustStop, match="perhaps it cannot call tools"):
        asyncio.run(model.ask(asked))


def test_other_tools_are_another_request() -> None:
    turn, other = (Turn((Message("user", ("Go.",)),), tools=tools) for tools in ((), (TOOL,)))
    assert turn.fingerprint("m", looks=True) != other.fingerprint("m", looks=True)
    assert turn.fingerprint("m", looks=True) == Turn(turn.messages).fingerprint("m", looks=True)


calls = st.builds(
    Call, st.text(), st.dictionaries(st.text(), st.text() | st.lists(st.integers() | st.none())), st.text(), st.text()
)


@pytest.mark.slow
@given(st.text(), st.lists(calls))
def test_what_is_written_is_read(text: str, some: list[Call]) -> None:
    read = read_turn(write_turn(text, some))
    if "\\ud" not in write_turn(text, some):
        assert read == TurnReply(text, tuple(some), None)


@given(st.text() | st.sampled_from(['{"said": 1, "calls": [{}], "message": 2}', "[]", '{"calls": 3}', "[" * 100_000]))
def test_reading_a_turn_never_raises(text: str) -> None:
    assert isinstance(read_turn(text), TurnReply)


def test_halves_of_characters_do_not_get_through() -> None:
    said = read_turn(write_turn("\ud83d", [Call("look", {"x": "\udc00"})], None))
    assert (said.text, said.calls[0].arguments) == ("?", {"x": "?"})
