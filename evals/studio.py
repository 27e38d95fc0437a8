"""The agents' graphs for LangGraph's own studio: `langgraph dev` in this folder opens each of them.

An agent needs a world to act in and a model to ask. In the studio it gets a problem of ViPlan and a simulated model, or
what is chosen there as context: `{"problem": "hard_03", "model": "openai:gpt-4.1"}`. What happens is streamed as
custom events.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

from langgraph.config import get_stream_writer
from langgraph.graph.state import CompiledStateGraph

from agents.base import Agent
from agents.registry import all_agents
from envs.base import View
from envs.pictures import PictureStore
from evals.following import believed_atoms
from evals.guard import ROOMS
from evals.runner import Setup, model_for
from evals.viplan_benchmark import ViPlan
from models.parsing.answer import short
from models.registry import load_model
from planners import get_planner
from planners.cache import CachedPlanner
from planners.formula import Atom, Literal
from planners.names import unknown
from planners.outcome import Planner
from planners.task import Step
from tools.events import Event
from tools.toolbox import Toolbox


@dataclass(frozen=True)
class Scene:
    """What can be chosen in the studio: a problem, a model, how often moves fail, and how many steps there are."""

    problem: str = "simple_00"
    domain: str = "blocksworld"
    model: str = "sim:gpt-4.1"
    fail_probability: float = 0.0
    steps: int | None = None


class OnStage(CompiledStateGraph[Any, Any, Any, Any]):
    """A graph that finds its toolbox by itself."""

    def __init__(self, *, agent: Agent, **parts: Any) -> None:
        super().__init__(**parts)
        self.agent = agent

    async def astream(
        self, input: Any, config: Any = None, *, context: Any = None, **options: Any
    ) -> AsyncIterator[Any]:
        """Run it, in a world of its own."""
        scene = Scene(**context) if isinstance(context, Mapping) else context or Scene()
        box = await asyncio.to_thread(toolbox, self.agent, scene)
        async for told in super().astream(input, config, context=box, **options):
            yield plain(told)

    async def aget_state(self, config: Any, *, subgraphs: bool = False) -> Any:
        """The state as it is shown."""
        return plain(await super().aget_state(config, subgraphs=subgraphs))

    async def aget_state_history(self, config: Any, **options: Any) -> AsyncIterator[Any]:
        """All states as they are shown."""
        async for snapshot in super().aget_state_history(config, **options):
            yield plain(snapshot)


def on_stage(agent: Agent) -> OnStage:
    """The agent's graph as the studio can run it."""
    return OnStage(**{**vars(agent.build()), "context_schema": Scene, "name": agent.name, "agent": agent})


def plain(value: Any) -> Any:
    """A value as it can be shown: facts and actions in words, and of what an agent keeps only what it believes."""
    if isinstance(value, Atom | Step | Literal):
        return str(value)
    if isinstance(value, tuple) and hasattr(value, "_make"):  # a snapshot of LangGraph's
        return value._make(map(plain, value))
    if isinstance(value, tuple):
        return tuple(map(plain, value))
    if isinstance(value, Mapping):
        return {key if isinstance(key, str) else str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, list | set | frozenset):
        return sorted(map(str, value)) if isinstance(value, set | frozenset) else list(map(plain, value))
    if type(value).__module__.partition(".")[0] in ROOMS and not isinstance(value, str):
        return sorted(believed_atoms(value) or (short(repr(value)),))
    return value


def toolbox(agent: Agent, scene: Scene) -> Toolbox:
    """The tools of an agent in the scene."""
    model, benchmark = load_model(scene.model), ViPlan()
    settings = benchmark.settings.model_validate({**_settings(scene), "agent": agent.name})
    episodes = {episode.id: episode for episode in benchmark.episodes(settings, agent, model)}
    if scene.problem not in episodes:
        raise unknown("problem", scene.problem, episodes)
    episode = episodes[scene.problem]
    world = episode.open(PictureStore())
    planner, perfect = planners()
    told = model_for(Setup(agent, model, planner, perfect), episode, world)
    return Toolbox(View(world), told, planner, emit=_stream, step_limit=episode.step_limit)


def _settings(scene: Scene) -> dict[str, Any]:
    return {name: value for name, value in asdict(scene).items() if name != "problem"}


@cache
def planners() -> tuple[Planner, Planner]:
    """Planners for all graphs: they are processes, and start once."""
    return CachedPlanner(get_planner("fd")), CachedPlanner(get_planner("fd-opt"))


def _stream(event: Event) -> None:
    get_stream_writer()(event.model_dump(mode="json"))


def _factory(agent: Agent) -> Callable[[], OnStage]:
    def graph() -> OnStage:
        return on_stage(agent)

    return graph


GRAPHS = {name: _factory(agent) for name, agent in all_agents().items()}
globals().update(GRAPHS)
