"""The agents' graphs for LangGraph's own studio: `langgraph dev` in this folder opens each of them.

An agent needs a world and a model. By default, the studio uses the first episode of ViPlan and a simulated model; the
context of the run can choose others: `{"episode": "hard_03", "model": "openai:gpt-4.1", "steps": 30}`.
Every run plays one episode from its beginning. Events are streamed as they happen, and the last state says under
`ended` how the episode ended, as the agent knows it: whether that is true is for the judges.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from textwrap import shorten
from typing import Annotated, Any, get_type_hints
from weakref import WeakKeyDictionary

from langchain_core.runnables import Runnable, RunnableConfig
from langgraph.channels import UntrackedValue
from langgraph.config import get_stream_writer
from langgraph.graph import StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command
from pydantic import BaseModel, create_model
from typing_extensions import TypedDict

from agents.base import END, Agent
from agents.registry import all_agents
from envs.base import WorldUnavailable
from envs.pictures import PictureStore
from evals.guard import ROOMS
from evals.run.benchmarks import find_benchmark, names
from evals.run.equipment import Equipment
from evals.run.following import believed_atoms
from evals.run.prepare import check_fit, list_episodes, make_setup, with_control
from evals.run.runner import model_for
from evals.run.settings import Running
from evals.run.toolboxes import toolbox_for
from models.base import ModelUnavailable, RecordEnded
from planners.formula import Atom, Literal
from planners.names import unknown
from planners.outcome import PlannerUnavailable
from planners.task import Step
from tools.base import StepsSpent, Tools
from tools.events import Ended, Event, Reason

DEFAULT = "viplan"
"""The default choices."""

FAILURES = {
    StepsSpent: Reason.STEP_LIMIT,
    RecordEnded: Reason.RECORD_ENDED,
    ModelUnavailable: Reason.MODEL_UNAVAILABLE,
    PlannerUnavailable: Reason.PLANNER_ERROR,
    WorldUnavailable: Reason.WORLD_UNAVAILABLE,
}
"""Exceptions that end an episode, with their reasons; the first match counts."""

REPORT: dict[str, Any] = {"memory": dict[str, Any], "ended": dict[str, Any] | None}
"""The keys of a state: the agent's memory in words, and how the episode ended."""


@dataclass
class Report:
    """The report of an episode, filled as it is played."""

    memory: dict[str, Any] = field(default_factory=dict)
    result: dict[str, Any] | None = None

    def stream(self, event: Event) -> None:
        """Stream an event; the last one is the result."""
        shown = event.model_dump(mode="json")
        if isinstance(event, Ended):
            self.result = {name: shown[name] for name in ("reason", "detail", "step")}
        get_stream_writer()(shown)


class StudioGraph(CompiledStateGraph[Any, Any, Any, Any]):
    """An agent's graph that opens its own world, and shows its state in words."""

    def __init__(self, *, agent: Agent, **parts: Any) -> None:
        super().__init__(**parts)
        self.agent = agent

    async def astream(
        self, input: Any, config: Any = None, *, context: Any = None, **options: Any
    ) -> AsyncIterator[Any]:
        """Play the episode that the context chooses."""
        if not isinstance(input, Mapping):
            raise ValueError("an episode cannot be resumed, because its world is not kept; run it again with input {}")
        box = await asyncio.to_thread(open_toolbox, self.agent, context or {})
        async for part in super().astream({}, config, context=box, **options):
            yield plain(part)


def choices() -> type[BaseModel]:
    """The choices in the studio: a benchmark, one of its episodes, and its settings."""
    fields: dict[str, Any] = {"benchmark": (str, DEFAULT), "episode": (str | None, None)}
    for name in names():
        for key, setting in find_benchmark(name).settings.model_fields.items():
            fields.setdefault(key, (setting.annotation, None))
    del fields["agent"]
    return create_model("Choices", **fields)


CHOICES = choices()
"""Computed at import, because the server forbids reading files while it serves."""


