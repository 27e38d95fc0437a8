"""Play the household problems: by plans from the true state, and at random."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from random import Random
from typing import Any

from envs.household.problems import SPLITS, HouseholdProblem, files, load
from envs.household.rollout import Played, Unsolvable, at_random, by_plan
from envs.household.world import Household
from envs.seeds import seed_of
from evals.viplan.domains.base import PLANNER_STEPS
from evals.viplan.homes.figures import Census, Episode, lines
from planners import get_planner
from planners.cache import CachedPlanner
from planners.formula import holds
from planners.names import unknown
from planners.outcome import Planner


@dataclass(frozen=True)
class Study:
    """The results: episodes by plan, with separate counts for these and for random walks."""

    episodes: tuple[Episode, ...]
    planned: Census
    walked: Census
    megabytes: float
    """Peak memory in megabytes."""

    @property
    def all_solved(self) -> bool:
        """Whether every episode reached its goal."""
        return all(episode.solved for episode in self.episodes)

    def rows(self) -> list[dict[str, object]]:
        """All rates, one per row, with the kind of play."""
        counted = {"plans": self.planned, "random": self.walked, "both": self.planned.together(self.walked)}
        return [{"by": by, **asdict(line)} for by, census in counted.items() for line in lines(census)]

    def as_json(self) -> dict[str, Any]:
        """All results as JSON."""
        return {
            "episodes": [asdict(episode) for episode in self.episodes],
            "rates": self.rows(),
            "failures": dict(self.planned.together(self.walked).reasons.most_common()),
            "megabytes": self.megabytes,
        }


def play(split: str, *, limit: int | None, seeds: int, walk: int, notify: Callable[[str], None]) -> Study:
    """Play every problem of a split, or of all."""
    if split not in (*SPLITS, "all"):
        raise unknown("split", split, (*SPLITS, "all"))
    problems = [load(file, name) for name in (SPLITS if split == "all" else (split,)) for file in files(name)[:limit]]
    planner = CachedPlanner(get_planner("fd-opt"))
    planned, walked, episodes = Census(), Census(), []
    try:
        for problem in problems:
            for seed in range(seeds):
                episodes.append(_by_plan(problem, seed, planner, planned))
            notify(_progress_line(problem, episodes[-seeds:]))
            _at_random(problem, walk, walked)
    finally:
        planner.close()
    return Study(tuple(episodes), planned, walked, peak_megabytes())


def peak_megabytes() -> float:
    """The peak memory of this process. Linux counts in kilobytes, macOS in bytes."""
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def _by_plan(problem: HouseholdProblem, seed: int, planner: Planner, census: Census) -> Episode:
    started = time.perf_counter()
    world = Household(problem, seed=seed_of(seed, problem.id))
    opened = time.perf_counter()
    played: list[Played] = []
    # A state without a plan counts as not solved; the counts so far are kept.
    with suppress(Unsolvable):
        for done in by_plan(world, planner, PLANNER_STEPS[problem.split]):
            played.append(done)
            census.add(world, problem.split, done)
    spent = time.perf_counter() - opened
    solved = holds(world.goal, world.truth(), world.objects)
    each = spent / max(len(played), 1)
    return Episode(problem.id, problem.split, seed, solved, len(played), each, opened - started)


def _at_random(problem: HouseholdProblem, steps: int, census: Census) -> None:
    world = Household(problem, seed=seed_of(0, problem.id))
    for done in at_random(world, Random(problem.id), steps):
        census.add(world, problem.split, done)


def _progress_line(problem: HouseholdProblem, episodes: list[Episode]) -> str:
    came = ", ".join(f"{episode.steps} steps{'' if episode.solved else ' IN VAIN'}" for episode in episodes)
    return f"{problem.id}: {came}"
