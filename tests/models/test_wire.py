"""What goes wrong on the way to a server, told apart: both providers, against a real server on loopback."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from models._secrets import scrubbed
from models._wire import Rejected
from models.base import ModelRefused, Provider, Reply, RunMustStop, Transient
from models.conduct import Conducted, Terms
from models.limiter import Limits
from models.registry import load_model
from tests.loopback import Fault, Loopback, always, in_turn
from tests.models.asking import KEY, ask, question, without_ambient_settings

VARIABLES = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}


@pytest.fixture(params=VARIABLES)
def family(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    without_ambient_settings(monkeypatch)
    monkeypatch.setenv(VARIABLES[request.param], KEY)
    return str(request.param)


@pytest.fixture
def server() -> Iterator[Loopback]:
    with Loopback(lambda body: "Yes") as server:
        yield server


@pytest.fixture
def provider(family: str, server: Loopback) -> Provider:
    return reached(f"{family}:some-model@{server.url}?key_env={VARIABLES[family]}")


def reached(spec: str) -> Provider:
    model = load_model(spec)
    assert isinstance(model, Conducted)
    return model.provider


PASSING: dict[Fault, dict[str, object]] = {
    Fault.TOO_MANY: {"slow_down": True},
    Fault.TOO_MANY_WAIT: {"slow_down": True, "retry_after": 0.05},
    Fault.OVERLOADED: {"slow_down": True},
    Fault.TIMEOUT: {},
    Fault.BROKEN: {},
    Fault.UNAVAILABLE: {},
    Fault.RESET: {},
    Fault.CUT: {},
    Fault.HALF: {},
    Fault.EMPTY: {},
    Fault.NO_REPLY: {},
}


@pytest.mark.parametrize("fault", PASSING)
def test_what_may_pass_is_told_from_what_will_not(server: Loopback, provider: Provider, fault: Fault) -> None:
    server.faults = in_turn(fault)

    async def twice() -> Reply:
        with pytest.raises(Transient) as trouble:
            await provider.send(question())
        error = trouble.value
        expected: dict[str, object] = {"slow_down": False, "retry_after": None, "down": False, **PASSING[fault]}
        assert {name: getattr(error, name) for name in expected} == expected
        assert "127.0.0.1" in str(error)
        assert KEY not in str(error)
        assert error.__suppress_context__ or error.__context__ is None  # what the client raised holds the key
        reply = await provider.send(question())
        await provider.close()
        return reply

    assert asyncio.run(twice()).text == "Yes"


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (Fault.UNAUTHORIZED, "refused the key (401): set {variable}"),
        (Fault.FORBIDDEN, "does not let this key use 'some-model' (403)"),
        (Fault.NOT_FOUND, "has no such model or address (404): check the name 'some-model'"),
        (Fault.MALFORMED, "refused the request (400)"),
        (Fault.NO_CREDIT, "no credit left (429)"),
    ],
)
def test_what_will_not_pass_says_what_to_do_and_keeps_the_key(
    server: Loopback, family: str, provider: Provider, fault: Fault, words: str
) -> None:
    server.faults = always(fault)
    with pytest.raises(ModelRefused) as refused:
        ask(provider, question())
    assert words.format(variable=VARIABLES[family]) in str(refused.value)
    assert KEY not in str(refused.value)
    assert KEY not in repr(vars(refused.value))
    assert "\n" not in str(refused.value)
    assert server.count == 1


def test_a_slow_answer_is_an_answer_until_time_is_up(server: Loopback, family: str, provider: Provider) -> None:
    server.faults = always(Fault.SLOW)
    assert ask(provider, question())[0].text == "Yes"
    server.slowness = 3.0
    with pytest.raises(Transient, match="no answer within 1 s"):
        ask(reached(f"{family}:some-model@{server.url}?timeout=1"), question())


def test_a_server_that_is_gone_is_down_and_comes_back(server: Loopback, provider: Provider) -> None:
    async def away_and_back() -> Reply:
        assert (await provider.send(question())).text == "Yes"
        server.stop()
        for _ in range(2):  # the first may find the connection it had dropped
            with pytest.raises(Transient) as trouble:
                await provider.send(question())
        assert trouble.value.down
        server.start()
        reply = await provider.send(question())
        await provider.close()
        return reply

    assert asyncio.run(away_and_back()).text == "Yes"


def test_a_server_that_lets_nobody_in_is_given_up_in_time(family: str) -> None:
    with socket.socket() as full, contextlib.ExitStack() as waiting:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        for _ in range(4):  # its queue is full, and whoever comes next hears nothing at all
            knock = waiting.enter_context(socket.socket())
            knock.setblocking(False)
            knock.connect_ex(full.getsockname())
        model = load_model(f"{family}:some-model@http://127.0.0.1:{full.getsockname()[1]}")
        assert isinstance(model, Conducted)
        model.use_terms(Terms(Limits(patience=0.5)))

        async def ask_it() -> None:
            try:
                await model.ask(question())
            finally:
                await model.close()

        with pytest.raises(RunMustStop, match=r"has not answered for \d s"):
            asyncio.run(ask_it())
        assert model.provider._connection.connect_seconds == 0.5  # type: ignore[attr-defined]


def test_the_wait_may_be_a_date_or_nonsense(server: Loopback, provider: Provider) -> None:
    server.faults = always(Fault.TOO_MANY_WAIT)
    waits = {}
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    for told in (later, "soon", "-5", "inf", "2"):
        server.retry_after = told
        with pytest.raises(Transient) as trouble:
            ask(provider, question())
        waits[told] = trouble.value.retry_after
    assert 20 < (waits.pop(later) or 0) <= 30
    assert waits == {"soon": None, "-5": 0.0, "inf": None, "2": 2.0}


@pytest.mark.parametrize(
    ("body", "blamed"),
    [
        ("Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead.", "max_tokens"),
        ("`temperature` is deprecated for this model.", "temperature"),
        ("temperature may only be set to 1 when thinking is enabled", "temperature"),
        ("You are not allowed to request logprobs from this model", "logprobs"),
        ('{"detail":[{"loc":["body","logprobs"],"msg":"Extra inputs are not permitted"}]}', "logprobs"),
        ("'max_tokens' is too large: 1024. The maximum context length is 512 tokens.", None),
        ("This model does not support pictures.", None),
        ("", None),
    ],
)
def test_only_a_parameter_that_is_not_taken_is_blamed(body: str, blamed: str | None) -> None:
    assert Rejected("refused", body).blames(["max_tokens", "temperature", "logprobs"]) == blamed


def test_keys_are_struck_out_wherever_they_come_from(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_SERVICE_TOKEN", "abcdef-123456")
    told = "my own-secret,\nabcdef-123456; Incorrect key sk-proj-abc*****xyz, Authorization: Bearer abc.def"
    assert scrubbed(told, ["own-secret"]) == "my [key], [key]; Incorrect key [key], Authorization: [key]"
    assert scrubbed("plain words, sk-1 and a bearer of news") == "plain words, sk-1 and a bearer of news"


def test_many_at_once_share_the_server(server: Loopback, provider: Provider) -> None:
    replies = ask(provider, *(question(str(number)) for number in range(100)), at_once=True)
    assert [reply.text for reply in replies] == ["Yes"] * 100
