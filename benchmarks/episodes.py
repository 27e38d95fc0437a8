"""CPU time of an episode besides the model: our graph, tools, trace and planner, against a minimal loop.

    python -m benchmarks.episodes [EPISODES]

The loop has no graph, no events and no trace, and plans through unified-planning. Both play the same grounder
episodes with the same answers, which contain mistakes, so that there is something to replan. CPU time includes
child processes, but not imports and the start of planners, which a run does once. Ours caches plans during the run, as
every run does.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import zlib
from collections.abc import Callable
from pathlib import Path

from agents.registry import find_agent
from benchmarks.options import at_least_one, parser
from benchmarks.playing import BENCHMARK, config, setup
from benchmarks.playing import world as world_of
from envs.base import Outcome, World
from evals.run.directory import RunDirectory
from evals.run.episodes import Episode
from evals.run.prepare import list_episodes
from evals.run.runner import Runner
from evals.viplan.settings import ViPlanSettings
from models.base import Request, Witness
from models.sim import StandIn
from planners import get_planner
from planners.cache import CachedPlanner
from planners.formula import Atom, Literal
from planners.outcome import Planner
from planners.task import Task, updated

MISTAKES = 0.02
"""The error rate of the best published models."""
STEPS = 20


def seen(atom: str, true: bool, picture: str) -> bool:
    """The truth, or sometimes its opposite, deterministic for a picture."""
    dice = zlib.crc32(f"{picture} {atom}".encode()) / 2**32
    return true != (dice < MISTAKES)


class DimEyes:
    """Eyes that make mistakes by picture and fact alone, so that both sides get the same answers."""

    identity = "dim eyes"

    def sees(self, fact: str, true: bool, request: Request, witness: Witness) -> bool:
        return seen(fact, true, request.pictures[0].key)


def cpu_seconds() -> float:
    """CPU time of this process and of all its children, including running ones (Linux only)."""
    ticks = os.sysconf("SC_CLK_TCK")
    parents: dict[int, int] = {}
    spent: dict[int, int] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:  # ended meanwhile
            continue
        pid = int(path.parent.name)
        parents[pid] = int(fields[1])
        spent[pid] = sum(map(int, fields[11:15]))  # of the process and its ended children, user and system
    ours = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in ours} - ours:
        ours |= more
    return sum(spent[pid] for pid in ours) / ticks


def measured(play: Callable[[], int]) -> tuple[float, int]:
    """CPU seconds, and how many episodes were solved."""
    before = cpu_seconds()
    solved = play()
    return cpu_seconds() - before, solved


def play_with_graph(settings: list[ViPlanSettings], planner: Planner) -> int:
    """Play episodes as in a run, with traces and answers on disk."""
    agent, model = find_agent("ground"), StandIn(DimEyes())
    solved = 0
    for chosen in settings:
        with tempfile.TemporaryDirectory() as folder:
            run = RunDirectory.create(Path(folder) / "run", config(chosen))
            runner = Runner(setup(agent, model, chosen, planner, planner, concurrency=1), run)
            asyncio.run(_played(runner, list_episodes(BENCHMARK, chosen, agent)))
            solved += sum(result.success for result in run.results())
            run.close()
    return solved


async def _played(runner: Runner, episodes: list[Episode]) -> None:
    await runner.play_all(episodes, lambda result: None)
    await runner.close()


def play_plainly(settings: list[ViPlanSettings], planner: Planner) -> int:
    """Play the same episodes in a minimal loop."""
    worlds = (world_of(episode, chosen) for chosen in settings for episode in BENCHMARK.episodes(chosen))
    return sum(plain_episode(world, planner) for world in worlds)


def plain_episode(world: World, planner: Planner) -> bool:
    steps = 0
    last: object = None

    def ask(atom: Atom) -> bool:
        assert world.question(atom)
        return seen(str(atom), atom in world.truth(), world.observe().picture.key)

    def ask_all(facts: list[Atom]) -> tuple[Literal, ...]:
        return tuple(Literal(atom, ask(atom)) for atom in facts)

    while steps < STEPS:
        belief = updated(frozenset(), ask_all(list(world.domain.atoms(world.objects))))
        plan = planner.solve(Task(world.domain, world.objects, belief, world.goal)).plan
        off = not plan
        for step in plan:
            action = world.domain.ground(step, world.objects)
            wanted = action.preconditions()
            replies = ask_all([fact.atom for fact in wanted])
            belief = updated(belief, replies)
            steps += 1
            if set(replies) != set(wanted):
                last = step
                break
            expected = action.effects(belief)
            if world.step(step).outcome is not Outcome.EXECUTED:
                off, last = step == last, step
                break
            last = step
            replies = ask_all([fact.atom for fact in expected])
            belief = updated(belief, replies)
            if set(replies) != set(expected) or steps >= STEPS:
                break
        else:
            off = True
        if off:
            break
    return Task(world.domain, world.objects, frozenset(), world.goal).solved(world.truth())


def main() -> None:
    options = parser("episodes", __doc__)
    options.add_argument("episodes", type=at_least_one, nargs="?", default=6, metavar="EPISODES", help="per split (6)")
    number = options.parse_args().episodes
    splits = ("medium", "hard")
    settings = [ViPlanSettings.model_validate({"split": split, "limit": number}) for split in splits]
    fast, slow = get_planner("fd"), get_planner("up:fast-downward")
    warm_up = [ViPlanSettings.model_validate({"split": "simple", "limit": 2})]
    play_with_graph(warm_up, fast)
    play_plainly(warm_up, slow)
    ours, solved = measured(lambda: play_with_graph(settings, CachedPlanner(fast)))
    plain, plainly_solved = measured(lambda: play_plainly(settings, slow))
    fast.close()
    slow.close()
    count = number * len(splits)
    print(f"{count} grounder episodes, medium and hard, one answer in {1 / MISTAKES:.0f} wrong")
    print(f"  ours            {1000 * ours / count:8.1f} ms of CPU per episode   solved {solved}")
    print(f"  a plain loop    {1000 * plain / count:8.1f} ms of CPU per episode   solved {plainly_solved}")
    print(f"  ours / plain    {ours / plain:8.2f}   (to be at most 0.33)")


if __name__ == "__main__":
    main()
