"""Playing single episodes in tests: real worlds, real graphs, real planner, a stand-in for the model."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from agents.registry import find_agent
from envs.base import View, World
from envs.blocksworld.problems import BlocksProblem
from envs.blocksworld.world import Blocksworld, Chance
from evals.judges.symbolic import SymbolicJudge
from evals.run.episodes import Episode
from evals.run.results import EpisodeResult, score_episode
from evals.run.runner import Setup, model_for, play_episode
from evals.run.toolboxes import Rules
from evals.run.trace import Record, Recorder
from models.base import Kind, Model, Reply, Request, Witness
from models.conduct import Conducted
from models.oracle import PerfectEyes
from models.scripted import Scripted
from models.sim import StandIn
from planners.formula import Atom
from planners.outcome import Planner

Lie = Callable[[Atom, bool, Request], bool]


class LyingEyes:
    """Eyes that see what a function makes of the truth."""

    identity = "lying eyes"

    def __init__(self, lie: Lie) -> None:
        self.lie = lie

    def sees(self, fact: str, true: bool, request: Request, witness: Witness) -> bool:
        return self.lie(Atom.parse(fact), true, request)


def liar(lie: Lie) -> StandIn:
    """An oracle that lies where the function says so."""
    return StandIn(LyingEyes(lie), name="liar")


@dataclass(frozen=True)
class Proposing:
    """Answers by the truth, and proposes whatever the function says."""

    propose: Callable[[], str]
    identity: str = "proposing"
    looks: bool = False
    simulated: bool = False
    cacheable: bool = False

    def for_episode(self, witness: Witness) -> Told:
        return Told(self, witness)

    async def ask(self, request: Request) -> Reply:
        raise NotImplementedError


class Told(Scripted):
    """A proposing model that knows the episode."""

    def __init__(self, model: Proposing, witness: Witness) -> None:
        super().__init__(lambda request: model.propose())
        self._oracle = StandIn(PerfectEyes()).for_episode(witness)

    async def ask(self, request: Request) -> Reply:
        return await (self._oracle if request.kind is Kind.YES_NO else super()).ask(request)


def proposal(action: str, **parameters: str) -> str:
    """An action as a model writes it."""
    return json.dumps({"action": {"action": action, "parameters": parameters}})


def play(
    agent: str,
    model: Model,
    problem: BlocksProblem,
    planners: tuple[Planner, Planner],
    *,
    steps: int = 20,
    chance: Chance | None = None,
    **setting: object,
) -> tuple[EpisodeResult, list[Record]]:
    """One episode; its result and its trace."""
    rules = {name: value for name, value in setting.items() if name in Rules.__dataclass_fields__}
    others = {name: value for name, value in setting.items() if name not in rules}
    setup = Setup(find_agent(agent), model, planners[0], rules=Rules(**rules), **others)  # type: ignore[arg-type]
    episode = Episode(problem.id, problem.split, 0, steps, {"problem": problem.name, "level": problem.split})
    return play_in(Blocksworld(problem, chance=chance), setup, episode, planners[1])


def play_in(
    world: World, setup: Setup, episode: Episode, perfect: Planner, view: Any = None
) -> tuple[EpisodeResult, list[Record]]:
    """One episode in a symbolic world; its result and its trace."""
    judge = SymbolicJudge(world, episode.tags, lambda: perfect)
    recorder = Recorder(None, judge)

    async def played() -> None:
        model = model_for(setup, episode, judge)
        try:
            await play_episode(setup, episode, view or View(world), judge, model, recorder)
        finally:
            if isinstance(model, Conducted):
                await model.close()

    asyncio.run(played())
    return score_episode(episode, judge, recorder.records), recorder.records
