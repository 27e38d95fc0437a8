"""The conduct of all endpoints: what is tried again, what is not, how fast, how long, and for how much."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from models.base import (
    Kind,
    Message,
    ModelRefused,
    ModelUnavailable,
    Reply,
    Request,
    RunMustStop,
    Transient,
    Usage,
)
from models.budget import Budget
from models.conduct import Conducted, Terms
from models.limiter import Endpoint, Limits, Window
from models.prices import Price, Prices, estimated_prompt, most_prompt, read_prices
from models.turns import Turn


class Scripted:
    """A provider whose every attempt is written down beforehand; the last line repeats."""

    identity = "openai:gpt-4.1"
    endpoint = "loopback"
    name = "gpt-4.1"

    def __init__(self, *script: Exception | Reply | float) -> None:
        self.script = list(script)
        self.sent = 0
        self.flying = 0
        self.most = 0

    async def send(self, request: Request) -> Reply:
        line = self.script[min(self.sent, len(self.script) - 1)]
        self.sent += 1
        self.flying += 1
        self.most = max(self.most, self.flying)
        try:
            await asyncio.sleep(line if isinstance(line, float) else 0)
        finally:
            self.flying -= 1
        if isinstance(line, Exception):
            raise line
        return line if isinstance(line, Reply) else Reply("Yes", Usage(100, 1))

    def most_tokens(self, request: Request) -> int:
        return request.max_tokens

    async def close(self) -> None:
        pass


YES = Reply("Yes", Usage(100, 1))
QUESTION = Request((Message("user", ("Is it?",)),), Kind.YES_NO, max_tokens=16)


def asked(provider: Scripted, terms: Terms | None = None, times: int = 1) -> list[Reply]:
    model = Conducted(provider, terms)

    async def ask() -> list[Reply]:
        async with asyncio.timeout(60):
            return list(await asyncio.gather(*(model.ask(QUESTION) for _ in range(times))))

    return asyncio.run(ask())


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pauses a hundredth as long."""
    monkeypatch.setattr("models.conduct.FIRST_PAUSE", 0.005)
    monkeypatch.setattr("models.limiter.LONGEST_WAIT", 0.05)


def test_what_can_pass_is_tried_again() -> None:
    provider = Scripted(Transient("busy"), Transient("busy"), YES)
    assert asked(provider)[0].text == "Yes"
    assert provider.sent == 3


def test_what_cannot_pass_is_not_tried_again_and_stops_a_run_that_never_got_an_answer() -> None:
    provider = Scripted(ModelRefused("the key is refused"))
    with pytest.raises(RunMustStop, match="the key is refused"):
        asked(provider)
    assert provider.sent == 1


def test_a_refusal_after_answers_costs_the_question_only() -> None:
    provider = Scripted(YES, ModelRefused("this picture is too large"))
    model = Conducted(provider)

    async def ask_twice() -> None:
        await model.ask(QUESTION)
        with pytest.raises(ModelRefused, match="too large"):
            await model.ask(QUESTION)

    asyncio.run(ask_twice())


def test_an_endpoint_that_never_recovers_is_given_up_as_unavailable() -> None:
    provider = Scripted(Transient("server error"))
    with pytest.raises(ModelUnavailable, match="did not answer in time: server error"):
        asked(provider, Terms(attempts=4))
    assert provider.sent == 4


def test_a_question_has_a_deadline() -> None:
    provider = Scripted(Transient("server error"))
    started = time.monotonic()
    with pytest.raises(ModelUnavailable):
        asked(provider, Terms(deadline=0.5, attempts=1000))
    assert time.monotonic() - started < 30
    assert provider.sent > 1


def test_an_attempt_that_hangs_is_cut_off_and_tried_again() -> None:
    provider = Scripted(5.0, YES)
    assert asked(provider, Terms(attempt_seconds=0.05))[0].text == "Yes"
    assert provider.sent == 2


def test_the_servers_own_pause_is_kept_by_all() -> None:
    provider = Scripted(Transient("slow down", retry_after=0.3, slow_down=True), YES)
    started = time.monotonic()
    asked(provider)
    assert time.monotonic() - started >= 0.3


def test_no_more_are_under_way_than_allowed() -> None:
    provider = Scripted(0.01)
    asked(provider, Terms(Limits(in_flight=5)), times=40)
    assert (provider.sent, provider.most) == (40, 5)


