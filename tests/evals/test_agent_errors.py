"""What an agent's own code does wrong is a class of its own: told with its traceback, not scored, not tried again."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest

from evals.run.judging import AGENT_ERROR
from evals.run.results import EpisodeResult
from evals.viplan.benchmark import ViPlan
from tests.small_sets import Fruit, played
from tools.events import Asked, Ended, Reason

HEAD = """
from langgraph.graph import END, START, StateGraph
from typing import TypedDict
from tools.events import Reason
from tools.questions import QuestionTools

NEEDS = "question"
PLANS = False

class State(TypedDict, total=False):
    turns: int

"""
TAIL = """
def build():
    graph = StateGraph(State, context_schema=QuestionTools)
    graph.add_node("think", think)
    graph.add_edge(START, "think")
    graph.add_edge("think", {after})
    return graph.compile()
"""


def an_agent(tmp_path: Path, node: str, after: str = "END") -> str:
    file = tmp_path / "mine.py"
    file.write_text(HEAD + textwrap.dedent(node) + TAIL.replace("{after}", after))
    return f"{file}:build"


def outcome(tmp_path: Path, agent: str, **options: object) -> tuple[EpisodeResult, Ended]:
    run = played(Fruit(), tmp_path / "run", agent=agent, limit=1, **options)
    result = run.results()[0]
    ended = run.records(result.id)[-1].event
    assert isinstance(ended, Ended)
    return result, ended


def test_an_exception_of_an_agent_leaves_its_traceback(tmp_path: Path) -> None:
    agent = an_agent(tmp_path, 'async def think(state, runtime):\n    return {"turns": 1 / 0}\n')
    result, ended = outcome(tmp_path, agent)
    assert (result.failure, result.scored, result.settled) == (AGENT_ERROR, False, True)
    assert ended.reason is Reason.AGENT_ERROR
    assert "ZeroDivisionError" in ended.detail
    assert "mine.py:" in ended.traceback
    assert "1 / 0" in ended.traceback
    assert str(tmp_path) not in ended.traceback


def test_a_tool_used_wrongly_is_the_agents_error(tmp_path: Path) -> None:
    agent = an_agent(tmp_path, 'async def think(state, runtime):\n    await runtime.context.ask("?", kind="plan")\n')
    result, ended = outcome(tmp_path, agent)
    assert (result.failure, ended.reason) == (AGENT_ERROR, Reason.AGENT_ERROR)


def test_an_endless_graph_is_said_to_be_one(tmp_path: Path) -> None:
    agent = an_agent(tmp_path, 'async def think(state, runtime):\n    return {"turns": 0}\n', after='"think"')
    result, ended = outcome(tmp_path, agent)
    assert (result.failure, ended.reason) == (AGENT_ERROR, Reason.ENDLESS)
    assert "without ending the episode" in ended.detail


def test_a_graph_that_ends_without_end_is_said_to_be_one(tmp_path: Path) -> None:
    agent = an_agent(tmp_path, 'async def think(state, runtime):\n    return {"turns": 0}\n')
    result, ended = outcome(tmp_path, agent)
    assert (result.failure, ended.reason) == (AGENT_ERROR, Reason.NO_END)
    assert "toolbox.end" in ended.detail


def test_it_is_not_played_again_on_resume(tmp_path: Path) -> None:
    agent = an_agent(tmp_path, 'async def think(state, runtime):\n    raise KeyError("x")\n')
    run = played(Fruit(), tmp_path / "run", agent=agent, limit=1)
    before = (run.path / "results.jsonl").read_text()
    played(Fruit(), tmp_path / "run", resume=run.path, agent=agent)
    assert (run.path / "results.jsonl").read_text() == before


def test_free_text_is_asked_and_told_like_everything_else(tmp_path: Path) -> None:
    node = """
    async def think(state, runtime):
        tools = runtime.context
        said = await tools.ask("Describe the picture.", pictures=tools.task.pictures, about="picture", phase="describe")
        sure = await tools.ask(f"You said: {said.value}. Are you sure?", kind="yes_no")
        tools.answer("apple" if sure.value else "pear")
    """
    agent = an_agent(tmp_path, node)
    run = played(Fruit(), tmp_path / "run", agent=agent, limit=1, model="scripted:Yes")
    asked = [record.event for record in run.records("kind_0") if isinstance(record.event, Asked)]
    assert [(event.kind, event.phase, event.value) for event in asked] == [
        ("text", "describe", "Yes"),
        ("yes_no", "free", True),
    ]
    assert all(event.prompt for event in asked)
    assert run.results()[0].success


def test_a_simulated_model_refuses_free_text_by_name_before_the_run(tmp_path: Path) -> None:
    agent = an_agent(tmp_path, 'ASKS = ("text",)\n\nasync def think(state, runtime):\n    pass\n')
    with pytest.raises(ValueError, match=r"sim:gpt-4\.1 answers .* only, and agent 'mine' asks for text"):
        played(Fruit(), tmp_path / "run", agent=agent, model="sim:gpt-4.1")


def test_a_simulated_model_that_is_asked_for_free_text_all_the_same_ends_the_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from evals.viplan.__main__ import main

    node = 'async def think(state, runtime):\n    await runtime.context.ask("Describe it.")\n'
    head = HEAD.replace('NEEDS = "question"\n', "").replace("tools.questions", "tools.toolbox")
    (tmp_path / "mine.py").write_text(
        (head + node + TAIL.replace("{after}", "END")).replace("QuestionTools", "Toolbox")
    )
    words = f"--agent {tmp_path / 'mine.py'}:build --model sim:gpt-4.1 --limit 1 --out {tmp_path / 'run'}"
    assert main(words.split()) == 2
    told = capsys.readouterr().err
    assert re.search(r"error: sim:gpt-4\.1.* answers action, .*, yes_no only, and the agent asks for text\.", told)
    assert "--resume" not in told


def test_code_and_addresses_that_only_a_run_names_have_to_be_confirmed(tmp_path: Path) -> None:
    from evals.run.directory import RunError

    agent = an_agent(tmp_path, 'async def think(state, runtime):\n    raise KeyError("x")\n')
    played(Fruit(), tmp_path / "run", agent=agent, limit=1)
    (tmp_path / "mine.py").write_text(f"open({str(tmp_path / 'owned')!r}, 'w')")
    with pytest.raises(RunError, match=r"names code to run: .*mine\.py:build \(fingerprint [0-9a-f]{12}\)"):
        played(Fruit(), tmp_path / "run", resume=tmp_path / "run")
    with pytest.raises(RunError, match=r"mine\.py is not the file that"):
        played(Fruit(), tmp_path / "run", resume=tmp_path / "run", agent=agent)
    assert not (tmp_path / "owned").exists()


def test_a_planner_is_made_only_for_agents_that_plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from planners import get_planner

    made: list[str] = []

    def counted(name: str) -> object:
        made.append(name)
        return get_planner(name)

    monkeypatch.setattr("evals.run.equipment.get_planner", counted)
    played(ViPlan(), tmp_path / "plan", agent="plan", model="scripted:no", split="simple", limit=1)
    assert made == []
    played(ViPlan(), tmp_path / "ground", agent="ground", model="scripted:Yes", split="simple", limit=1)
    assert made == ["fd"]
