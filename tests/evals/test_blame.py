"""Blame on episodes whose cause is known: it names the right one every time."""

from __future__ import annotations

import asyncio
import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envs.base import Observation
from envs.blocksworld.problems import atoms_of
from envs.blocksworld.world import Blocksworld, SlipperyHand
from evals.blame.blaming import Blame, Trials
from evals.blame.search import ALONE, Case, Fate, search
from evals.blame.shares import shares
from evals.judges.failures import Failure
from evals.judges.symbolic import JUDGING
from evals.judges.symbolic_changes import Faculty
from evals.rerun.session import RerunSession
from evals.run.results import EpisodeResult
from evals.run.statistics import Interval, wilson
from models.base import Model, Reply, Request
from models.registry import load_model
from models.scripted import Scripted, always
from planners.formula import State
from planners.outcome import Planner, PlanOutcome, Status
from planners.task import Step, Task
from tests.evals.rerunning import Pair, a_run, before, both_planners
from tests.playing import Lie, liar
from tests.small_worlds import GOAL, column_names, problem
from tools.toolbox import Conduct

PERCEPTION, PARSING, PLANNING, KNOWLEDGE, DECIDING, ACTIONS, PROTOCOL = Faculty
GROUNDERS = ("ground", "ground_mem", "ground_cot", "ground_mem_cot")
PROPOSERS = ("plan", "action", "plan_cot", "action_cot")
SLOW = pytest.mark.slow
REST = (name for name in (*GROUNDERS, *PROPOSERS) if name not in ("ground_mem", "plan"))
ALL = ["ground_mem", "plan", *(pytest.param(name, marks=SLOW) for name in REST)]


@pytest.fixture(scope="module")
def planners() -> Iterator[Pair]:
    with both_planners() as pair:
        yield pair


def blamed(session: RerunSession, folder: Path) -> Case:
    """The only episode of a run, after the search for what would have saved it."""
    result, records = before(session)
    assert not result.success, "the test shows nothing: the episode did not fail"
    case = Case(result, records, JUDGING.faculties, session.judge("small"))
    asyncio.run(search({"small": case}, Trials(session, {"small": case}, folder / "blame").play))
    return case


def saved_by(case: Case) -> list[set[str]]:
    return [set(found) for found in case.saving]


def lie_about(fact: str, *phases: str) -> Lie:
    """Says the opposite about a fact, wherever it is asked in one of the phases."""
    return lambda atom, true, request: true != (str(atom) == fact and request.place.partition(" ")[0] in phases)


WANTED = atoms_of(GOAL, column_names(len(GOAL)))
LIES: dict[str, Lie] = {
    "no plan": lie_about("on g,r", "enumeration"),
    "another start": lie_about("incolumn b,c2", "enumeration", "precondition", "effect"),
    "called off": lie_about("clear g", "precondition"),
    "sees what it wants": lambda atom, true, request: atom in WANTED,
    "all wrong": lambda atom, true, request: not true,
    "always yes": lambda atom, true, request: True,
}


@pytest.mark.parametrize("agent", ["ground", *(pytest.param(name, marks=SLOW) for name in GROUNDERS[1:])])
@pytest.mark.parametrize("lie", LIES)
def test_a_lie_is_perceptions_fault(agent: str, lie: str, planners: Pair, tmp_path: Path) -> None:
    case = blamed(a_run(tmp_path, agent, liar(LIES[lie]), planners, steps=4), tmp_path)
    assert saved_by(case) == [{PERCEPTION}]
    assert case.blame == {PERCEPTION: 1.0}
    assert case.first_wrong_answer


class Misled:
    """A planner that makes something else of good plans."""

    engine = "misled"

    def __init__(self, planner: Planner, how: str) -> None:
        self._planner, self._how = planner, how

    def solve(self, task: Task, *, timeout: float = 60.0) -> PlanOutcome:
        return self._mislead(self._planner.solve(task, timeout=timeout))

    async def plan(self, task: Task, *, timeout: float = 60.0) -> PlanOutcome:
        return self._mislead(await self._planner.plan(task, timeout=timeout))

    def close(self) -> None: ...

    def _mislead(self, outcome: PlanOutcome) -> PlanOutcome:
        match self._how:
            case "gives up":
                return replace(outcome, status=Status.UNSOLVABLE, plan=())
            case "stops early":
                return replace(outcome, plan=outcome.plan[:-1])
            case "impossible":
                return replace(outcome, plan=tuple(reversed(outcome.plan)))
            case _:
                to_and_fro = tuple(Step("moveblock", ("g", column)) for column in ("c4", "c1") * 3)
                return replace(outcome, plan=(*to_and_fro, *outcome.plan))


