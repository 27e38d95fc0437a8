"""`langgraph.json`: every graph it names can be made, drawn, described and run, as LangGraph's studio does it."""

from __future__ import annotations

import asyncio
import importlib
import json
from collections.abc import AsyncIterator, Iterator
from types import ModuleType
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from agents.registry import all_agents
from models.base import ModelUnavailable
from tests.conftest import ROOT

GRAPHS: dict[str, str] = json.loads((ROOT / "langgraph.json").read_text())["graphs"]


@pytest.fixture(scope="module")
def studio() -> Iterator[ModuleType]:
    """The module the file names."""
    (name,) = {place.partition(":")[0] for place in GRAPHS.values()}
    module = importlib.import_module(name)
    yield module
    module.equipment().close()
    module.equipment.cache_clear()


def made(studio: ModuleType, name: str) -> Any:
    return getattr(studio, GRAPHS[name].partition(":")[2])()


async def collected(streaming: AsyncIterator[Any]) -> list[Any]:
    return [one async for one in streaming]


def events_of(graph: Any, context: dict[str, Any], config: Any = None) -> list[Any]:
    return asyncio.run(collected(graph.astream({}, config, context=context, stream_mode="custom")))


def result_of(graph: Any, **context: Any) -> Any:
    return asyncio.run(graph.ainvoke({}, context=context))


def test_the_agents_are_there() -> None:
    assert set(GRAPHS) == set(all_agents()) - {"person"}  # a person's answers are given before it is played


QUICK = ("ground_mem", "plan")
OTHERS = ("hybrid", "ground_lazy", "plan_cot")
ELSEWHERE = {
    "answer": "small_sets.py:Fruit",
    "answer_axes": "actioneqa",
    "answer_checked": "small_sets.py:Fruit",
    "answer_cot": "small_sets.py:Fruit",
    "answer_marked": "small_sets.py:Fruit",
    "answer_split": "small_sets.py:Fruit",
    "answer_views": "actioneqa",
    "answer_vote": "small_sets.py:Fruit",
    "answer_zoom": "small_sets.py:Fruit",
    "choose": "small_sets.py:Staircases",
    "choose_direct": "small_sets.py:Staircases",
    "choose_video": "small_sets.py:Staircases",
    "ground_nav": "embodiedeval",
    "map": "small_sets.py:Staircases",
    "scene_graph": "small_sets.py:Staircases",
}
"""Agents that are not for symbolic worlds, and a benchmark that each is for: by its name, or in a file."""
WRITING = {"scene_graph"}
"""Agents that ask for free text, which nobody can compute."""
NAMES = [
    name if name in QUICK else pytest.param(name, marks=pytest.mark.slow)
    for name in GRAPHS
    if name not in {"tools", *ELSEWHERE}
]


@pytest.mark.parametrize("name", NAMES)
def test_a_graph_is_run_in_a_world_of_its_own(name: str, studio: ModuleType) -> None:
    graph = made(studio, name)
    drawn = all_agents()[name].build().get_graph().draw_mermaid()
    assert graph.get_graph().draw_mermaid() == drawn
    events = events_of(graph, {"episode": "simple_01", "model": "oracle"})
    assert events[-1]["type"] == "ended"
    assert events[-1]["reason"] == "finished"
    assert any(event["type"] == "acted" for event in events)


@pytest.mark.parametrize(("name", "file"), ELSEWHERE.items())
def test_questions_and_worlds_of_options_are_played(name: str, file: str, studio: ModuleType) -> None:
    benchmark = str(ROOT / "tests" / file) if ".py" in file else file
    model = "scripted:Choice: [1]" if name in WRITING else "oracle"
    result = result_of(made(studio, name), benchmark=benchmark, model=model)
    assert result["ended"]["reason"] == "finished"
    with pytest.raises(ValueError, match=f"agent '{name}' is for .*, and this benchmark has symbolic worlds"):
        result_of(made(studio, name), model=model)


def builtin(value: Any) -> bool:
    """Whether a value can be kept by a server that knows nothing of our classes."""
    if type(value) is dict:
        return all(type(key) is str and builtin(inner) for key, inner in value.items())
    if type(value) in (list, tuple):
        return all(map(builtin, value))
    return value is None or type(value) in (str, int, float, bool)


@pytest.mark.parametrize("name", ["ground_belief", *(pytest.param(name, marks=pytest.mark.slow) for name in OTHERS)])
def test_what_is_streamed_and_kept_can_be_shown(name: str, studio: ModuleType) -> None:
    """The studio copies a graph to give it a checkpointer, and writes all it is sent as JSON."""
    graph = made(studio, name).copy({"checkpointer": InMemorySaver()})
    config = {"configurable": {"thread_id": "1"}}

    async def run() -> tuple[list[Any], Any, list[Any]]:
        modes, context = ["updates", "values", "debug"], {"model": "sim:gpt-4.1?errors=independent"}
        streamed = await collected(graph.astream({}, config, context=context, stream_mode=modes))
        return streamed, await graph.aget_state(config), await collected(graph.aget_state_history(config))

    streamed, state, history = asyncio.run(run())
    assert all(builtin(payload) for mode, payload in streamed if mode != "debug")
    assert json.loads(json.dumps(streamed))
    assert all(builtin(snapshot.values) for snapshot in history)
    assert len(history) > 5
    assert state.values["ended"]["reason"] == "finished"
    if name != "plan_cot":
        assert any(fact.startswith("clear ") for fact in state.values["memory"]["belief"])


