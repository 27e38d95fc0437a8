from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from planning_worlds import BLOCKS, HOUSE, HOUSE_PROBLEM, blocks, blocks_task, house
from unified_reading import Converter, convert, parse

from planners.formula import Atom, Exists, Holds, Literal, Not, Or, Same, Variable, holds
from planners.pddl import PddlError, read_domain, read_problem
from planners.task import Step
from planners.write import problem_text
from tests.conftest import ROOT


def test_reading_does_not_import_unified_planning():
    code = (
        "import sys; from envs.blocksworld.problems import files, load; load(files('simple')[0], 'simple');"
        "print('unified_planning' in sys.modules)"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True, cwd=ROOT).strip() == "False"


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
        ("(define (domain d) (:predicates (p ?x - ghost)))", "unknown type 'ghost'"),
        ("(define (domain d) (:predicates (p)) (:action a :precondition (q)))", "action a: unknown predicate 'q'"),
        ("(define (domain d) (:predicates (p))", "1 '(' without ')'"),
        ("(", "1 '(' without ')'"),
        ("(define (domain d) (:functions (fuel)))", "(fuel) is a number"),
        ("(define (problem d))", "expected (domain NAME)"),
        ("(defined (domain d))", "expected (define (domain …) …)"),
        ("(define (domain d) predicates)", "expected a section"),
        ("(define (domain d) (:derived (q) (p)))", "(:derived …) is not supported"),
        ("(define (domain d) (:durative-action a))", "(:durative-action …) is not supported"),
        ("(define (domain d) (:types a - b b - c c - a))", "a kind of itself"),
        ("(define (domain d) (:types a - a))", "a kind of itself"),
        ("(define (domain d) (:types a b a))", "the type a is declared twice"),
        ("(define (domain d) (:constants c - ghost))", "unknown type 'ghost'"),
        ("(define (domain d) (:constants c c))", "the object c is declared twice"),
        ("(define (domain d) (:constants ?c))", "expected an object, found the variable ?c"),
        ("(define (domain d) (:types - b))", "expected names, '-' and their type, found (- b)"),
        ("(define (domain d) (:types a - - b))", "expected names, '-' and their type"),
        ("(define (domain d) (:types a -))", "expected names, '-' and their type"),
        ("(define (domain d) (:types a - (either b c)))", "(either b c) is not supported: a type is one name"),
        ("(define (domain d) (:predicates p))", "expected a predicate"),
        ("(define (domain d) (:predicates (p) (p ?x)))", "the predicate p is declared twice"),
        ("(define (domain d) (:predicates (p ?x ?x)))", "the variable ?x is declared twice"),
        ("(define (domain d) (:predicates (p x)))", "expected a variable, found x"),
        ("(define (domain d) (:predicates (p ?)))", "expected a variable, found ?"),
        ("(define (domain d) (:predicates (= ?x ?y)))", "= means something else"),
        ("(define (domain d) (:predicates (assign ?x)))", "assign means something else"),
        ("(define (domain d) (:predicates (p)) (:predicates (q)))", "(:predicates …) is there twice"),
        ("(define (domain d) (:action))", "expected (:action NAME …)"),
        ("(define (domain d) (:action a) (:action a))", "the action a is there twice"),
        ("(define (domain d) (:action a :effects ()))", "action a: expected :parameters"),
        ("(define (domain d) (:action a :effect))", "action a: nothing stands behind :effect"),
        ("(define (domain d) (:action a :precondition (imply (p))))", "is not (imply CONDITION CONDITION)"),
        (
            "(define (domain d) (:action a :precondition (forall ?z (p))))",
            "is not (forall (?VARIABLE",
        ),
        ("(define (domain d) (:action a :precondition (when () ())))", "which only effects may hold"),
        ("(define (domain d) (:action a :effect () :effect ()))", "action a: :effect is there twice"),
        ("(define (domain d) (:action a :parameters ?x))", "action a: expected a list of variables, found ?x"),
        (
            "(define (domain d) (:action a :effect (increase (fuel) 1)))",
            "action a: (increase (fuel) 1) changes a number",
        ),
        ("(define (domain d) (:predicates (p ?x)) (:action a :effect (p ?y)))", "action a: unknown variable '?y'"),
        (
            "(define (domain d) (:types t) (:predicates (p ?x - t)) (:action a :parameters (?x) :effect (p ?x)))",
            "action a: (p ?x): ?x is of type object, not t",
        ),
        (f"(define (domain d) (:action a :precondition {'(not ' * 9999}(p){')' * 9999}))", "nested too deeply"),
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


words = st.sampled_from(
    [
        "p",
        "q",
        "?x",
        "?y",
        "-",
        "t",
        "c",
        "and",
        "or",
        "not",
        "when",
        "forall",
        "exists",
        "imply",
        "=",
        "increase",
        ":goal",
    ]
)
lists = st.recursive(words, lambda inner: st.lists(inner, max_size=4).map(lambda parts: f"({' '.join(parts)})"))


