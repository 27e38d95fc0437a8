"""What every benchmark must do. A module `evals/<name>_benchmark.py` is put through this without being listed."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from agents.registry import find_agent
from envs.pictures import PictureStore
from evals.benchmark import Benchmark
from evals.episodes import Episode
from evals.settings import Settings
from models.registry import load_model
from tests.conftest import ROOT
from tools.prompts import PromptSet
from tools.toolbox import Conduct

MODULES = sorted(path.stem for path in (ROOT / "evals").glob("*_benchmark.py"))


@pytest.fixture(params=MODULES)
def benchmark(request: pytest.FixtureRequest) -> Benchmark[Any]:
    module = importlib.import_module(f"evals.{request.param}")
    classes = [
        value for value in vars(module).values() if isinstance(value, type) and value.__module__ == module.__name__
    ]
    (found,) = (value for value in classes if hasattr(value, "episodes"))
    return found()


def episodes(benchmark: Benchmark[Any], **chosen: Any) -> list[Episode]:
    settings = benchmark.settings(agent="ground", model="oracle", limit=2, **chosen)
    return list(benchmark.episodes(settings, find_agent("ground"), load_model("oracle")))


def test_its_command_has_its_name(benchmark: Benchmark[Any]) -> None:
    assert (ROOT / "evals" / f"{benchmark.name}.py").is_file()


def test_its_settings_add_to_the_common_ones_and_have_defaults(benchmark: Benchmark[Any]) -> None:
    settings = benchmark.settings()
    assert isinstance(settings, Settings)
    assert isinstance(benchmark.prompts(settings), PromptSet)
    assert isinstance(benchmark.conduct(settings), Conduct)
    assert settings.command(benchmark.name).startswith(f"python -m evals.{benchmark.name} --agent ")


def test_its_episodes_belong_to_its_splits_and_have_names_of_their_own(benchmark: Benchmark[Any]) -> None:
    splits = list(benchmark.splits(benchmark.settings()))
    played = episodes(benchmark)
    assert splits
    assert len({episode.id for episode in played}) == len(played) == 2 * len(splits)
    assert {episode.split for episode in played} == set(splits)
    assert all(episode.step_limit > 0 for episode in played)
    assert {episode.step_limit for episode in episodes(benchmark, steps=3)} == {3}


def test_an_episode_can_be_opened_again(benchmark: Benchmark[Any]) -> None:
    for episode in episodes(benchmark):
        one, other = episode.open(PictureStore()), episode.open(PictureStore())
        assert one is not other
        assert one.truth() == other.truth()
        assert one.observe().picture.key == other.observe().picture.key


def test_the_same_settings_give_the_same_seeds_and_others_give_others(benchmark: Benchmark[Any]) -> None:
    seeds = [[episode.seed for episode in episodes(benchmark, seed=seed)] for seed in (0, 0, 1)]
    assert seeds[0] == seeds[1] != seeds[2]
