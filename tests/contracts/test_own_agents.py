"""Agents from a user's own file: found as named, and whatever is wrong with the file is one line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import agents
from agents import registry
from agents.registry import all_agents, find_agent
from evals.viplan.__main__ import main

GRAPH = """
from agents.base import END, Agent
from tools.events import Reason
from tools.toolbox import Toolbox


async def rest(state, runtime):
    "End at once."
    runtime.context.end(Reason.FINISHED)


def build():
    "Does nothing at all.\\n\\nAnd does it well."
    from langgraph.graph import START, StateGraph

    graph = StateGraph(dict, context_schema=Toolbox)
    graph.add_node("rest", rest)
    graph.add_edge(START, "rest")
    graph.add_edge("rest", END)
    return graph.compile()


LAZY = Agent("lazy", "does nothing", build, "planner")
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "own.py"
    file.write_text(GRAPH)
    return file


@pytest.mark.parametrize("name", ["", ":build"])
def test_a_function_that_builds_is_an_agent(file: Path, name: str) -> None:
    agent = find_agent(f"{file}{name}")
    assert (agent.name, agent.summary, agent.family) == ("own", "Does nothing at all.", "grounder")
    assert "rest" in agent.build().get_graph().nodes


def test_the_file_may_say_its_family(file: Path) -> None:
    file.write_text(GRAPH + 'FAMILY = "planner"\n')
    assert find_agent(str(file)).family == "planner"


def test_an_agent_is_taken_as_it_is(file: Path) -> None:
    agent = find_agent(f"{file}:LAZY")
    assert (agent.name, agent.family) == ("lazy", "planner")


def test_a_changed_file_is_read_anew(file: Path) -> None:
    find_agent(str(file))
    file.write_text(GRAPH.replace("Does nothing at all.", "Rests."))
    assert find_agent(str(file)).summary == "Rests."


def test_it_plays(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--agent", str(file), "--model", "oracle", "--split", "simple", "--limit", "1"]
    assert main([*words, "--out", str(tmp_path / "run")]) == 0
    assert "0.00 [0.00, 0.79]" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("content", "name", "message"),
    [
        (None, "", "no file"),
        ("def build(:\n", "", "own.py"),
        ("import nothing_of_that_name\n", "", "nothing_of_that_name"),
        ("raise SystemExit(3)\n", "", "own.py"),
        ("x = 1\n", "", "'build'"),
        (GRAPH, ":bulid", "'bulid'"),
        ("build = 7\n", "", "'build'"),
        ("def build(size):\n    pass\n", "", "own.py"),
        ("def build():\n    raise KeyError('colour')\n", "", "own.py"),
        ("def build():\n    pass\n", "", "own.py"),
    ],
    ids=["no file", "syntax", "import", "exit", "nothing", "typo", "no function", "arguments", "raises", "no graph"],
)
def test_a_file_that_is_no_agent_is_named_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str | None, name: str, message: str
) -> None:
    file = tmp_path / "own.py"
    if content is not None:
        file.write_text(content)
    words = ["--agent", f"{file}{name}", "--model", "oracle", "--split", "simple", "--limit", "1"]
    assert main([*words, "--out", str(tmp_path / "run")]) == 2
    said = capsys.readouterr().err
    assert said.startswith("error: ")
    assert message in said
    assert said.count("\n") == 1


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder whose files count as files of `agents/`."""
    monkeypatch.setattr(agents, "__path__", [*agents.__path__, str(tmp_path)])
    for cached in (registry._room, all_agents):
        cached.cache_clear()
    yield tmp_path
    for cached in (registry._room, all_agents):
        cached.cache_clear()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("AGENTS = (Agent('new', 'new', None),)\n", "NameError: name 'Agent' is not defined"),
        ("def build(:\n", "SyntaxError"),
        ("raise SystemExit(3)\n", "SystemExit: 3"),
        ("AGENTS = 7\n", "AGENTS is 7, not a tuple of agents"),
        ("AGENTS = ('new',)\n", "not a tuple of agents"),
    ],
    ids=["name", "syntax", "exit", "no tuple", "no agents"],
)
def test_a_broken_file_of_the_room_is_in_nobodys_way(room: Path, content: str, message: str) -> None:
    (room / "broken_one.py").write_text(content)
    assert find_agent("ground").name == "ground"
    for search in (all_agents, lambda: find_agent("new")):
        with pytest.raises(ValueError, match=r"agents/broken_one\.py cannot be used: ") as told:
            search()
        assert message in str(told.value)


def test_a_new_file_of_the_room_is_found_by_itself(room: Path) -> None:
    (room / "resting.py").write_text(GRAPH + "AGENTS = (LAZY,)\n")
    assert find_agent("lazy").source == str(room / "resting.py")
    assert "lazy" in all_agents()
