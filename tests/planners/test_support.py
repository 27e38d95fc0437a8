"""What a plan depends on: enough to make it work anywhere, and no more than that where it is plain to see."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from envs.blocksworld.problems import Columns, atoms_of, domain
from planners.formula import Atom, Literal
from planners.invariants import legal_states
from planners.outcome import Planner
from planners.support import support
from planners.task import Step, Task
from tests.small_home import SmallHome
from tests.small_worlds import GOAL, START, arrangements, problem


def task_of(start: Columns = START, goal: Columns = GOAL) -> Task:
    posed = problem(start, goal)
    return Task(domain(), posed.objects, atoms_of(start, posed.columns), posed.goal)


def test_a_plan_without_steps_depends_on_the_goal() -> None:
    task = task_of(START, START)
    assert {str(fact) for fact in support(task, ())} >= {"on g,r", "clear g", "incolumn b,c2"}


def test_what_the_plan_brings_about_is_not_asked_of_the_start() -> None:
    plan = (Step("moveblock", ("g", "c3")), Step("moveblock", ("r", "c2")))
    facts = support(task_of(), plan)
    assert Literal(Atom("clear", ("g",))) in facts
    assert Literal(Atom("on", ("g", "r"))) in facts  # why r is clear when its turn comes
    assert Literal(Atom("clear", ("r",))) not in facts
    assert Literal(Atom("incolumn", ("g", "c3"))) not in facts
    # Of 9 on, 12 incolumn and 3 clear, most do not matter.
    assert len(facts) <= 12


def test_a_plan_that_fails_depends_on_nothing() -> None:
    assert support(task_of(), (Step("moveblock", ("r", "c3")),)) == ()


@settings(deadline=None, max_examples=40)
@given(arrangements(blocks="rgb"), st.permutations("rgb"), st.randoms(use_true_random=False))
def test_wherever_the_facts_hold_the_plan_works(start: Columns, order: list[str], chance: random.Random) -> None:
    blocks = sorted(block for stack in start for block in stack)
    goal = ((), tuple(block for block in order if block in blocks), (), ())
    task = task_of(start, goal)
    space = legal_states(domain(), task.objects, task.goal)
    plan = walk_to(task, chance)
    if plan is None:
        return
    facts = support(task, plan)
    assert all((fact.atom in task.init) is fact.value for fact in facts)
    for number in range(len(space)):
        state = space.state(number)
        if all((fact.atom in state) is fact.value for fact in facts):
            assert Task(task.domain, task.objects, state, task.goal).fault(plan) is None


def walk_to(task: Task, chance: random.Random) -> tuple[Step, ...] | None:
    """A plan with detours: a random walk that came to the goal."""
    blocks, columns = task.objects.of_type("block"), task.objects.of_type("column")
    state, plan = task.init, []
    for _ in range(40):
        if task.solved(state):
            return tuple(plan)
        step = Step("moveblock", (chance.choice(blocks), chance.choice(columns)))
        action = task.domain.ground(step, task.objects)
        if action.applicable(state):
            state, plan = action.apply(state), [*plan, step]
    return None


def test_in_a_home_little_matters(planner: Planner) -> None:
    home = SmallHome(("inside apple_1,cabinet_1",), seed=5)
    task = Task(home.domain, home.objects, home.prior, home.goal)
    plan = planner.solve(task).plan
    facts = support(task, plan)
    assert plan
    assert len(facts) < 20 < sum(1 for _ in home.domain.atoms(home.objects))
    assert {fact.atom.predicate for fact in facts} <= {"reachable", "holding", "open", "inside"}
