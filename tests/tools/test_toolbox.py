"""The toolbox: what it does in a real world, what it counts, and that all of it is told in order."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from envs.base import Observation, Outcome
from envs.pictures import PictureStore
from models.base import Kind, ModelUnavailable, Reply, Request, Usage
from models.parsing import Proposal
from models.scripted import Scripted, always, by_fact, in_order
from planners.formula import Atom, Literal
from planners.outcome import Planner, Status
from planners.task import Step
from tests.hanoi import Hanoi
from tests.small_worlds import Sketch, blocksworld, toolbox
from tools.base import Conduct
from tools.events import Acted, Asked, Ended, Observed, Phase, Reason

MOVE = Step("moveblock", ("g", "c3"))
CLEAR, ON = Atom("clear", ("g",)), Atom("on", ("g", "r"))
YES = Scripted(always("Yes"))


def types(told: list) -> list[str]:
    return [event.type for event in told]


def test_everything_is_told_in_the_order_it_happens(planner: Planner) -> None:
    world = blocksworld()
    tools, told = toolbox(world, YES, planner)

    async def episode() -> None:
        await tools.query([CLEAR], phase=Phase.ENUMERATION)
        outcome = await tools.plan(world.truth())
        await tools.query([Literal(CLEAR)], phase=Phase.PRECONDITION)
        tools.act(outcome.plan[0])
        await tools.query([Literal(CLEAR, False)], phase=Phase.EFFECT)
        tools.replan("unexpected effect")
        tools.call_off(MOVE, [Literal(CLEAR)])
        tools.end(Reason.FINISHED, "enough")

    asyncio.run(episode())
    assert types(told) == [
        "observed", "asked", "planned", "asked", "acted", "observed", "asked", "replanned", "called_off", "ended",
    ]  # fmt: skip
    assert [event.step for event in told] == [0, 0, 0, 0, 0, 1, 1, 1, 1, 2]


def test_one_picture_until_something_is_attempted(planner: Planner) -> None:
    tools, told = toolbox(blocksworld(), YES, planner)

    async def look() -> list[Observation]:
        before = [await tools.look(), await tools.look()]
        tools.call_off(MOVE, [])
        before.append(await tools.look())
        tools.act(Step("levitate"))
        return [*before, await tools.look()]

    first, second, called_off, acted = asyncio.run(look())
    assert first is second is called_off is not acted
    assert types(told) == ["observed", "called_off", "acted", "observed"]


def test_whether_anything_changed_is_told_by_the_picture(planner: Planner) -> None:
    tools, _ = toolbox(blocksworld(), YES, planner)

    async def seen() -> list[bool]:
        tools.act(Step("levitate"))
        blindly = await tools.unchanged()
        tools.act(Step("levitate"))
        nothing = await tools.unchanged()
        tools.act(MOVE)
        return [blindly, nothing, await tools.unchanged()]

    assert asyncio.run(seen()) == [False, True, False]


def test_what_cannot_be_seen_does_not_tell_that_something_changed(planner: Planner) -> None:
    world, shown = blocksworld(), iter([Sketch("here"), Sketch("there"), Sketch("anywhere", b"other pixels")])
    world.observe = lambda: Observation(next(shown))  # type: ignore[method-assign]
    tools, _ = toolbox(world, YES, planner)

    async def seen() -> list[bool]:
        await tools.look()
        found = []
        for _ in range(2):
            tools.act(Step("levitate"))
            found.append(await tools.unchanged())
        return found

    assert asyncio.run(seen()) == [True, False]


def test_attempts_are_counted_whether_they_work_or_not(planner: Planner) -> None:
    tools, _ = toolbox(blocksworld(), YES, planner, step_limit=4)
    assert tools.act(MOVE).outcome is Outcome.EXECUTED
    assert tools.act(MOVE).outcome is Outcome.NOT_LEGAL
    tools.call_off(MOVE, [])
    assert (tools.attempts, tools.spent) == (3, False)
    assert tools.refuse(Proposal("levitate", {}, None)) is Outcome.UNKNOWN_ACTION
    assert (tools.attempts, tools.spent) == (4, True)


def test_a_refused_proposal_says_what_is_wrong_with_it(planner: Planner) -> None:
    world = blocksworld()
    tools, told = toolbox(world, YES, planner)
    before = world.truth()
    assert tools.refuse(Proposal("moveblock", {"block": "g"}, None)) is Outcome.BAD_PARAMETERS
    assert tools.refuse(Proposal("levitate", {"block": "g"}, None)) is Outcome.UNKNOWN_ACTION
    assert [event.outcome for event in told if isinstance(event, Acted)] == [
        "parameters incorrectly specified",
        "action does not exist",
    ]
    assert world.truth() == before


def test_answers_come_in_the_order_of_the_questions(planner: Planner) -> None:
    async def slow_first(request: Request) -> Reply:
        await asyncio.sleep(0.02 if request.about == str(CLEAR) else 0)
        return Reply("No" if request.about == str(CLEAR) else "Yes")

    model = Scripted(always(""))
    model.ask = slow_first  # type: ignore[method-assign]
    tools, told = toolbox(blocksworld(), model, planner)
    answers = asyncio.run(tools.query([Literal(CLEAR), Literal(ON), CLEAR]))
    assert [(answer.atom, answer.value, answer.expected) for answer in answers] == [
        (CLEAR, False, True),
        (ON, True, True),
        (CLEAR, False, None),
    ]
    assert [answer.as_expected for answer in answers] == [False, True, False]
    assert [event.about for event in told if isinstance(event, Asked)] == ["on g,r", "clear g", "clear g"]


def test_an_answer_that_cannot_be_read_is_no_answer(planner: Planner) -> None:
    model = Scripted(in_order(["banana", ""]))
    tools, told = toolbox(blocksworld(), model, planner)
    banana, nothing = asyncio.run(tools.query([Literal(CLEAR), Literal(ON)]))
    assert (banana.value, banana.as_expected, "banana" in banana.fault) == (None, False, True)
    assert nothing.fault == "the reply is empty"
    assert [event.fault is not None for event in told if isinstance(event, Asked)] == [True, True]


def test_a_question_says_where_in_the_episode_it_stands(planner: Planner) -> None:
    model = Scripted(always("Yes"))
    tools, _ = toolbox(blocksworld(), model, planner)

    async def episode() -> None:
        await tools.query([CLEAR], phase=Phase.ENUMERATION)
        await tools.query([CLEAR], phase=Phase.PRECONDITION)
        tools.act(MOVE)
        await tools.query([CLEAR], phase=Phase.EFFECT)
        await tools.query([CLEAR], phase=Phase.ENUMERATION)
        await tools.propose(Kind.PLAN, [])

    asyncio.run(episode())
    assert [request.place for request in model.asked] == [
        "enumeration 0", "precondition 0", "effect 1", "enumeration 1", "proposal 1",
    ]  # fmt: skip


def test_a_note_stands_before_its_question(planner: Planner) -> None:
    model = Scripted(always("Yes"))
    tools, told = toolbox(blocksworld(), model, planner)
    asyncio.run(tools.query([CLEAR], note="Remember the green block."))
    question = tools.env.question(CLEAR)
    assert f"Remember the green block.\n\n{question}" in model.asked[0].text
    asked = told[-1]
    assert isinstance(asked, Asked)
    assert (asked.reminded, asked.question) == (True, question)


def test_reasoning_gets_its_prompt_and_its_tokens(planner: Planner) -> None:
    model = Scripted(always("<answer>No</answer>"))
    tools, _ = toolbox(blocksworld(), model, planner)
    (answer,) = asyncio.run(tools.query([CLEAR], cot=True))
    assert answer.value is False
    assert (model.asked[0].cot, model.asked[0].max_tokens) == (True, 1024)
    asyncio.run(tools.query([CLEAR]))
    assert model.asked[1].max_tokens < 100


def test_what_a_reply_took_is_told(planner: Planner) -> None:
    reply = Reply("Yes", Usage(100, 2, 0.01), yes=0.9, no=0.1, truncated=True, seconds=0.5)
    tools, told = toolbox(blocksworld(), Scripted(lambda request: reply), planner)
    (answer,) = asyncio.run(tools.query([CLEAR]))
    asked = told[-1]
    assert isinstance(asked, Asked)
    assert answer.truncated
    assert (asked.prompt_tokens, asked.completion_tokens, asked.cost, asked.seconds) == (100, 2, 0.01, 0.5)
    assert (asked.yes, asked.no, asked.truncated) == (0.9, 0.1, True)


@pytest.mark.parametrize(("cot", "probability"), [(False, pytest.approx(0.75)), (True, None)])
def test_a_probability_is_that_of_an_answer_without_reasoning(cot: bool, probability: object, planner: Planner) -> None:
    """With reasoning first, the first token says nothing about the answer."""
    reply = Reply("<answer>Yes</answer>" if cot else "Yes", yes=0.6, no=0.2)
    tools, _ = toolbox(blocksworld(), Scripted(lambda request: reply), planner)
    (answer,) = asyncio.run(tools.query([CLEAR], cot=cot))
    reading = asyncio.run(tools.ask("Is it clear?", kind=Kind.YES_NO, cot=cot))
    assert (answer.value, reading.value) == (True, True)
    assert (answer.probability, reading.probability) == (probability, probability)


def test_a_proposal_is_read_and_told(planner: Planner) -> None:
    text = '{"plan": [{"action": "moveblock", "parameters": {"block": "g", "column": "c3"}}, {"action": "fly"}]}'
    model = Scripted(always(text))
    tools, told = toolbox(blocksworld(), model, planner)
    history: list[dict[str, object]] = [{"action": "fly", "parameters": {}, "outcome": "action does not exist"}]
    wanted = asyncio.run(tools.propose(Kind.PLAN, history))
    assert [action.step for action in wanted.actions] == [MOVE, None]
    proposed = told[-1]
    assert isinstance(proposed, Asked)
    assert proposed.value == ("moveblock(g, c3)", "fly[]")
    assert "action does not exist" in model.asked[0].text
    assert tools.env.goal_text in model.asked[0].text


def test_a_proposal_that_cannot_be_read_says_why(planner: Planner) -> None:
    tools, told = toolbox(blocksworld(), Scripted(always("banana")), planner)
    wanted = asyncio.run(tools.propose(Kind.ACTION, []))
    assert (wanted.actions, "no JSON object" in wanted.fault) == ((), True)
    assert isinstance(told[-1], Asked)
    assert told[-1].fault == wanted.fault


@pytest.mark.parametrize("text", ['{"action": {"action": "\\ud800"}}', "\ud800", '{"action": "\\udc00"} \x00'])
def test_broken_characters_are_a_fault_of_the_reply_not_of_ours(planner: Planner, text: str) -> None:
    tools, told = toolbox(blocksworld(), Scripted(always(text)), planner)
    asyncio.run(tools.propose(Kind.ACTION, []))
    asyncio.run(tools.query([CLEAR]))
    for event in told:
        event.model_dump_json().encode()


def test_hints_of_the_world_are_passed_on(planner: Planner) -> None:
    world = blocksworld()
    world.observe = lambda: Observation(Sketch(), frozenset({"r", "c1"}), ("The cup is in the box.",))  # type: ignore[method-assign]
    model = Scripted(always("banana"))
    tools, told = toolbox(world, model, planner)
    asyncio.run(tools.propose(Kind.PLAN, []))
    assert "- The cup is in the box." in model.asked[0].text
    assert isinstance(told[0], Observed)
    assert told[0].visible == ("c1", "r")


def test_no_plan_is_a_result(planner: Planner) -> None:
    tools, told = toolbox(blocksworld(), YES, planner)
    outcome = asyncio.run(tools.plan(frozenset()))
    assert (outcome.status, outcome.plan) == (Status.UNSOLVABLE, ())
    assert told[-1].status == "unsolvable"


def test_one_question_that_cannot_be_asked_gives_up_the_others(planner: Planner) -> None:
    finished: list[str] = []

    class Down(Scripted):
        async def ask(self, request: Request) -> Reply:
            if request.about == str(CLEAR):
                raise ModelUnavailable("down")
            await asyncio.sleep(0.05)
            finished.append(str(request.about))
            return Reply("Yes")

    tools, _ = toolbox(blocksworld(), Down(always("")), planner)

    async def ask_and_wait() -> None:
        with pytest.raises(ModelUnavailable, match="down"):
            await tools.query([ON, CLEAR, ON])
        await asyncio.sleep(0.1)

    asyncio.run(ask_and_wait())
    assert finished == []


@pytest.mark.parametrize(("looks", "draw_all", "drawn"), [(False, False, 0), (True, False, 1), (False, True, 1)])
def test_pictures_are_drawn_only_for_who_looks(
    planner: Planner, tmp_path: Path, looks: bool, draw_all: bool, drawn: int
) -> None:
    model = Scripted(by_fact({"*": "Yes"}))
    model.looks = looks
    world = blocksworld(pictures=PictureStore(tmp_path))
    tools, told = toolbox(world, model, planner, draw_all=draw_all)
    asyncio.run(tools.query([CLEAR]))
    assert len(list(tmp_path.glob("*.png"))) == drawn
    assert isinstance(told[0], Observed)
    assert (told[0].sha256 is not None) == bool(drawn)


def test_the_end_is_told_with_its_reason(planner: Planner) -> None:
    tools, told = toolbox(blocksworld(), YES, planner)
    tools.end(Reason.LOOP, "moveblock(g, c3) again")
    assert told == [Ended(step=0, reason=Reason.LOOP, detail="moveblock(g, c3) again")]


def test_what_is_known_anyway_is_not_among_the_facts_to_ask(planner: Planner) -> None:
    """Three blocks and four columns: the order of columns is stated, and no block is on itself."""
    mended, _ = toolbox(blocksworld(), Scripted(always("Yes")), planner)
    assert len(mended.facts) == 21
    assert {fact.predicate for fact in mended.facts} == {"on", "incolumn", "clear"}
    assert mended.static == frozenset(fact for fact in blocksworld().truth() if fact.predicate in ("leftof", "rightof"))
    official, _ = toolbox(blocksworld(), Scripted(always("Yes")), planner, conduct=Conduct.OFFICIAL)
    assert len(official.facts) == 56
    assert official.static is None
    assert official.world_text == official.env.description


def test_what_is_stated_is_planned_with(planner: Planner) -> None:
    tools, told = toolbox(Hanoi(), Scripted(always("Yes")), planner)  # type: ignore[arg-type]
    start = frozenset(fact for fact in Hanoi().truth() if fact.predicate != "smaller")
    assert len(asyncio.run(tools.plan(start)).plan) == 7
    assert "smaller small,large" in told[-1].belief  # type: ignore[union-attr]
