"""Household in words."""

from __future__ import annotations

import pytest

from envs.household.problems import domain
from envs.household.texts import ACTION_HELP, SIGNATURES, goal_text, hint, question
from planners.formula import Atom, Literal


def literal(fact: str) -> Literal:
    return Literal(Atom.parse(fact.removeprefix("not ")), not fact.startswith("not "))


def test_each_predicate_has_a_question_that_names_its_things() -> None:
    for predicate, parameters in domain().predicates.items():
        names = tuple(f"thing_{number}" for number, _ in enumerate(parameters))
        asked = question(Atom(predicate, names))
        assert asked.endswith("?")
        assert all(name in asked for name in names)


def test_who_is_on_whom_is_not_mixed_up() -> None:
    assert question(Atom("ontop", ("book_1", "table_1"))) != question(Atom("ontop", ("table_1", "book_1")))


def test_an_unknown_predicate_is_named() -> None:
    with pytest.raises(ValueError, match="no predicate like under a,b"):
        question(Atom("under", ("a", "b")))
    with pytest.raises(ValueError, match="no predicate like under a,b"):
        goal_text((Literal(Atom("under", ("a", "b"))),))


@pytest.mark.parametrize(
    ("fact", "said"),
    [
        ("ontop bowl_1,sink_1", "- bowl_1 is on top of sink_1."),
        ("inside apple_1,carton_1", "- apple_1 is inside carton_1."),
        ("not nextto apple_1,orange_1", "- apple_1 is not next to orange_1."),
        ("open door_1", "- door_1 is open."),
        ("not open door_1", "- door_1 is closed."),
        ("holding book_1", "- The robot holds book_1."),
        ("not reachable book_1", "- book_1 is out of reach of the robot."),
    ],
)
def test_goals_are_sentences(fact: str, said: str) -> None:
    assert goal_text((literal(fact),)) == said


def test_a_hint_says_where_a_thing_is_shut_away() -> None:
    assert hint("bowl_1", "cabinet_1") == "bowl_1 is inside cabinet_1."


def test_the_help_has_every_action_with_its_parameters() -> None:
    lines = {line.split("`")[1]: line for line in ACTION_HELP.splitlines() if line.startswith("- `")}
    assert set(lines) == set(SIGNATURES) == set(domain().actions)
    for action, parameters in SIGNATURES.items():
        assert all(f"`{parameter}`" in lines[action] for parameter in parameters)
