"""The gateway: what it is sent, what it refuses, and what it asks once for all."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from models import _filesystems
from models.base import (
    CapReached,
    Kind,
    Message,
    Model,
    ModelRefused,
    ModelUnavailable,
    Reply,
    Request,
    RunMustStop,
    Usage,
)
from models.budget import Budget
from models.cache import AnswerCache, DamagedCache
from models.conduct import Terms
from models.gateway.caps import Caps
from models.gateway.core import Gateway, NotServed, Pictures
from models.gateway.http import Gateways, HttpDoor
from models.gateway.ledger import Ledger
from models.gateway.opening import Held, HeldCache
from models.gateway.server import Server
from models.gateway.wire import (
    Unreadable,
    error_as_json,
    read_error,
    read_reply,
    read_request,
    reply_as_json,
    request_as_json,
)
from models.limiter import Limits
from models.prices import Price, Prices
from models.registry import load_model, routed
from models.turns import Turn
from tests.loopback import Loopback

TOKEN = "a-token-for-tests"


@dataclass(frozen=True)
class Shot:
    """A picture of a few bytes that counts how often it is sent."""

    content: bytes
    sent: list[int]

    @property
    def key(self) -> str:
        return "shot"

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()

    def png(self) -> bytes:
        self.sent.append(1)
        return self.content


def asking(text: str, *pictures: Any, **more: Any) -> Request:
    return Request((Message("user", (*pictures, text)),), **more)


texts = st.text(max_size=20)
requests = st.builds(
    Request,
    st.lists(st.builds(Message, texts, st.lists(texts, max_size=3).map(tuple)), max_size=3).map(tuple),
    kind=st.sampled_from(Kind),
    about=st.none() | texts,
    cot=st.booleans(),
    temperature=st.floats(0, 2),
    options=st.lists(texts, max_size=3).map(tuple),
    attempt=st.integers(0, 9),
)


# The first draw of a strategy is slow on a busy machine.
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(requests, st.lists(texts, max_size=2).map(tuple))
def test_a_request_is_the_same_after_its_journey(request: Request, tools: tuple[str, ...]) -> None:
    turn = Turn(request.messages, tools=tools, attempt=request.attempt)
    for sent in (request, turn):
        got = read_request(json.loads(json.dumps(request_as_json(sent))), lambda sha256: None)
        assert got == sent
        assert type(got) is type(sent)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.recursive(st.none() | st.booleans() | st.text(max_size=5), lambda inner: st.lists(inner) | st.dictionaries(
    st.sampled_from(["turn", "messages", "kind", "tools", "x"]), inner)))  # fmt: skip
def test_what_is_no_request_is_unreadable_and_nothing_worse(content: Any) -> None:
    with pytest.raises(Unreadable):
        read_request(content, lambda sha256: None)


@pytest.mark.parametrize(
    ("error", "comes_out_as"),
    [
        (CapReached("the cap"), CapReached),
        (ModelRefused("refused"), ModelUnavailable),
        (KeyError("a bug"), ModelUnavailable),
        (ValueError("no such model"), ValueError),
    ],
)
def test_an_error_keeps_its_meaning(error: Exception, comes_out_as: type[Exception]) -> None:
    got = read_error(json.loads(json.dumps(error_as_json(error))))
    assert type(got) is comes_out_as
    assert str(error) in str(got)


def test_a_reply_of_another_shape_is_not_taken() -> None:
    reply = Reply("Yes", Usage(3, 1, 0.5, 2), 0.75, 0.25, cached=True, seconds=1.5)
    assert read_reply(json.loads(json.dumps(reply_as_json(reply)))) == reply
    for content in (None, {}, {"text": 3}, {**reply_as_json(reply), "yes": 7}):
        with pytest.raises(Unreadable):
            read_reply(content)


def test_caps_are_those_of_the_first_who_asks_for_them() -> None:
    first = Caps().agreed(Caps(max_cost=5, per_minute=10))
    assert first.agreed(Caps(max_cost=5)) == first
    assert first.agreed(Caps()) == first
    assert first.agreed(Caps(max_tokens=9)).as_json() == {"max_cost": 5, "per_minute": 10, "max_tokens": 9}
    with pytest.raises(ValueError, match=r"--max-cost: the gateway has --max-cost 5 .* and this run asks for 6"):
        first.agreed(Caps(max_cost=6))
    with pytest.raises(ValueError, match="caps of another version"):
        Caps.read({"max_cost": "5"})


def test_pictures_are_kept_up_to_a_size_and_never_under_a_wrong_name() -> None:
    kept = Pictures(10)
    names = [hashlib.sha256(text).hexdigest() for text in (b"aaaa", b"bbbb", b"cccc")]
    kept.add(names[0], b"aaaa")
    kept.add(names[1], b"bbbb")
    assert kept.get(names[0]) == b"aaaa"  # and so b is the oldest
    kept.add(names[2], b"cccc")
    assert [kept.get(name) for name in names] == [b"aaaa", None, b"cccc"]
    assert kept.size == 8
    with pytest.raises(ValueError, match="are not those of picture"):
        kept.add(names[1], b"other")


MOUNTS = """\
/dev/sda1 / ext4 rw 0 0
server:/home /home nfs4 rw 0 0
/dev/sdb1 /home/local\\040disk xfs rw 0 0
scratch /scratch lustre rw 0 0
"""


@pytest.mark.parametrize(
    ("path", "network"),
    [
        ("/tmp/a.sqlite", None),
        ("/home/me/a.sqlite", "nfs4"),
        ("/home/local disk/a.sqlite", None),
        ("/homeless/a.sqlite", None),
        ("/scratch/a.sqlite", "lustre"),
    ],
)
def test_a_network_file_system_is_known_by_its_mount(
    path: str, network: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(MOUNTS)
    monkeypatch.setattr(_filesystems, "MOUNTS", mounts)
    assert _filesystems.network_of(Path(path)) == network
    if network:
        with pytest.raises(DamagedCache, match=f"is on a network file system \\({network}\\)"):
            AnswerCache.shared(Path(path))


def test_what_a_killed_gateway_spent_still_counts(tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path / "a.sqlite")
    cache.put("old", Reply("Yes", Usage(10, 5, 2.0)))
    assert Ledger(cache.path).begin() == (0.0, 0)
    cache.put("new", Reply("Yes", Usage(7, 1, 0.5)))
    assert Ledger(cache.path).begin() == (0.5, 8)
    Ledger(cache.path).end()
    assert Ledger(cache.path).begin() == (0.0, 0)
    cache.close()


def test_a_file_of_answers_has_one_gateway(tmp_path: Path) -> None:
    first = HeldCache.shared(tmp_path / "a.sqlite")
    with pytest.raises(Held, match="is used by another gateway"):
        HeldCache.shared(tmp_path / "a.sqlite")
    first.close()
    HeldCache.shared(tmp_path / "a.sqlite").close()


@asynccontextmanager
async def served(folder: Path, *allowed: str, terms: Terms | None = None, port: int = 0) -> AsyncIterator[str]:
    """The address of a gateway in this event loop."""
    server = Server(Gateway(lambda: AnswerCache(folder / "a.sqlite"), terms or Terms(), allowed), TOKEN)
    try:
        yield "http://{}:{}".format(*await server.start("127.0.0.1", port))
    finally:
        await server.close()


@asynccontextmanager
async def model_at(
    url: str, spec: str, token: str = TOKEN, terms: Terms | None = None, **caps: Any
) -> AsyncIterator[Model]:
    """The model behind a gateway. To load it blocks, and the gateway is in this event loop."""
    terms = terms or Terms(Limits(patience=5))
    gateways = replace(Gateways.read(url, Caps(**caps)), token=token)

    def load() -> Model:
        with routed(gateways.route(terms)):
            return load_model(spec)

    model = await asyncio.to_thread(load)
    try:
        yield model
    finally:
        await model.close()  # type: ignore[attr-defined]


@asynccontextmanager
async def models_at(count: int, url: str, spec: str) -> AsyncIterator[list[Model]]:
    """Several, as in several processes."""
    async with AsyncExitStack() as closing:
        yield [await closing.enter_async_context(model_at(url, spec)) for _ in range(count)]


def run(work: Callable[[Loopback, str], Coroutine[Any, Any, None]]) -> Loopback:
    with Loopback(lambda body: "Yes") as server:
        asyncio.run(work(server, f"openai:any@{server.url}"))
    return server


def test_equal_questions_of_several_processes_are_asked_once(tmp_path: Path) -> None:
    shot = Shot(b"picture", [])

    async def work(server: Loopback, spec: str) -> None:
        server.latency = 0.1
        async with served(tmp_path, spec) as url, models_at(3, url, spec) as models:
            assert {model.identity for model in models} == {load_model(spec).identity}
            replies = await asyncio.gather(*(model.ask(asking("a?", shot)) for model in models for _ in range(20)))
            assert {reply.text for reply in replies} == {"Yes"}
            assert sum(not reply.cached for reply in replies) == 1
            assert (await models[0].ask(asking("a?", shot))).cached
            await models[0].ask(asking("b?", shot))

    assert run(work).count == 2
    # Once for each model whose question came when the picture was not there yet.
    assert 1 <= len(shot.sent) <= 3


def test_several_gateways_share_the_questions_by_their_hash(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in "ab"]

    async def work(server: Loopback, spec: str) -> None:
        async with (
            served(folders[0], spec) as one,
            served(folders[1], spec) as other,
            models_at(2, f"{one},{other}", spec) as models,
        ):
            for model in models:
                await asyncio.gather(*(model.ask(asking(f"{number}?")) for number in range(40)))

    for folder in folders:
        folder.mkdir()
    assert run(work).count == 40
    caches = [AnswerCache(folder / "a.sqlite") for folder in folders]
    assert sum(map(len, caches)) == 40
    assert min(map(len, caches)) > 5
    for cache in caches:
        cache.close()


def test_a_gateway_that_comes_back_is_waited_for(tmp_path: Path) -> None:
    async def work(server: Loopback, spec: str) -> None:
        async with AsyncExitStack() as closing:
            async with served(tmp_path, spec) as url:
                model = await closing.enter_async_context(model_at(url, spec))
                await model.ask(asking("a?"))
            waiting = asyncio.create_task(model.ask(asking("b?")))
            await asyncio.sleep(0.5)
            assert not waiting.done()
            async with served(tmp_path, spec, port=int(url.rpartition(":")[2])):
                assert (await waiting).text == "Yes"
                assert (await model.ask(asking("a?"))).cached

    assert run(work).count == 2


def test_a_gateway_that_stays_away_stops_the_run(tmp_path: Path) -> None:
    async def work(server: Loopback, spec: str) -> None:
        async with AsyncExitStack() as closing:
            async with served(tmp_path, spec) as url:
                model = await closing.enter_async_context(model_at(url, spec, terms=Terms(Limits(patience=0.2))))
            with pytest.raises(RunMustStop, match=r"the gateway at \S+ has not answered for"):
                await model.ask(asking("a?"))

    run(work)


def priced(**caps: Any) -> Terms:
    """Terms under which every token costs a dollar."""
    return Terms(budget=Budget(**caps), prices=Prices({"openai": {"any": Price(1e6, 1e6, 1e6)}}))


def test_a_cap_holds_for_all_who_ask_through_the_gateway(tmp_path: Path) -> None:
    terms = priced(max_cost=3000)

    async def work(server: Loopback, spec: str) -> None:
        async def ask_on(models: list[Model]) -> None:
            for number in range(100):
                await asyncio.gather(*(model.ask(asking(f"{number} {id(model)}")) for model in models))

        async with served(tmp_path, spec, terms=terms) as url, models_at(2, url, spec) as models:
            with pytest.raises(CapReached, match="could exceed --max-cost 3000"):
                await ask_on(models)

    assert 2 <= run(work).count < 200
    assert 0 < terms.budget.cost <= 3000


def test_who_may_not_ask_is_told_so_in_one_line(tmp_path: Path) -> None:
    async def work(server: Loopback, spec: str) -> None:
        async def refused(*words: Any, **more: Any) -> str:
            with pytest.raises(ValueError, match=r"^[^\n]+$") as error:
                await AsyncExitStack().enter_async_context(model_at(*words, **more))
            return str(error.value)

        async with served(tmp_path, spec, terms=priced(max_cost=3000)) as url:
            assert "does not take this token" in await refused(url, spec, token="another")
            assert "does not take this token" in await refused(url, spec, token="")
            assert "--max-cost: the gateway has --max-cost 3000" in await refused(url, spec, max_cost=4)
            assert "does not ask openai:x@http://other" in await refused(url, "openai:x@http://other")
            assert "no key for openai" in await refused(url, "openai:gpt-4.1")
            assert "is no gateway of Plumbline" in await refused(server.root, spec)
            assert "no price is known for other" in await refused(url, f"openai:other@{server.url}")
        assert "start one with python -m models.gateway" in await refused(url, spec)

    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("OPENAI_API_KEY", raising=False)
        patch.setattr("models.gateway.core.needs_trust", lambda spec: "//other" in spec)
        run(work)


def test_models_that_answer_where_they_play_are_not_served(tmp_path: Path) -> None:
    async def work(server: Loopback, spec: str) -> None:
        gateway = Gateway(lambda: AnswerCache(tmp_path / "a.sqlite"), Terms())
        with pytest.raises(NotServed, match="answers where the episode is played"):
            await gateway.join("run", {}, "sim:gpt-4.1")
        await gateway.close()

    run(work)
    with routed(lambda spec: None):
        assert load_model("sim:gpt-4.1").simulated


def test_a_stranger_gets_no_further_than_the_token(tmp_path: Path) -> None:
    async def work(server: Loopback, spec: str) -> None:
        async with served(tmp_path, spec) as url:
            door = HttpDoor(Gateways.read(url, Caps()).addresses[0], "wrong", Terms())
            with pytest.raises(ModelRefused, match="does not take this token"):
                await door.keep("0" * 64, b"x" * 3_000_000)
            await door.close()
            host, port = url.removeprefix("http://").split(":")
            for sent, status in ((b"GET /status HTTP/1.1\r\n\r\n", b"401"), (b"nonsense\r\n\r\n", b"401")):
                reader, writer = await asyncio.open_connection(host, int(port))
                writer.write(sent)
                assert status in await reader.readline()
                writer.close()
                await writer.wait_closed()
            long = f"POST /ask HTTP/1.1\r\nauthorization: Bearer {TOKEN}\r\ncontent-length: {10**12}\r\n\r\n"
            reader, writer = await asyncio.open_connection(host, int(port))
            writer.write(long.encode())
            assert b"413" in await reader.readline()
            writer.close()
            await writer.wait_closed()

    assert run(work).count == 0
