"""The cache of answers: nothing is asked twice, nothing else is given instead, and no failure is kept."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.base import Kind, Message, ModelUnavailable, Reply, Request, Usage
from models.cache import AnswerCache, CachedModel, DamagedCache
from models.scripted import Scripted, always
from planners.formula import Atom
from tests.conftest import ROOT
from tests.small_worlds import Sketch, about, request

WHOLE = Reply("Yes, grün 🟩", Usage(12, 3, 0.0004), yes=0.75, no=0.25, truncated=True, seconds=1.5)

requests = st.builds(
    Request,
    st.lists(
        st.builds(
            Message,
            st.sampled_from(["system", "user"]),
            st.lists(st.text(max_size=3) | st.builds(Sketch, st.text(max_size=2)), max_size=3).map(tuple),
        ),
        max_size=2,
    ).map(tuple),
    st.sampled_from(list(Kind)),
    st.none() | st.builds(Atom, st.sampled_from(["on", "clear"]), st.lists(st.sampled_from("rgb")).map(tuple)),
    cot=st.booleans(),
    max_tokens=st.integers(1, 3),
    temperature=st.sampled_from([0.0, 0.5, 1.0]),
)


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[AnswerCache]:
    cache = AnswerCache(tmp_path / "answers.sqlite")
    yield cache
    cache.close()


def test_the_second_time_nobody_is_asked(cache: AnswerCache) -> None:
    model = Scripted(always("Yes"))
    cached = CachedModel(model, cache)

    async def twice() -> list[Reply]:
        return [await cached.ask(about("on r,b")), await cached.ask(about("on r,b"))]

    first, second = asyncio.run(twice())
    assert len(model.asked) == 1
    assert (first.cached, second.cached) == (False, True)
    assert replace(second, cached=False) == first


def test_replies_that_come_together_are_one_transaction(cache: AnswerCache, tmp_path: Path) -> None:
    """To wait for the disk takes as long for one reply as for eight; each is on disk when its `keep` returns."""
    statements: list[str] = []
    cache._db.set_trace_callback(statements.append)
    other = AnswerCache(tmp_path / "answers.sqlite")

    async def keep(number: int) -> bool:
        await cache.keep(str(number), WHOLE)
        return other.get(str(number)) is not None

    async def keep_all() -> list[bool]:
        return await asyncio.gather(*map(keep, range(8)))

    assert asyncio.run(keep_all()) == [True] * 8
    assert statements.count("COMMIT") == 1
    other.close()


def test_a_reply_nobody_waits_for_any_more_is_kept(cache: AnswerCache, tmp_path: Path) -> None:
    async def leave() -> None:
        keeping = asyncio.create_task(cache.keep("key", WHOLE))
        await asyncio.sleep(0)
        keeping.cancel()

    asyncio.run(leave())
    cache.close()
    again = AnswerCache(tmp_path / "answers.sqlite")
    assert again.get("key") is not None
    again.close()


def test_a_reply_comes_back_whole(cache: AnswerCache, tmp_path: Path) -> None:
    cache.put("key", WHOLE)
    again = AnswerCache(tmp_path / "answers.sqlite")
    assert again.get("key") == replace(WHOLE, cached=True)
    assert again.get("another key") is None
    assert len(again) == 1
    again.close()


def test_it_outlives_the_process_that_asked(tmp_path: Path) -> None:
    model = Scripted(always("Yes"))
    for _ in range(2):
        cache = AnswerCache(tmp_path / "answers.sqlite")
        assert asyncio.run(CachedModel(model, cache).ask(about("on r,b"))).text == "Yes"
        cache.close()
    assert len(model.asked) == 1


@pytest.mark.parametrize(
    "other",
    [
        request("Is it sp?"),
        request("Is it so? "),
        request(picture=Sketch("another")),
        request(kind=Kind.YES_NO),
        request(about="on r,b"),
        request(cot=True),
        request(max_tokens=1023),
        request(temperature=0.1),
        Request((Message("system", ("Is it so?", Sketch())),)),
        Request((Message("user", (Sketch(), "Is it so?")),)),
        Request((Message("user", ("Is it", " so?", Sketch())),)),
        Request((Message("user", ("Is it so?",)), Message("user", (Sketch(),)))),
        Request((Message("user", ("Is it so?", Sketch(), Sketch())),)),
    ],
)
def test_any_change_is_another_question(cache: AnswerCache, other: Request) -> None:
    model = Scripted(always("Yes"))
    cached = CachedModel(model, cache)

    async def ask_both() -> None:
        await cached.ask(request())
        await cached.ask(other)

    asyncio.run(ask_both())
    assert len(model.asked) == 2


def test_another_model_is_asked_for_itself(cache: AnswerCache) -> None:
    one, other = Scripted(always("Yes"), "one"), Scripted(always("No"), "other")
    said = [asyncio.run(CachedModel(model, cache).ask(request())).text for model in (one, other)]
    assert said == ["Yes", "No"]


def test_where_in_the_episode_a_question_stands_makes_no_difference() -> None:
    here, there = about("on r,b", place="enumeration 0"), about("on r,b", place="precondition 3")
    assert here.fingerprint("model", looks=False) == there.fingerprint("model", looks=False)


def test_whoever_looks_is_keyed_by_bytes_and_others_by_the_scene() -> None:
    one, scene, drawn = Sketch("one", b"a"), Sketch("another", b"a"), Sketch("one", b"b")
    keys = {looks: [request(picture=p).fingerprint("m", looks=looks) for p in (one, scene, drawn)] for looks in (0, 1)}
    assert keys[1][0] == keys[1][1] != keys[1][2]
    assert keys[0][0] == keys[0][2] != keys[0][1]


@given(requests, requests)
def test_two_requests_share_a_fingerprint_only_if_they_are_equal(one: Request, other: Request) -> None:
    same = one.fingerprint("model", looks=False) == other.fingerprint("model", looks=False)
    assert same == (one == other)


def test_equal_questions_under_way_are_asked_once(cache: AnswerCache) -> None:
    asked = []

    class Slow(Scripted):
        async def ask(self, request: Request) -> Reply:
            asked.append(request)
            await asyncio.sleep(0.01)
            return Reply("Yes")

    cached = CachedModel(Slow(always("")), cache)

    async def at_once() -> list[Reply]:
        return await asyncio.gather(*(cached.ask(about("on r,b")) for _ in range(20)))

    replies = asyncio.run(at_once())
    assert len(asked) == 1
    assert {reply.text for reply in replies} == {"Yes"}
    assert sum(not reply.cached for reply in replies) == 1
    assert not cache.under_way


def test_a_failure_is_not_kept_and_can_be_tried_again(cache: AnswerCache) -> None:
    class Flaky(Scripted):
        async def ask(self, request: Request) -> Reply:
            self.asked.append(request)
            await asyncio.sleep(0)
            if len(self.asked) == 1:
                raise ModelUnavailable("down")
            return Reply("Yes")

    model = Flaky(always(""))
    cached = CachedModel(model, cache)

    async def twice() -> list[Reply | BaseException]:
        return await asyncio.gather(*(cached.ask(about("on r,b")) for _ in range(3)), return_exceptions=True)

    assert all(isinstance(reply, ModelUnavailable) for reply in asyncio.run(twice()))
    assert len(model.asked) == 1
    assert asyncio.run(cached.ask(about("on r,b"))).text == "Yes"
    assert len(cache) == 1


def test_who_waits_for_an_answer_is_not_given_up_with_who_asked(cache: AnswerCache) -> None:
    class Slow(Scripted):
        async def ask(self, request: Request) -> Reply:
            await asyncio.sleep(0.01)
            return Reply("Yes")

    cached = CachedModel(Slow(always("")), cache)

    async def give_up_the_first() -> Reply:
        first = asyncio.create_task(cached.ask(about("on r,b")))
        second = asyncio.create_task(cached.ask(about("on r,b")))
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        return await second

    assert asyncio.run(give_up_the_first()).text == "Yes"


def test_two_caches_share_one_file(cache: AnswerCache, tmp_path: Path) -> None:
    other = AnswerCache(tmp_path / "answers.sqlite")
    for number in range(50):
        (cache, other)[number % 2].put(str(number), WHOLE)
        assert (other, cache)[number % 2].get(str(number)) is not None
    assert len(cache) == len(other) == 50
    other.close()


def test_two_processes_share_one_file(tmp_path: Path) -> None:
    script = """
