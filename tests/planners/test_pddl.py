from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from planning_worlds import BLOCKS, HOUSE, HOUSE_PROBLEM, blocks, blocks_task, house

from planners.formula import Atom, Exists, Holds, Literal, Not, Or, Same, Variable, holds
from planners.pddl import PddlError, read_domain, read_problem
from planners.task import Step
from planners.write import problem_text


def test_importing_the_reader_does_not_import_unified_planning():
    code = "import sys, planners.pddl, planners; print('unified_planning' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "False"


def test_blocksworld():
    domain = blocks()
    assert domain.name == "blocksworld"
    assert domain.predicates["incolumn"] == (Variable("b", "block"), Variable("c", "column"))
    assert list(domain.actions) == ["moveblock"]
    task = blocks_task((("r", "g"), ("b",)), (("r", "g"), ("b",)))
    move = domain.ground(Step("moveblock", ("g", "c2")), task.objects)
    assert move.preconditions() == (Literal(Atom("clear", ("g",))), Literal(Atom("incolumn", ("g", "c2")), False))
    after = move.apply(task.init)
    assert {Atom("on", ("g", "b")), Atom("clear", ("r",)), Atom("incolumn", ("g", "c2"))} <= after
    assert not {Atom("on", ("g", "r")), Atom("clear", ("b",)), Atom("incolumn", ("g", "c1"))} & after


def test_a_domain_is_parsed_once():
    assert read_domain(BLOCKS) is read_domain(BLOCKS)


def test_types_have_kinds_and_conditions_keep_their_shape():
    domain = house()
    problem = read_problem(domain, HOUSE_PROBLEM)
    assert domain.parents == {"container": "object", "movable": "object", "box": "container"}
    assert problem.objects.of_type("container") == ("drawer", "chest")
    assert set(problem.objects.of_type("object")) == {"drawer", "chest", "spoon", "fork", "table"}
    shelf = domain.actions["open-it"].precondition
    assert Not(Exists((Variable("x", "movable"),), Holds("held", ("x",)))) in shelf.parts
    inside, other, same = problem.goal.parts
    assert inside == Exists((Variable("x", "box"),), Holds("in", ("spoon", "x")))
    assert other.body == Or((Not(Holds("open", ("c",))), Same("c", "chest")))
    assert same == Or((Holds("near", ("table",)), Not(Holds("held", ("fork",)))))
    assert problem.init == {Atom("in", ("spoon", "drawer")), Atom("near", ("table",))}


def test_effects_for_all_objects_with_conditions():
    domain = house()
    problem = read_problem(domain, HOUSE_PROBLEM)
    step = domain.ground(Step("go", ("drawer",)), problem.objects)
    opened = problem.init | {Atom("open", ("drawer",))}
    assert step.apply(opened) == {
        Atom("in", ("spoon", "drawer")),
        Atom("open", ("drawer",)),
        Atom("near", ("drawer",)),
        Atom("near", ("spoon",)),
    }


CONSTANTS = """
(define (domain lamps) (:requirements :typing :negative-preconditions)
  (:types lamp) (:constants x main - lamp) (:predicates (lit ?l - lamp) (spare))
  (:action light :parameters (?x - lamp) :precondition (and (lit x) (not (lit ?x))) :effect (and (lit ?x) (spare)))
  (:action start :parameters () :effect (lit x)))
"""