def test_being_told_to_slow_down_halves_the_pace_and_answers_bring_it_back() -> None:
    async def play() -> tuple[float, float]:
        endpoint = Endpoint("loopback", Limits(in_flight=16))
        for _ in range(2):
            with pytest.raises(Transient):
                async with endpoint.turn(1):
                    raise Transient("too many", slow_down=True)
        slow = endpoint.allowed
        for _ in range(200):
            async with endpoint.turn(1):
                pass
        return slow, endpoint.allowed

    slow, back = asyncio.run(play())
    assert slow == 4.0
    assert back > 14.0


def test_so_many_a_minute_and_no_more() -> None:
    window = Window(10)
    for _ in range(10):
        assert window.wait(1, 100.0) == 0.0
        window.take(1, 100.0)
    assert window.wait(1, 130.0) == 30.0
    assert window.wait(1, 160.1) == 0.0
    assert Window(None).wait(10**9, 0.0) == 0.0
    assert Window(5).wait(50, 0.0) == 0.0  # what never fits goes alone rather than never


def with_dead_server(
    recovers_after: int, **terms: Any
) -> tuple[Scripted, list[str], Callable[[], Coroutine[Any, Any, Any]]]:
    provider = Scripted(*[Transient("connection refused", down=True)] * recovers_after, YES)
    told: list[str] = []
    model = Conducted(provider, Terms(Limits(**terms.pop("limits", {})), notify=told.append, **terms))

    async def ask() -> list[Reply]:
        return list(await asyncio.gather(*(model.ask(QUESTION) for _ in range(20))))

    return provider, told, ask


def test_a_dead_endpoint_is_waited_for_and_everyone_gets_an_answer() -> None:
    _, told, ask = with_dead_server(30, attempts=2, deadline=0.01)
    assert [reply.text for reply in asyncio.run(ask())] == ["Yes"] * 20
    assert len(told) == 2
    assert "does not answer" in told[0]
    assert "answers again" in told[1]


def test_while_it_is_down_one_at_a_time_tries_the_door() -> None:
    provider, _, ask = with_dead_server(40)
    asyncio.run(ask())
    # The first twenty were on their way before anyone knew; after them it is one after the other.
    assert provider.sent == 40 + 20


def test_patience_ends() -> None:
    _, _, ask = with_dead_server(10**6, limits={"patience": 0.2})
    with pytest.raises(RunMustStop, match="has not answered for"):
        asyncio.run(ask())


def test_many_that_fail_at_once_make_nobody_wait_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("models.limiter.FIRST_WAIT", 0.01)
    monkeypatch.setattr("models.limiter.LONGEST_WAIT", 3600.0)
    provider = Scripted(*[Transient("refused", down=True)] * 20, YES)
    # Were each of the twenty a try of its own, the next would come an hour later.
    assert len(asked(provider, Terms(Limits(patience=10_000.0)), 20)) == 20