def test_the_result_says_how_the_episode_ended_and_no_more(studio: ModuleType) -> None:
    result = result_of(made(studio, "plan"), episode="simple_01", model="oracle")
    assert set(result) == {"memory", "ended"}
    assert result["ended"] == {"reason": "finished", "detail": "", "step": 4}


def test_the_result_tells_nothing_of_the_truth(studio: ModuleType) -> None:
    """Who is always told no believes only what the problem states, and nothing else is shown."""
    result = result_of(made(studio, "ground"), model="scripted:No")
    assert set(result["memory"]) == {"belief"}
    assert {fact.partition(" ")[0] for fact in result["memory"]["belief"]} <= {"leftof", "rightof"}
    assert result["ended"]["reason"] == "no_plan"
    assert result["ended"]["step"] == 0


def test_the_steps_that_are_chosen_are_all_there_are(studio: ModuleType) -> None:
    result = result_of(made(studio, "plan"), episode="hard_03", model="oracle", steps=1)
    assert result["ended"] == {"reason": "step_limit", "detail": "", "step": 1}


class Mute:
    """A model that cannot be asked."""

    identity, looks, simulated, cacheable = "mute", False, False, False

    async def ask(self, request: object) -> object:
        raise ModelUnavailable("nobody is there")


def test_a_model_that_cannot_be_asked_ends_the_episode(studio: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(studio.equipment(), "model", lambda spec: Mute())
    result = result_of(made(studio, "ground"))
    assert result["ended"] == {"reason": "model_unavailable", "detail": "nobody is there", "step": 0}


def test_a_second_run_in_a_thread_starts_afresh(studio: ModuleType) -> None:
    """At home an agent is told the state at the start: what another run believed at its end must not replace it."""
    graph = made(studio, "ground_mem").copy({"checkpointer": InMemorySaver()})
    config, home = {"configurable": {"thread_id": "1"}}, {"domain": "household", "model": "oracle"}
    first, again = (timeless(events_of(graph, home, config)) for _ in range(2))
    assert first == again
    asyncio.run(graph.ainvoke({}, config, context={"model": "scripted:No"}))
    state = asyncio.run(graph.aget_state(config)).values
    assert state["ended"]["reason"] == "no_plan"
    assert {fact.partition(" ")[0] for fact in state["memory"]["belief"]} <= {"leftof", "rightof"}


def timeless(events: list[Any]) -> list[Any]:
    """Events without what differs from run to run."""
    return [{name: event[name] for name in event if name not in ("seconds", "cached")} for event in events]


@pytest.mark.parametrize("input", [None, "Command"])
def test_an_episode_cannot_be_resumed(input: str | None, studio: ModuleType) -> None:
    graph = made(studio, "plan")
    with pytest.raises(ValueError, match="cannot be resumed, because its world is not kept"):
        asyncio.run(graph.ainvoke(input and Command(resume=True)))


def test_the_settings_of_the_benchmark_can_be_chosen(studio: ModuleType) -> None:
    schema = made(studio, "plan").get_context_jsonschema()["properties"]
    assert schema["benchmark"]["default"] == "viplan"
    assert set(schema) >= {"benchmark", "episode", "model", "steps", "seed", "domain", "fail_probability", "rules"}
    assert "agent" not in schema
    assert made(studio, "plan").get_input_jsonschema().get("properties", {}) == {}


def test_settings_are_followed(studio: ModuleType) -> None:
    agent = all_agents()["plan"]
    box = studio.open_toolbox(agent, {"domain": "household", "rules": "official", "steps": 3, "episode": None})
    assert box.env.domain.name == "household"
    assert (box.conduct, box.parsing, box.step_limit) == ("official", "official", 3)


@pytest.mark.parametrize(
    ("name", "context", "message"),
    [
        ("plan", {"episode": "simple_77"}, r"no episode 'simple_77'\. Did you mean 'simple_"),
        ("plan", {"benchmark": "viplam"}, r"no benchmark 'viplam'\. Did you mean 'viplan'"),
        ("plan", {"fail_probability": 2}, r"fail_probability\n.*less than or equal to 1"),
        ("plan", {"colour": "red"}, r"colour\n.*not permitted"),
        ("tools", {}, "agent 'tools' needs a model that can call tools"),
    ],
)
def test_what_cannot_be_played_is_named(name: str, context: dict[str, Any], message: str, studio: ModuleType) -> None:
    with pytest.raises(ValueError, match=message):
        result_of(made(studio, name), **context)
