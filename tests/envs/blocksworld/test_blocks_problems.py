"""Problems: ours are frozen and as promised, others load or say why not, and arrangements and facts are one thing."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings

from envs.blocksworld import generate
from envs.blocksworld.problems import (
    SPLITS,
    Columns,
    arrangement_of,
    atoms_of,
    domain,
    files,
    goal_literals,
    goal_of,
    load,
    wanted_of,
    write,
)
from planners.formula import Atom, literals
from planners.names import UnknownName
from planners.outcome import Planner
from planners.pddl import PddlError
from planners.task import Task
from tests.small_worlds import GOAL, START, arrangements, column_names

FOUR = column_names(4)


@given(arrangements())
def test_the_facts_of_an_arrangement_describe_it(arrangement: Columns) -> None:
    assert arrangement_of(atoms_of(arrangement, FOUR), FOUR) == arrangement


@given(arrangements("rgb"), arrangements("rgb"))
def test_different_arrangements_have_different_facts(one: Columns, other: Columns) -> None:
    assert (atoms_of(one, FOUR) == atoms_of(other, FOUR)) == (one == other)


def test_the_order_of_columns_holds_for_every_pair() -> None:
    state = atoms_of(START, FOUR)
    assert Atom("leftof", ("c1", "c4")) in state
    assert Atom("rightof", ("c4", "c2")) in state
    assert sum(atom.predicate in ("leftof", "rightof") for atom in state) == 12


@pytest.mark.parametrize(
    "facts",
    [
        ["on r,b", "clear r", "incolumn r,c1", "incolumn b,c2"],
        ["on r,b", "on b,r", "incolumn r,c1", "incolumn b,c1"],
        ["incolumn r,c1", "incolumn b,c1", "clear r", "clear b"],
        ["incolumn r,c1", "incolumn r,c2", "clear r"],
        ["incolumn r,c1"],
        ["clear r"],
        ["on r,r", "incolumn r,c1", "clear r"],
        ["on r,b", "on g,b", "clear r", "clear g", "incolumn r,c1", "incolumn g,c1", "incolumn b,c1"],
    ],
)
def test_facts_that_describe_no_arrangement_are_listed(facts: list[str]) -> None:
    with pytest.raises(ValueError, match="not an arrangement of blocks in columns; look at: "):
        arrangement_of(frozenset(map(Atom.parse, facts)), FOUR)


def written(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "problem.pddl"
    file.write_text(text)
    return file


@settings(max_examples=40, deadline=None)
@given(start=arrangements("rgb"))
def test_a_problem_written_is_a_problem_read(tmp_path_factory: pytest.TempPathFactory, start: Columns) -> None:
    blocks, goal = tuple(sorted(sum(start, ()))), start[::-1]
    file = written(tmp_path_factory.mktemp("problem"), write("some_name", blocks, FOUR, start, goal))
    problem = load(file, "simple")
    assert (problem.start, problem.columns, problem.split) == (start, FOUR, "simple")
    assert problem.objects.of_type("block") == blocks
    assert set(wanted_of(problem)) == set(literals(goal_of(goal, FOUR), problem.objects))


def test_a_problem_has_a_name_that_no_other_split_has(tmp_path: Path) -> None:
    text = write("x", ("b", "g", "r"), FOUR, START, GOAL)
    assert load(written(tmp_path, text), "simple").id == "simple_problem"
    file = tmp_path / "simple_07.pddl"
    file.write_text(text)
    assert load(file, "simple").id == "simple_07"


GOOD = write("x", ("b", "g", "r"), FOUR, START, GOAL)


@pytest.mark.parametrize(
    "text",
    [
        "",
        GOOD[:-10],
        GOOD.replace("(on g r)", "(under g r)"),
        GOOD.replace("(clear g)\n    (incolumn b c2)", "(incolumn b c2)"),
        GOOD.replace("(incolumn g c1)", "(incolumn g c2)"),
        GOOD.replace("(on g r)", "", 1),
        GOOD.replace("r - block", "r y - block"),
    ],
    ids=["empty", "cut off", "unknown predicate", "no top", "torn apart", "no support", "a block that is nowhere"],
)
def test_a_file_that_is_no_problem_is_named(tmp_path: Path, text: str) -> None:
    assert text != GOOD
    with pytest.raises(PddlError, match=r"problem\.pddl: "):
        load(written(tmp_path, text), "simple")


def test_an_unknown_split_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match=r"no split 'simpel'\. Did you mean 'simple'\? Splits: hard, medium, simple"):
        files("simpel")


def test_a_folder_without_problems_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"simple has no \.pddl files"):
        files("simple", tmp_path)


def test_files_come_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    (tmp_path / "simple").mkdir()
    for number in (10, 9, 1):
        (tmp_path / "simple" / f"problem_{number}.pddl").write_text("")
    assert [path.stem for path in files("simple", tmp_path)] == ["problem_1", "problem_9", "problem_10"]


@pytest.mark.parametrize("split", SPLITS)
def test_our_problems_have_the_sizes_of_their_split(split: str) -> None:
    size = generate.SIZES[split]
    problems = [load(path, split) for path in files(split)]
    assert len(problems) == 25
    assert len({(problem.start, wanted_of(problem)) for problem in problems}) == 25
    for problem in problems:
        assert len(problem.objects.of_type("block")) == size.blocks
        assert len(problem.columns) == size.columns
        assert max(map(len, problem.start)) <= size.height
        goal = arrangement_of(frozenset(literal.atom for literal in wanted_of(problem)), problem.columns)
        assert wanted_of(problem) == goal_literals(goal, problem.columns)
        assert max(map(len, goal)) <= size.height
        assert goal != problem.start


@pytest.mark.slow
@pytest.mark.parametrize("split", SPLITS)
def test_our_problems_have_plans_of_the_stated_length(split: str, planner: Planner) -> None:
    size = generate.SIZES[split]
    for path in files(split):
        problem = load(path, split)
        start = atoms_of(problem.start, problem.columns)
        outcome = planner.solve(Task(domain(), problem.objects, start, problem.goal))
        assert size.shortest <= len(outcome.plan) <= size.longest, path


@pytest.mark.slow
@pytest.mark.parametrize("split", SPLITS)
def test_the_frozen_problems_are_what_the_generator_makes(split: str, planner: Planner) -> None:
    made = dict(generate.generate(split, 25, 0, planner))
    assert made == {path.stem: path.read_text() for path in files(split)}


def test_the_first_problems_are_what_the_generator_makes(planner: Planner) -> None:
    made = list(generate.generate("simple", 2, 0, planner))
    assert made == [(path.stem, path.read_text()) for path in files("simple")[:2]]


@pytest.mark.parametrize("split", SPLITS)
def test_the_problems_of_the_original_load(shared: Path, split: str) -> None:
    folder = shared / "data" / "viplan" / "problems"
    problems = [load(path, split) for path in files(split, folder)]
    size = generate.SIZES[split]
    assert len(problems) == 25
    assert {len(problem.columns) for problem in problems} == {size.columns}
    assert {len(problem.objects.of_type("block")) for problem in problems} == {size.blocks}
