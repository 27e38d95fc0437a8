"""Play episodes of ViPlan with other models or planners, for the benchmarks of this folder."""

from __future__ import annotations

from typing import Any

from agents.base import Agent
from envs.base import Task, World
from envs.pictures import PictureStore
from evals.run.benchmark import Supplies
from evals.run.directory import FORMAT
from evals.run.episodes import Episode
from evals.run.judging import Judge
from evals.run.runner import Setup
from evals.viplan.benchmark import ViPlan
from evals.viplan.settings import ViPlanSettings
from models.base import Model
from planners.outcome import Planner

BENCHMARK = ViPlan()


def setup(
    agent: Agent, model: Model, settings: ViPlanSettings, planner: Planner, perfect: Planner, **options: Any
) -> Setup:
    """The setup of a run. `perfect` is the planner of judges."""

    def opened(episode: Episode, pictures: PictureStore) -> tuple[Task, Judge]:
        return BENCHMARK.open(episode, settings, Supplies(pictures, lambda: perfect))

    return Setup(agent, model, planner, opened, **options)


def world(episode: Episode, settings: ViPlanSettings) -> World:
    """The world of an episode, with its truth."""
    return BENCHMARK.open(episode, settings, Supplies())[1].world


def config(settings: ViPlanSettings) -> dict[str, Any]:
    """The parts of `run.json` needed to open the run again."""
    return {
        "benchmark": BENCHMARK.name,
        "format": FORMAT,
        "settings": settings.model_dump(mode="json"),
        "judging": BENCHMARK.judging(settings).as_json(),
        "splits": list(BENCHMARK.splits(settings)),
        "simulated": True,
        "looks": False,
    }
