"""The household problems: as many, as varied and as long as the table says, and files that say what is wrong."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from envs.household.briefs import Brief, Row, need, type_of
from envs.household.generate import SEEDS, STEPS, fault_of, json_of, main, pddl_of, problem_of
from envs.household.home.plans import PLANS
from envs.household.problems import SPLITS, HouseholdProblem, Setting, domain, files, load, wanted_of
from envs.household.rollout import by_plan
from envs.household.tasks import ROWS
from envs.household.world import Household
from envs.seeds import seed_of
from planners import get_planner
from planners.formula import Atom, Literal, holds
from planners.names import UnknownName
from planners.outcome import Planner
from planners.pddl import PddlError
from planners.task import Task

PROBLEMS = [load(file, split) for split in SPLITS for file in files(split)]
BY_ROW: dict[tuple[str, str], list[HouseholdProblem]] = {}
for _problem in PROBLEMS:
    BY_ROW.setdefault((_problem.task, _problem.split), []).append(_problem)
FIRST = [problems[0] for problems in BY_ROW.values()]
SLOW = pytest.mark.slow


def name(value: object) -> str:
    return value.name if isinstance(value, HouseholdProblem) else f"{value.task}_{value.split}"  # type: ignore[attr-defined]


@pytest.fixture(scope="module")
def optimal() -> Iterator[Planner]:
    planner = get_planner("fd-opt")
    yield planner
    planner.close()


def row_of(problem: HouseholdProblem) -> Row:
    return next(row for row in ROWS if (row.task, row.split) == (problem.task, problem.split))


def test_the_table_has_sixteen_rows_and_25_problems_a_split() -> None:
    assert len(ROWS) == len({(row.task, row.split) for row in ROWS}) == 16
    for split in SPLITS:
        assert sum(row.count for row in ROWS if row.split == split) == 25
    ranges = {"simple": range(4, 7), "medium": range(8, 11), "hard": range(11, 16)}
    assert all(row.shortest in ranges[row.split] for row in ROWS)


def test_the_frozen_problems_are_those_of_the_table() -> None:
    assert {key: len(problems) for key, problems in BY_ROW.items()} == {(r.task, r.split): r.count for r in ROWS}
    assert len({problem.id for problem in PROBLEMS}) == 75


def test_a_task_is_set_in_several_homes() -> None:
    for key, problems in BY_ROW.items():
        settings = {(problem.setting.layout, problem.setting.seed) for problem in problems}
        assert len(settings) == len(problems), key
        assert len({layout for layout, _ in settings}) == min(len(problems), len(PLANS)), key


def test_the_first_few_problems_are_of_different_tasks() -> None:
    assert len({load(file, "simple").task for file in files("simple")[:5]}) == 5


@pytest.mark.parametrize("problem", PROBLEMS, ids=name)
def test_a_problem_speaks_of_what_its_home_needs(problem: HouseholdProblem) -> None:
    assert dict(problem.objects) == {thing.name: type_of(thing) for thing in problem.setting.needs}
    assert problem.given == Brief(problem.setting.needs, ()).given()
    atoms = set(domain().atoms(problem.objects))
    assert {literal.atom for literal in wanted_of(problem)} <= atoms
    assert not holds(problem.goal, problem.given, problem.objects)


@pytest.mark.parametrize("problem", PROBLEMS, ids=name)
def test_files_say_what_the_problem_is(problem: HouseholdProblem, tmp_path: Path) -> None:
    (tmp_path / f"{problem.name}.pddl").write_text(pddl_of(problem))
    (tmp_path / f"{problem.name}.json").write_text(json_of(problem))
    read = load(tmp_path / f"{problem.name}.pddl", problem.split)
    assert (read.setting, read.given, read.task) == (problem.setting, problem.given, problem.task)
    assert (dict(read.objects), wanted_of(read)) == (dict(problem.objects), wanted_of(problem))


@pytest.mark.parametrize("row", ROWS, ids=name)
def test_every_draw_of_a_row_is_a_sound_brief(row: Row) -> None:
    for seed in range(20):
        brief = row.brief(Random(seed))
        types = brief.types()
        assert len(types) == len(brief.needs)
        for thing in brief.needs:
            assert {thing.on, thing.inside} - {None} <= set(types)
        assert {arg for atom, _ in brief.goal for arg in atom.args} <= set(types)
        assert brief.given() <= set(domain().atoms(domain().objects(types)))


@pytest.mark.parametrize("problem", [PROBLEMS[0], *(pytest.param(p, marks=SLOW) for p in PROBLEMS[1:])], ids=name)
def test_a_home_starts_as_its_files_say(problem: HouseholdProblem, optimal: Planner) -> None:
    world = Household(problem)
    assert problem.given <= world.truth()
    plan = optimal.solve(Task(world.domain, world.objects, world.truth(), world.goal)).plan
    assert len(plan) == row_of(problem).shortest


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("problem", FIRST, ids=name)
def test_plans_from_the_true_state_reach_the_goal(problem: HouseholdProblem, seed: int, optimal: Planner) -> None:
    world = Household(problem, seed=seed_of(seed, problem.id))
    steps = list(by_plan(world, optimal, STEPS[problem.split]))
    assert holds(world.goal, world.truth(), world.objects), [(str(done.step), done.happened) for done in steps]


@pytest.mark.slow
def test_a_draw_that_cannot_be_built_or_is_too_short_is_refused(optimal: Planner) -> None:
    problem = FIRST[0]
    row, needs = row_of(problem), problem.setting.needs
    beds = (need(f"bed_{number}", room="hallway") for number in range(1, 12))
    crowded = Brief((*needs, *beds), wanted_of(problem))
    setting = Setting(problem.setting.layout, problem.setting.seed, crowded.needs)
    fault = fault_of(problem_of(row, "crowded", crowded, setting), row, crowded, optimal)
    assert "no room is left for bed" in (fault or "")
    done = Brief(needs, (Literal(Atom("open", ("cabinet_1",)), False),))
    fault = fault_of(problem_of(row, "done", done, problem.setting), row, done, optimal)
    assert fault == f"0 actions instead of {row.shortest}"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"opening": "wide"}, "a need's opening: Input should be a valid number"),
        ({"opening": 7}, "opening is between 0 and 1, not 7"),
        ({"kind": 3}, "a need's kind: Input should be a valid string"),
        ({"kind": "cabinett"}, "Did you mean 'cabinet'"),
        ({"colour": "red"}, "a need's colour: "),
        ({"kind": "sink"}, "is declared movable, but a sink is of type object"),
    ],
)
def test_a_need_that_makes_no_sense_is_named(change: dict[str, object], reason: str, tmp_path: Path) -> None:
    source = next(path for path in files("simple") if path.stem.startswith("sorting_books"))
    written = json.loads(source.with_suffix(".json").read_text())
    book = next(need for need in written["needs"] if need["kind"] == "hardback")
    book.update(change)
    shutil.copy(source, tmp_path / source.name)
    (tmp_path / source.name).with_suffix(".json").write_text(json.dumps(written))
    with pytest.raises(PddlError, match=reason):
        load(tmp_path / source.name, "simple")


def test_a_broken_file_is_named(tmp_path: Path) -> None:
    source = files("simple")[0]
    target = tmp_path / source.name
    shutil.copy(source, target)
    with pytest.raises(PddlError, match=f"{source.stem}.json: cannot be used: there is no such file"):
        load(target, "simple")
    target.with_suffix(".json").write_text("{")
    with pytest.raises(PddlError, match="broken JSON"):
        load(target, "simple")
    written = json.loads(source.with_suffix(".json").read_text())
    written["needs"] = written["needs"][1:]
    target.with_suffix(".json").write_text(json.dumps(written))
    with pytest.raises(PddlError, match="it has no entry for"):
        load(target, "simple")
    with pytest.raises(UnknownName, match="no split 'easy'"):
        files("easy")
    with pytest.raises(FileNotFoundError, match=r"has no \.pddl files"):
        files("simple", tmp_path)


def test_the_generator_says_what_it_cannot_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--out", str(tmp_path), "--only", "sorting_boks"]) == 2
    assert "Did you mean 'sorting_books'?" in capsys.readouterr().err
    (tmp_path / "simple").mkdir()
    (tmp_path / "simple" / "sorting_books_simple_0.pddl").write_text("")
    assert main(["--out", str(tmp_path), "--only", "sorting_books_simple"]) == 2
    assert "add --force" in capsys.readouterr().err


@pytest.mark.slow
def test_the_frozen_problems_can_be_made_again(tmp_path: Path) -> None:
    assert main(["--out", str(tmp_path), "--only", "sorting_books_simple"]) == 0
    made = sorted((tmp_path / "simple").iterdir())
    assert len(made) == 10
    frozen = files("simple")[0].parent
    assert [path.read_text() for path in made] == [(frozen / path.name).read_text() for path in made]