import sys
from pathlib import Path
from models.base import Reply
from models.cache import AnswerCache
cache = AnswerCache(Path(sys.argv[1]))
for number in range(200):
    cache.put(f"{sys.argv[2]} {number}", Reply("Yes"))
"""
    file = tmp_path / "answers.sqlite"
    commands = [[sys.executable, "-c", script, str(file), name] for name in ("one", "other")]
    running = [subprocess.Popen(command, cwd=ROOT) for command in commands]
    assert [process.wait(timeout=60) for process in running] == [0, 0]
    cache = AnswerCache(file)
    assert len(cache) == 400
    cache.close()


@pytest.mark.parametrize(
    "content", [b"this is no database, and it is long enough to be sure of that " * 20, b"\0" * 5000]
)
def test_a_file_that_is_no_cache_is_named(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "answers.sqlite"
    file.write_bytes(content)
    with pytest.raises(DamagedCache, match=r"answers\.sqlite is not a cache of answers .*; move it away"):
        AnswerCache(file)
    assert file.read_bytes() == content


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(DamagedCache, match="nowhere"):
        AnswerCache(tmp_path / "nowhere" / "answers.sqlite")


@pytest.mark.parametrize("row", ["", "{broken", "7", "null", "[]", '{"text": "Yes"}', '["Yes"]'])
def test_an_answer_that_cannot_be_read_is_asked_for_again(cache: AnswerCache, tmp_path: Path, row: str) -> None:
    key = request().fingerprint("scripted", looks=False)
    cache.put(key, Reply("No"))
    writer = sqlite3.connect(tmp_path / "answers.sqlite", isolation_level=None)
    writer.execute("UPDATE answers SET reply = ?", (row,))
    writer.close()
    assert asyncio.run(CachedModel(Scripted(always("Yes")), cache).ask(request())).text == "Yes"
    assert cache.get(key) == Reply("Yes", cached=True)


def test_an_answer_is_on_disk_when_it_is_kept(cache: AnswerCache, tmp_path: Path) -> None:
    cache.put("key", Reply("Yes"))
    reader = sqlite3.connect(tmp_path / "answers.sqlite")
    assert reader.execute("SELECT count(*) FROM answers").fetchone() == (1,)
    reader.close()