@pytest.mark.parametrize("how", ["gives up", "stops early", "impossible", "takes its time"])
def test_a_bad_plan_is_plannings_fault(how: str, planners: Pair, tmp_path: Path) -> None:
    usual, perfect = planners
    session = a_run(tmp_path, "ground", load_model("oracle"), (Misled(usual, how), perfect), steps=6)
    case = blamed(session, tmp_path)
    assert saved_by(case) == [{PLANNING}]
    assert case.saved_by(PROTOCOL) == (how == "takes its time")


@pytest.mark.parametrize(
    "agent", ["action", *(pytest.param(name, marks=SLOW) for name in PROPOSERS if name != "action")]
)
def test_a_bad_proposal_is_the_deciders_fault(agent: str, planners: Pair, tmp_path: Path) -> None:
    move = '{"action": "moveblock", "parameters": {"block": "r", "column": "c4"}}'
    said = f'{{"plan": [{move}]}}' if agent.startswith("plan") else f'{{"action": {move}}}'
    case = blamed(a_run(tmp_path, agent, Scripted(always(said)), planners, steps=4), tmp_path)
    assert saved_by(case) == [{DECIDING}]


@pytest.mark.parametrize("agent", ALL)
def test_a_failing_action_is_nobodys_judgement(agent: str, planners: Pair, tmp_path: Path) -> None:
    session = a_run(tmp_path, agent, load_model("oracle"), planners, steps=4, chance=lambda: SlipperyHand(0.9, seed=1))
    assert saved_by(blamed(session, tmp_path)) == [{ACTIONS}]


@pytest.mark.slow
@pytest.mark.parametrize("conduct", [Conduct.OFFICIAL, Conduct.MENDED])
def test_failing_actions_are_found_under_all_rules(conduct: Conduct, planners: Pair, tmp_path: Path) -> None:
    session = a_run(
        tmp_path,
        "ground",
        load_model("oracle"),
        planners,
        steps=5,
        chance=lambda: SlipperyHand(0.9, seed=1),
        conduct=conduct,
    )
    assert saved_by(blamed(session, tmp_path)) == [{ACTIONS}]


@pytest.mark.parametrize("agent", ALL)
def test_too_few_steps_are_the_protocols_fault(agent: str, planners: Pair, tmp_path: Path) -> None:
    case = blamed(a_run(tmp_path, agent, load_model("oracle"), planners, steps=1), tmp_path)
    assert saved_by(case) == [{PROTOCOL}]


class Once:
    """A model whose reply to one request is spoilt."""

    looks = simulated = cacheable = False
    identity = "once"

    def __init__(self, model: Model, place: str, fact: str = "", *, truncated: bool = False) -> None:
        self.model, self.place, self.fact, self.truncated = model, place, fact, truncated

    def for_episode(self, witness: object) -> Once:
        told = self.model.for_episode(witness)  # type: ignore[attr-defined]
        return Once(told, self.place, self.fact, truncated=self.truncated)

    async def ask(self, request: Request) -> Reply:
        if request.place == self.place and (not self.fact or str(request.about) == self.fact):
            return Reply("Let me think about that", truncated=self.truncated)
        return await self.model.ask(request)


@pytest.mark.parametrize("truncated", [False, True])
@pytest.mark.parametrize(
    ("agent", "place", "fact"),
    [
        ("ground", "enumeration 0", "clear b"),
        ("ground_mem_cot", "precondition 1", "clear r"),
        ("plan", "proposal 1", ""),
        ("action_cot", "proposal 0", ""),
    ],
)
def test_a_reply_that_cannot_be_read_is_parsings_fault(
    agent: str, place: str, fact: str, truncated: bool, planners: Pair, tmp_path: Path
) -> None:
    model = Once(load_model("oracle"), place, fact, truncated=truncated)
    case = blamed(a_run(tmp_path, agent, model, planners), tmp_path)
    assert case.result.failure in (Failure.PARSING, Failure.TOKEN_BUDGET)
    assert saved_by(case) == [{PARSING}]


class Veiled(Blocksworld):
    """A world that tells where everything is at the start, wrongly about what cannot be seen."""

    def __init__(self, told: State) -> None:
        super().__init__(problem())
        self.prior = told

    def observe(self) -> Observation:
        return replace(super().observe(), visible=frozenset({"r", "g", "c1", "c2", "c3", "c4"}))


@pytest.mark.slow
def test_what_nobody_can_see_is_knowledges_fault(planners: Pair, tmp_path: Path) -> None:
    wrong = Blocksworld(problem(start=(("r", "g"), (), ("b",), ()))).truth()
    opened = lambda pictures: Veiled(wrong)  # noqa: E731
    case = blamed(a_run(tmp_path, "ground", load_model("oracle"), planners, opened=opened), tmp_path)
    assert saved_by(case) == [{KNOWLEDGE}]


@pytest.mark.slow
def test_an_action_that_can_never_succeed_is_told_apart(planners: Pair, tmp_path: Path) -> None:
    session = a_run(
        tmp_path, "ground", load_model("oracle"), planners, steps=3, chance=lambda: lambda move, world: None
    )
    case = blamed(session, tmp_path)
    assert case.saving == []
    assert case.impossible
    assert [share.cause for share in shares([case])] == ["impossible"]


