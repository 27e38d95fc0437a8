"""`--problems generate:N`: new problems, made once, with training and test problems apart."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

import pytest

from envs.blocksworld.generate import more, unnamed
from envs.blocksworld.problems import files as frozen_files
from envs.blocksworld.problems import load
from envs.household import generate as homes
from evals.viplan import generated
from evals.viplan.benchmark import BENCHMARK
from evals.viplan.generated import Wanted
from evals.viplan.settings import ViPlanSettings
from planners import get_planner


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("PLUMBLINE_CACHE", str(tmp_path))
    generated._names.cache_clear()
    yield tmp_path
    generated._names.cache_clear()


def blocks(count: int, *, train: bool = False, split: str = "simple") -> list[Path]:
    return generated.files("blocksworld", split, Wanted(count, train))


def test_what_is_wanted_is_read() -> None:
    assert Wanted.parse(None) is None
    assert Wanted.parse("some/folder") is None
    assert Wanted.parse("generate:7") == Wanted(7)
    assert Wanted.parse("generate:train:1") == Wanted(1, train=True)


@pytest.mark.parametrize(
    "text", ["generate:", "generate:0", "generate:-1", "generate:test:3", "generate:train:", "generate:1:2"]
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="generate:N or generate:train:N"):
        Wanted.parse(text)


def test_the_first_are_the_same_whatever_the_number_and_are_made_once() -> None:
    first = blocks(2)
    before = [path.read_bytes() for path in first]
    written = [path.stat().st_mtime_ns for path in first]
    generated._names.cache_clear()
    assert blocks(4)[:2] == first
    assert [path.read_bytes() for path in first] == before
    assert [path.stat().st_mtime_ns for path in first] == written, "only what is missing is made"
    assert len({path.read_text() for path in blocks(4)}) == 4
    assert blocks(1) == first[:1]


def test_training_problems_are_no_test_problems_and_none_is_frozen() -> None:
    frozen = {unnamed(path.read_text()) for path in frozen_files("simple")}
    with closing(get_planner("fd")) as planner:
        sides = [
            {unnamed(parts["pddl"]) for _, parts in islice(more("simple", planner, train=train), 40)}
            for train in (False, True)
        ]
    assert [len(side) for side in sides] == [40, 40]
    assert not sides[0] & sides[1]
    assert not (sides[0] | sides[1]) & frozen


def test_a_run_plays_them() -> None:
    settings = ViPlanSettings(problems="generate:3", split="simple")
    episodes = BENCHMARK.episodes(settings)
    assert [episode.id for episode in episodes] == [f"simple_new_simple_{number}" for number in range(3)]
    assert len(BENCHMARK.episodes(settings.model_copy(update={"limit": 2}))) == 2
    other = BENCHMARK.fingerprints(settings.model_copy(update={"problems": "generate:train:3"}))
    assert other["problems"] != BENCHMARK.fingerprints(settings)["problems"]
    BENCHMARK.check(settings)
    assert load(blocks(1)[0], "simple").start


def test_homes_for_training_have_other_seeds_than_those_for_tests_and_the_frozen_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[tuple[str, int, int]] = []

    def drawn(row: homes.Row, name: str, number: int, seed: int, planner: object) -> homes.Generated:
        asked.append((row.task, number, seed))
        return homes.Generated(name, row.split, "pddl", "json", ())

    monkeypatch.setattr(homes, "drawn", drawn)
    seeds = {}
    for train in (False, True):
        names = [name for name, _ in islice(homes.more("medium", None, train=train), 50)]  # type: ignore[arg-type]
        assert len(set(names)) == 50
        rows = asked[-50:]
        assert len(set(rows)) == 50, "each problem of a row has a range of seeds of its own"
        assert [task for task, _, _ in rows].count("sorting_groceries") == 12, "in the proportions of the table"
        seeds[train] = {seed for _, _, seed in rows}
    most = homes.MOST * 1000 + 1000
    assert most < homes.NEW_SEED
    assert homes.NEW_SEED + most < homes.TRAIN_SEED
    assert seeds == {False: {homes.NEW_SEED}, True: {homes.TRAIN_SEED}}
    asked.clear()
    again = [name for name, _ in islice(homes.more("medium", None, train=True, start=48), 2)]  # type: ignore[arg-type]
    assert again == names[48:]
    assert asked == rows[48:]
