"""The agents that have the model write the problem: one call where all goes well, repairs where it does not."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Any

import pytest

from agents.formalize import RETRIES
from agents.registry import find_agent
from envs.base import Observation
from evals.judges import symbolic_changes
from evals.judges.symbolic_changes import Faculty
from evals.run.prepare import check_kinds
from evals.run.trace import Record
from models.base import Kind, Reply, Request
from models.registry import load_model
from models.scripted import Scripted, in_order
from planners.cache import CachedPlanner
from planners.formula import Atom
from planners.outcome import Planner, PlanOutcome, Status
from planners.task import Task
from planners.write import formula_text, problem_text
from tests.agents.test_methods_household import play as play_at_home
from tests.conftest import ROOT
from tests.envs.household.small_world import small_world
from tests.playing import liar, play
from tests.small_worlds import blocksworld, problem
from tools.base import Conduct
from tools.events import Acted, Asked, Believed, Planned, Replanned

Pair = tuple[Planner, Planner]
WORLD = blocksworld()
RIGHT = problem_text(Task(WORLD.domain, WORLD.objects, WORLD.truth(), WORLD.goal))
WRONG = RIGHT.replace("(on g r)", "(on g z)")
THREE = ("formalize", "formalize_cot", "formalize_domain")


def of(kind: type, records: list[Record]) -> list[Any]:
    return [record.event for record in records if isinstance(record.event, kind)]


def scripted(*replies: str | Reply) -> Scripted:
    """Each reply in turn, the last one again and again."""
    left: Iterator[str | Reply] = itertools.chain(replies, itertools.repeat(replies[-1]))
    return Scripted(lambda request: next(left))


@pytest.mark.parametrize("agent", THREE)
def test_one_call_is_enough_for_who_sees_well(agent: str, planners: Pair) -> None:
    result, records = play(agent, load_model("oracle"), problem(), planners)
    assert result.success
    (asked,) = of(Asked, records)
    assert asked.kind is (Kind.DOMAIN if agent == "formalize_domain" else Kind.PROBLEM)
    assert asked.formalizes
    assert not asked.actions
    assert next(record.truth for record in records if record.event is asked).right
    assert len(of(Acted, records)) == 2


def test_what_it_believes_is_in_the_trace_and_follows_its_actions(planners: Pair) -> None:
    _, records = play("formalize", load_model("oracle"), problem(), planners)
    believed: set[str] = set()
    for record in records:
        if isinstance(record.event, Believed):
            believed = (believed | set(record.event.added)) - set(record.event.dropped)
    ended = records[-1]
    moving = {fact for fact in ended.truth.state or () if not fact.startswith(("leftof", "rightof"))}
    assert believed == moving


def test_a_reply_that_cannot_be_used_goes_back_with_what_is_wrong(planners: Pair) -> None:
    model = scripted("I see blocks.", WRONG, RIGHT)
    result, records = play("formalize", model, problem(), planners)
    assert result.success
    asked = of(Asked, records)
    assert [event.attempt for event in asked] == [0, 1, 2]
    assert [event.fault is None for event in asked] == [False, False, True]
    assert "Your last reply" not in model.asked[0].text
    assert "I see blocks." in model.asked[1].text
    assert "there is no (:init …)" in model.asked[1].text
    assert "unknown object 'z'" in model.asked[2].text
    assert "I see blocks." not in model.asked[2].text


def test_a_problem_without_a_solution_goes_back_too(planners: Pair) -> None:
    hopeless = RIGHT.replace("(:goal (and", "(:goal (and (on r r)")
    model = scripted(hopeless, RIGHT)
    result, records = play("formalize", model, problem(), planners)
    assert result.success
    assert "the planner finds no actions" in model.asked[1].text
    assert "(on r r)" in model.asked[1].text
    assert [event.status for event in of(Planned, records)] == ["unsolvable", "solved"]
    last = play("formalize", scripted(hopeless), problem(), planners)
    assert (last[0].reason, len(of(Planned, last[1]))) == ("no_plan", RETRIES + 1)


@pytest.mark.parametrize(
    ("reply", "reason", "failure"),
    [
        (Reply("I cannot."), "unreadable", "parsing"),
        (Reply(RIGHT[:-40], truncated=True), "truncated", "token_budget"),
    ],
)
def test_patience_ends(reply: Reply, reason: str, failure: str, planners: Pair) -> None:
    result, records = play("formalize", scripted(reply), problem(), planners)
    assert (result.reason, result.failure) == (reason, failure)
    assert [event.attempt for event in of(Asked, records)] == [*range(RETRIES + 1)]
    assert not of(Acted, records)


def test_the_goal_is_the_models_own(planners: Pair) -> None:
    other = RIGHT[: RIGHT.index("(:goal")] + "(:goal (incolumn b c4)))"
    result, records = play("formalize", scripted(other), problem(), planners)
    assert (result.reason, result.failure) == ("finished", "goal_misjudged")
    assert [event.action for event in of(Acted, records)] == ["moveblock(b, c4)"]
    asked = next(record for record in records if isinstance(record.event, Asked))
    assert asked.truth.right is False
    assert asked.truth.wrong == ()


def test_a_problem_that_holds_its_goal_is_finished_without_an_action(planners: Pair) -> None:
    done = RIGHT[: RIGHT.index("(:goal")] + "(:goal (and)))"
    result, records = play("formalize", scripted(done), problem(), planners)
    assert (result.reason, len(of(Acted, records))) == ("finished", 0)


def test_a_refused_action_leads_to_a_new_picture_of_the_problem(planners: Pair) -> None:
    """The model first overlooks that g is on r."""
    model = scripted(RIGHT.replace("(on g r)", "").replace("(clear g)", "(clear g) (clear r)"), RIGHT)
    result, records = play("formalize", model, problem(), planners)
    assert result.success
    assert len(of(Replanned, records)) == 1
    assert next(event.outcome for event in of(Acted, records)) == "not legal"
    assert '"action": "moveblock"' in model.asked[1].text
    assert "one of its conditions did not hold" in model.asked[1].text


def test_actions_of_the_models_own_are_planned_with(planners: Pair) -> None:
    """In its domain any block may be moved: the world does not allow that."""
    actions = """(:action moveblock :parameters (?b ?c)
      :precondition (not (incolumn ?b ?c))
      :effect (and (incolumn ?b ?c) (clear ?b) (forall (?o - block) (when (incolumn ?o ?c) (on ?b ?o)))))"""
    goal = "(:goal (on r b)))"
    model = scripted(f"{actions} (:init (incolumn b c2)) {goal}")
    result, records = play("formalize_domain", model, problem(), planners)
    assert of(Acted, records)[0].action == "moveblock(r, c2)"
    assert of(Acted, records)[0].outcome == "not legal"
    assert (result.reason, result.failure) == ("loop", "attempted_wrongly")
    patient = play("formalize_domain", model, problem(), planners, conduct=Conduct.PATIENT)[0]
    assert (patient.reason, patient.failure) == ("step_limit", "repeated_action")


def test_what_writes_no_domain_is_refused_before_the_run() -> None:
    for spec in ("sim:gpt-4.1", "blind", "pixels"):
        check = find_agent("formalize_domain"), load_model(spec), spec
        if getattr(check[1], "kinds", None) is None:
            continue
        with pytest.raises(ValueError, match=f"{spec} answers .* only, and agent 'formalize_domain' asks for domain"):
            check_kinds(*check)
    check_kinds(find_agent("formalize_domain"), load_model("oracle"), "oracle")
    check_kinds(find_agent("formalize"), load_model("sim:gpt-4.1"), "sim:gpt-4.1")


def test_a_simulated_model_writes_what_its_eyes_see(planners: Pair) -> None:
    """Every fact that it could be asked about is seen on its own, in view only, and the goal is right."""
    asked: list[str] = []

    def lie(atom: Atom, true: bool, request: Request) -> bool:
        asked.append(str(atom))
        return true and atom.predicate != "on"

    _, records = play("formalize", liar(lie), problem(), planners, steps=1)
    first = next(record for record in records if isinstance(record.event, Asked))
    assert first.truth.wrong == ("on g,r",)
    assert len(set(asked)) == 6 + 3 * 4 + 3  # no static facts, nothing on itself
    assert asked == asked[:21] * (RETRIES + 1)  # it sees the same again, however often it is asked


def test_at_home_it_sees_what_is_in_view_and_remembers_the_rest(planners: Pair) -> None:
    world = small_world("inside bowl_1,carton_1")
    blind = liar(lambda atom, true, request: False)
    _, records = play_at_home("formalize", blind, world, planners, steps=1)
    seen = world.observe()
    (first, *_) = of(Planned, records)
    start = small_world("inside bowl_1,carton_1")
    look: Observation = start.observe()
    assert set(first.belief) == {str(atom) for atom in start.truth() - look.impossible if not look.shows(atom)}
    assert seen.visible is not None
    assert "(inside bowl_1 cabinet_1)" in sent_at_home(planners)


def sent_at_home(planners: Pair) -> str:
    model = Scripted(in_order(["nothing"] * (RETRIES + 1)))
    play_at_home("formalize", model, small_world("inside bowl_1,carton_1"), planners, steps=1)
    return model.asked[0].text


@pytest.mark.parametrize("agent", THREE)
def test_with_an_oracle_the_room_is_tidied(agent: str, planners: Pair) -> None:
    result, _ = play_at_home(agent, load_model("oracle"), small_world(), planners)
    assert result.success


def test_the_prompt_has_all_that_is_given() -> None:
    model = Scripted(lambda request: Reply("no"))
    play("formalize_domain", model, problem(), (None, None), steps=1)  # type: ignore[arg-type]
    text = model.asked[0].text
    assert "(incolumn ?b - block ?c - column)" in text
    assert "(:action moveblock\n  :parameters (?b1 - block ?c1 - column))" in text
    assert ":precondition (and (clear" not in text
    assert "b g r - block" in text
    assert "`leftof` and `rightof`" in text
    assert WORLD.goal_text in text


class Moody(CachedPlanner):
    """A planner that breaks on goals with an object of some name, or always."""

    def __init__(self, planner: Planner, name: str) -> None:
        super().__init__(planner)
        self.name = name

    async def plan(self, task: Task, *, timeout: float = 60.0) -> PlanOutcome:
        if self.name in formula_text(task.goal) + "always":
            return PlanOutcome(Status.ERROR, message="it broke")
        return await super().plan(task, timeout=timeout)


@pytest.mark.parametrize(("name", "reason"), [("c2", "no_plan"), ("always", "planner_error")])
def test_a_planner_that_breaks_on_the_models_problem_only_is_the_models_failure(
    name: str, reason: str, planners: Pair
) -> None:
    result, _ = play("formalize", scripted(RIGHT), problem(), (Moody(planners[0], name), planners[1]))
    assert result.reason == reason
    assert result.scored is (reason == "no_plan")


@pytest.mark.parametrize("agent", ["formalize", "plan_check", "search"])
def test_the_diagrams_of_the_page_are_the_graphs(agent: str) -> None:
    page = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
    (shown,) = re.findall(rf"^```mermaid {agent}\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    assert find_agent(agent).build().get_graph().draw_mermaid().strip() == shown.strip()


def test_a_problem_is_blamed_on_perception_and_a_domain_on_deciding(planners: Pair) -> None:
    overlooked = RIGHT.replace("(on g r)", "")
    _, wrong = play("formalize", scripted(overlooked), problem(), planners, steps=1)
    assert symbolic_changes.could_fail(wrong, set()) >= {Faculty.PERCEPTION, Faculty.PLANNING}
    assert Faculty.PERCEPTION not in symbolic_changes.could_fail(wrong, {Faculty.PERCEPTION})
    _, unread = play("formalize", scripted("nothing"), problem(), planners, steps=1)
    assert symbolic_changes.could_fail(unread, set()) == {Faculty.PARSING}
    _, modelled = play("formalize_domain", scripted(WORLD.domain.text + RIGHT), problem(), planners, steps=1)
    assert Faculty.DECIDING in symbolic_changes.could_fail(modelled, set())
    assert "proposes nothing" in symbolic_changes.unfit(wrong, {Faculty.DECIDING}, "formalize")
    assert symbolic_changes.unfit(modelled, {Faculty.DECIDING}, "formalize_domain") == ""
    assert symbolic_changes.unfit(wrong, {Faculty.PERCEPTION}, "formalize") == ""
