"""Keys: which server is sent which, what is said without one, and where none of them ever turns up."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

from models.base import Message, ModelRefused, Provider, Transient
from models.conduct import Conducted
from models.registry import endpoint_of, load_model
from models.turns import Turn, read_turn
from tests.loopback import Fault, Loopback, always, in_turn
from tests.loopback_replies import Calling
from tests.models.asking import KEY, ask, question, without_ambient_settings

FAMILIES = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}
OWN = "my-server-0123456789"


@pytest.fixture(params=FAMILIES)
def family(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    without_ambient_settings(monkeypatch)
    monkeypatch.setenv(FAMILIES[request.param], KEY)
    monkeypatch.setenv("MY_SERVER_KEY", OWN)
    return str(request.param)


@pytest.fixture
def server() -> Iterator[Loopback]:
    with Loopback() as server:
        yield server


def reached(spec: str) -> Provider:
    model = load_model(spec)
    assert isinstance(model, Conducted)
    return model.provider


def sent(server: Loopback) -> str:
    """All that the server was sent, in one text."""
    return "\n".join(f"{seen.path} {seen.headers} {seen.content!r}" for seen in server.seen)


def test_a_providers_key_goes_to_no_other_server(server: Loopback, family: str) -> None:
    ask(reached(f"{family}:any@{server.url}"), question())
    assert KEY not in sent(server)
    assert not {"authorization", "x-api-key"} & set(server.seen[0].headers)


def test_nor_to_one_that_the_environment_names(server: Loopback, family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"{family.upper()}_BASE_URL", server.url)
    ask(reached(f"{family}:any"), question())
    assert KEY not in sent(server)


def test_nor_does_anything_else_of_the_account(server: Loopback, family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"{family.upper()}_CUSTOM_HEADERS", "X-Secret: hush-hush\nAuthorization: Bearer hush-again")
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "hush-token")
    monkeypatch.setenv("OPENAI_ADMIN_KEY", "hush-admin")
    ask(reached(f"{family}:any@{server.url}"), question())
    assert "hush" not in sent(server)
    ask(reached(f"{family}:any@{server.url}?key_env=MY_SERVER_KEY"), question())
    assert "hush" not in sent(server)
    assert server.seen[-1].headers["authorization"] == f"Bearer {OWN}"


def test_a_key_is_sent_where_the_user_says_so(server: Loopback, family: str) -> None:
    server.key = OWN
    provider = reached(f"{family}:any@{server.url}?key_env=MY_SERVER_KEY")
    assert ask(provider, question())[0].text == "Yes"
    assert KEY not in sent(server)
    assert OWN not in repr(vars(provider))
    assert provider.identity == reached(f"{family}:any@{server.url}").identity


def test_without_one_it_says_how_to_give_one(server: Loopback, family: str) -> None:
    server.key = OWN
    with pytest.raises(ModelRefused) as refused:
        ask(reached(f"{family}:any@{server.url}"), question())
    assert "?key_env=NAME" in str(refused.value)
    assert f"{FAMILIES[family]} is sent to {family} only" in str(refused.value)
    server.key = "another"
    with pytest.raises(ModelRefused, match=r"refused the key \(401\): set MY_SERVER_KEY"):
        ask(reached(f"{family}:any@{server.url}?key_env=MY_SERVER_KEY"), question())


@pytest.mark.parametrize("given", ["sk-0123456789abcdef", "AIzaSyAbc", "", "two words", "A" * 200])
def test_the_key_itself_is_refused_and_not_repeated(family: str, given: str) -> None:
    with pytest.raises(ValueError, match="the name of an environment variable") as refused:
        load_model(f"{family}:any@http://localhost?key_env={given}")
    assert not given or given not in str(refused.value)


def test_a_variable_that_is_not_set_is_named(family: str) -> None:
    with pytest.raises(ValueError, match="NO_SUCH_KEY is not set"):
        load_model(f"{family}:any@http://localhost?key_env=NO_SUCH_KEY")


@pytest.mark.parametrize(
    ("url", "home"),
    [
        ("https://api.{}.com/v1", True),
        ("https://API.{}.com:443/v1", True),
        ("https://eu.api.{}.com/v1", True),
        ("http://api.{}.com/v1", False),
        ("https://api.{}.com.evil.org/v1", False),
        ("https://evilapi.{}.com/v1", False),
        ("https://api.{}.com:8443/v1", False),
        ("https://api.{}.com@evil.org/v1", False),
    ],
)
def test_what_counts_as_the_providers_own_address(family: str, url: str, home: bool) -> None:
    provider = reached(f"{family}:any@{url.format(family)}")
    assert (KEY in provider._connection.secrets) is home  # type: ignore[attr-defined]


@pytest.mark.parametrize("elsewhere", ["http://localhost:{}/v1", "http://127.0.0.1:{}/v1"])
def test_a_redirect_to_another_server_is_refused_and_nothing_goes_there(
    server: Loopback, family: str, elsewhere: str
) -> None:
    with Loopback() as other:
        server.faults = always(Fault.REDIRECT)
        path = "/chat/completions" if family == "openai" else "/messages"
        server.location = elsewhere.format(other.port) + path
        with pytest.raises(ModelRefused, match=r"redirects to http://.*which is not followed") as refused:
            ask(reached(f"{family}:any@{server.url}?key_env=MY_SERVER_KEY"), question())
        assert str(other.port) in str(refused.value)
        assert (server.count, other.count) == (1, 0)


def test_a_redirect_within_the_server_is_followed(server: Loopback, family: str) -> None:
    server.faults = in_turn(Fault.REDIRECT)
    server.location = "/other/v1/chat/completions" if family == "openai" else "/other/v1/messages"
    assert ask(reached(f"{family}:any@{server.url}"), question())[0].text == "Yes"
    assert server.seen[1].path == server.location


def test_a_redirect_in_circles_is_given_up(server: Loopback, family: str) -> None:
    server.faults = always(Fault.REDIRECT)
    server.location = "/v1/messages"
    with pytest.raises(ModelRefused, match="redirects"):
        ask(reached(f"{family}:any@{server.url}"), question())


def echoing(server: Loopback) -> str:
    return " and ".join(f"{name}: {value}" for name, value in server.seen[-1].headers.items())


def test_a_server_that_repeats_what_it_got_gets_no_key_into_a_reply(server: Loopback, family: str) -> None:
    server.answer = lambda body: f"Yes, you sent {echoing(server)}"
    provider = reached(f"{family}:any@{server.url}?key_env=MY_SERVER_KEY&max_tokens=500")
    (reply,) = ask(provider, question())
    assert reply.text.startswith("Yes, you sent")
    assert "[key]" in reply.text
    assert OWN not in reply.text


def test_nor_into_what_is_called(server: Loopback, family: str) -> None:
    echo = '{"goal": ["' + OWN + '", {"' + OWN + '": 1}]}'
    server.answer = lambda body: Calling(OWN, (("c1", "plan", echo), ("c2", "plan", f"{OWN} [")))
    tool = '{"type": "function", "function": {"name": "plan"}}'
    provider = reached(f"{family}:any@{server.url}?key_env=MY_SERVER_KEY")
    (reply,) = ask(provider, Turn((Message("user", ("Go.",)),), tools=(tool,)))
    assert OWN not in reply.text
    assert read_turn(reply.text).calls[0].arguments == {"goal": ["[key]", {"[key]": 1}]}


def test_a_password_in_an_address_is_masked_too(server: Loopback, family: str) -> None:
    server.answer = lambda body: f"Yes: {echoing(server)}"
    provider = reached(f"{family}:any@{server.url.replace('//', '//me:hush-hush@')}?max_tokens=500")
    (reply,) = ask(provider, question())
    assert server.seen[0].headers["authorization"].startswith("Basic ")
    assert server.seen[0].headers["authorization"].split()[1] not in reply.text


def test_words_of_a_reply_are_left_alone(server: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    without_ambient_settings(monkeypatch)
    monkeypatch.setenv("DUMMY", "EMPTY")
    monkeypatch.setenv("KEYBOARD", "the table is empty")
    server.answer = lambda body: "EMPTY and\n the table is empty"
    (reply,) = ask(reached(f"openai:any@{server.url}?key_env=DUMMY"), question())
    assert reply.text == "EMPTY and\n the table is empty"


@pytest.mark.parametrize("fault", [Fault.TOO_MANY, Fault.UNAUTHORIZED, Fault.FORBIDDEN, Fault.MALFORMED, None])
def test_no_log_and_no_error_has_a_key(
    server: Loopback, family: str, fault: Fault | None, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    url = server.url.replace("//", "//me:hush-hush@")
    for spec in (f"{family}:any@{server.url}?key_env=MY_SERVER_KEY", f"{family}:any@{url}"):
        server.faults = in_turn(fault)
        try:
            ask(reached(spec), question())
        except (ModelRefused, Transient) as raised:
            assert fault
            error: BaseException | None = raised
            while error is not None:
                assert OWN not in f"{error!r} {vars(error)}"
                error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    assert OWN not in caplog.text
    assert "hush-hush" not in caplog.text


@pytest.mark.parametrize(
    ("spec", "host"),
    [
        ("openai:gpt-4.1", "api.openai.com"),
        ("openai:x@http://me:hush@GPU-1:8000/v1?max_tokens=9", "gpu-1:8000"),
        ("anthropic:claude", "api.anthropic.com"),
        ("anthropic:claude@https://proxy.example/v1", "proxy.example"),
        ("google:gemini-2.5-flash", "generativelanguage.googleapis.com"),
        ("google:gemini-2.5-flash?base_url=https://proxy.example", "proxy.example"),
        ("langchain:langchain_openai:ChatOpenAI?model=gpt-4.1", "api.openai.com"),
        ("langchain:langchain_openai:ChatOpenAI?base_url=http://here:1/v1", "here:1"),
        ("langchain:langchain_mistralai:ChatMistralAI", "langchain_mistralai:ChatMistralAI"),
        ("sim:gpt-4.1", None),
        ("oracle", None),
        ("scripted:Yes", None),
        ("hf:some/model", None),
    ],
)
def test_where_a_spec_leads_is_known_without_going_there(
    spec: str, host: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_ambient_settings(monkeypatch)
    assert endpoint_of(spec) == host


def test_where_a_spec_leads_depends_on_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    without_ambient_settings(monkeypatch)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://gateway:4000/v1")
    assert endpoint_of("openai:gpt-4.1") == "gateway:4000"
    assert endpoint_of("langchain:langchain_openai:ChatOpenAI") == "gateway:4000"
    with pytest.raises(ValueError, match="no model 'opneai'"):
        endpoint_of("opneai:gpt-4.1")
