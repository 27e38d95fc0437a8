from __future__ import annotations

import pytest

from envs.blocksworld.problems import domain
from envs.blocksworld.texts import COLOURS, DESCRIPTION, SIGNATURES, goal_text, question
from planners.formula import Atom, Literal
from tests.small_worlds import blocksworld


@pytest.mark.parametrize(
    ("fact", "text"),
    [
        ("on r,b", "Does the red block lie directly on the blue block?"),
        ("on r,r", "Does the red block lie directly on the red block?"),
        ("incolumn p,c3", "Is the purple block in column c3?"),
        ("clear o", "Is the orange block at the top of its column, with no block on it?"),
        ("leftof c1,c2", "Is column c1 to the left of column c2?"),
        ("rightof c1,c1", "Is column c1 to the right of column c1?"),
    ],
)
def test_a_question_asks_one_fact(fact: str, text: str) -> None:
    assert question(Atom.parse(fact)) == text


def test_no_two_facts_share_a_question() -> None:
    world = blocksworld()
    atoms = list(domain().atoms(world.objects))
    assert len({question(atom) for atom in atoms}) == len(atoms)


@pytest.mark.parametrize("fact", ["holding r", "on r", "clear r,b", "on"])
def test_a_fact_of_another_world_is_refused(fact: str) -> None:
    with pytest.raises(ValueError, match="Blocksworld has no predicate like"):
        question(Atom.parse(fact))


def test_the_goal_has_one_sentence_for_each_block() -> None:
    assert blocksworld().goal_text.splitlines() == [
        "- The blue block stands in column c2.",
        "- The green block has no block on it and stands in column c3.",
        "- The red block has no block on it, stands in column c2 and lies directly on the blue block.",
    ]


def test_a_goal_that_leaves_a_block_alone_does_not_speak_of_it() -> None:
    wanted = (Literal(Atom("on", ("r", "b"))),)
    assert goal_text(wanted, ("r", "g", "b")) == "- The red block lies directly on the blue block."
    assert goal_text((), ("r",)) == ""


def test_a_goal_text_never_says_the_opposite_of_the_goal() -> None:
    wanted = (Literal(Atom("clear", ("r",)), False),)
    assert "has no block on it" not in goal_text(wanted, ("r",))


def test_signatures_fit_the_actions_of_the_domain() -> None:
    assert {name: len(action.parameters) for name, action in domain().actions.items()} == {
        name: len(parameters) for name, parameters in SIGNATURES.items()
    }


def test_the_texts_name_every_colour() -> None:
    assert all(f"{name} ({colour})" in blocksworld().action_help for name, colour in COLOURS.items())
    assert blocksworld().description == DESCRIPTION
