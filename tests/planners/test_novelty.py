"""The search without an action model finds ways that exist, and says how far it gets where none does."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given, settings

from planners.formula import Atom, State, literals
from planners.novelty import best_path
from planners.task import Step
from tests.small_worlds import arrangements, blocksworld


def line(state: State) -> Iterator[tuple[Step, State]]:
    """From place to place along a line of ten."""
    (place,) = (int(atom.args[0]) for atom in state)
    for number in (place - 1, place + 1):
        if 0 <= number < 10:
            yield Step("go", (str(number),)), frozenset({Atom("at", (str(number),))})


def at(place: int) -> State:
    return frozenset({Atom("at", (str(place),))})


def test_a_goal_that_holds_needs_no_step() -> None:
    assert best_path(at(3), line, lambda state: 0, most=100) == ((), 0)


def test_the_way_along_a_line_is_found() -> None:
    path = best_path(at(2), line, lambda state: int(state != at(6)), most=100)
    assert [step.args[0] for step in path.steps] == ["3", "4", "5", "6"]
    assert path.unmet == 0


def test_what_is_nearest_to_a_goal_is_returned_where_none_is_reached() -> None:
    def unmet(state: State) -> int:
        return 3 - (state == at(5)) - 2 * (state == at(20))

    path = best_path(at(4), line, unmet, most=100)
    assert (len(path.steps), path.unmet) == (1, 2)
    assert best_path(at(0), line, lambda state: int(state != at(9)), most=3).unmet == 1


@given(arrangements(blocks="rgb"), arrangements(blocks="rgb"))
@settings(max_examples=40, deadline=None)
def test_blocks_get_where_they_are_wanted(
    start: tuple[tuple[str, ...], ...], goal: tuple[tuple[str, ...], ...]
) -> None:
    blocks = {block for stack in start for block in stack}
    wanted = tuple(tuple(block for block in stack if block in blocks) for stack in goal)
    if {block for stack in wanted for block in stack} != blocks:
        return
    world = blocksworld(start, wanted)
    goals = list(literals(world.goal, world.objects))

    def successors(state: State) -> Iterator[tuple[Step, State]]:
        for block in world.objects.of_type("block"):
            for column in world.objects.of_type("column"):
                action = world.domain.ground(Step("moveblock", (block, column)), world.objects)
                if action.applicable(state):
                    yield action.step, action.apply(state)

    def unmet(state: State) -> int:
        return sum((fact.atom in state) != fact.value for fact in goals)

    path = best_path(world.truth(), successors, unmet, most=3000)
    assert path.unmet == 0
    for step in path.steps:
        world.step(step)
    assert unmet(world.truth()) == 0
