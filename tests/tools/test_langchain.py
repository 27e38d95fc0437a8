"""The tools as a tool-calling model uses them: text in, text out, on a real world."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from envs.base import Observation, View
from models.scripted import Scripted, by_fact
from planners.outcome import Planner
from tests.small_home import SmallHome
from tests.small_worlds import GOAL, Sketch, blocksworld, toolbox
from tools.langchain import examples, langchain_tools, task_text
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


@pytest.mark.parametrize(
    "written",
    [
        "on r,b",
        "on r b",
        "on(r, b)",
        "on(r,b)",
        "(on r b)",
        " ON R,B ",
        "On(R, B).",
        "'on r,b'",
        '"on(r, b)"',
        "on 'r','b'",
    ],
)
def test_a_fact_is_understood_however_it_is_written(planner: Planner, written: str) -> None:
    tools, told = box(planner)
    assert use(tools, "query_predicates", facts=[written, "CLEAR(r)"]) == "on r,b: no\nclear r: no"
    assert [event.about for event in told if event.type == "asked"] == ["on r,b", "clear r"]
    assert use(tools, "plan_pddl", true_facts=[written]) == "no plan: unsolvable"


@pytest.mark.parametrize(
    ("fact", "why"),
    [
        ("holding r", "no predicate 'holding'. Predicates: clear, incolumn, leftof, on, rightof"),
        ("on r", "on takes 2 objects, not 1"),
        ("clear z", "no object 'z'. Objects: b, c1, c2, c3, c4, g, r"),
        ("on r,c1", "'c1' is not a block"),
        ("", "no predicate ''. Predicates: clear, incolumn, leftof, on, rightof"),
        ("on r,b,g", "on takes 2 objects, not 3"),
        ("cleаr r", "no predicate 'cleаr'. Did you mean 'clear'? Predicates: clear, incolumn, leftof, on, rightof"),
        ("moveblock(r, c2)", "no predicate 'moveblock'. Predicates: clear, incolumn, leftof, on, rightof"),
    ],
)
def test_a_fact_that_does_not_exist_is_said_so_and_not_asked(planner: Planner, fact: str, why: str) -> None:
    tools, told = box(planner)
    syntax = "Write facts as 'on b,g' or 'clear b': a predicate, a space, and its objects with commas between them."
    assert use(tools, "query_predicates", facts=[fact]) == f"{fact}: no such fact: {why}\n{syntax}"
    assert use(tools, "plan_pddl", true_facts=[fact]) == f"{fact}: no such fact: {why}\n{syntax}"
    assert told == []


def test_a_very_long_fact_is_not_repeated_at_length(planner: Planner) -> None:
    tools, _ = box(planner)
    assert len(use(tools, "query_predicates", facts=["clear " + "z" * 10_000])) < 500
    assert len(use(tools, "step_environment", action="moveblock", arguments=["z" * 10_000, "c1"])) < 500


def test_examples_are_those_of_the_world_at_hand(planner: Planner) -> None:
    home = Toolbox(env=View(SmallHome()), model=Scripted(by_fact(ANSWERS)), planner=planner)
    tools = {tool.name: tool for tool in langchain_tools(home)}
    schemas = json.dumps([tool.tool_call_schema.model_json_schema() for tool in tools.values()])
    said = [
        schemas,
        use(home, "query_predicates", facts=["on r,b"]),
        use(home, "plan_pddl", true_facts=["on r,b"]),
        use(home, "step_environment", action="moveblock", arguments=["r"]),
    ]
    for text in said[:3]:
        assert "'ontop apple_1,apple_2' or 'reachable apple_1'" in text
    for text in (schemas, said[3]):
        assert "grasp" in text
        assert "apple_1" in text
    assert "r,b" not in schemas
    assert "incolumn" not in schemas


def test_the_example_of_each_tool_can_be_called(planner: Planner) -> None:
    for world in (blocksworld(), SmallHome()):
        tools = Toolbox(env=View(world), model=Scripted(by_fact(ANSWERS)), planner=planner)
        for name, given in examples(tools).items():
            said = use(tools, name, **given)
            assert "no such" not in said
            assert not said.startswith(("parameters", "action does not"))


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
        "parameters incorrectly specified: 'c9' is not a column; write actions as "
        '{"action": "moveblock", "arguments": ["b", "c1"]}',
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
