"""Sixteen concurrent episodes against a model that takes 200 ms per answer, compared with the ideal.

    python -m benchmarks.concurrency

The ideal is the longest chain of answers that depend on each other, without any overhead for planning, graph or disk.
Independent questions are asked concurrently.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path

from agents.registry import find_agent
from benchmarks.options import parser
from benchmarks.playing import BENCHMARK, config, setup, world
from evals.run.directory import RunDirectory
from evals.run.prepare import list_episodes
from evals.run.runner import Runner
from evals.run.trace import read_trace
from evals.viplan.settings import ViPlanSettings
from models.base import Model, Reply, Request, Witness
from models.oracle import PerfectEyes
from models.sim import Answering, StandIn
from planners import get_planner
from planners.task import Task
from tools.events import Asked

SECONDS = 0.2
EPISODES = 16


class Slow:
    """An oracle with a delay."""

    looks = False
    simulated = False
    cacheable = True
    identity = "slow oracle"

    def __init__(self, model: StandIn | Answering) -> None:
        self._model = model

    def for_episode(self, witness: Witness) -> Model:
        assert isinstance(self._model, StandIn)
        return Slow(self._model.for_episode(witness))

    async def ask(self, request: Request) -> Reply:
        await asyncio.sleep(SECONDS)
        return await self._model.ask(request)


def chain(path: Path) -> int:
    """The number of sequential rounds of requests in an episode."""
    events = [record.event for record in read_trace(path)]
    places = {(event.step, event.phase, event.attempt) for event in events if isinstance(event, Asked)}
    return len(places)


def measure(agent_name: str) -> None:
    agent, model = find_agent(agent_name), Slow(StandIn(PerfectEyes(), name="oracle"))
    settings = ViPlanSettings.model_validate({"split": "hard", "limit": EPISODES})
    planner, optimal = get_planner("fd"), get_planner("fd-opt")
    with tempfile.TemporaryDirectory() as folder:
        run = RunDirectory.create(Path(folder) / "run", config(settings))
        chosen = setup(agent, model, settings, planner, optimal, concurrency=EPISODES, requests=10_000)
        runner = Runner(chosen, run)
        episodes = list_episodes(BENCHMARK, settings, agent)
        first = world(episodes[0], settings)
        # Warm up: start the workers, read the domain, import LangGraph.
        planner.solve(Task(first.domain, first.objects, first.truth(), first.goal))
        _ = chosen.graph
        started = time.perf_counter()
        asyncio.run(runner.play_all(episodes, lambda result: None))
        seconds = time.perf_counter() - started
        asyncio.run(runner.close())
        longest = max(chain(run.trace(episode.id)) for episode in episodes)
        questions = sum(result.asked for result in run.results())
        solved = sum(result.success for result in run.results())
        run.close()
    planner.close()
    optimal.close()
    ideal = longest * SECONDS
    print(f"{agent_name}: {EPISODES} hard episodes at once, {questions} questions, {solved} solved")
    print(f"  took   {seconds:6.2f} s")
    print(f"  ideal  {ideal:6.2f} s   ({longest} answers of {SECONDS} s one after the other)")
    print(f"  ratio  {seconds / ideal:6.2f}   (to be at most 1.3)")


if __name__ == "__main__":
    parser("concurrency", __doc__).parse_args()
    measure("ground")
