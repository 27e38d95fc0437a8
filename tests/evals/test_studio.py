"""`langgraph.json`: every graph it names can be made, drawn, described and run, as LangGraph's studio does it."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import sys
from collections.abc import AsyncIterator, Iterator
from types import ModuleType
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from agents.registry import all_agents
from tests.conftest import ROOT

GRAPHS: dict[str, str] = json.loads((ROOT / "langgraph.json").read_text())["graphs"]


@pytest.fixture(scope="module")
def studio() -> Iterator[ModuleType]:
    """The module the file names, loaded from its path."""
    (path,) = {place.partition(":")[0] for place in GRAPHS.values()}
    spec = importlib.util.spec_from_file_location("studio", ROOT / path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    yield module
    for planner in module.planners():
        planner.close()
    del sys.modules[spec.name]


def made(studio: ModuleType, name: str) -> Any:
    return getattr(studio, GRAPHS[name].partition(":")[2])()


async def told(streaming: AsyncIterator[Any]) -> list[Any]:
    return [one async for one in streaming]


def test_the_agents_are_there() -> None:
    assert set(GRAPHS) <= set(all_agents())
    assert len(GRAPHS) >= 13


QUICK = ("ground_mem", "plan", "tools")
OTHERS = ("ground_mem", "ground_lazy", "plan_cot")
NAMES = [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in GRAPHS]


@pytest.mark.parametrize("name", NAMES)
def test_a_graph_is_run_in_a_world_of_its_own(name: str, studio: ModuleType) -> None:
    graph = made(studio, name)
    drawn = all_agents()[name].build().get_graph().draw_mermaid()
    assert graph.get_graph().draw_mermaid() == drawn
    assert set(graph.get_context_jsonschema()["properties"]) >= {"problem", "model", "steps"}
    context = {"problem": "simple_01", "model": "oracle"}
    events = asyncio.run(told(graph.astream({}, context=context, stream_mode="custom")))
    assert events[-1]["type"] == "ended"
    assert events[-1]["reason"] == "finished"
    assert any(event["type"] == "acted" for event in events) == (name != "tools")


@pytest.mark.parametrize("name", ["ground_belief", *(pytest.param(name, marks=pytest.mark.slow) for name in OTHERS)])
def test_what_is_streamed_and_kept_can_be_shown(name: str, studio: ModuleType) -> None:
    """The studio copies a graph to give it a checkpointer, and writes all it is told as JSON."""
    keeping = InMemorySaver(serde=JsonPlusSerializer(pickle_fallback=True, allowed_msgpack_modules=True))
    graph = made(studio, name).copy({"checkpointer": keeping})
    config = {"configurable": {"thread_id": "1"}}

    async def run() -> tuple[list[Any], Any, list[Any]]:
        streamed = await told(graph.astream({}, config, stream_mode=["updates", "values"]))
        return streamed, await graph.aget_state(config), await told(graph.aget_state_history(config))

    streamed, state, history = asyncio.run(run())
    updates = [payload for mode, payload in streamed if mode == "updates"]
    assert json.loads(json.dumps(updates, default=str))
    assert json.loads(json.dumps([snapshot.values for snapshot in history], default=str))
    if name.startswith("ground"):
        assert any(fact.startswith("clear ") for fact in state.values["belief"])


def test_a_problem_that_is_not_there_is_named(studio: ModuleType) -> None:
    with pytest.raises(ValueError, match=r"no problem 'simple_77'\. Did you mean 'simple_"):
        asyncio.run(made(studio, "plan").ainvoke({}, context={"problem": "simple_77"}))
