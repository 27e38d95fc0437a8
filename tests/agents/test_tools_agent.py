"""The tool-calling agent: solves problems through the tools, and survives every way of misusing them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

from agents.calling import SPARE_TURNS, TURNS_PER_STEP
from agents.registry import all_agents
from envs.blocksworld.problems import SPLITS, files, load
from envs.blocksworld.world import Blocksworld
from evals.run.results import EpisodeResult
from evals.run.trace import Record
from models.base import ModelUnavailable
from models.registry import load_model
from models.scripted import Scripted, always
from planners.outcome import Planner
from tests.conftest import ROOT
from tests.handy import Handy, Puppet, Solver, call, calling, in_turn
from tests.playing import play
from tests.small_worlds import problem
from tools.events import EVENTS, Acted, Asked, Called, Reason

Pair = tuple[Planner, Planner]
BROKEN = {"name": "look", "args": '{"facts": [', "id": "call_9", "error": None, "type": "invalid_tool_call"}


def played(chat: Puppet, planners: Pair, **setting: Any) -> tuple[EpisodeResult, list[Record]]:
    return play("tools", Handy(load_model("oracle"), chat), problem(), planners, **setting)


def of_type(records: list[Record], *types: Any) -> list[Any]:
    return [record.event for record in records if isinstance(record.event, types)]


def move(*arguments: str, action: str = "moveblock") -> AIMessage:
    return calling(call("step_environment", action=action, arguments=list(arguments)))


@pytest.mark.parametrize("split", [SPLITS[0], *(pytest.param(split, marks=pytest.mark.slow) for split in SPLITS[1:])])
def test_it_solves_a_problem_of_every_split(split: str, planners: Pair) -> None:
    loaded = load(files(split)[0], split)
    chat = Solver.for_world(Blocksworld(loaded))
    result, records = play("tools", Handy(load_model("oracle"), chat), loaded, planners, steps=30)
    assert result.success, result
    assert result.reason == Reason.FINISHED
    assert result.count("questions") > 0
    decided = [event for event in of_type(records, Asked, Called) if isinstance(event, Called) or event.decides]
    assert [type(event) for event in decided][:3] == [Asked, Called, Called]


def test_when_a_move_fails_it_hears_of_it_and_plans_again(planners: Pair) -> None:
    tries = iter([False, *[True] * 9])
    chat = Solver.for_world(Blocksworld(problem()))
    result, records = play(
        "tools",
        Handy(load_model("oracle"), chat),
        problem(),
        planners,
        chance=lambda move, world: move if next(tries) else None,
    )
    assert result.success, result
    assert len(of_type(records, Acted)) > 2


def test_it_is_told_the_task_its_tools_and_what_came_of_its_calls(planners: Pair) -> None:
    chat = in_turn(calling(call("look")), move("g", "c3"), calling(call("look", 1)))
    _, records = played(chat, planners)
    system, task = chat.heard[0]
    assert isinstance(system, SystemMessage)
    assert isinstance(task, HumanMessage)
    assert all(word in str(task.text) for word in ("moveblock", "on block,block", "You have 20 steps."))
    assert {tool["function"]["name"] for tool in chat.tools[0]} == {
        "look",
        "query_predicates",
        "plan_pddl",
        "step_environment",
    }
    assert [type(message) for message in chat.heard[1]] == [
        SystemMessage,
        HumanMessage,
        AIMessage,
        ToolMessage,
        HumanMessage,
    ]
    assert [event.result for event in of_type(records, Called)] == [
        "In view: everything.",
        "executed",
        "In view: everything.",
    ]


def test_a_picture_is_shown_after_a_look_until_something_moves(planners: Pair) -> None:
    chat = in_turn(calling(call("look")), calling(call("query_predicates", facts=["clear g"])), move("g", "c3"))
    played(chat, planners)
    pictures = [
        [
            block
            for message in heard
            if isinstance(message.content, list)
            for block in message.content
            if _is_picture(block)
        ]
        for heard in chat.heard
    ]
    assert [len(shown) for shown in pictures] == [0, 1, 1, 0]


def _is_picture(block: object) -> bool:
    return isinstance(block, dict) and block["type"] == "image" and block["mime_type"] == "image/png"


@pytest.mark.parametrize(
    ("message", "told"),
    [
        (calling(call("fly")), "there is no tool 'fly'; tools: look, query_predicates, plan_pddl, step_environment"),
        (calling(call("")), "there is no tool ''"),
        (
            calling(call("query_predicates")),
            'wrong arguments for query_predicates: facts: Field required; for example {"facts": ["on b,g", "clear b"]}',
        ),
        (calling(call("query_predicates", facts="clear g")), "wrong arguments for query_predicates: facts: "),
        (calling(call("query_predicates", facts=[3])), "wrong arguments for query_predicates: facts.0: "),
        (calling(call("plan_pddl", true_facts=[None])), "wrong arguments for plan_pddl: true_facts.0: "),
        (calling(call("step_environment", action="moveblock")), "wrong arguments for step_environment: arguments: "),
        (AIMessage("", invalid_tool_calls=[BROKEN]), "this call cannot be read: its arguments are not a JSON object"),  # type: ignore[list-item]
    ],
)
def test_a_wrong_call_is_told_to_the_model_and_costs_no_step(message: AIMessage, told: str, planners: Pair) -> None:
    chat = in_turn(message, AIMessage("I give up."))
    result, records = played(chat, planners)
    (event,) = of_type(records, Called)
    assert event.fault
    assert event.result.startswith(told)
    assert result.steps == 0
    assert result.reason == Reason.FINISHED
    assert isinstance(chat.heard[1][-1], ToolMessage)
    assert str(chat.heard[1][-1].text) == event.result


@pytest.mark.parametrize(
    ("message", "outcome"),
    [
        (move(action="levitate"), "action does not exist"),
        (move("g"), "parameters incorrectly specified"),
        (move("g", "c9"), "parameters incorrectly specified"),
        (move("g, c3"), "parameters incorrectly specified"),
        (move("g", "c3)\n{"), "parameters incorrectly specified"),
        (move("r", "c3"), "not legal"),
        (move(" G ", "C3"), "executed"),
    ],
)
def test_an_attempt_that_makes_no_sense_costs_a_step_and_is_told(
    message: AIMessage, outcome: str, planners: Pair
) -> None:
    result, records = played(in_turn(message), planners)
    (event,) = of_type(records, Called)
    assert event.result.startswith(outcome)
    assert not event.fault
    assert result.steps == 1
    assert result.counts("misjudged") == ({} if outcome == "executed" else {"attempted_wrongly": 1})


def test_after_the_goal_and_after_the_last_step_nothing_is_done(planners: Pair) -> None:
    steps = [call("step_environment", 1, action="moveblock", arguments=[*args]) for args in (("g", "c3"), ("r", "c2"))]
    result, records = played(in_turn(calling(*steps, call("look"))), planners)
    assert result.success
    assert [event.result for event in of_type(records, Called)][1:] == [
        "executed; the goal is reached",
        "not done: the goal is reached",
    ]
    result, records = played(in_turn(calling(*steps)), planners, steps=1)
    assert result.reason == Reason.STEP_LIMIT
    assert [event.result for event in of_type(records, Called)] == ["executed", "not done: the step limit is reached"]


@pytest.mark.parametrize("steps", [1, 3])
def test_a_model_that_only_ever_looks_runs_out_of_turns(steps: int, planners: Pair) -> None:
    chat = Puppet(script=lambda heard: calling(call("look", len(heard))))
    result, records = played(chat, planners, steps=steps)
    assert result.reason == Reason.STEP_LIMIT
    assert result.detail.endswith("turns are used up")
    assert sum(event.decides for event in of_type(records, Asked)) == TURNS_PER_STEP * steps + SPARE_TURNS


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        (AIMessage("The goal is reached."), Reason.FINISHED),
        (AIMessage(""), Reason.UNREADABLE),
        (AIMessage("I would", response_metadata={"finish_reason": "length"}), Reason.TRUNCATED),
    ],
)
def test_a_model_that_calls_nothing_ends_the_episode(message: AIMessage, reason: Reason, planners: Pair) -> None:
    result, _ = played(in_turn(message), planners)
    assert (result.reason, result.success) == (reason, False)


def test_a_model_that_cannot_be_asked_ends_the_episode_as_infrastructure(planners: Pair) -> None:
    def down(heard: list[Any]) -> AIMessage:
        raise ConnectionResetError("peer")

    result, _ = played(Puppet(script=down), planners)
    assert result.reason == Reason.MODEL_UNAVAILABLE
    assert not result.scored


def test_questions_that_cannot_be_asked_are_not_told_to_the_model(planners: Pair) -> None:
    def broken(request: Any) -> str:
        raise ModelUnavailable("the server is gone")

    chat = in_turn(calling(call("query_predicates", facts=["clear g"])))
    result, _ = play("tools", Handy(Scripted(broken), chat), problem(), planners)
    assert (result.reason, result.detail) == (Reason.MODEL_UNAVAILABLE, "the server is gone")


arguments = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=4)
    | st.sampled_from(["moveblock", "g", "c3", "clear g"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=5,
)
tool_calls = st.builds(
    lambda name, given, number: call(name, number, **given),
    st.sampled_from(["look", "query_predicates", "plan_pddl", "step_environment", "fly"]),
    st.dictionaries(st.sampled_from(["facts", "true_facts", "action", "arguments", "x"]), arguments, max_size=3),
    st.integers(0, 9),
)


@given(st.lists(st.lists(tool_calls, min_size=1, max_size=3), max_size=4))
@settings(max_examples=60, deadline=None)
@pytest.mark.slow
def test_no_call_crashes_an_episode(planners: Pair, turns: list[list[dict[str, Any]]]) -> None:
    result, records = played(in_turn(*(calling(*calls) for calls in turns)), planners, steps=3)
    assert result.reason in (Reason.FINISHED, Reason.STEP_LIMIT)
    for record in records:
        assert EVENTS.validate_json(record.event.model_dump_json()) == record.event


def test_a_model_of_plain_words_calls_nothing(planners: Pair) -> None:
    result, records = play("tools", Scripted(always("Yes")), problem(), planners)
    assert result.reason == Reason.FINISHED
    assert of_type(records, Asked)[0].reply == "Yes"


def test_what_is_called_stands_in_the_trace(planners: Pair) -> None:
    _, records = played(in_turn(calling(call("query_predicates", facts=["clear g"]), text="Is it clear?")), planners)
    decided, called = [e for e in of_type(records, Asked, Called) if isinstance(e, Called) or e.decides][:2]
    assert (decided.reply, decided.value) == ("Is it clear?", ('query_predicates({"facts": ["clear g"]})',))
    assert json.loads(called.arguments) == {"facts": ["clear g"]}
    assert called.result == "clear g: yes"


def test_the_page_shows_its_graph() -> None:
    page = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
    shown = page.partition("```mermaid tools\n")[2].partition("```")[0]
    assert all_agents()["tools"].build().get_graph().draw_mermaid().strip() == shown.strip()
