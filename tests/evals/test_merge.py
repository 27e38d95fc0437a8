"""Shards of a run, and how they are put together."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from evals.merge.__main__ import main
from evals.run.directory import RunDirectory, RunError
from evals.run.prompts import read_prompts
from evals.run.shards import Shard
from models.cache import AnswerCache
from tests.conftest import ROOT
from tests.small_sets import Fruit, Staircases, played

SETS = {"questions": Fruit(), "world": Staircases()}


@pytest.mark.parametrize("text", ["0/4", "5/4", "1", "1/0", "a/b", "1/4/2", "-1/4", ""])
def test_what_is_no_shard_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="a shard is K/N"):
        Shard.parse(text)


def test_shards_take_every_nth_and_leave_nothing_out() -> None:
    things = list(range(11))
    parts = [Shard(number, 4).of(things) for number in range(1, 5)]
    assert parts[1] == [1, 5, 9]
    assert sorted(thing for part in parts for thing in part) == things


def shards(kind: str, folder: Path, count: int = 2, **options: Any) -> list[RunDirectory]:
    return [
        played(SETS[kind], folder / f"run-shard-{number}", shard=f"{number}/{count}", **options)
        for number in range(1, count + 1)
    ]


def files(folder: Path) -> dict[str, Any]:
    """What is in a run, without what tells when it was made."""
    run = RunDirectory.open(folder)
    config = {name: value for name, value in run.config.items() if name not in ("started", "merged")}
    results = [result.model_dump_json() for result in run.results()]
    events = {
        result.id: [record.model_dump(exclude={"event": {"seconds"}}) for record in run.records(result.id)]
        for result in run.results()
    }
    cache = AnswerCache(folder / "answers.sqlite") if (folder / "answers.sqlite").exists() else None
    answers = len(cache) if cache else 0
    if cache:
        cache.close()
    pictures = sorted(path.name for path in folder.glob("pictures/*.png"))
    return {
        "config": config,
        "results": results,
        "events": events,
        "prompts": read_prompts(folder / "prompts.jsonl"),
        "answers": answers,
        "pictures": pictures,
    }


@pytest.mark.parametrize("kind", ["questions", "world"])
def test_merged_shards_are_what_one_process_writes(kind: str, tmp_path: Path, capsys: Any) -> None:
    whole = played(SETS[kind], tmp_path / "whole", pictures=True)
    shards(kind, tmp_path / "parts", 3, pictures=True)
    assert main([str(tmp_path / "parts"), "--out", str(tmp_path / "merged")]) == 0
    assert "3 shards" in capsys.readouterr().out
    assert files(tmp_path / "merged") == files(whole.path)
    assert (tmp_path / "merged" / "report.html").is_file()
    assert not (tmp_path / "merged.part").exists()


def refused(capsys: Any, *words: str) -> str:
    assert main(list(words)) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    return str(told)


def test_what_does_not_belong_together_is_refused_in_one_line(tmp_path: Path, capsys: Any) -> None:
    one, two = shards("world", tmp_path)
    other = played(SETS["world"], tmp_path / "other", shard="2/2", limit=3)
    third = played(SETS["world"], tmp_path / "third", shard="1/3")
    whole = played(SETS["world"], tmp_path / "whole")
    out = ["--out", str(tmp_path / "merged")]
    assert "missing shards: 2/2 (1 of 2)" in refused(capsys, str(one.path), *out)
    assert "limit is None and 3" in refused(capsys, str(one.path), str(other.path), *out)
    assert "is shard 1/3" in refused(capsys, str(one.path), str(two.path), str(third.path), *out)
    assert "is no shard" in refused(capsys, str(one.path), str(whole.path), *out)
    assert "there is no such run" in refused(capsys, str(tmp_path / "nowhere"), *out)
    again = tmp_path / "again"
    again.mkdir()
    subprocess.run(["cp", "-r", str(two.path), str(again / "copy")], check=True)
    assert "shard 2/2 is there twice" in refused(capsys, str(one.path), str(two.path), str(again), *out)
    assert not (tmp_path / "merged").exists()
    assert main([str(one.path), str(two.path), *out]) == 0
    capsys.readouterr()
    assert "exists already" in refused(capsys, str(one.path), str(two.path), *out)


def test_a_shard_that_is_not_finished_is_named_with_what_finishes_it(tmp_path: Path, capsys: Any) -> None:
    one, two = shards("world", tmp_path)
    results = two.path / "results.jsonl"
    lines = results.read_text().splitlines(keepends=True)
    results.write_text("".join(lines[:-1]))
    told = refused(capsys, str(one.path), str(two.path), "--out", str(tmp_path / "merged"))
    assert f"{two.path} has 1 of 2 episodes" in told
    assert f"--resume {two.path}" in told
    played(SETS["world"], two.path, resume=two.path)
    assert main([str(one.path), str(two.path), "--out", str(tmp_path / "merged")]) == 0


def test_a_link_in_a_shard_is_not_followed(tmp_path: Path, capsys: Any) -> None:
    one, two = shards("world", tmp_path)
    (two.path / "pictures").mkdir(exist_ok=True)
    (two.path / "pictures" / f"{'a' * 64}.png").symlink_to("/etc/hostname")
    assert "is a symbolic link" in refused(capsys, str(one.path), str(two.path), "--out", str(tmp_path / "merged"))


def test_a_resumed_shard_stays_the_shard_that_it_is(tmp_path: Path) -> None:
    one = played(SETS["world"], tmp_path / "one", shard="1/2")
    assert one.shard == "1/2"
    assert [result.id for result in played(SETS["world"], one.path, resume=one.path).results()] == [
        "stairs_1", "stairs_3", "stairs_5",
    ]  # fmt: skip
    with pytest.raises(RunError, match="was started as --shard 1/2, not as --shard 2/2"):
        played(SETS["world"], one.path, resume=one.path, shard="2/2")
    limited = played(SETS["world"], tmp_path / "limited", shard="1/2", limit=2)
    with pytest.raises(RunError, match="with another --limit its episodes would be other ones"):
        played(SETS["world"], limited.path, resume=limited.path, limit=4)
    with pytest.raises(ValueError, match="there are only 5 episodes, so this part"):
        played(SETS["world"], tmp_path / "none", shard="6/6")


@pytest.mark.slow
def test_shards_of_processes_that_were_killed_and_resumed_merge_to_the_same(tmp_path: Path) -> None:
    """Four processes, two of them killed -9 in the middle: results and traces are those of one process."""
    words = [sys.executable, "-m", "evals.viplan", "--split", "simple", "--limit", "12"]
    environment = {**os.environ, "COLUMNS": "100"}

    def run(*more: str) -> None:
        subprocess.run([*words[:3], *more], cwd=ROOT, env=environment, check=True, capture_output=True)

    run(*words[3:], "--out", str(tmp_path / "whole"))
    for number in range(1, 5):
        out = tmp_path / "parts" / f"run-shard-{number}"
        start = [*words, "--shard", f"{number}/4", "--out", str(out)]
        if number % 2:
            subprocess.run(start, cwd=ROOT, env=environment, check=True, capture_output=True)
            continue
        started = subprocess.Popen([*start, "--concurrency", "1"], cwd=ROOT, env=environment, stderr=subprocess.PIPE)
        results = out / "results.jsonl"
        while started.poll() is None and not (results.exists() and results.read_bytes().count(b"\n")):
            pass
        started.send_signal(signal.SIGKILL)
        started.communicate()
        run("--resume", str(out))
    assert main([str(tmp_path / "parts"), "--out", str(tmp_path / "merged")]) == 0
    one, merged = files(tmp_path / "whole"), files(tmp_path / "merged")
    assert merged["results"] == one["results"]
    assert merged["prompts"] == one["prompts"]
    config = json.loads((tmp_path / "merged" / "run.json").read_text())
    assert config["merged"] == 4
    assert "shard" not in config
