"""Batches against a server that speaks both batch APIs: what goes in, what comes back, and what goes wrong."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from models.base import CapReached, ModelRefused, ModelUnavailable, Reply, Request, RunMustStop
from models.batching import Batched, BatchStore, Gathering
from models.budget import Budget
from models.conduct import Conducted, Terms
from models.limiter import Limits
from models.registry import load_model
from tests.lessons import question_of
from tests.loopback import Fault, Loopback, in_turn
from tests.loopback_batches import Fate
from tests.models.asking import KEY, question, without_ambient_settings

pytestmark = pytest.mark.usefixtures("alone")
SPECS = {"openai": "openai:gpt-4.1@{url}", "anthropic": "anthropic:claude-sonnet-4-5@{url}"}
WORDS = [f"Is block {number} clear?" for number in range(12)]


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    without_ambient_settings(monkeypatch)
    monkeypatch.setattr("models.conduct.FIRST_PAUSE", 0.02)


@pytest.fixture
def server() -> Iterator[Loopback]:
    with Loopback(answer) as server:
        yield server


@pytest.fixture(params=sorted(SPECS))
def spec(request: pytest.FixtureRequest) -> str:
    return SPECS[request.param]


def answer(body: dict[str, Any]) -> str:
    """A reply that tells which question it belongs to."""
    found = re.search(r"\d+", question_of(body))
    return f"Yes, {found[0] if found else question_of(body)}"


def conducted(server: Loopback, spec: str, **terms: Any) -> Conducted:
    model = load_model(spec.format(url=server.url))
    assert isinstance(model, Conducted)
    model.use_terms(Terms(limits=Limits(patience=2.0), deadline=5.0, **terms))
    return model


def asked(
    server: Loopback,
    spec: str,
    store: Path,
    words: list[str] = WORDS,
    *,
    gathering: Gathering | None = None,
    plain: bool = False,
    all_kept: bool = True,
    meanwhile: Callable[[], None] = lambda: None,
    **terms: Any,
) -> list[Reply | BaseException]:
    """The replies to all questions, asked at once, after one that goes out alone."""
    model = conducted(server, spec, **terms)
    kept = BatchStore(store)
    batched = Batched(model, kept, gathering or Gathering(wait=0.05), plain=plain)

    async def run() -> list[Reply | BaseException]:
        try:
            async with asyncio.timeout(30):
                await model.ask(question("first"))
                tasks = [asyncio.create_task(batched.ask(question(text))) for text in words]
                await asyncio.sleep(0)
                meanwhile()
                return await asyncio.gather(*tasks, return_exceptions=True)
        finally:
            await batched.close()

    try:
        return asyncio.run(run())
    finally:
        kept.close(lambda key: all_kept)


def texts(replies: list[Reply | BaseException]) -> list[str]:
    return [reply.text if isinstance(reply, Reply) else f"{type(reply).__name__}: {reply}" for reply in replies]


EXPECTED = [f"Yes, {number}" for number in range(12)]


def places(server: Loopback) -> list[int]:
    """In how many batches each request was."""
    return sorted(len(batches) for batches in server.desk.places.values())


def test_one_round_is_one_batch_at_half_the_price(server: Loopback, spec: str, tmp_path: Path) -> None:
    said: list[str] = []
    replies = asked(server, spec, tmp_path / "a", notify=said.append)
    assert texts(replies) == EXPECTED
    assert [len(batch.requests) for batch in server.desk.batches] == [12]

    async def plainly() -> Reply:
        model = conducted(server, spec)
        try:
            await model.ask(question(WORDS[3]))
            return await model.ask(question(WORDS[3]))
        finally:
            await model.close()

    alone = asyncio.run(plainly())
    assert isinstance(replies[3], Reply)
    assert alone.text == replies[3].text
    assert alone.yes == replies[3].yes
    # What the server keeps of a prompt differs between the two; at the same usage the batch costs half.
    price = conducted(server, spec)._price
    assert price is not None
    assert replies[3].usage.cost == pytest.approx(price.of(replies[3].usage) / 2)
    assert replies[3].usage.cost > 0
    assert any("12 requests sent to" in text for text in said)
    assert not BatchStore.path_for(tmp_path / "a").exists()


def test_a_round_larger_than_a_batch(
    server: Loopback, spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("_openai_batches.OpenAIBatches", "_anthropic_batches.AnthropicBatches"):
        monkeypatch.setattr(f"models.{name}.most_requests", 5)
    assert texts(asked(server, spec, tmp_path / "a")) == EXPECTED
    assert [len(batch.requests) for batch in server.desk.batches] == [5, 5, 2]


def test_large_requests_are_sent_before_all_are_written(
    server: Loopback, spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("_openai_batches.OpenAIBatches", "_anthropic_batches.AnthropicBatches"):
        monkeypatch.setattr(f"models.{name}.most_bytes", 1500)
    assert texts(asked(server, spec, tmp_path / "a")) == EXPECTED
    assert len(server.desk.batches) > 2
    assert places(server) == [1] * 12


def test_few_requests_make_no_batch(server: Loopback, spec: str, tmp_path: Path) -> None:
    assert texts(asked(server, spec, tmp_path / "a", gathering=Gathering(0.05, least=13))) == EXPECTED
    assert not server.desk.batches
    assert texts(asked(server, spec, tmp_path / "b", gathering=Gathering(0.05, least=12))) == EXPECTED
    assert len(server.desk.batches) == 1


@pytest.mark.parametrize("fate", [Fate.EXPIRED, Fate.ERROR, Fate.MISSING, Fate.MALFORMED, Fate.NONSENSE], ids=str)
def test_what_a_batch_does_not_answer_goes_into_another(
    server: Loopback, spec: str, tmp_path: Path, fate: Fate
) -> None:
    server.desk.fate = lambda batch, place: fate if batch == 0 and place % 3 == 0 else None
    assert texts(asked(server, spec, tmp_path / "a")) == EXPECTED
    assert [len(batch.requests) for batch in server.desk.batches] == [12, 4]
    assert places(server) == [1] * 8 + [2] * 4


def test_what_a_batch_does_not_answer_is_asked_plainly_on_request(server: Loopback, spec: str, tmp_path: Path) -> None:
    server.desk.fate = lambda batch, place: Fate.EXPIRED if place % 3 == 0 else None
    replies = asked(server, spec, tmp_path / "a", plain=True)
    assert texts(replies) == EXPECTED
    assert len(server.desk.batches) == 1
    costs = [reply.usage.cost for reply in replies if isinstance(reply, Reply)]
    assert costs[3] > 1.5 * costs[4]


def test_what_no_batch_answers_is_nobodys_fault(server: Loopback, spec: str, tmp_path: Path) -> None:
    server.desk.fate = lambda batch, place: Fate.EXPIRED
    replies = asked(server, spec, tmp_path / "a", WORDS[:2])
    assert all(isinstance(reply, ModelUnavailable) for reply in replies)
    assert "no answer in 3 batches" in str(replies[0])
    assert len(server.desk.batches) == 3


def test_a_request_that_is_refused_is_not_sent_again(server: Loopback, spec: str, tmp_path: Path) -> None:
    server.desk.fate = lambda batch, place: Fate.REFUSED if place == 2 else None
    replies = asked(server, spec, tmp_path / "a")
    assert isinstance(replies[2], ModelRefused)
    assert "no picture" in str(replies[2])
    assert len(server.desk.batches) == 1


def test_a_parameter_that_is_not_taken_is_left_out(server: Loopback, spec: str, tmp_path: Path) -> None:
    """Found by a batch here: the request that goes out first has none of it."""

    def refuse() -> None:
        server.refuses = {"temperature"}

    assert texts(asked(server, spec, tmp_path / "a", meanwhile=refuse)) == EXPECTED
    assert [len(batch.requests) for batch in server.desk.batches] == [12, 12]
    assert not any("temperature" in body for _, body in server.desk.batches[1].requests)


def test_lines_that_come_twice_count_once(server: Loopback, spec: str, tmp_path: Path) -> None:
    server.desk.fate = lambda batch, place: Fate.TWICE
    assert texts(asked(server, spec, tmp_path / "a")) == EXPECTED
    assert places(server) == [1] * 12


def test_a_download_that_breaks_off_is_read_again(server: Loopback, spec: str, tmp_path: Path) -> None:
    server.desk.broken_downloads = 1
    assert texts(asked(server, spec, tmp_path / "a")) == EXPECTED
    assert places(server) == [1] * 12
    assert server.desk.downloads == 2


def test_an_answer_that_is_lost_does_not_make_a_second_batch(server: Loopback, spec: str, tmp_path: Path) -> None:
    server.desk.lose_creations = 1
    assert texts(asked(server, spec, tmp_path / "a")) == EXPECTED
    assert len(server.desk.batches) == 1


def test_faults_of_the_endpoint_are_tried_again(server: Loopback, spec: str, tmp_path: Path) -> None:
    schedule = [Fault.TOO_MANY, None, Fault.RESET, Fault.BROKEN, None, Fault.CUT, Fault.UNAVAILABLE]

    def go_wrong() -> None:
        server.faults = in_turn(*schedule)

    assert texts(asked(server, spec, tmp_path / "a", meanwhile=go_wrong)) == EXPECTED
    assert places(server) == [1] * 12


def test_a_batch_that_does_not_fit_is_sent_in_smaller_ones(server: Loopback, tmp_path: Path) -> None:
    server.desk.full_from = 4
    assert texts(asked(server, SPECS["openai"], tmp_path / "a")) == EXPECTED
    taken = [len(batch.requests) for batch in server.desk.batches if not batch.failure]
    assert max(taken) == 3
    assert places(server) == [1] * 12


def test_a_server_without_batches_is_named(server: Loopback, spec: str, tmp_path: Path) -> None:
    server.desk.respond = lambda *words: None  # type: ignore[method-assign]
    replies = asked(server, spec, tmp_path / "a", WORDS[:2])
    assert all(isinstance(reply, RunMustStop) and "leave out --batch" in str(reply) for reply in replies)


def test_a_wrong_key_is_found_before_a_batch_is_sent(
    server: Loopback, spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    server.key = "sk-another-key-000000"
    model = load_model(f"{spec.format(url=server.url)}?key_env=MY_KEY")
    assert isinstance(model, Conducted)
    store = BatchStore(tmp_path / "a")
    batched = Batched(model, store, Gathering(0.05))

    async def run() -> None:
        try:
            await batched.ask(question())
        finally:
            await batched.close()

    with pytest.raises(RunMustStop, match="401") as stopped:
        asyncio.run(run())
    assert KEY not in str(stopped.value)
    assert not server.desk.batches
    store.close()


def test_no_key_is_kept_on_disk(server: Loopback, spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that sends back what it got, key included."""
    monkeypatch.setenv("MY_KEY", KEY)
    server.answer = lambda body: f"Yes {KEY}"
    said: list[str] = []
    replies = asked(server, f"{spec}?key_env=MY_KEY", tmp_path / "a", notify=said.append)
    assert texts(replies) == ["Yes [key]"] * 12
    assert KEY not in "".join(said)
    assert all(KEY.encode() not in file.read_bytes() for file in tmp_path.iterdir())


