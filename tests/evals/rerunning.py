"""Runs of a single problem that can be played again, for the tests of reruns and of blame."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from agents.registry import find_agent
from envs.base import View, World
from envs.blocksworld.problems import BlocksProblem
from envs.blocksworld.world import Blocksworld, Chance
from envs.pictures import PictureStore
from evals.judges.symbolic import JUDGING, SymbolicJudge
from evals.rerun.changes import Change
from evals.rerun.originals import Original
from evals.rerun.rerunner import Rerun
from evals.rerun.session import RerunSession
from evals.run.directory import FORMAT, RunDirectory
from evals.run.episodes import Episode
from evals.run.results import EpisodeResult
from evals.run.runner import Runner, Setup
from evals.run.toolboxes import Rules
from evals.run.trace import Record
from evals.viplan.settings import ViPlanSettings
from models.base import Model, Reply, Request
from models.conduct import Terms
from planners import get_planner
from planners.cache import CachedPlanner
from planners.outcome import Planner
from tests.small_worlds import problem as small_problem
from tools.toolbox import Conduct

Pair = tuple[Planner, Planner]
Opened = Callable[[PictureStore], World]


@contextmanager
def both_planners() -> Iterator[Pair]:
    """The planner of the agents, and the perfect one."""
    pair = CachedPlanner(get_planner("fd")), CachedPlanner(get_planner("fd-opt"))
    try:
        yield pair
    finally:
        for planner in pair:
            planner.close()


def a_run(
    folder: Path,
    agent: str,
    model: Model,
    planners: Pair,
    *,
    problem: BlocksProblem | None = None,
    steps: int = 20,
    chance: Callable[[], Chance | None] = lambda: None,
    conduct: Conduct = Conduct.MENDED,
    opened: Opened | None = None,
) -> RerunSession:
    """A run of one episode, finished and on disk, and all it takes to play it again."""
    chosen = problem or small_problem()
    official = conduct is Conduct.OFFICIAL

    def blocksworld(pictures: PictureStore) -> World:
        return Blocksworld(chosen, chance=chance(), official=official, pictures=pictures)

    def opener(episode: Episode, pictures: PictureStore) -> tuple[View, SymbolicJudge]:
        world = (opened or blocksworld)(pictures)
        return View(world), SymbolicJudge(world, episode.tags, lambda: planners[1])

    episode = Episode("small", chosen.split, 0, steps, {"problem": chosen.name, "level": chosen.split})
    setup = Setup(find_agent(agent), model, planners[0], opener, rules=Rules(conduct=conduct))
    settings = ViPlanSettings(agent=agent, model="oracle", steps=steps, rules=conduct)
    config = {
        "benchmark": "viplan",
        "settings": settings.model_dump(mode="json"),
        "format": FORMAT,
        "judging": JUDGING.as_json(),
        "splits": [chosen.split],
    }
    run = RunDirectory.create(folder / "run", config)
    asyncio.run(_played(Runner(setup, run), episode))
    run.close()
    original = Original.open(run.path)
    return RerunSession(original, original.settings, setup, Terms(), {"small": episode}, ask=True)


async def _played(runner: Runner, episode: Episode) -> None:
    try:
        await runner.play_all([episode], lambda result: None)
    finally:
        await runner.close(keep_model=True)


def before(session: RerunSession) -> tuple[EpisodeResult, list[Record]]:
    """What came of the run's only episode."""
    return session.original.result("small"), session.original.records("small")


def again(session: RerunSession, step: int, *words: str, seed: int | None = None) -> tuple[EpisodeResult, list[Record]]:
    """What comes of it when it is played again, from a step on otherwise."""
    change = Change.of(words, session.original.judging)
    rerun = Rerun(session.episodes["small"], session.original.records("small"), step, change, seed)
    name = f"{step}-{change}-{seed}".replace(":", "_").replace("/", "_")
    run = session.directory(session.original.run.path.parent / name, change, "again")
    try:
        asyncio.run(session.play(run, [rerun], lambda result: None))
        (result,) = run.results()
        return result, run.records(result.id)
    finally:
        run.close()


class Counted:
    """A model that counts how often it is asked."""

    def __init__(self, model: Any) -> None:
        self.model, self.asked = model, 0
        self.identity, self.looks = model.identity, model.looks
        self.simulated, self.cacheable = model.simulated, model.cacheable

    def for_episode(self, witness: Any) -> Counted:
        told = Counted(self.model.for_episode(witness) if hasattr(self.model, "for_episode") else self.model)
        told.count = self.count  # type: ignore[method-assign]
        return told

    def count(self) -> None:
        self.asked += 1

    async def ask(self, request: Request) -> Reply:
        self.count()
        return await self.model.ask(request)  # type: ignore[no-any-return]
