"""Which faculty each request and each record needs, and what every change does to a rerun, for all kinds of judge."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from envs.base import Question, Stepped, View
from envs.blocksworld.world import SlipperyHand
from evals.judges import options_changes, question_changes, symbolic_changes
from evals.judges.changes import RerunSetup
from evals.judges.options import OptionsJudge
from evals.judges.planning import OmniscientPlanner, SoundPlanner
from evals.judges.question import QuestionJudge
from evals.judges.question_changes import in_another_order
from evals.judges.reliable import TRIES, ReliableActions
from evals.judges.symbolic import SymbolicJudge
from evals.run.trace import Record, Truth
from models.base import Kind, Reply, Request
from models.parsing import Profile
from models.scripted import Scripted
from planners.task import Step
from tests.evals.test_judge_planning import At
from tests.evals.test_question_judge import COLOURS, judge
from tests.evals.test_symbolic_judge import Given, acted, judged, yes_no
from tests.small_sets import Stairs
from tests.small_worlds import about, blocksworld, request
from tools.events import Answered, Asked, CalledOff, Ended, Event, Planned, Reason

KEPT = "kept"
STEPS = (Step("moveblock", ("r", "c2")), Step("moveblock", ("r", "c3")))


class Looking(Scripted):
    looks = True


def context(*changes: str, **options: Any) -> Any:
    """A rerun that is about to be played."""
    usual: dict[str, Any] = {
        "changes": frozenset(changes), "records": [], "step": 0, "limit": 10, "progress": At(), "task": object(),
        "model": Looking(lambda request: "asked"), "planner": None, "profile": Profile.ROBUST, "seed": 0,
    }  # fmt: skip
    return SimpleNamespace(**{**usual, **options})


def set_up(told: Any, *changes: str, **options: Any) -> RerunSetup:
    setup: RerunSetup = asyncio.run(told.changed(context(*changes, **options)))
    return setup


def replied(setup: RerunSetup, asked: Request, kept: str = KEPT) -> str:
    """The text of a reply in a rerun, where this one was recorded."""
    return asyncio.run(setup.answer(asked, Reply(kept), Scripted(lambda request: "asked").ask)).text


def record(event: Event, **truth: Any) -> Record:
    return Record(event=event, truth=Truth(**truth))


def test_the_faculties_of_each_kind_of_task() -> None:
    assert options_changes.FACULTIES == ("deciding", "parsing", "protocol")
    assert question_changes.FACULTIES == ("answering", "parsing")
    assert question_changes.TOGETHER == {"oracle-answers": ("answering", "parsing")}
    assert symbolic_changes.TOGETHER == {
        "oracle-answers": ("perception", "parsing"),
        "oracle-plan": ("planning", "knowledge", "deciding"),
    }
    for changes in (options_changes, question_changes, symbolic_changes):
        assert {*changes.CHANGES} >= {"parsing"}


# --- questions


@pytest.mark.parametrize(
    ("place", "changes", "kept", "text"),
    [
        ("question 1", ("answering",), "A", "B"),
        ("question 1", ("oracle-answers",), "hm", "B"),
        ("question 1", ("answering",), "hm", "hm"),
        ("question 1", ("parsing",), "A", "A"),
        ("question 1", ("parsing",), "hm", "B"),
        ("question 1", (), "hm", "hm"),
        ("part 1", ("answering", "parsing"), "hm", "hm"),
        ("question", ("answering", "parsing"), "hm", "hm"),
    ],
)
def test_only_the_question_itself_is_answered_rightly(
    place: str, changes: tuple[str, ...], kept: str, text: str
) -> None:
    together = question_changes.TOGETHER
    setup = set_up(judge("green", *COLOURS), *(one for name in changes for one in together.get(name, (name,))))
    asked = replace(request("Which?\nA. red\nB. green\nC. blue", kind=Kind.CHOICE, options=COLOURS), place=place)
    assert replied(setup, asked, kept) == text


@pytest.mark.parametrize(
    ("answer", "kind", "text"), [("green", Kind.TEXT, "green"), (4, Kind.NUMBER, "4"), (4, Kind.TEXT, "3")]
)
def test_a_right_answer_is_written_out_where_free_text_is_asked_for(answer: Any, kind: Kind, text: str) -> None:
    setup = set_up(judge(answer, *COLOURS), "answering")
    assert replied(setup, replace(request("Which?", kind=kind), place="question 1"), "3").rpartition(" ")[2] == text


def test_options_come_in_another_order_only_if_that_is_asked_for() -> None:
    told, task = judge("green", *COLOURS), Question("Which?", (), COLOURS)
    same, shuffled = (set_up(told, *changes, task=task, seed=3) for changes in ((), ("shuffled-options",)))
    assert (same.task, same.fresh, same.model) == (task, False, None)
    assert isinstance(shuffled.task, Question)
    assert shuffled.task.options == in_another_order(COLOURS, 3) != COLOURS
    assert shuffled.fresh
    assert isinstance(shuffled.judge, QuestionJudge)
    assert (shuffled.judge.shown, shuffled.judge.question.options) == (shuffled.task.options, COLOURS)
    other = object()
    assert set_up(told, "shuffled-options", task=other).task is other
    blind = set_up(told, "blind", task=task)
    assert (blind.task, blind.fresh, blind.model is None) == (task, True, False)


def test_another_order_is_another_one_for_every_seed_and_none_of_equal_options() -> None:
    orders = {in_another_order("abc", seed) for seed in range(40)}
    assert len(orders) == 5
    assert tuple("abc") not in orders
    assert in_another_order("ab", 1) == ("b", "a")
    assert in_another_order("aa", 1) == ("a", "a")
    assert in_another_order("a", 1) == ("a",)
    assert in_another_order("", 1) == ()


def asked(value: Any = None, phase: str = "question", kind: Kind = Kind.CHOICE, **more: Any) -> Asked:
    return Asked(step=0, kind=kind, phase=phase, value=value, reply="", **more)


@pytest.mark.parametrize(
    ("event", "right", "found"),
    [
        (asked(None), False, {"parsing"}),
        (asked(None, "part"), None, set()),
        (asked(None, "part"), False, {"answering"}),
        (asked("A"), False, {"answering"}),
        (asked("A"), True, set()),
        (asked("A"), None, set()),
        (Answered(step=0, value="A"), False, {"answering"}),
        (Answered(step=0, value=None), None, set()),
        (Ended(step=0, reason=Reason.FINISHED), False, set()),
    ],
)
def test_what_could_have_failed_in_a_question(event: Event, right: bool | None, found: set[str]) -> None:
    records = [record(event, right=right)]
    assert question_changes.could_fail(records, set()) == found
    assert question_changes.could_fail(records, found) == set()


@pytest.mark.parametrize(
    ("options", "pictures", "changes", "why"),
    [
        ((), False, {"shuffled-options"}, "no options"),
        (("a",), False, {"shuffled-options"}, "no options"),
        (("a", "b"), False, {"shuffled-options"}, ""),
        ((), False, {"answering"}, ""),
        (("a", "b"), False, {"blind"}, "no pictures"),
        (("a", "b"), True, {"blind"}, ""),
        (("a", "b"), True, {"blind", "no-picture"}, "do not go together"),
    ],
)
def test_changes_that_do_not_apply_to_a_question(
    options: tuple[str, ...], pictures: bool, changes: set[str], why: str
) -> None:
    told: Any = SimpleNamespace(question=SimpleNamespace(options=options, pictures=("it",) * pictures))
    said = question_changes.unfit(told, changes)
    assert (why in said) if why else said == ""


# --- worlds of options


@pytest.mark.parametrize(
    ("kind", "options", "changes", "kept", "text"),
    [
        (Kind.CHOICE, ("jump", "go up"), {"deciding"}, "Choice: [1]", "Choice: [2]"),
        (Kind.CHOICE, ("jump", "wait"), {"deciding"}, "Choice: [1]", "Choice: [1]"),
        (Kind.TEXT, ("jump", "go up"), {"deciding"}, KEPT, KEPT),
        (Kind.YES_NO, ("jump", "go up"), {"deciding", "parsing"}, "hm", "hm"),
        (Kind.CHOICE, ("jump", "go up"), {"parsing"}, "Choice: [1]", "Choice: [1]"),
        (Kind.CHOICE, ("jump", "go up"), {"parsing"}, "hm", "Choice: [2]"),
        (Kind.CHOICE, ("jump", "go up"), {"deciding"}, "hm", "hm"),
    ],
)
def test_a_choice_is_right_where_the_best_option_is_offered(
    kind: Kind, options: tuple[str, ...], changes: set[str], kept: str, text: str
) -> None:
    setup = set_up(OptionsJudge(Stairs(2), {}), *changes)
    assert replied(setup, request("Which?\n1. x\n2. y", kind=kind, options=options), kept) == text


def test_only_another_view_makes_a_rerun_ask_anew() -> None:
    told, task, planner = OptionsJudge(Stairs(2), {}), object(), object()
    same = set_up(told, "deciding", task=task, planner=planner)
    assert (same.task, same.planner, same.model, same.fresh) == (task, planner, None, False)
    blind = set_up(told, "blind", task=task)
    assert blind.model is not None
    assert blind.fresh


@pytest.mark.parametrize(
    ("event", "found"),
    [
        (asked("1"), {"deciding"}),
        (asked(None, fault="unreadable"), {"deciding", "parsing"}),
        (asked(None, kind=Kind.TEXT, fault="unreadable"), set()),
        (Ended(step=0, reason=Reason.LOOP), {"protocol"}),
        (Ended(step=0, reason=Reason.FINISHED), set()),
        (Answered(step=0, value=None), set()),
    ],
)
def test_what_could_have_failed_in_a_world_of_options(event: Event, found: set[str]) -> None:
    assert options_changes.could_fail([record(event)], set()) == found
    assert options_changes.could_fail([record(event)], found) == set()


# --- symbolic worlds

MOVE = json.dumps({"action": {"action": "moveblock", "parameters": ["b", "c1"]}})


@pytest.mark.parametrize(
    ("wanted", "changes", "kept", "text"),
    [
        (about("incolumn r,c1"), {"perception"}, "No", "Yes"),
        (about("incolumn r,c1"), {"deciding"}, "No", "No"),
        (about("incolumn r,c1"), {"perception"}, "hm", "hm"),
        (about("incolumn r,c1"), {"perception", "parsing"}, "hm", "Yes"),
        (about("incolumn r,c1"), {"perception", "knowledge"}, "hm", "hm"),
        (request("Is it so?", kind=Kind.YES_NO), {"perception", "parsing"}, "hm", "hm"),
        (request("What now?", kind=Kind.ACTION), {"deciding"}, MOVE, "right"),
        (request("What now?", kind=Kind.ACTION), {"perception"}, MOVE, MOVE),
        (request("What now?", kind=Kind.ACTION), {"deciding"}, "hm", "hm"),
        (request("What now?", kind=Kind.ACTION), {"deciding", "knowledge"}, "hm", "right"),
        (request("What now?", kind=Kind.PLAN), {"deciding", "knowledge"}, "hm", "right"),
        (request("What now?", kind=Kind.TEXT, about="incolumn r,c1"), {"deciding", "perception"}, "hm", "hm"),
    ],
)
def test_facts_need_perception_and_proposals_deciding(wanted: Request, changes: set[str], kept: str, text: str) -> None:
    found = replied(set_up(judged(), *changes), wanted, kept)
    assert found == text if text != "right" else '"c3"' in found


def test_what_a_rerun_plans_with() -> None:
    own, task = Given(STEPS), object()
    for changes in ((), ("perception",), ("deciding", "parsing")):
        same = set_up(judged(), *changes, planner=own, task=task)
        assert (same.planner, same.task, same.model, same.fresh, same.rewritten) == (own, task, None, False, False)
    sound = set_up(judged(), "planning", planner=own).planner
    assert isinstance(sound, SoundPlanner)
    assert (sound.planner, sound.limit) == (own, 10)
    for changes in (("knowledge",), ("knowledge", "planning")):
        knowing = set_up(judged(), *changes, planner=own)
        assert isinstance(knowing.planner, OmniscientPlanner)
        assert knowing.rewritten is False
        seen = replace(judged().problem(), init=frozenset())
        assert knowing.planner.known(seen).init == judged().world.truth()
    assert set_up(judged(), "knowledge", "planning").planner is None


def test_a_plan_under_way_is_finished_as_the_truth_has_it() -> None:
    planned = Planned(step=0, belief=(), status="solved", plan=tuple(map(str, STEPS)))
    records = [record(planned), record(acted(str(STEPS[0])))]
    there = judged(Given((STEPS[1],)))
    setup = set_up(judged(), "knowledge", planner=Given(STEPS), records=records, step=1, at_step=lambda: there)
    assert isinstance(setup.planner, OmniscientPlanner)
    assert setup.rewritten
    assert setup.planner.ongoing is not None
    assert (setup.planner.ongoing.done, setup.planner.rest) == ((STEPS[0],), (STEPS[1],))


def test_actions_are_reliable_from_the_moment_the_rerun_is_free() -> None:
    chance, progress = Counted(0), At(free=False)
    told = SymbolicJudge(blocksworld(chance=chance), {"level": "simple"}, lambda: Given(STEPS))
    setup = set_up(told, "actions", progress=progress)
    assert isinstance(setup.task, View)
    setup.task.step(Step("moveblock", ("g", "c3")))
    assert chance.seeds == [-1]
    progress.free = True
    setup.task.step(Step("moveblock", ("g", "c4")))
    assert chance.seeds == [-1, 0]


def proposed(fault: str | None = None, kind: Kind = Kind.PLAN) -> Asked:
    return Asked(step=0, kind=kind, about="x", reply="", fault=fault)


@pytest.mark.parametrize(
    ("event", "truth", "found"),
    [
        (proposed(), {}, {"deciding"}),
        (proposed(kind=Kind.ACTION), {"right": False}, {"deciding"}),
        (proposed("unreadable"), {}, {"deciding", "parsing"}),
        (yes_no("clear r", None), {"right": False}, {"parsing"}),
        (yes_no("", None), {}, set()),
        (yes_no("clear r", True), {"right": False}, {"perception"}),
        (yes_no("clear r", True), {"right": True}, set()),
        (yes_no("clear r", True), {}, set()),
        (Asked(step=0, kind=Kind.TEXT, about="x", reply=""), {}, set()),
        (Planned(step=0, belief=(), status="solved"), {}, {"planning"}),
        (Planned(step=0, belief=(), status="solved"), {"wrong": ("clear r",)}, {"planning", "knowledge"}),
        (acted("moveblock r,c2"), {"legal": True, "happened": "slipped"}, {"actions"}),
        (acted("moveblock r,c2"), {"legal": True, "happened": "success"}, set()),
        (acted("moveblock r,c2"), {"legal": False, "happened": "slipped"}, set()),
        (CalledOff(step=0, action="moveblock r,c2", unmet=("clear r",)), {"legal": True}, set()),
        (Ended(step=0, reason=Reason.STEP_LIMIT), {}, {"protocol"}),
        (Ended(step=0, reason=Reason.NO_PLAN), {}, set()),
    ],
)
def test_what_could_have_failed_in_a_symbolic_world(event: Event, truth: dict[str, Any], found: set[str]) -> None:
    records = [record(event, **truth)]
    assert symbolic_changes.could_fail(records, set()) == found
    assert symbolic_changes.could_fail(records, found) == set()
    failed = found == {"actions"}
    assert symbolic_changes.action_failed(records[0]) is failed
    assert symbolic_changes.impossible(records, {"actions"}) is failed
    assert symbolic_changes.impossible(records, {"planning"}) is False


def test_a_wrong_belief_is_a_matter_of_knowledge_only_if_all_answers_were_right() -> None:
    wrong = record(Planned(step=0, belief=(), status="solved"), wrong=("clear r",))
    lie = record(yes_no("clear r", True), right=False)
    assert symbolic_changes.could_fail([lie, wrong], set()) == {"perception", "planning"}
    assert symbolic_changes.could_fail([wrong], {"planning"}) == {"knowledge"}


FACT, PLAN, TOOLS = yes_no("clear r", True), proposed(), Asked(step=0, kind=Kind.TOOLS, reply="")


@pytest.mark.parametrize(
    ("events", "changes", "why"),
    [
        ([PLAN], {"perception", "parsing"}, "asks no questions about facts"),
        ([PLAN], {"perception"}, "asks no questions about facts"),
        ([PLAN, FACT], {"perception", "parsing"}, ""),
        ([PLAN], {"perception", "deciding"}, ""),
        ([FACT], {"perception"}, ""),
        ([], {"perception"}, ""),
        ([FACT], {"deciding"}, "asks questions and has a planner"),
        ([FACT, TOOLS], {"deciding"}, "calls tools"),
        ([PLAN], {"deciding"}, ""),
        ([FACT], {"deciding", "planning"}, ""),
    ],
)
def test_changes_that_would_have_no_effect_on_an_agent(events: list[Event], changes: set[str], why: str) -> None:
    said = symbolic_changes.unfit([record(event) for event in events], changes, "it")
    assert (why in said and said.startswith("it ")) if why else said == ""


# --- actions that do not fail

LEGAL, ILLEGAL = Step("moveblock", ("r", "c2")), Step("moveblock", ("r", "nowhere"))


class Counted:
    """Chance that lets moves happen with some seeds. The first one slips, later ones do nothing."""

    def __init__(self, *good: int) -> None:
        self.good, self.seeds = good, [-1]
        self.began: list[Any] = []

    def __deepcopy__(self, memo: object) -> Counted:
        return self  # also what a snapshot restores

    def reseed(self, seed: int) -> None:
        self.seeds.append(seed)

    def __call__(self, move: Step, world: Any) -> Step | None:
        self.began.append(world.arrangement)
        if self.seeds[-1] in self.good:
            return move
        return Step(move.action, (move.args[0], "c3")) if self.seeds[-1] < 0 else None


@pytest.mark.parametrize(
    ("good", "step", "active", "seeds", "happened"),
    [
        ((2,), LEGAL, True, 3, "success"),
        ((-1,), LEGAL, True, 0, "success"),
        ((TRIES - 1,), LEGAL, True, TRIES, "success"),
        ((TRIES,), LEGAL, True, TRIES, ""),
        ((2,), LEGAL, False, 0, ""),
        ((2,), ILLEGAL, True, 0, ""),
        ((2,), Step("moveblock", ("b", "c2")), True, 0, ""),
    ],
)
def test_a_legal_action_is_tried_with_other_seeds(
    good: tuple[int, ...], step: Step, active: bool, seeds: int, happened: str
) -> None:
    chance = Counted(*good)
    world = blocksworld((("b", "r"), ("g",), ()), ((), ("g",), ("r", "b")), chance=chance)
    start = world.arrangement
    stepped = ReliableActions(world, lambda: active).step(step)
    assert isinstance(stepped, Stepped)
    assert chance.seeds == [-1, *range(seeds)]
    assert set(chance.began) <= {start}, "every attempt is made from the same moment"
    assert (world.happened() == "success") is (happened == "success")
    slipped = (("b",), ("g",), ("r",))
    moved = (("b",), ("g", "r"), ())
    assert world.arrangement == (moved if happened else slipped if chance.began else start)


def test_how_many_seeds_are_tried() -> None:
    assert TRIES == 30


def test_everything_else_is_the_worlds_own() -> None:
    world = blocksworld(chance=SlipperyHand(0.5, 1))
    reliable = ReliableActions(world, lambda: True)
    assert reliable.truth() == world.truth()
    assert reliable.goal is world.goal
    with pytest.raises(ValueError, match="stairs cannot be restored"):
        ReliableActions(Stairs(2), lambda: True)  # type: ignore[arg-type]
