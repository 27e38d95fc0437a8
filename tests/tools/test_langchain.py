"""The tools as a tool-calling model uses them: text in, text out, on a real world."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from envs.base import Observation
from models.scripted import Scripted, by_fact
from planners.outcome import Planner
from tests.small_worlds import GOAL, Sketch, blocksworld, toolbox
from tools.langchain import langchain_tools, task_text
from tools.toolbox import Toolbox

ANSWERS = {"clear g": "Yes", "on g,r": "banana", "*": "No"}


def use(tools: Toolbox, name: str, **arguments: Any) -> str:
    named = {tool.name: tool for tool in langchain_tools(tools)}
    return asyncio.run(named[name].ainvoke(arguments))


def box(planner: Planner, **options: Any) -> tuple[Toolbox, list]:
    return toolbox(blocksworld(), Scripted(by_fact(ANSWERS)), planner, **options)


def test_there_are_four_tools_and_each_says_what_it_is_for(planner: Planner) -> None:
    tools = langchain_tools(box(planner)[0])
    assert [tool.name for tool in tools] == ["look", "query_predicates", "plan_pddl", "step_environment"]
    assert all(tool.description for tool in tools)
    assert set(tools[3].args) == {"action", "arguments"}


def test_looking_says_what_is_in_view(planner: Planner) -> None:
    tools, told = box(planner)
    assert use(tools, "look") == "In view: everything."
    assert [event.type for event in told] == ["observed"]
    world = blocksworld()
    world.observe = lambda: Observation(Sketch(), frozenset({"r", "b"}), ("It is dark.",))  # type: ignore[method-assign]
    tools, _ = toolbox(world, Scripted(by_fact(ANSWERS)), planner)
    assert use(tools, "look") == "In view: b, r.\nIt is dark."


def test_asking_gives_a_line_for_each_fact(planner: Planner) -> None:
    tools, told = box(planner)
    answer = use(tools, "query_predicates", facts=["clear g", "on g,r", "clear r", "on g, b"])
    assert answer.splitlines() == ["clear g: yes", "on g,r: no clear answer", "clear r: no", "on g,b: no"]
    assert [event.type for event in told] == ["observed"] + ["asked"] * 4


@pytest.mark.parametrize("fact", ["holding r", "on r", "clear z", "", "on r,b,g", "moveblock(r, c2)"])
def test_a_fact_that_does_not_exist_is_said_so_and_not_asked(planner: Planner, fact: str) -> None:
    tools, told = box(planner)
    assert use(tools, "query_predicates", facts=[fact]) == f"{fact}: no such fact"
    assert told == []
    assert use(tools, "plan_pddl", true_facts=[fact]).startswith("no such facts: ")


def test_planning_gives_the_actions(planner: Planner) -> None:
    tools, _ = box(planner)
    facts = [str(fact) for fact in blocksworld().truth()]
    assert use(tools, "plan_pddl", true_facts=facts).splitlines() == ["moveblock(g, c3)", "moveblock(r, c2)"]
    there = [str(fact) for fact in blocksworld(GOAL).truth()]
    assert use(tools, "plan_pddl", true_facts=there) == "nothing to do: the goal holds in that state"
    assert use(tools, "plan_pddl", true_facts=[]) == "no plan: unsolvable"


def test_acting_says_what_came_of_it(planner: Planner) -> None:
    tools, _ = box(planner)
    steps = [("g", "c3"), ("g", "c3"), ("g", "c9"), ("r", "c2")]
    said = [use(tools, "step_environment", action="moveblock", arguments=list(args)) for args in steps]
    assert said == [
        "executed",
        "not legal",
        "parameters incorrectly specified",
        "executed; the goal is reached",
    ]
    assert use(tools, "step_environment", action="levitate", arguments=[]).startswith("action does not exist")


def test_after_the_step_limit_nothing_moves(planner: Planner) -> None:
    tools, told = box(planner, step_limit=1)
    use(tools, "step_environment", action="levitate", arguments=[])
    before = len(told)
    assert use(tools, "step_environment", action="moveblock", arguments=["g", "c3"]) == "the step limit is reached"
    assert len(told) == before
    assert tools.attempts == 1


def test_the_task_in_words_has_goal_actions_and_facts(planner: Planner) -> None:
    tools, _ = box(planner)
    text = task_text(tools)
    assert tools.env.goal_text in text
    assert "moveblock" in text
    assert "on block,block" in text
    assert "clear block" in text
