"""The agent `tools` on models of OpenAI and Anthropic: whole episodes against a real server on loopback."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest
from langchain_core.messages import ToolMessage

from envs.blocksworld.problems import files, load
from envs.blocksworld.world import Blocksworld
from models.base import RunMustStop
from models.registry import load_model
from planners.outcome import Planner
from tests.handy import Handy, Solver
from tests.lessons import Lessons, pictures_of
from tests.loopback import Body, Loopback
from tests.loopback_replies import Calling
from tests.models.asking import without_ambient_settings
from tests.playing import play
from tools.events import Acted, Asked, Called, Reason

Pair = tuple[Planner, Planner]


@pytest.fixture(params=["openai", pytest.param("anthropic", marks=pytest.mark.slow)])
def family(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    without_ambient_settings(monkeypatch)
    return str(request.param)


@pytest.fixture
def server() -> Iterator[Loopback]:
    with Loopback() as server:
        yield server


def solving(facts: list[str], lessons: Lessons) -> Callable[[Body], str | Calling]:
    """A server that calls tools as a solver does, and answers questions as it learned."""
    solver = Solver(facts)

    def results(body: Body) -> list[ToolMessage]:
        told = []
        for message in body["messages"]:
            if message["role"] == "tool":
                told.append((message["tool_call_id"], message["content"]))
            elif message["role"] == "user" and isinstance(message["content"], list):
                blocks = [block for block in message["content"] if block["type"] == "tool_result"]
                told += [(block["tool_use_id"], "".join(part["text"] for part in block["content"])) for block in blocks]
        return [ToolMessage(content, tool_call_id=id) for id, content in told]

    def answer(body: Body) -> str | Calling:
        if "tools" not in body:
            return lessons(body)
        message = solver(list(results(body)))
        calls = tuple((str(call["id"]), call["name"], json.dumps(call["args"])) for call in message.tool_calls)
        return Calling(str(message.text), calls)

    return answer


def test_a_whole_episode_is_played_with_tools(server: Loopback, family: str, planners: Pair) -> None:
    problem = load(files("simple")[0], "simple")
    world, lessons = Blocksworld(problem), Lessons()
    facts = [str(atom) for atom in world.domain.atoms(world.objects)]
    chat = Solver.for_world(world)
    expected, _ = play("tools", lessons.taught(Handy(load_model("oracle"), chat)), problem, planners)
    server.answer = solving(facts, lessons)
    found, records = play("tools", load_model(f"{family}:any@{server.url}"), problem, planners)
    assert found.success
    assert (found.reason, found.steps, found.count("questions")) == (
        Reason.FINISHED,
        expected.steps,
        expected.count("questions"),
    )
    events = [record.event for record in records]
    assert all(any(isinstance(event, kind) for event in events) for kind in (Asked, Called, Acted))
    assert any(seen.body.get("tools") and pictures_of(seen.body) for seen in server.seen)


def test_a_run_with_a_server_without_tools_stops_at_once(server: Loopback, family: str, planners: Pair) -> None:
    server.refuses = {"tools"}
    problem = load(files("simple")[0], "simple")
    with pytest.raises(RunMustStop, match="use one that can call tools"):
        play("tools", load_model(f"{family}:any@{server.url}"), problem, planners)
    assert server.count == 1