def test_a_variable_may_have_the_name_of_a_constant():
    domain = read_domain(CONSTANTS)
    problem = read_problem(
        domain,
        "(define (problem p) (:domain lamps) (:objects y - lamp) (:init (lit x))"
        " (:goal (forall (?y - lamp) (or (lit ?y) (= ?y y)))))",
    )
    assert list(problem.objects) == ["x", "main", "y"]
    light = domain.ground(Step("light", ("main",)), problem.objects)
    assert light.applicable(problem.init)
    assert light.apply(problem.init) == {Atom("lit", ("x",)), Atom("lit", ("main",)), Atom("spare")}
    assert not holds(problem.goal, problem.init, problem.objects)
    assert holds(problem.goal, light.apply(problem.init), problem.objects)
    assert read_problem(domain, problem_text(problem.task(domain))).goal == problem.goal


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("(define (domain d) (:predicates (p ?x - ghost)))", "ghost"),
        ("(define (domain d) (:predicates (p)) (:action a :parameters () :precondition (q) :effect (p)))", "q"),
        ("(define (domain d) (:predicates (p))", ""),
        ("(", ""),
        ("(define (domain d) (:functions (fuel)))", "fuel"),
    ],
)
def test_broken_domains_are_one_kind_of_error(tmp_path: Path, text: str, said: str):
    file = tmp_path / "broken.pddl"
    file.write_text(text)
    with pytest.raises(PddlError, match=r"broken\.pddl: .") as caught:
        read_domain(file)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("(:goal", "(:gaol"), "no (:goal"),
        (("spoon drawer)", "spoon drawr)"), "unknown object 'drawr'"),
        (("(in spoon drawer)", "(on spoon drawer)"), "unknown predicate 'on'"),
        (("(in spoon drawer)", "(in spoon)"), "in takes 2 arguments, not 1"),
        (("(in spoon drawer)", "(in spoon table)"), "table is of type object, not container"),
        (("- box", "- bax"), "unknown type 'bax'"),
        (("(:domain house)", "(:domain hut)"), "'hut'"),
        (("Spoon Fork", "Spoon spoon"), "declared twice"),
        (("(define", "((define"), "without"),
        (("chest)))", "chest))))"), "without"),
        (("exists (?x", "exists (x"), "expected a variable"),
        (("(near table) (not", "near (not"), "expected a fact"),
    ],
)
def test_broken_problems_say_what_is_wrong(tmp_path: Path, change: tuple[str, str], said: str):
    text = HOUSE_PROBLEM.replace(*change)
    assert text != HOUSE_PROBLEM
    file = tmp_path / "broken.pddl"
    file.write_text(text)
    with pytest.raises(PddlError, match=r"broken\.pddl: ") as caught:
        read_problem(house(), file)
    assert said in str(caught.value)


def test_a_file_that_is_not_there():
    with pytest.raises(PddlError, match="nowhere"):
        read_domain(Path("nowhere.pddl"))


@given(st.text(alphabet="()?-: \n;adefgilnoprt=", max_size=200))
def test_reading_a_problem_never_fails_in_another_way(text: str):
    with suppress(PddlError):
        read_problem(house(), "(" + text)


def test_what_is_written_is_read_again():
    domain = house()
    problem = read_problem(domain, HOUSE_PROBLEM)
    again = read_problem(domain, problem_text(problem.task(domain)))
    assert (again.init, again.goal, dict(again.objects)) == (problem.init, problem.goal, dict(problem.objects))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.slow
def test_problems_are_read_as_unified_planning_reads_them(shared: Path):
    from unified_planning.io import PDDLReader

    from planners._up_domain import _Converter

    files = sorted((shared / "data/viplan/problems").rglob("*.pddl"))
    assert len(files) == 75
    reader = PDDLReader()
    sources = [(BLOCKS, file.read_text()) for file in files[::9]] + [(HOUSE, HOUSE_PROBLEM)]
    for domain_text, text in sources:
        ours = read_problem(read_domain(domain_text), text)
        theirs = reader.parse_problem_string(domain_text, text)
        assert ours.name == theirs.name
        assert list(ours.objects.items()) == [(item.name, item.type.name) for item in theirs.all_objects]
        true = [fact for fact, value in theirs.explicit_initial_values.items() if value.is_true()]
        assert ours.init == {Atom(fact.fluent().name, tuple(map(str, fact.args))) for fact in true}
        [goal] = theirs.goals
        assert ours.goal == _Converter({}).formula(goal)
