"""Questions on disk: found again while others are written, and synced without holding up a run."""

from __future__ import annotations

import asyncio
import os
import threading
from pathlib import Path

import pytest

from evals.run.directory import FORMAT, RunDirectory
from evals.run.prompts import PromptStore, read_prompts
from evals.run.syncing import Syncing
from evals.run.trace import DamagedTrace, Record
from models.registry import load_model
from models.scripted import Scripted
from tests.evals.quiz import a_run
from tests.small_worlds import request
from tools.events import Answered, Ended, Reason


def happened(value: str) -> list[Record]:
    return [
        Record(event=Answered(step=0, value=value)),
        Record(event=Ended(step=1, reason=Reason.FINISHED)),
    ]


def test_what_is_written_is_found_by_whoever_reads_meanwhile(tmp_path: Path) -> None:
    writer = RunDirectory.create(tmp_path / "run", {"settings": {}, "format": FORMAT})
    reader = RunDirectory.open(tmp_path / "run")
    for number in range(3):
        writer.add_item(f"q{number}", happened(f"answer {number}"))
        for run in (writer, reader):
            assert [run.records(f"q{one}") for one in range(number + 1)] == [
                happened(f"answer {one}") for one in range(number + 1)
            ]
    writer.add_item("q1", happened("a better one"))
    assert writer.records("q1") == reader.records("q1") == happened("a better one")
    writer.close()
    with (tmp_path / "run" / "items.jsonl").open("a") as lines:
        lines.write('{"id":"q2","records":[')
    assert reader.records("q2") == happened("answer 2")
    with pytest.raises(FileNotFoundError):
        reader.records("q3")


def test_an_item_that_is_damaged_is_named(tmp_path: Path) -> None:
    run = RunDirectory.create(tmp_path / "run", {"settings": {}, "format": FORMAT})
    (tmp_path / "run" / "items.jsonl").write_text('{"id":"q0","records":[{}]}\n')
    with pytest.raises(DamagedTrace, match=r"items\.jsonl, q0"):
        run.records("q0")
    run.close()


def test_everything_is_synced_when_a_run_is_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: dict[str, int] = {}
    fsync = os.fsync

    def seen(handle: int) -> None:
        path = Path(f"/proc/self/fd/{handle}").readlink()
        synced[path.name] = path.stat().st_size
        fsync(handle)

    monkeypatch.setattr(os, "fsync", seen)
    a_run(tmp_path / "run", questions=20)
    assert synced == {name: (tmp_path / "run" / name).stat().st_size for name in ("items.jsonl", "results.jsonl")}


def test_many_results_are_synced_together() -> None:
    calls, release = 0, threading.Event()

    def slow() -> None:
        nonlocal calls
        calls += 1
        release.wait(timeout=60)

    async def write() -> None:
        syncing = Syncing(slow)
        for _ in range(100):
            syncing.soon()
            await asyncio.sleep(0)
        release.set()
        await syncing.finish()

    asyncio.run(write())
    assert calls == 2  # the first, and one for all that came while it was under way


def test_a_disk_that_fails_is_told() -> None:
    def broken() -> None:
        raise OSError("no space left")

    async def write() -> None:
        syncing = Syncing(broken)
        syncing.soon()
        while True:
            await asyncio.sleep(0.001)
            syncing.soon()

    with pytest.raises(OSError, match="no space left"):
        asyncio.run(write())


def test_a_prompt_is_written_once_and_read_as_it_was(tmp_path: Path) -> None:
    store = PromptStore(tmp_path / "prompts.jsonl")
    long = "“Which one?” " * 40
    asked = request(long)
    names = {store.keep(asked, looks=False) for _ in range(3)}
    short = store.keep(request('a "quoted"\u2028 line'), looks=True)
    store.close()
    assert len((tmp_path / "prompts.jsonl").read_text(encoding="utf-8").split("\n")) == 4
    found = read_prompts(tmp_path / "prompts.jsonl")
    (name,) = names
    assert found[name]["messages"] == [["user", [{"text": long}, {"picture": "sketch"}]]]
    assert found[short]["messages"][0][1][0] == {"text": 'a "quoted"\u2028 line'}
    again = PromptStore(tmp_path / "prompts.jsonl")
    assert again.keep(asked, looks=False) == name
    again.close()
    assert len((tmp_path / "prompts.jsonl").read_text(encoding="utf-8").split("\n")) == 4


def test_a_scripted_model_of_a_run_keeps_nothing() -> None:
    model = load_model("scripted:A")
    assert isinstance(model, Scripted)
    asyncio.run(model.ask(request()))
    assert model.asked == []