def test_a_cap_is_waited_for_while_something_can_be_given_back(server: Loopback, spec: str, tmp_path: Path) -> None:
    """Each request may take more than it does: they go out in several batches, and all fit under the cap."""
    budget = Budget(max_tokens=8000)
    assert texts(asked(server, spec, tmp_path / "a", budget=budget)) == EXPECTED
    assert len(server.desk.batches) > 1
    assert places(server) == [1] * 12
    assert 6000 < budget.tokens <= 8000


def test_a_cap_that_leaves_no_room_ends_the_run(server: Loopback, spec: str, tmp_path: Path) -> None:
    budget = Budget(max_tokens=3000)
    replies = asked(server, spec, tmp_path / "a", budget=budget)
    assert any(isinstance(reply, CapReached) for reply in replies)
    assert budget.tokens <= 3000


def interrupted(server: Loopback, spec: str, store: Path) -> None:
    """Ask and stop before the batch has ended."""
    server.desk.hold()
    kept = BatchStore(store)
    model = conducted(server, spec)
    batched = Batched(model, kept, Gathering(0.05))

    async def run() -> None:
        await model.ask(question("first"))
        tasks = [asyncio.create_task(batched.ask(question(text))) for text in WORDS]
        async with asyncio.timeout(10):
            while not server.desk.batches:  # noqa: ASYNC110 - the server is in another thread
                await asyncio.sleep(0.02)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await batched.close()

    asyncio.run(run())
    kept.close()
    server.desk.release()