@pytest.mark.slow
def test_two_faults_are_named_together(planners: Pair, tmp_path: Path) -> None:
    session = a_run(
        tmp_path,
        "ground",
        liar(LIES["called off"]),
        planners,
        steps=4,
        chance=lambda: SlipperyHand(0.9, seed=1),
    )
    case = blamed(session, tmp_path)
    assert saved_by(case) == [{PERCEPTION, ACTIONS}]
    assert case.blame == {PERCEPTION: 0.5, ACTIONS: 0.5}


def test_a_lie_and_too_few_steps_are_named_together(planners: Pair, tmp_path: Path) -> None:
    case = blamed(a_run(tmp_path, "ground", liar(LIES["no plan"]), planners, steps=1), tmp_path)
    assert saved_by(case) == [{PERCEPTION, PROTOCOL}]


@settings(deadline=None)
@given(st.dictionaries(st.frozensets(st.sampled_from(list(Faculty)), min_size=1), st.sampled_from(list(Fate))))
def test_blame_is_dealt_out_whole_and_only_to_what_is_needed(tried: dict[frozenset[Faculty], Fate]) -> None:
    case = case_of("any", tried)
    saved = [found for found, fate in tried.items() if fate is Fate.SAVED]
    assert sum(case.blame.values()) == pytest.approx(1.0 if saved else 0.0)
    assert all(found in saved for found in case.saving)
    assert not any(one < other for one in case.saving for other in case.saving)
    without = [found for found in saved if PROTOCOL not in found]
    assert (PROTOCOL in case.blame) == (bool(saved) and not without)
    assert case.determined == (bool(saved) or Fate.UNTRIED not in tried.values())


def case_of(id: str, tried: Mapping[frozenset[str], Fate]) -> Case:
    return Case(EpisodeResult.model_construct(id=id), [], JUDGING.faculties, tried=dict(tried))


def test_shares_are_means_with_their_intervals() -> None:
    only, both = frozenset({PERCEPTION}), frozenset({PERCEPTION, ACTIONS})
    saved = [{only: Fate.SAVED}, {only: Fate.LOST, both: Fate.SAVED}, {only: Fate.SAVED, ALONE: Fate.SAVED}, {}]
    open_ = {only: Fate.UNTRIED}
    cases = [case_of(str(n), tried) for n, tried in enumerate([*saved, open_])]
    found = {share.cause: share for share in shares(cases)}
    assert {cause: (share.alone, share.blame) for cause, share in found.items()} == {
        "perception": (2, 0.625),
        "actions": (0, 0.125),
        "protocol": (1, 0.0),
        "unexplained": (0, 0.25),
    }
    assert found["perception"].alone_within == wilson(2, 4)
    assert found["protocol"].blame_within == Interval(0.0, 0.0)
    assert found["perception"].blame_within.low < 0.625 < found["perception"].blame_within.high


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t"])
def test_no_cell_is_a_formula(start: str, planners: Pair, tmp_path: Path) -> None:
    original = a_run(tmp_path, "ground", load_model("oracle"), planners).original
    result = original.result("small").model_copy(update={"id": f"{start}1+1", "failure": f"{start}cmd\r2"})
    case = Case(result, [], JUDGING.faculties, tried={frozenset({PERCEPTION}): Fate.SAVED})
    (row,) = csv.DictReader(io.StringIO(Blame(original, [case], {}).as_csv(), newline=""))
    assert (row["episode"], row["failure"]) == (f"'{start}1+1", f"'{start}cmd 2")
    assert (row["split"], row["blame_perception"], row["blame_actions"]) == ("simple", "1.0000", "")


def test_an_episode_that_succeeds_in_no_rerun_is_unexplained(planners: Pair, tmp_path: Path) -> None:
    """An agent that is done as soon as it has asked: nothing that is put right moves it to act."""
    lazy = tmp_path / "lazy.py"
    lazy.write_text(LAZY)
    case = blamed(a_run(tmp_path, f"{lazy}:build", liar(LIES["all wrong"]), planners), tmp_path)
    assert case.saving == []
    assert case.determined
    assert not case.impossible
    assert set(case.tried.values()) == {Fate.LOST}


LAZY = '''
"""Asks once and is done."""

from typing import TypedDict

from langgraph.graph import END, START, StateGraph

from tools.events import Reason
from tools.toolbox import Toolbox


class Nothing(TypedDict, total=False):
    done: bool


async def ask(state, runtime):
    tools = runtime.context
    await tools.query(list(tools.env.domain.atoms(tools.env.objects))[:3])
    tools.end(Reason.FINISHED)
    return {"done": True}


def build():
    graph = StateGraph(Nothing, context_schema=Toolbox)
    graph.add_node("ask", ask)
    graph.add_edge(START, "ask")
    graph.add_edge("ask", END)
    return graph.compile()
'''
