"""What every benchmark must do. Whatever has `BENCHMARK` is put through this without being listed."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from agents.registry import find_agent
from envs.base import Question, Task
from evals.run.benchmark import Benchmark, Supplies
from evals.run.benchmarks import find_benchmark, names, program_of
from evals.run.episodes import Episode
from evals.run.prepare import list_episodes
from evals.run.settings import Settings
from tests.conftest import ROOT
from tools.base import Conduct
from tools.events import Ended, Reason
from tools.prompts import PromptSet


@pytest.fixture(params=names())
def benchmark(request: pytest.FixtureRequest) -> Benchmark[Any]:
    return find_benchmark(request.param)


def episodes(benchmark: Benchmark[Any], **chosen: Any) -> list[Episode]:
    settings = benchmark.settings(model="oracle", limit=2, **chosen)
    return list_episodes(benchmark, settings, find_agent(settings.agent))


def test_its_command_has_its_name(benchmark: Benchmark[Any]) -> None:
    place = ROOT / "evals" / benchmark.name
    assert (place / "__main__.py").is_file() or place.with_suffix(".py").is_file()


def test_its_settings_add_to_the_common_ones_and_have_defaults(benchmark: Benchmark[Any]) -> None:
    settings = benchmark.settings()
    assert isinstance(settings, Settings)
    assert isinstance(benchmark.prompts(settings), PromptSet)
    assert isinstance(benchmark.conduct(settings), Conduct)
    assert settings.command(program_of(benchmark)).startswith(f"python -m evals.{benchmark.name} --agent ")


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
        settings = benchmark.settings(model="oracle", limit=2)
        (one, judge), (other, again) = (benchmark.open(episode, settings, Supplies()) for _ in range(2))
        assert one is not other
        assert judge is not again
        assert shown(one) == shown(other)
        end = Ended(step=0, reason=Reason.FINISHED)
        assert judge.beside(end) == again.beside(end)


def shown(task: Task) -> list[str]:
    pictures = task.pictures if isinstance(task, Question) else task.observe().pictures
    return [task.goal_text, *(picture.key for picture in pictures)]


def test_an_episode_is_data(benchmark: Benchmark[Any]) -> None:
    for episode in episodes(benchmark):
        assert pickle.loads(pickle.dumps(episode)) == episode


def test_the_same_settings_give_the_same_seeds_and_others_give_others(benchmark: Benchmark[Any]) -> None:
    seeds = [[episode.seed for episode in episodes(benchmark, seed=seed)] for seed in (0, 0, 1)]
    assert seeds[0] == seeds[1] != seeds[2]