def test_a_batch_under_way_is_collected_by_the_next_run(server: Loopback, spec: str, tmp_path: Path) -> None:
    interrupted(server, spec, tmp_path / "a")
    assert BatchStore.path_for(tmp_path / "a").exists()
    assert texts(asked(server, spec, tmp_path / "a")) == EXPECTED
    assert len(server.desk.batches) == 1


def test_a_batch_whose_sending_was_cut_short_is_found_again(server: Loopback, spec: str, tmp_path: Path) -> None:
    interrupted(server, spec, tmp_path / "a")
    store = BatchStore(tmp_path / "a")
    store._db.execute("UPDATE batches SET remote = NULL")
    store.close()
    assert texts(asked(server, spec, tmp_path / "a")) == EXPECTED
    assert len(server.desk.batches) == 1


def test_a_batch_that_never_left_is_sent(server: Loopback, spec: str, tmp_path: Path) -> None:
    interrupted(server, spec, tmp_path / "a")
    store = BatchStore(tmp_path / "a")
    store._db.execute("UPDATE batches SET remote = NULL")
    store.close()
    server.desk.batches.clear()
    assert texts(asked(server, spec, tmp_path / "a")) == EXPECTED


def test_another_ones_batch_is_not_taken_for_ours(server: Loopback, tmp_path: Path) -> None:
    """Anthropic's batches have no names: one of the same size may be someone else's, which its results show."""
    spec = SPECS["anthropic"]
    interrupted(server, spec, tmp_path / "a")
    store = BatchStore(tmp_path / "a")
    store._db.execute("UPDATE batches SET remote = NULL")
    store.close()
    batch = server.desk.batches[0]
    batch.requests = [(f"someone-elses-{place}", body) for place, (_, body) in enumerate(batch.requests)]
    server.desk.places.clear()
    assert texts(asked(server, spec, tmp_path / "a")) == EXPECTED
    assert [len(batch.requests) for batch in server.desk.batches] == [12, 12]


