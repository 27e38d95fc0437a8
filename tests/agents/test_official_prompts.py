"""Under the original's rules every word that a model is sent stays as it is: `official_prompts.json` has their hashes.

python -m tests.agents.test_official_prompts    prints them as they are now
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from agents.base import Needs
from agents.registry import all_agents, find_agent
from envs.base import View, World
from envs.blocksworld.world import SlipperyHand
from evals.judges.symbolic import SymbolicJudge
from evals.run.episodes import Episode
from evals.run.runner import Setup, model_for, play_episode
from evals.run.toolboxes import Rules
from evals.run.trace import Recorder
from models.base import Model, Reply, Request
from models.registry import load_model
from models.wrapped import Wrapped
from planners import get_planner
from planners.cache import CachedPlanner
from planners.outcome import Planner
from tests.envs.household.small_world import small_world
from tests.small_worlds import blocksworld
from tools.toolbox import Conduct

KNOWN = Path(__file__).with_name("official_prompts.json")
MODEL = "gemma-3-12b"
AGENTS = sorted(name for name, agent in all_agents().items() if agent.needs is Needs.SYMBOLIC and not agent.calls_tools)


class Overheard(Wrapped):
    """A model of which everything that it is sent is kept."""

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self.sent: list[str] = []

    async def ask(self, request: Request) -> Reply:
        for message in request.messages:
            self.sent += [message.role, *(part if isinstance(part, str) else "picture" for part in message.parts)]
        return await self._model.ask(request)


def worlds(seed: int) -> dict[str, World]:
    """Worlds that follow the original's rules, in which not all goes well."""
    return {
        "blocksworld": blocksworld(official=True, chance=SlipperyHand(0.3, seed)),
        "household": small_world(official=True, fail_probability=0.3, seed=seed),
    }


def digests(agent: str, planners: tuple[Planner, Planner], seeds: Iterable[int] = range(3)) -> dict[str, str]:
    """A hash of all that is sent in an episode, for each world and some ways to err."""
    found = {}
    for seed in seeds:
        for name, world in worlds(seed).items():
            words = "\n".join(sent(agent, f"sim:{MODEL}?blunder=0.5&seed={seed}", world, planners))
            found[f"{name} {seed}"] = hashlib.sha256(words.encode()).hexdigest()[:16]
    return found


def sent(agent: str, model: str, world: World, planners: tuple[Planner, Planner]) -> list[str]:
    """All that a model is sent in an episode."""
    setup = Setup(find_agent(agent), load_model(model), planners[0], rules=Rules(conduct=Conduct.OFFICIAL))
    episode = Episode("small", "simple", 0, 12, {"level": "simple"})
    judge = SymbolicJudge(world, episode.tags, lambda: planners[1])
    overheard = Overheard(model_for(setup, episode, judge))
    asyncio.run(play_episode(setup, episode, View(world), judge, overheard, Recorder(None, judge)))
    return overheard.sent


def paced(agent: str) -> Any:
    """The quick tests leave out the reasoning variants of our own agents: only their prompt differs."""
    own = agent.partition("_cot")[0] not in ("plan", "action", "ground", "ground_mem")
    return pytest.param(agent, marks=pytest.mark.slow if own and agent.endswith("_cot") else ())


@pytest.mark.parametrize("agent", [*map(paced, AGENTS)])
@pytest.mark.parametrize("seeds", [(0,), pytest.param((1, 2), marks=pytest.mark.slow)], ids=str)
def test_what_models_are_sent_is_what_they_always_were(
    agent: str, seeds: tuple[int, ...], planners: tuple[Planner, Planner]
) -> None:
    known = json.loads(KNOWN.read_text(encoding="utf-8"))[agent]
    found = digests(agent, planners, seeds)
    assert len(found) == 2 * len(seeds)
    assert found == {name: known[name] for name in found}


if __name__ == "__main__":
    pair = CachedPlanner(get_planner("fd")), CachedPlanner(get_planner("fd-opt"))
    print(json.dumps({agent: digests(agent, pair) for agent in AGENTS}, indent=1))
    for planner in pair:
        planner.close()