@given(st.lists(lists, min_size=5, max_size=5))
def test_reading_a_domain_never_fails_in_another_way(parts: list[str]):
    types, declared, parameters, condition, effect = parts
    known = "(:types t) (:constants c - t) (:predicates (p ?x - t) (q ?x ?y - t))"
    for text in (
        f"(define (domain d) (:types {types}) (:constants c {declared}))",
        f"(define (domain d) (:types t) (:predicates (p {declared})))",
        f"(define (domain d) {known} (:action a :parameters {parameters}))",
        f"(define (domain d) {known} (:action a :parameters (?x ?y - t) :precondition {condition}))",
        f"(define (domain d) {known} (:action a :parameters (?x ?y - t) :effect {effect}))",
        f"(define (domain d) {known} {effect})",
    ):
        with suppress(PddlError):
            read_domain(text)


PAIRS = "(:predicates (p ?x) (q ?x ?y))"


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        # A condition outside speaks of its own variable.
        (
            ":parameters (?x ?y) :effect (when (p ?x) (forall (?x) (when (not (p ?x)) (p ?x))))",
            {"p one"},
            {"p one", "p two"},
        ),
        (":parameters (?x ?y) :effect (when (p ?x) (forall (?x) (when (not (p ?x)) (p ?x))))", {"p two"}, {"p two"}),
        # Conditions within conditions are both needed, in whichever order they come.
        (":parameters (?x ?y) :effect (when (p ?x) (when (p ?y) (q ?x ?y)))", {"p two"}, {"p two"}),
        (":parameters (?x ?y) :effect (when (p ?y) (when (p ?x) (q ?x ?y)))", {"p two"}, {"p two"}),
        # Two variables stay two, whatever else is called as one of them.
        (":parameters (?one ?one_) :effect (q ?one ?one_)", set(), {"q one,two"}),
        (
            ":parameters (?x ?y) :effect (forall (?x) (when (exists (?x_) (q ?x ?x_)) (p ?x)))",
            {"q one,two"},
            {"q one,two", "p one"},
        ),
        (
            ":parameters (?one ?y) :precondition (exists (?one_) (q ?one ?one_)) :effect (p ?one)",
            {"q one,two"},
            {"q one,two", "p one"},
        ),
        (
            ":parameters (?x ?y) :effect (forall (?x) (forall (?y) (q ?x ?y)))",
            set(),
            {"q one,one", "q one,two", "q two,one", "q two,two"},
        ),
    ],
)
def test_what_variables_stand_for(text: str, before: set[str], after: set[str]):
    domain = read_domain(f"(define (domain d) (:constants one two) {PAIRS} (:action a {text}))")
    step = domain.ground(Step("a", ("one", "two")), domain.objects({}))
    state = frozenset(map(Atom.parse, before))
    assert step.applicable(state)
    assert step.apply(state) == set(map(Atom.parse, after))


def test_what_is_written_is_read_again():
    domain = house()
    problem = read_problem(domain, HOUSE_PROBLEM)
    again = read_problem(domain, problem_text(problem.task(domain)))
    assert (again.init, again.goal, dict(again.objects)) == (problem.init, problem.goal, dict(problem.objects))


OWN = [(ROOT / "envs" / name / "domain.pddl").read_text(encoding="utf-8") for name in ("blocksworld", "household")]


@pytest.mark.slow
@pytest.mark.parametrize("text", [BLOCKS, HOUSE, CONSTANTS, *OWN])
def test_domains_are_read_as_unified_planning_reads_them(text: str):
    ours, theirs = read_domain(text), convert(parse(text), text)
    assert ours == theirs
    assert list(ours.predicates) == list(theirs.predicates)
    assert list(ours.actions) == list(theirs.actions)


facts = st.sampled_from(["(p ?x)", "(p ?y)", "(q ?x ?y)", "(q ?y c)", "(r)", "(= ?x ?y)"])
conditions = st.recursive(
    facts,
    lambda inner: st.one_of(
        inner.map("(not {})".format),
        st.tuples(st.sampled_from(["and", "or"]), st.lists(inner, min_size=1, max_size=3)).map(
            lambda pair: f"({pair[0]} {' '.join(pair[1])})"
        ),
        st.tuples(inner, inner).map("(imply {0[0]} {0[1]})".format),
        st.tuples(st.sampled_from(["forall", "exists"]), inner).map("({0[0]} (?x - s) {0[1]})".format),
    ),
    max_leaves=6,
)
effects = st.recursive(
    st.sampled_from(["(p ?x)", "(not (p ?y))", "(q ?y c)", "(r)", "(forall (?z - s) (and (p ?z) (not (q ?z c))))"]),
    lambda inner: st.lists(inner, max_size=3).map(lambda parts: f"(and {' '.join(parts)})"),
    max_leaves=6,
)


@pytest.mark.slow
@given(conditions, effects)
@settings(max_examples=60, deadline=None)
def test_any_action_is_read_as_unified_planning_reads_it(condition: str, effect: str):
    text = (
        "(define (domain d) (:types s - t t) (:constants c - s) (:predicates (p ?x - t) (q ?x ?y - t) (r))"
        f"(:action a :parameters (?x - s ?y - s) :precondition {condition} :effect (and {effect} (when (r) {effect}))))"
    )
    assert read_domain(text) == convert(parse(text), text)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.slow
def test_problems_are_read_as_unified_planning_reads_them(shared: Path):
    from unified_planning.io import PDDLReader

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
        assert ours.goal == Converter({}).formula(goal)
