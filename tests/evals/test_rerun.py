"""Episodes played again: as recorded up to a step, from there on otherwise, and never a question too many."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from envs.base import Outcome
from envs.blocksworld.world import Blocksworld, SlipperyHand
from envs.pictures import PictureStore
from evals.judges.planning import ongoing_plan
from evals.judges.symbolic import JUDGING, SymbolicJudge
from evals.judges.symbolic_changes import Faculty
from evals.rerun.changes import Change
from evals.rerun.differences import first_other_action, first_other_answer
from evals.rerun.session import RerunSession
from evals.rerun.situations import RecordMismatch, describe, restore, steps_of
from evals.run.trace import Record, Recorder, read_trace, until
from models.registry import load_model
from models.sim import PublishedEyes, StandIn
from planners import get_planner
from planners.names import UnknownName
from tests.evals.rerunning import Counted, Pair, a_run, again, before, both_planners
from tests.handy import Handy, Solver
from tests.playing import Lie, liar
from tests.small_worlds import blocksworld, problem, witness
from tools.events import Acted, Asked, CalledOff, Event, Observed, Planned

SLOW = pytest.mark.slow
OTHERS = ("ground_belief", "ground_repair", "ground_lazy", "hybrid", "plan_cot")
SLIPPERY: Callable[[], SlipperyHand] = lambda: SlipperyHand(0.4, seed=5)  # noqa: E731
CALLED_OFF: Lie = lambda atom, true, request: true != (request.place == "precondition 1")  # noqa: E731


@pytest.fixture(scope="module")
def planners() -> Iterator[Pair]:
    with both_planners() as pair:
        yield pair


@pytest.fixture(scope="module")
def wrong(planners: Pair, tmp_path_factory: pytest.TempPathFactory) -> RerunSession:
    """A grounder that is lied to at one step, and whose hand slips."""
    return a_run(tmp_path_factory.mktemp("wrong"), "ground_mem", liar(CALLED_OFF), planners, steps=8, chance=SLIPPERY)


def story(records: list[Record]) -> list[tuple[object, ...]]:
    """What happened, without what depends on the clock or on who was asked."""
    volatile = {"seconds", "cached", "sha256", "engine", "cost"}
    return [(record.event.type, record.event.model_dump(exclude=volatile), record.truth) for record in records]


@pytest.mark.parametrize("agent", ["ground_mem", "action", *(pytest.param(name, marks=SLOW) for name in OTHERS)])
def test_nothing_changes_before_its_step(agent: str, planners: Pair, tmp_path: Path) -> None:
    sim = StandIn(PublishedEyes("qwen2.5-vl-7b"), blunder=0.3)
    session = a_run(tmp_path, agent, sim, planners, steps=6, chance=SLIPPERY)
    _, records = before(session)
    steps = steps_of(records)
    for step in {0, 1, steps // 2, steps}:
        result, now = again(session, step, "oracle-answers" if agent.startswith("ground") else "oracle-plan")
        assert result.scored, result.detail
        start = until(records, step)
        assert story(now)[1 : len(start)] == story(records)[1 : len(start)]


def test_where_nothing_is_otherwise_all_goes_as_before(wrong: RerunSession) -> None:
    result, records = before(wrong)
    now, later = again(wrong, 0, "parsing", "planning")
    assert story(later) == story(records)
    assert (now.success, now.reason, now.steps) == (result.success, result.reason, result.steps)
    assert first_other_action(records, later) is None
    assert first_other_answer(records, later) is None


def test_true_answers_from_a_step_on(wrong: RerunSession) -> None:
    _, records = before(wrong)
    _, now = again(wrong, 1, "oracle-answers")
    asked = [(record.event, record.truth) for record in now if isinstance(record.event, Asked)]
    assert all(event.value == truth.value for event, truth in asked if event.step >= 1)
    (was, first) = (
        [describe(record.event) for record in story_ if isinstance(record.event, Acted | CalledOff)][1]
        for story_ in (records, now)
    )
    assert was.endswith("is called off")
    assert first == was.replace("called off", "executed")
    difference = first_other_action(records, now)
    assert difference is not None
    assert (difference.step, difference.was, difference.now) == (1, was, first)
    answer = first_other_answer(records, now)
    assert answer is not None
    assert answer.step == 1


def test_a_grounder_with_true_answers_asks_the_model_nothing(planners: Pair, tmp_path: Path) -> None:
    model = Counted(liar(CALLED_OFF))
    session = a_run(tmp_path, "ground", model, planners, steps=8)
    asked = model.asked
    assert asked > 50
    again(session, 0, "oracle-answers")
    again(session, 1, "oracle-answers")
    assert model.asked == asked
    again(session, 1, "oracle-plan")
    assert model.asked == asked, "the plan was the best one already"


@pytest.mark.slow
def test_only_what_was_never_asked_is_asked(planners: Pair, tmp_path: Path) -> None:
    model = Counted(liar(lambda atom, true, request: true != (str(atom) == "clear g" and "pre" in request.place)))
    session = a_run(tmp_path, "ground", model, planners, steps=2)
    asked, (_, records) = model.asked, before(session)
    _, now = again(session, 0, "protocol")
    questions = [sum(isinstance(record.event, Asked) for record in story_) for story_ in (records, now)]
    assert steps_of(now) == 6
    assert model.asked - asked == questions[1] - questions[0] > 0
    again(session, 0, "protocol")
    assert model.asked - asked == questions[1] - questions[0], "a finished rerun is not played again"


def opened(session: RerunSession) -> SymbolicJudge:
    """The judge of the run's only episode, opened anew."""
    _, judge = session.setup.open(session.episodes["small"], PictureStore())
    assert isinstance(judge, SymbolicJudge)
    return judge


