"""Problems in PDDL as models write them: what is meant is read, what is wrong is listed, nothing crashes."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envs.blocksworld.problems import domain as blocks
from envs.household.problems import domain as household
from planners.drafts import LATEST, MOST_FAULTS, DraftFault, draft_lines, read_domain_draft, read_problem_draft
from planners.formula import Atom, Objects, State
from planners.pddl import read_domain
from planners.task import Domain, Task
from planners.write import domain_text, problem_text
from tests.hanoi import DOMAIN as HANOI
from tests.small_worlds import blocksworld

WORLD = blocksworld()
TEXT = problem_text(WORLD_TASK := Task(WORLD.domain, WORLD.objects, WORLD.truth(), WORLD.goal))
SMALL = "(define (problem p) (:domain d) (:init (on r b) (clear r)) (:goal (and (on b r) (not (clear b)))))"


def read(text: str) -> State:
    return read_problem_draft(text, WORLD.domain, WORLD.objects).init


def facts(*written: str) -> State:
    return frozenset(map(Atom.parse, written))


def test_what_is_written_is_read() -> None:
    draft = read_problem_draft(TEXT, WORLD.domain, WORLD.objects)
    assert draft.init == WORLD.truth()
    assert draft.goal == WORLD.goal
    assert draft.domain is WORLD.domain
    assert draft.task(WORLD.objects, draft.init) == WORLD_TASK


@pytest.mark.parametrize(
    "text",
    [
        SMALL,
        f"Let me see; r is on b.\n```pddl\n{SMALL}\n```\nThat is all.",
        SMALL.upper(),
        SMALL.replace("(clear r)", "(clear r) ; the red one (it is free)\n"),
        "(:init on(r, b) clear(r)) (:goal (and on(b,r) (not clear(b))))",
        SMALL.replace("(on r b)", "('on' \"r\" `b`)"),
        SMALL.replace("(on r b)", "（on r b）"),
        SMALL.replace("(on r b)", "(on r\u200b b)"),
        SMALL.replace("(:init (on r b) (clear r))", "(:init (and (on r b) (clear r)))"),
        SMALL.replace("(on r b)", "(on r b) (not (on b r))"),
        SMALL.replace("(:goal (and (on b r) (not (clear b))))", "(:goal (on b r) (not (clear b)))"),
        SMALL.replace("(:goal (and", "(:goal(and"),
        f"First: (define (problem x) (:init (clear q)) (:goal (clear r)))\nNo, this is right:\n{SMALL}",
        SMALL + "\n(:init (on r",
    ],
)
def test_it_may_be_written_in_many_ways(text: str) -> None:
    draft = read_problem_draft(text, WORLD.domain, WORLD.objects)
    assert draft.init == facts("on r,b", "clear r")
    assert draft_lines(draft.init, draft.goal, WORLD.objects)[2:] == ("goal: not clear b", "goal: on b,r")


@pytest.mark.parametrize(
    ("text", "fault", "cut"),
    [
        ("", "there is no (:init …); there is no (:goal …)", False),
        ("(:init (clear r))", "there is no (:goal …)", False),
        ("(:init (clear r)) (:goal (and (clear", "(:goal …) has no closing bracket", True),
        ("(:init (clear r) (clear", "(:init …) has no closing bracket; there is no (:goal …)", True),
        ("(:init (clear z)) (:goal (clear r))", "(:init …): unknown object 'z'; objects: b, g, r, c1, c2", False),
        ("(:init (on r)) (:goal (clear r))", "(:init …): (on r): on takes 2 arguments, not 1", False),
        ("(:init (on r c1)) (:goal (clear r))", "(:init …): (on r c1): c1 is of type column, not block", False),
        ("(:init) (:goal (fly r))", "(:goal …): unknown predicate 'fly'; predicates: on, incolumn, clear", False),
        ("(:init clear r) (:goal (clear r))", "(:init …): expected a fact such as (on a b), found clear", False),
        ("(:init (оn r b)) (:goal (clear r))", "(:init …): unknown predicate 'оn'", False),
    ],
)  # fmt: skip
def test_what_is_wrong_is_listed(text: str, fault: str, cut: bool) -> None:
    with pytest.raises(DraftFault) as raised:
        read(text)
    assert str(raised.value).startswith(fault)
    assert raised.value.cut is cut


def test_all_faults_are_listed_up_to_a_number() -> None:
    some = " ".join(f"(clear z{number})" for number in range(MOST_FAULTS - 1))
    with pytest.raises(DraftFault) as raised:
        read(f"(:init {some}) (:goal (clear y))")
    assert str(raised.value).count("unknown object") == MOST_FAULTS
    with pytest.raises(DraftFault, match=r"; and 1 more$"):
        read(f"(:init {some} (clear x)) (:goal (clear y))")


def test_long_deep_and_repeated_texts_take_no_time() -> None:
    started = time.perf_counter()
    for text in ("(:init" * 50_000, "(:init " + "(not " * 30_000, "(:init (clear r)" * 20_000, "((((" * 50_000 + TEXT):
        try:
            read(text)
        except DraftFault:
            continue
    assert time.perf_counter() - started < 3.0
    with pytest.raises(DraftFault, match="nested too deeply"):
        read(f"(:init) (:goal {'(not ' * 60}(clear r){')' * 60})")
    assert read("(:init (clear r" * LATEST + TEXT) == WORLD.truth()


ACTION = """(:action moveblock :parameters (?x ?to)
  :precondition (clear ?x)
  :effect (and (incolumn ?x ?to) (forall (?o - block) (when (on ?x ?o) (and (clear ?o) (not (on ?x ?o)))))))"""


def test_a_domain_of_the_models_own_has_the_types_of_the_world() -> None:
    draft = read_domain_draft(f"```pddl\n{ACTION}\n{TEXT}```", WORLD.domain, WORLD.objects)
    action = draft.domain.actions["moveblock"]
    assert [parameter.type for parameter in action.parameters] == ["block", "column"]
    assert len(action.effects) == 3
    assert draft.domain.axioms is None
    assert read_domain(draft.domain.text).actions == draft.domain.actions
    assert draft.init == WORLD.truth()


@pytest.mark.parametrize(
    ("action", "fault"),
    [
        ("", "there is no complete (:action …)"),
        ("(:action fly :parameters (?x))", "no action 'fly'. Actions: moveblock"),
        ("(:action moveblock :parameters (?x))", "action moveblock: its parameters are (?b1 - block ?c1 - column)"),
        ("(:action moveblock :effect (clear r))", "action moveblock: its parameters are"),
        ("(:action moveblock :parameters x)", "action moveblock: expected a list of variables, found x"),
        (ACTION.replace("(clear ?x)", "(free ?x)"), "action moveblock: unknown predicate 'free'"),
        (ACTION.replace("(clear ?x)", "(clear ?y)"), "action moveblock: unknown variable '?y'"),
        (ACTION.replace(":effect", ":does"), "action moveblock: expected :parameters"),
        (ACTION[:-2], "there is no complete (:action …)"),
        ("(:action)", "there is no complete (:action …)"),
    ],
)
def test_what_is_wrong_with_an_action_is_listed(action: str, fault: str) -> None:
    with pytest.raises(DraftFault) as raised:
        read_domain_draft(TEXT + action, WORLD.domain, WORLD.objects)
    assert fault in str(raised.value)


@pytest.mark.parametrize("domain", [blocks(), household(), HANOI], ids=lambda domain: domain.name)
def test_a_domain_that_is_written_is_read_as_the_same(domain: Domain) -> None:
    again = read_domain(domain_text(domain))
    assert dict(again.actions) == dict(domain.actions)
    assert dict(again.predicates) == dict(domain.predicates)
    assert dict(again.parents) == dict(domain.parents)


BRACKETS = ("(", ")", "(:init", "(:goal", "(and", "(not", "(or", "(forall (?x - block)", "(exists (?x)", "(when", "（")
WORDS = ("(clear r)", "(on r b)", "?x", "r", "-", ";", "\n", "(:action moveblock", ":parameters", "(?a ?b)", ":effect")
PIECES = st.sampled_from((*BRACKETS, *WORDS, "оn", "\x00")) | st.text(max_size=4)


@given(st.lists(PIECES, max_size=40).map(" ".join))
def test_any_text_is_read_or_refused(text: str) -> None:
    for reader in (read_problem_draft, read_domain_draft):
        for whole in (text, f"(:init) (:goal {text})", f"{ACTION} (:init {text}) (:goal (clear r))"):
            try:
                draft = reader(whole, WORLD.domain, WORLD.objects)
            except DraftFault:
                continue
            assert isinstance(draft.init, frozenset)
            assert draft_lines(draft.init, draft.goal, Objects(WORLD.objects, WORLD.objects.parents))
            problem_text(draft.task(WORLD.objects, draft.init))