def studio_graph(agent: Agent) -> StudioGraph:
    """The agent's graph as the studio can run it: the same nodes and edges, with a state that can be shown."""
    own = agent.build().builder
    hints = get_type_hints(own.state_schema, include_extras=True)
    # The state of an agent belongs to a world that ends with the run, so it is not checkpointed.
    working = {name: Annotated[hint, UntrackedValue] for name, hint in hints.items()}
    graph = StateGraph(_typed({**working, **REPORT}), CHOICES, input_schema=_typed({}), output_schema=_typed(REPORT))
    for name, node in own.nodes.items():
        graph.add_node(name, reporting(node.runnable), input_schema=_typed(working), destinations=node.ends or None)
    graph.edges, graph.waiting_edges, graph.branches = own.edges, own.waiting_edges, own.branches
    return StudioGraph(**{**vars(graph.compile(name=agent.name)), "agent": agent})


def reporting(node: Runnable[Any, Any]) -> Callable[..., Any]:
    """The node, which also reports the agent's memory and how the episode ended."""

    async def report(state: Any, config: RunnableConfig, runtime: Runtime[Tools]) -> Any:
        box = runtime.context
        shown = REPORTS[box]
        try:
            left = await node.ainvoke(state, config)
        except tuple(FAILURES) as error:
            reason = next(reason for kind, reason in FAILURES.items() if isinstance(error, kind))
            box.emit(Ended(step=box.attempts, reason=reason, detail=str(error)))
            left = Command(goto=END)
        update = left.update if isinstance(left, Command) else left
        shown.memory = {**shown.memory, **plain(dict(update or {}))}
        return [left, Command(update={"memory": shown.memory, "ended": shown.result})]

    return report


REPORTS: WeakKeyDictionary[Tools, Report] = WeakKeyDictionary()
"""The reports of running episodes, by toolbox."""


def open_toolbox(agent: Agent, chosen: Mapping[str, Any]) -> Tools:
    """The tools of an agent in the chosen episode."""
    given = {name: value for name, value in chosen.items() if value is not None}
    benchmark, wanted = find_benchmark(given.pop("benchmark", DEFAULT)), given.pop("episode", None)
    settings = benchmark.settings(**with_control({**given, "agent": agent.name}))
    setup = make_setup(benchmark, settings, Running(), equipment())
    episodes = {episode.id: episode for episode in list_episodes(benchmark, settings, agent)}
    if wanted is not None and wanted not in episodes:
        raise unknown("episode", wanted, tuple(episodes))
    episode = episodes[wanted] if wanted else next(iter(episodes.values()))
    task, judge = setup.open(episode, PictureStore())
    check_fit(agent, task)
    report = Report()
    control = setup.control.name if setup.control else None
    planner = judge.planner(control, setup.planner) if setup.planner else None
    model = model_for(setup, episode, judge)
    box = toolbox_for(task, model, planner, setup.rules, episode, prompts=setup.prompts, emit=report.stream)
    REPORTS[box] = report
    return box


@cache
def equipment() -> Equipment:
    """Models and planners shared by all graphs."""
    return Equipment()


def plain(value: Any) -> Any:
    """A value in a form that can be shown and stored: facts and actions in words, beliefs as their states."""
    if isinstance(value, Atom | Step | Literal):
        return str(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return plain(value._asdict())
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, set | frozenset):
        return sorted((plain(one) for one in value), key=str)
    if isinstance(value, list | tuple):
        return type(value)(plain(one) for one in value)
    if type(value).__module__.partition(".")[0] in ROOMS:
        believed = believed_atoms(value)
        return shorten(repr(value), 200) if believed is None else sorted(believed)
    return value


def _typed(keys: dict[str, Any]) -> Any:
    return TypedDict("State", keys, total=False)  # type: ignore[operator]


def _factory(agent: Agent) -> Callable[[], StudioGraph]:
    def graph() -> StudioGraph:
        return studio_graph(agent)

    return graph


GRAPHS = {name: _factory(agent) for name, agent in all_agents().items()}
globals().update(GRAPHS)
