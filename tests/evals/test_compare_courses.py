"""Where two courses part first, and what is shown of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from envs.blocksworld.problems import files, load
from evals.compare.courses import (
    Asking,
    Divergence,
    DivergenceKind,
    Doing,
    Ending,
    Moment,
    Planning,
    course_of,
    first_divergence,
)
from models.registry import load_model
from planners import get_planner
from planners.outcome import Planner
from tests.playing import liar, play

LOOK = Asking(0, "enumeration", {"on r,b": True, "clear r": True}, {"on r,b": True, "clear r": True})
PLAN = Planning(0, ("moveblock(r, c2)",))
MOVE = Doing(0, "moveblock(r, c2)", "executed", True)
SEE = Asking(1, "effect", {"clear b": True}, {"clear b": True})
END = Ending(1, "finished")
COURSE: list[Moment] = [LOOK, PLAN, MOVE, SEE, END]


def without(*gone: Moment) -> list[Moment]:
    return [stage for stage in COURSE if stage not in gone]


def changed(old: Moment, new: Moment) -> list[Moment]:
    return [new if stage is old else stage for stage in COURSE]


def test_the_same_course_parts_nowhere() -> None:
    assert first_divergence(COURSE, list(COURSE)) is None
    turned = Asking(0, "enumeration", dict(reversed(list(LOOK.answers.items()))), LOOK.truth)
    assert first_divergence(COURSE, changed(LOOK, turned)) is None


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        (
            changed(LOOK, Asking(0, "enumeration", {"on r,b": False, "clear r": True}, LOOK.truth)),
            Divergence(0, DivergenceKind.ANSWERS, ("on r,b: yes",), ("on r,b: no",), ("on r,b: yes",)),
        ),
        (
            changed(SEE, Asking(1, "effect", {"clear b": None}, {"clear b": None})),
            Divergence(1, DivergenceKind.ANSWERS, ("clear b: yes",), ("clear b: unreadable",), ("clear b: yes",)),
        ),
        (
            changed(LOOK, Asking(0, "enumeration", {"on r,b": True, "clear g": True}, {})),
            Divergence(0, DivergenceKind.QUESTIONS, ("clear r",), ("clear g",)),
        ),
        (
            changed(PLAN, Planning(0, ())),
            Divergence(0, DivergenceKind.PLAN, ("moveblock(r, c2)",), ("no plan",)),
        ),
        (
            changed(MOVE, Doing(0, "moveblock(g, c2)", "executed", True)),
            Divergence(0, DivergenceKind.ACTION, ("moveblock(r, c2): executed",), ("moveblock(g, c2): executed",)),
        ),
        (
            changed(MOVE, Doing(0, "moveblock(r, c2)", "not legal", False)),
            Divergence(0, DivergenceKind.OUTCOME, ("moveblock(r, c2): executed",), ("moveblock(r, c2): not legal",)),
        ),
        (
            changed(END, Ending(1, "loop")),
            Divergence(1, DivergenceKind.END, ("ends: finished",), ("ends: loop",)),
        ),
        (
            without(MOVE, SEE),
            Divergence(0, DivergenceKind.END, ("moveblock(r, c2): executed",), ("ends: finished",)),
        ),
        (
            without(SEE),
            Divergence(1, DivergenceKind.END, ("asks: effect",), ("ends: finished",)),
        ),
    ],
)
def test_the_first_difference_is_told_with_both_sides(other: list[Moment], expected: Divergence) -> None:
    assert first_divergence(COURSE, other) == expected
    turned = first_divergence(other, COURSE)
    assert turned is not None
    assert (turned.left, turned.right) == (expected.right, expected.left)


def test_what_comes_later_does_not_count() -> None:
    late = changed(END, Ending(1, "loop"))
    early = [stage if stage is not MOVE else Doing(0, "moveblock(g, c2)", "executed", True) for stage in late]
    found = first_divergence(COURSE, early)
    assert found is not None
    assert found.kind is DivergenceKind.ACTION


def test_methods_of_different_kinds_are_compared_by_what_they_do() -> None:
    proposing: list[Moment] = [MOVE, Ending(1, "step_limit")]
    assert first_divergence(COURSE, proposing) is None
    found = first_divergence(COURSE, [MOVE, Doing(1, "moveblock(g, c1)", "executed", True), Ending(2, "step_limit")])
    assert found == Divergence(1, DivergenceKind.END, ("nothing more",), ("moveblock(g, c1): executed",))


def test_plans_that_only_one_side_wrote_down_do_not_count() -> None:
    assert first_divergence(COURSE, without(PLAN)) is None


@pytest.fixture(scope="module")
def planners(planner: Planner) -> Iterator[tuple[Planner, Planner]]:
    optimal = get_planner("fd-opt")
    yield planner, optimal
    optimal.close()


def test_a_lie_is_found_where_it_was_told(planners: tuple[Planner, Planner]) -> None:
    """A real episode with one wrong answer about the second action, beside one without."""
    problem = load(files("simple")[0], "simple")
    place = "precondition 1"
    told: list[str] = []

    def lie(atom: object, true: bool, request: object) -> bool:
        if getattr(request, "place", "") == place and not told:
            told.append(str(atom))
            return not true
        return true

    honest = course_of(play("ground", load_model("oracle"), problem, planners)[1])
    lying = course_of(play("ground", liar(lie), problem, planners)[1])
    found = first_divergence(honest, lying)
    assert found is not None
    assert (found.step, found.kind) == (1, DivergenceKind.ANSWERS)
    (atom,) = told
    assert found.left == found.truth
    assert {side[0].partition(":")[0] for side in (found.left, found.right)} == {atom}
    assert first_divergence(honest, honest) is None