@pytest.mark.parametrize("questions", [1, 20])
def test_a_dead_endpoint_is_given_up_when_patience_ends_and_not_with_the_next_try(
    questions: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("models.limiter.FIRST_WAIT", 3600.0)
    monkeypatch.setattr("models.limiter.LONGEST_WAIT", 3600.0)
    with pytest.raises(RunMustStop, match=r"loopback has not answered for \d+ s \(--patience 0.5\)"):
        asked(Scripted(Transient("refused", down=True)), Terms(Limits(patience=0.5)), questions)


def test_one_failure_among_answers_is_no_dead_endpoint() -> None:
    provider = Scripted(Transient("refused", down=True), 0.3, 0.3, 0.3, YES)
    assert len(asked(provider, Terms(Limits(patience=0.0)), 4)) == 4


@pytest.mark.parametrize(("deadline", "patience"), [(0.3, 3600.0), (300.0, 0.3)])
@pytest.mark.parametrize("asks", [1_000_000.0, float("inf")])
def test_a_wait_without_end_is_cut_short_and_shown(deadline: float, patience: float, asks: float) -> None:
    told: list[str] = []
    provider = Scripted(Transient("busy", retry_after=asks, slow_down=True), YES)
    assert asked(provider, Terms(Limits(patience=patience), deadline=deadline, notify=told.append))[0].text == "Yes"
    assert provider.sent == 2
    assert len(told) == 1
    assert f"asks to wait {min(asks, 1e9):.0f} s: waiting 0.3 s" in told[0]


def test_who_only_ever_says_to_wait_is_given_up() -> None:
    busy = lambda: Transient("busy", retry_after=1e6, slow_down=True)  # noqa: E731
    with pytest.raises(ModelUnavailable, match="did not answer in time: busy"):
        asked(Scripted(*[busy() for _ in range(50)]), Terms(deadline=0.2))
    provider = Scripted(*[busy() for _ in range(50)])
    with pytest.raises(RunMustStop, match=r"only asked to wait for \d s \(--patience 0.1\)"):
        asked(provider, Terms(Limits(patience=0.1), deadline=300.0), 3)
    assert provider.sent < 12


def test_a_wait_that_is_short_is_not_worth_a_word() -> None:
    told: list[str] = []
    asked(Scripted(Transient("busy", retry_after=0.01), YES), Terms(notify=told.append))
    assert told == []


def test_a_hanging_attempt_is_cut_off_at_the_deadline() -> None:
    with pytest.raises(ModelUnavailable, match=r"no answer within 0.2 s"):
        asked(Scripted(60.0), Terms(deadline=0.2))


def test_standing_in_line_does_not_count() -> None:
    provider = Scripted(0.3, 0.3, 0.3, 0.3, Transient("busy"), YES)
    assert len(asked(provider, Terms(Limits(in_flight=1), deadline=1.0), 5)) == 5


def test_cancelling_a_question_makes_room() -> None:
    async def play() -> int:
        provider = Scripted(10.0)
        model = Conducted(provider, Terms(Limits(in_flight=1)))
        first = asyncio.create_task(model.ask(QUESTION))
        await asyncio.sleep(0.01)
        provider.script = [0.0]
        second = asyncio.create_task(model.ask(QUESTION))
        await asyncio.sleep(0.01)
        first.cancel()
        await second
        return provider.sent

    assert asyncio.run(play()) == 2


PRICES = Prices({"openai": {"gpt-4.1": Price(2.0, 0.5, 8.0)}})


def test_replies_carry_their_cost_and_the_budget_knows() -> None:
    terms = Terms(prices=PRICES)
    provider = Scripted(Reply("Yes", Usage(1_000_000, 1_000_000, cached_tokens=400_000)))
    reply = asked(provider, terms)[0]
    assert reply.usage.cost == pytest.approx(0.6 * 2.0 + 0.4 * 0.5 + 8.0)
    assert terms.budget.cost == reply.usage.cost
    assert terms.budget.tokens == 2_000_000


def test_a_cap_in_dollars_is_never_passed_however_many_ask_at_once() -> None:
    budget = Budget(max_cost=0.002)
    provider = Scripted(Reply("Yes", Usage(20, 16)))
    with pytest.raises(RunMustStop, match="--max-cost"):
        asked(provider, Terms(prices=PRICES, budget=budget), times=100)
    assert 0 < budget.cost <= 0.002
    assert provider.sent < 100


def test_a_cap_in_tokens_is_never_passed() -> None:
    budget = Budget(max_tokens=500)
    with pytest.raises(RunMustStop, match="--max-tokens"):
        asked(Scripted(Reply("Yes", Usage(10, 10))), Terms(budget=budget), times=100)
    assert 0 < budget.tokens <= 500


def test_attempts_that_fail_cost_nothing() -> None:
    budget = Budget(max_tokens=160)
    asked(Scripted(*[Transient("busy")] * 8, Reply("Yes", Usage(10, 10))), Terms(budget=budget))
    assert budget.tokens == 20


def test_prices_of_dated_names_and_of_a_users_own(tmp_path: Path) -> None:
    own = tmp_path / "prices.json"
    own.write_text(json.dumps({"openai": {"my-model": [1, 0.5, 2]}}))
    prices = read_prices(own)
    assert prices.find("openai", "my-model") == Price(1.0, 0.5, 2.0)
    assert prices.find("openai", "gpt-4.1-2025-04-14") == prices.find("openai", "gpt-4.1") is not None
    assert prices.find("anthropic", "claude-sonnet-4-5-20250929") is not None
    assert prices.find("openai", "unheard-of") is None


def test_descriptions_of_tools_are_set_aside_for_too() -> None:
    turn = Turn(QUESTION.messages, tools=("x" * 1000,))
    assert most_prompt(turn, "openai") == most_prompt(Request(QUESTION.messages), "openai") + 500
    assert estimated_prompt(turn, "openai") >= 250


@pytest.mark.parametrize("content", ["", "[]", '{"openai": {"m": [1]}}', '{"openai": {"m": ["dear", 1, 2]}}', "{"])
def test_prices_that_cannot_be_read_are_named(tmp_path: Path, content: str) -> None:
    (tmp_path / "mine.json").write_text(content)
    with pytest.raises(ValueError, match=r"mine\.json: cannot be read as prices"):
        read_prices(tmp_path / "mine.json")