def distances(session: RerunSession, records: list[Record]) -> list[int]:
    """How far the goal really was at the start and after each attempt."""
    found = []
    for step in range(steps_of(records) + 1):
        judge = opened(session)
        restore(judge, records, step)
        found.append(len(judge.perfect().solve(judge.problem()).plan))
    return found


def test_the_best_plan_whatever_is_believed(planners: Pair, tmp_path: Path) -> None:
    """The agent takes b for standing elsewhere, and plans accordingly; what it does from the step on is best."""
    moved = {"incolumn b,c2": False, "incolumn b,c4": True}
    lie: Lie = lambda atom, true, request: moved.get(str(atom), true) if "enum" in request.place else true  # noqa: E731
    chosen = problem((("r", "g"), ("b",), ("y",), ()), ((), ("r", "b"), ("g",), ("y",)))
    session = a_run(tmp_path, "ground", liar(lie), planners, problem=chosen, steps=6)
    result, records = before(session)
    assert not result.success
    for step in range(result.steps):
        hand = ongoing_plan(records, step)
        _, now = again(session, step, "oracle-plan")
        far, attempts = distances(session, now), [r.event for r in now if isinstance(r.event, Acted | CalledOff)]
        assert len(attempts) > step, "it goes on: the goal is not reached"
        done = [place for place in range(step, len(attempts)) if isinstance(attempts[place], Acted)]
        assert [far[place + 1] - far[place] for place in done] == [-1] * len(done)
        assert (hand is None) == (step == 0)


@pytest.mark.slow
def test_other_courses_of_chance_from_a_step_on(planners: Pair, tmp_path: Path) -> None:
    session = a_run(tmp_path, "ground", load_model("oracle"), planners, steps=12, chance=lambda: SlipperyHand(0.5, 1))
    _, records = before(session)
    start = until(records, 2)
    stories = []
    for seed in (1, 2, 3, 1):
        result, now = again(session, 2, "oracle-answers", seed=seed)
        assert result.id == f"small.{seed}"
        assert story(now)[1 : len(start)] == story(records)[1 : len(start)]
        stories.append(str(story(now)))
    assert stories[0] == stories[3]
    assert len(set(stories)) == 3


def test_sure_hands_only_from_the_step_on(planners: Pair, tmp_path: Path) -> None:
    session = a_run(tmp_path, "ground", load_model("oracle"), planners, steps=9, chance=lambda: SlipperyHand(0.8, 1))
    _, records = before(session)
    slips = [record.truth.happened != "success" for record in records if isinstance(record.event, Acted)]
    assert any(slips[:3])
    assert any(slips[3:])
    result, now = again(session, 3, "actions")
    acted = [record.truth.happened for record in now if isinstance(record.event, Acted)]
    assert [happened != "success" for happened in acted[:3]] == slips[:3]
    assert set(acted[3:]) == {"success"}
    assert result.success


