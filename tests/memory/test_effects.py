"""What is learned about actions by trying them: changes, conditions, and when they are possible."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from agents.search import steps_of
from envs.blocksworld.problems import atoms_of, domain
from memory.effects import EffectModel
from planners.formula import Atom, Objects, State
from planners.static import static_part
from planners.task import Step
from tests.small_worlds import arrangements, blocksworld, column_names

WORLD = blocksworld()
START = WORLD.truth() - static_part(WORLD.domain, WORLD.truth())


def move(block: str, column: str) -> Step:
    return Step("moveblock", (block, column))


def after(state: State, *steps: Step) -> State:
    for step in steps:
        state = WORLD.domain.ground(step, WORLD.objects).apply(state)
    return state


def tried(model: EffectModel, state: State, *steps: Step) -> State:
    """The state after some steps, of which the model learns."""
    for step in steps:
        action = WORLD.domain.ground(step, WORLD.objects)
        if action.applicable(state):
            model.saw(state, step, action.apply(state))
            state = action.apply(state)
        else:
            model.refused(state, step)
    return state


def test_nothing_is_expected_of_what_was_never_tried() -> None:
    model = EffectModel(WORLD.objects)
    assert model.expected(START, move("g", "c3")) is None
    assert model.tries(START, move("g", "c3")) == 0
    assert not model.impossible(START, move("g", "c3"))
    assert model.rate("moveblock") == 0.5


def test_what_happened_once_is_expected_of_other_objects() -> None:
    model = EffectModel(WORLD.objects)
    state = tried(model, START, move("b", "c4"))
    assert model.expected(state, move("b", "c3")) == after(state, move("b", "c3"))
    assert model.expected(state, move("g", "c2")) != after(state, move("g", "c2")), (
        "that r comes free is yet to be seen"
    )
    state = tried(model, state, move("g", "c2"))
    assert model.expected(state, move("r", "c3")) == after(state, move("r", "c3"))
    assert model.expected(START, move("g", "c3")) == after(START, move("g", "c3"))


def test_a_refusal_rules_out_what_is_alike() -> None:
    model = EffectModel(WORLD.objects)
    tried(model, START, move("r", "c3"))
    assert model.impossible(START, move("r", "c4"))
    assert not model.impossible(START, move("g", "c4"))
    assert model.tries(START, move("r", "c4")) == 1
    assert model.tries(START, move("r", "c2")) == 0, "there is a block in that column"
    assert model.rate("moveblock") == 1 / 3


def test_possible_is_what_looks_like_every_success() -> None:
    model = EffectModel(WORLD.objects)
    state = tried(model, START, move("b", "c4"))
    assert model.expected(state, move("r", "c3")) is None, "r is not clear"
    assert model.expected(state, move("b", "c4")) is None, "no block was ever in its target"


def test_rules_that_fail_as_often_as_they_work_are_not_relied_on() -> None:
    model = EffectModel(WORLD.objects)
    model.saw(START, move("b", "c4"), after(START, move("b", "c4")) - {Atom("clear", ("g",))})
    assert Atom("clear", ("g",)) not in (model.expected(START, move("b", "c4")) or frozenset())
    model.saw(START, move("b", "c4"), after(START, move("b", "c4")))
    assert model.expected(START, move("b", "c4")) == after(START, move("b", "c4"))


def test_ignored_predicates_are_no_part_of_a_situation() -> None:
    full = WORLD.truth()
    seen, ignoring = EffectModel(WORLD.objects), EffectModel(WORLD.objects, {"leftof", "rightof"})
    for model in (seen, ignoring):
        model.saw(full, move("b", "c3"), after(full, move("b", "c3")))
    assert ignoring.tries(full, move("b", "c4")) == 1
    assert seen.tries(full, move("b", "c1")) == 0


@given(arrangements(blocks="rgby"), st.integers(0, 1000))
@settings(max_examples=30, deadline=None)
def test_after_many_tries_it_knows_the_blocks(start: tuple[tuple[str, ...], ...], seed: int) -> None:
    """Whatever it then expects comes true."""
    columns = column_names(len(start))
    blocks = sorted(block for stack in start for block in stack)
    objects: Objects = domain().objects({**dict.fromkeys(blocks, "block"), **dict.fromkeys(columns, "column")})
    state = atoms_of(start, columns)
    model, dice = EffectModel(objects, {"leftof", "rightof"}), Random(seed)
    for number in range(120):
        step = Step("moveblock", (dice.choice(blocks), dice.choice(columns)))
        action = domain().ground(step, objects)
        expected = model.expected(state, step)
        if not action.applicable(state):
            model.refused(state, step)
            continue
        if number >= 80 and expected is not None:
            assert expected == action.apply(state)
        model.saw(state, step, action.apply(state))
        state = action.apply(state)


def test_all_actions_with_other_objects_each_are_tried() -> None:
    assert len(steps_of(WORLD)) == 12
    assert len(set(steps_of(WORLD))) == 12
