"""Replies with status 200 that are none are the endpoint's fault: tried again, never kept, never the model's words."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage

from models.base import ModelUnavailable, Reply, Request, Transient, Usage
from models.cache import AnswerCache, CachedModel
from models.conduct import Conducted, Terms
from models.langchain import LangChainChat
from models.registry import load_model
from models.scripted import Scripted, always
from tests.handy import Puppet
from tests.loopback import Loopback
from tests.models.asking import question, without_ambient_settings
from tests.models.malformed import ANTHROPIC, OPENAI

ALL = [("openai", name) for name in OPENAI] + [("anthropic", name) for name in ANTHROPIC]
MANGLED = {"openai": OPENAI, "anthropic": ANTHROPIC}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Loopback]:
    without_ambient_settings(monkeypatch)
    monkeypatch.setattr("models.conduct.FIRST_PAUSE", 0.001)
    with Loopback() as server:
        yield server


def network(server: Loopback, family: str, **terms: Any) -> Conducted:
    model = load_model(f"{family}:some-model@{server.url}")
    assert isinstance(model, Conducted)
    model.use_terms(Terms(**terms))
    return model


@pytest.mark.parametrize(("family", "name"), ALL)
def test_it_is_tried_again_and_never_kept(server: Loopback, tmp_path: Path, family: str, name: str) -> None:
    server.mangle = MANGLED[family][name]
    model, cache = network(server, family, attempts=2), AnswerCache(tmp_path / "answers.sqlite")

    async def ill_and_well() -> Reply:
        cached = CachedModel(model, cache)
        with pytest.raises(ModelUnavailable) as trouble:
            await cached.ask(question())
        assert isinstance(trouble.value.__cause__, Transient)
        assert "127.0.0.1" in str(trouble.value)
        assert "\n" not in str(trouble.value)
        assert (server.count, len(cache), model.answered) == (2, 0, 0)
        server.mangle = None
        reply = await cached.ask(question())
        await model.close()
        return reply

    assert asyncio.run(ill_and_well()).text == "Yes"
    assert len(cache) == 1
    cache.close()


@pytest.mark.parametrize(
    "usage",
    [None, {}, {"prompt_tokens": None}, {"prompt_tokens": 12.0}, {"prompt_tokens": 3, "prompt_tokens_details": None}],
)
def test_what_servers_leave_out_is_no_fault(server: Loopback, usage: object) -> None:
    server.mangle = lambda reply: {**reply, "usage": usage}
    model = network(server, "openai")

    async def ask() -> Reply:
        reply = await model.ask(question())
        await model.close()
        return reply

    reply = asyncio.run(ask())
    assert reply.text == "Yes"
    assert reply.usage.prompt_tokens in (0, 3, 12)


@pytest.mark.parametrize(
    "used",
    [
        {"input_tokens": -1, "output_tokens": 1, "total_tokens": 0},
        {"input_tokens": 10**12, "output_tokens": 1, "total_tokens": 0},
    ],
)
def test_langchains_classes_are_checked_too(used: dict[str, int]) -> None:
    chat = Puppet(script=lambda heard: AIMessage("Yes", usage_metadata=used))  # type: ignore[arg-type]
    with pytest.raises(Transient, match="malformed reply: input_tokens is"):
        asyncio.run(LangChainChat(chat, "puppet", "nowhere", "puppet").send(question()))


ROWS: dict[str, object] = {
    "the text is a number": [7, [1, 1, 0.0], None, None, False, 0.0],
    "the text is missing": [None, [1, 1, 0.0], None, None, False, 0.0],
    "tokens are negative": ["No", [-1, 1, 0.0], None, None, False, 0.0],
    "tokens are true": ["No", [True, 1, 0.0], None, None, False, 0.0],
    "tokens are a text": ["No", ["1", 1, 0.0], None, None, False, 0.0],
    "the cost is not a number": ["No", [1, 1, float("nan")], None, None, False, 0.0],
    "a probability is above 1": ["No", [1, 1, 0.0], 1.5, None, False, 0.0],
    "a probability is a text": ["No", [1, 1, 0.0], "high", None, False, 0.0],
    "cut off is a text": ["No", [1, 1, 0.0], None, None, "no", 0.0],
    "the time is without end": ["No", [1, 1, 0.0], None, None, False, float("inf")],
    "usage is a text": ["No", "abc", None, None, False, 0.0],
}


@pytest.mark.parametrize("name", ROWS)
def test_a_bad_row_of_a_cache_is_asked_for_again(tmp_path: Path, name: str) -> None:
    file, asked = tmp_path / "answers.sqlite", question()
    cache, model = AnswerCache(file), Scripted(always("Yes"))
    key = asked.fingerprint(model.identity, looks=model.looks)
    cache.put(key, Reply("No"))
    writer = sqlite3.connect(file, isolation_level=None)
    writer.execute("UPDATE answers SET reply = ?", (json.dumps(ROWS[name]),))
    writer.close()
    assert asyncio.run(CachedModel(model, cache).ask(asked)).text == "Yes"
    assert cache.get(key) == Reply("Yes", cached=True)
    cache.close()


@pytest.mark.parametrize("reply", [Reply(7), Reply("Yes", Usage(-1)), Reply("Yes", yes=float("nan"))])  # type: ignore[arg-type]
def test_a_model_of_ones_own_is_held_to_it_too(tmp_path: Path, reply: Reply) -> None:
    def script(request: Request) -> Reply:
        return reply

    cache = AnswerCache(tmp_path / "answers.sqlite")
    with pytest.raises(ModelUnavailable, match="scripted gave a malformed reply"):
        asyncio.run(CachedModel(Scripted(script), cache).ask(question()))
    assert len(cache) == 0
    cache.close()