def test_a_model_that_calls_tools_is_brought_to_its_step(planners: Pair, tmp_path: Path) -> None:
    model = Handy(liar(CALLED_OFF), Solver.for_world(blocksworld()))
    session = a_run(tmp_path, "tools", model, planners, steps=6)
    result, records = before(session)
    now, later = again(session, result.steps, "oracle-answers")
    assert now.scored, now.detail
    assert [describe(r.event) for r in later if isinstance(r.event, Acted)] == [
        describe(r.event) for r in records if isinstance(r.event, Acted)
    ]


def tampered(session: RerunSession, change: Callable[[Event], dict[str, object] | None]) -> None:
    """Write another record: the first event that the function has something for is changed."""
    path = session.original.run.trace("small")
    records, lines, done = read_trace(path), [], False
    for record in records:
        other = None if done else change(record.event)
        done = done or other is not None
        event = record.event.model_copy(update=other or {})
        lines.append(Record.model_construct(event=event, truth=record.truth).model_dump_json(exclude_none=True) + "\n")
    assert done
    path.write_text("".join(lines))


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda event: {"outcome": Outcome.NOT_LEGAL} if isinstance(event, Acted) else None, "is executed; recorded"),
        (lambda event: {"action": "moveblock(b, c4)"} if isinstance(event, Acted) else None, "moveblock(g, c3) is"),
        (lambda event: {"value": not event.value} if isinstance(event, Asked) else None, "is answered"),
        (lambda event: {"about": "on o,o"} if isinstance(event, Asked) else None, "which is not recorded"),
        (lambda event: {"plan": event.plan[:1]} if isinstance(event, Planned) else None, "the plan is"),
    ],
)
def test_a_record_that_does_not_come_out_again_is_an_error(
    change: Callable[[Event], dict[str, object] | None], expected: str, planners: Pair, tmp_path: Path
) -> None:
    session = a_run(tmp_path, "ground", load_model("oracle"), planners)
    tampered(session, change)
    result, _ = again(session, 2, "protocol")
    assert not result.scored
    assert result.detail.startswith("RecordMismatch: step ")
    assert expected in result.detail


def test_another_world_than_the_recorded_one_is_an_error(wrong: RerunSession) -> None:
    _, records = before(wrong)

    def judge(world: Blocksworld) -> SymbolicJudge:
        return witness(world, get_planner("fd"))

    restore(judge(blocksworld(chance=SLIPPERY())), records, 3)
    with pytest.raises(RecordMismatch, match=r"step 0: true is .*; recorded: true is"):
        restore(judge(blocksworld(start=((), ("b",), ("g",), ("r",)))), records, 3)
    with pytest.raises(RecordMismatch, match=r"step \d: moveblock.* is .*; recorded: moveblock"):
        restore(judge(blocksworld(chance=SlipperyHand(0.9, 1))), records, 8)


def test_the_restored_world_is_the_one_of_that_step(wrong: RerunSession) -> None:
    _, records = before(wrong)
    for step in range(steps_of(records) + 1):
        judge = opened(wrong)
        restore(judge, records, step)
        recorder = Recorder(None, judge)
        recorder(Observed(step=step, picture=""))
        seen = [r.truth.state for r in records if isinstance(r.event, Observed) and r.event.step == step]
        assert all(state == recorder.records[0].truth.state for state in seen)


def test_changes_are_written_as_they_are_read() -> None:
    for words in (("oracle-answers",), ("oracle-plan",), ("perception", "protocol"), ("model:sim:gpt-4.1?seed=2",)):
        assert Change.of(words, JUDGING).words == list(words)
    assert Change.of(("agent:x.py:build", "actions"), JUDGING).agent == "x.py:build"
    assert set(JUDGING.changes) == {"oracle-answers", "oracle-plan", *Faculty}
    with pytest.raises(UnknownName, match="Did you mean 'oracle-answers'"):
        Change.of(("oracle-answer",), JUDGING)
    with pytest.raises(ValueError, match="name one model"):
        Change.of(("model:a", "model:b"), JUDGING)
    with pytest.raises(ValueError, match="name a change"):
        Change.of((), JUDGING)