def test_a_batch_that_the_provider_forgot_is_sent_again(server: Loopback, spec: str, tmp_path: Path) -> None:
    interrupted(server, spec, tmp_path / "a")
    server.desk.batches.clear()
    assert texts(asked(server, spec, tmp_path / "a")) == EXPECTED
    assert len(server.desk.batches) == 1


def test_a_store_is_held_by_one_process(tmp_path: Path) -> None:
    store = BatchStore(tmp_path / "a")
    with pytest.raises(ValueError, match="one run at a time"):
        BatchStore(tmp_path / "a")
    store.close()
    BatchStore(tmp_path / "a").close()


def test_a_file_that_is_no_store_is_named(tmp_path: Path) -> None:
    BatchStore.path_for(tmp_path / "a").write_text("nothing of the kind" * 100)
    with pytest.raises(ValueError, match="cannot be used for batches"):
        BatchStore(tmp_path / "a")


def test_an_id_from_someone_elses_file_leads_nowhere_else(server: Loopback, tmp_path: Path) -> None:
    interrupted(server, SPECS["openai"], tmp_path / "a")
    store = BatchStore(tmp_path / "a")
    store._db.execute("UPDATE batches SET remote = '../files/secret'")
    store.close()
    assert texts(asked(server, SPECS["openai"], tmp_path / "a")) == EXPECTED
    assert not any("secret" in seen.path for seen in server.seen)


def test_answers_that_nobody_has_read_stay(server: Loopback, spec: str, tmp_path: Path) -> None:
    interrupted(server, spec, tmp_path / "a")
    assert texts(asked(server, spec, tmp_path / "a", WORDS[:1], all_kept=False)) == EXPECTED[:1]
    assert BatchStore.path_for(tmp_path / "a").exists()
    assert texts(asked(server, spec, tmp_path / "a")) == EXPECTED
    assert len(server.desk.batches) == 1


def test_the_same_request_twice_at_once_is_sent_once(server: Loopback, spec: str, tmp_path: Path) -> None:
    assert texts(asked(server, spec, tmp_path / "a", [WORDS[0]] * 3)) == EXPECTED[:1] * 3
    assert [len(batch.requests) for batch in server.desk.batches] == [1]


def test_requests_are_told_apart_by_their_attempt() -> None:
    first, second = question(), Request(question().messages, question().kind, max_tokens=16, attempt=1)
    assert first.fingerprint("m", looks=True) != second.fingerprint("m", looks=True)
