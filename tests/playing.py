"""Playing single episodes in tests: real worlds, real graphs, real planner, a stand-in for the model."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, replace

from agents.registry import find_agent
from envs.blocksworld.problems import BlocksProblem
from envs.blocksworld.world import Blocksworld, Chance
from envs.pictures import PictureStore
from evals.episodes import Episode
from evals.results import EpisodeResult, score_episode
from evals.runner import Setup, model_for, play_episode
from evals.trace import Record, Recorder
from models.base import Kind, Model, Reply, Request, Witness
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

    def sees(self, atom: Atom, true: bool, request: Request, witness: Witness) -> bool:
        return self.lie(atom, true, request)


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

    def for_episode(self, witness: Witness) -> Scripted:
        def reply(request: Request) -> str:
            if request.kind is not Kind.YES_NO:
                return self.propose()
            return "Yes" if request.about in witness.truth() else "No"

        return Scripted(reply)

    async def ask(self, request: Request) -> Reply:
        raise NotImplementedError


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
    setup = replace(Setup(find_agent(agent), model, *planners), **setting)  # type: ignore[arg-type]
    episode = Episode(
        problem.id, problem.name, problem.split, 0, steps, lambda pictures: Blocksworld(problem, chance=chance)
    )
    world = episode.open(PictureStore())
    recorder = Recorder(None, world)
    asyncio.run(play_episode(setup, episode, world, model_for(setup, episode, world), recorder))
    return score_episode(problem.id, problem.name, problem.split, 0, recorder.records), recorder.records
