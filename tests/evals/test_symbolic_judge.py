"""The judge of symbolic worlds, event by event: what is true, what is counted, and what a stand-in replies."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from envs.base import Outcome
from evals.judges.symbolic import JUDGING, REFUSED, OtherProblemWitness, SymbolicJudge, counts, tallies
from evals.run.trace import NOTHING, Record, Truth
from models.base import Kind, ModelUnavailable, Unanswerable
from models.oracle import load as oracle
from models.scripted import Scripted
from planners.outcome import Status
from tests.evals.test_judge_planning import LONG, SHORT, Given
from tests.evals.test_question_judge import Somebody
from tests.evals.test_question_judge import judge as question_judge
from tests.small_worlds import about, blocksworld, request
from tools.events import Acted, Asked, Believed, CalledOff, Ended, Event, Observed, Planned, Reason, Replanned

START, GOAL = (("r",), ("b",), ()), ((), ("b",), ("r",))
TRUE = ("clear b", "clear r", "incolumn b,c2", "incolumn r,c1")
MOVED = ("clear b", "clear r", "incolumn b,c2", "incolumn r,c3")


def judged(given: Given | None = None, start: Any = START) -> SymbolicJudge:
    planner = given or Given(SHORT)
    return SymbolicJudge(blocksworld(start, GOAL), {"level": "simple"}, lambda: planner)


def dynamic(truth: tuple[str, ...] | None) -> tuple[str, ...]:
    """A state without the facts that never change."""
    return tuple(atom for atom in truth or () if not atom.startswith(("leftof", "rightof")))


def acted(action: str, outcome: str = "executed", *, refused: bool = False) -> Acted:
    return Acted(step=0, action=action, outcome=outcome, refused=refused)


def yes_no(fact: str, value: bool | None, phase: str = "free") -> Asked:
    return Asked(step=0, kind=Kind.YES_NO, phase=phase, about=fact, value=value, reply="")


class Clear(Somebody):
    """Sees what is there."""

    def sees(self, fact: str, true: bool) -> bool:
        return true


def test_the_truth_beside_answers_looks_and_beliefs() -> None:
    told = judged()
    assert told.tags == {"world": told.world.name, "level": "simple"}
    assert told.beside(yes_no("incolumn r,c1", True)) == Truth(value=True, right=True)
    assert told.beside(yes_no("incolumn r,c1", None)) == Truth(value=True, right=False)
    assert told.beside(yes_no("incolumn r,c2", False)) == Truth(value=False, right=True)
    assert told.beside(yes_no("", True)) == NOTHING
    assert told.beside(Asked(step=0, kind=Kind.PLAN, about="incolumn r,c1", reply="")) == NOTHING
    seen = told.beside(Observed(step=0, picture=""))
    assert (dynamic(seen.state), seen.goal) == (TRUE, False)
    assert told.beside(Ended(step=0, reason=Reason.FINISHED)) == seen
    assert told.beside(Believed(step=0)) == NOTHING


def test_beliefs_are_held_to_what_can_change_or_is_believed() -> None:
    told = judged()
    wrong = told.beside(Planned(step=0, belief=("clear r", "clear b", "incolumn b,c2", "incolumn r,c2"), status="x"))
    assert wrong.wrong == ("incolumn r,c1", "incolumn r,c2")
    assert told.beside(Planned(step=0, belief=TRUE, status="x")).wrong == ()
    static = told.beside(Planned(step=0, belief=(*TRUE, "leftof c3,c1"), status="x")).wrong or ()
    assert {"leftof c1,c2", "leftof c3,c1"} <= set(static)


def test_an_attempt_is_judged_by_the_state_before_it() -> None:
    told = judged()
    assert told.beside(CalledOff(step=0, action="moveblock(r, c3)", unmet=())) == Truth(legal=True)
    assert told.beside(CalledOff(step=0, action="moveblock(r, c9)", unmet=())) == Truth(legal=False)
    assert told.attempt("moveblock(r, c3)") == "executed"
    moved = told.beside(acted("moveblock(r, c3)"))
    assert (moved.legal, moved.goal, dynamic(moved.state)) == (True, True, MOVED)
    assert told.beside(yes_no("incolumn r,c3", True)).right is True
    assert told.beside(CalledOff(step=0, action="moveblock(r, c3)", unmet=())) == Truth(legal=False)
    assert told.attempt("moveblock(r, c3)") == "not legal"
    assert told.beside(acted("moveblock(r, c3)", "not legal")).legal is False
    refused = told.beside(acted("fly(r)", "action does not exist", refused=True))
    assert refused == Truth(happened="action does not exist", legal=False, goal=True)


def test_counts_of_an_episode() -> None:
    events: list[Event] = [
        yes_no("on a,b", True), yes_no("on b,a", False), Asked(step=0, kind=Kind.PLAN, reply=""),
        Asked(step=0, kind=Kind.ACTION, reply=""), Asked(step=0, kind=Kind.TEXT, reply=""),
        acted("a(x)"), acted("a(x)"), acted("a(x)", "not legal"), CalledOff(step=0, action="a(x)", unmet=()),
        Replanned(step=0, because="x"),
    ]  # fmt: skip
    found = counts([Record(event=event) for event in events])
    plain = {name: number for name, number in found.items() if not name.startswith("misjudged")}
    assert plain == {
        "questions": 2, "proposals": 2, "replans": 1, "steps": 4, "attempts/called off": 1, "attempts/executed": 2,
        "attempts/not legal": 1,
    }  # fmt: skip
    assert "attempts/called off" not in counts([Record(event=acted("a(x)"))])


def test_answers_are_tallied_by_phase_predicate_and_truth() -> None:
    def answer(fact: str, value: bool | None, truth: bool | None, phase: str = "free") -> Record:
        return Record(event=yes_no(fact, value, phase), truth=Truth(value=truth))

    records = [
        answer("on a,b", True, True), answer("on b,a", False, True), answer("on b,a", None, True),
        answer("on b,a", False, False), answer("clear a", True, False), answer("clear a", False, False, "effect"),
        answer("clear a", True, None), Record(event=Asked(step=0, kind=Kind.PLAN, reply=""), truth=Truth(value=True)),
    ]  # fmt: skip
    assert [(*tally.by.values(), tally.right, tally.total) for tally in tallies(records)] == [
        ("effect", "clear", "no", 1, 1),
        ("free", "clear", "no", 0, 1),
        ("free", "on", "no", 1, 1),
        ("free", "on", "yes", 1, 3),
    ]
    assert set(tallies(records)[0].by) == {"phase", "predicate", "truth"}


def test_the_score_of_an_episode() -> None:
    end = Ended(step=0, reason=Reason.FINISHED)
    good = judged().score([Record(event=end, truth=Truth(goal=True))])
    bad = judged().score([Record(event=end, truth=Truth(goal=False))])
    assert (good.value, good.success, good.failure) == (1.0, True, None)
    assert (bad.value, bad.success) == (0.0, False)
    assert bad.failure in JUDGING.classes


def reply(told: SymbolicJudge, mind: Somebody, **options: Any) -> Any:
    return json.loads(asyncio.run(told.right(request(**options), mind)))


def step(*args: str) -> dict[str, Any]:
    names = judged().world.signatures["moveblock"]
    return {"action": "moveblock", "parameters": dict(zip(names, args, strict=True))}


def test_what_a_stand_in_replies() -> None:
    told = judged(Given(LONG))
    for fact, said in (("incolumn r,c1", "Yes"), ("incolumn r,c2", "No")):
        assert asyncio.run(told.right(about(fact), Clear())) == said
    assert reply(told, Clear(), kind=Kind.PLAN) == {"plan": [step("r", "c2"), step("r", "c3")]}
    assert reply(told, Clear(), kind=Kind.ACTION) == {"action": step("r", "c2")}
    assert reply(told, Clear(), kind=Kind.ACTION, cot=True) == {"explanation": "Simulated.", "action": step("r", "c2")}
    blunder = Clear(guesses=True, wants=5)
    assert reply(told, blunder, kind=Kind.PLAN) == {"plan": [step("r", "c3"), step("r", "c3")]}
    assert reply(judged(Given(())), Clear(), kind=Kind.ACTION) == {"action": step("b", "c1")}


def test_a_stand_in_plans_from_what_it_sees() -> None:
    given = Given(SHORT)
    told = judged(given)
    reply(told, Clear(), kind=Kind.PLAN)
    assert given.asked[0].init == told.world.truth()
    reply(told, Somebody(blind=True), kind=Kind.PLAN)
    visible = set(told.world.domain.atoms(told.world.objects))
    assert given.asked[1].init == told.world.truth() - visible


def test_what_cannot_be_computed_is_refused() -> None:
    for options in ({"kind": Kind.YES_NO}, {"kind": Kind.TEXT}, {"kind": Kind.CHOICE, "about": "clear r"}):
        with pytest.raises(Unanswerable):
            reply(judged(), Clear(), **options)
    with pytest.raises(ModelUnavailable, match="could not plan: timeout"):
        reply(judged(Given((), Status.TIMEOUT)), Clear(), kind=Kind.PLAN)


def test_what_the_judge_plans_with() -> None:
    given = Given(SHORT)
    told = judged(given)
    assert told.perfect() is given
    assert told.problem().init == told.world.truth()
    assert told.rehearse(given) == ""
    assert told.rehearse(Given((), Status.TIMEOUT)) == ""
    assert told.rehearse(Given((), Status.ERROR)) == "given: "
    for control in (None, "blind", "oracle-perception"):
        assert told.planner(control, given) is given
    assert told.planner("oracle-planning", given).engine == "given from the true state"


def test_controls() -> None:
    told, other = judged(), judged(start=(("b",), (), ("r",)))
    stand_in, model = oracle("", {}), Scripted(lambda request: "No")

    def answers(control: str, chosen: Any, *facts: str, beside: Any = other) -> list[str]:
        changed = told.controlled(control, chosen, beside)
        return [asyncio.run(changed.ask(about(fact))).text for fact in facts]

    facts = ("incolumn r,c1", "incolumn b,c1")
    assert (
        answers("oracle-perception", stand_in, *facts) == answers("oracle-perception", model, *facts) == ["Yes", "No"]
    )
    assert answers("other-answers", stand_in, *facts) == ["No", "Yes"]
    assert answers("oracle-planning", stand_in, *facts) == ["Yes", "No"]
    assert answers("oracle-planning", model, *facts) == ["No", "No"]
    for control, beside in (("other-answers", None), ("other-answers", question_judge()), ("oracle", other)):
        with pytest.raises(ValueError, match=f"no control '{control}'"):
            answers(control, model, beside=beside)
    knowing = told.controlled("oracle-perception", model, None)
    asyncio.run(knowing.ask(request("Plan!", kind=Kind.PLAN)))
    listed = model.asked[-1].text.splitlines()
    assert [line for line in listed if "incolumn" in line] == ["- incolumn b,c2", "- incolumn r,c1"]
    for kind in (Kind.PLAN, Kind.ACTION):
        planning = told.controlled("oracle-planning", model, None)
        assert "moveblock" in asyncio.run(planning.ask(request(kind=kind))).text
    assert OtherProblemWitness(told, other).tags == told.tags


def test_the_table_of_symbolic_worlds() -> None:
    columns = {measure.name: (measure.kind, measure.of, measure.column) for measure in JUDGING.measures}
    refused = ("attempts/not legal", "attempts/action does not exist", "attempts/parameters incorrectly specified")
    assert columns == {
        "predicate_accuracy": ("accuracy", (), 1),
        "illegal": ("mean", refused, 2),
        "questions": ("mean", ("questions",), 3),
        "replans": ("mean", ("replans",), 4),
        "formalizations": ("mean", ("formalizations",), 0),
        "official_accuracy": ("accuracy", (), 5),
        "proposals": ("mean", ("proposals",), 6),
        "steps": ("mean", ("steps",), 7),
        "macro_accuracy": ("accuracy", (), 0),
        "action_accuracy": ("share", ("attempts/executed",), 0),
    }
    by_name = {measure.name: measure for measure in JUDGING.measures}
    assert by_name["official_accuracy"].where == {"phase": "enumeration"}
    assert by_name["macro_accuracy"].macro == "predicate"
    assert by_name["action_accuracy"].over == ("attempts/*",)
    assert set(JUDGING.groups) == {"attempts", "misjudged"}
    assert set(JUDGING.dimensions) == {"predicate", "phase", "truth"}
    assert JUDGING.dimensions["predicate"] == "predicate"
    assert set(REFUSED) == {Outcome.NOT_LEGAL, Outcome.UNKNOWN_ACTION, Outcome.BAD_PARAMETERS}


def test_chance_is_reseeded_where_a_world_can_be_rewound() -> None:
    told, seeds = judged(), []
    told.world.reseed = seeds.append  # type: ignore[attr-defined]
    told.reseed(7)
    assert seeds == [7]
    told.world = object()  # type: ignore[assignment]
    told.reseed(8)
    assert seeds == [7]
