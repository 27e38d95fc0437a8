"""What a model is told besides the texts of its world."""

from __future__ import annotations

import pytest

from envs.base import Outcome
from models.parsing import Proposal
from planners.task import Step
from tests.hanoi import Hanoi
from tests.small_home import SmallHome
from tests.small_worlds import blocksworld
from tools.wording import outcome_text, world_text


def proposal(action: str, *args: str, step: bool = True) -> Proposal:
    return Proposal(action, list(args), Step(action, args) if step else None)


def test_objects_are_listed_in_the_words_of_their_world() -> None:
    text = world_text(blocksworld())
    assert text.startswith(blocksworld().description)
    assert "\n\nObjects, by the names that actions take:\n- b: the blue block\n" in text
    assert text.endswith("- c4: the column with the card c4")


def test_a_world_without_words_lists_its_objects_by_type() -> None:
    assert "- small: disc\n" in world_text(Hanoi())
    assert "- fridge_1: container\n" in world_text(SmallHome())


@pytest.mark.parametrize(
    ("outcome", "made", "told"),
    [
        (Outcome.EXECUTED, proposal("moveblock", "r", "c1"), "It was carried out."),
        (Outcome.FAILED, proposal("moveblock", "r", "c1"), "It was possible and was tried, but it did not succeed."),
        (
            Outcome.NOT_LEGAL,
            proposal("moveblock", "r", "c1"),
            "It was not possible: one of its conditions did not hold.",
        ),
        (
            Outcome.UNKNOWN_ACTION,
            proposal("fly"),
            "It was not possible: there is no action 'fly'; actions: moveblock.",
        ),
        (Outcome.BAD_PARAMETERS, proposal("moveblock", "r", "c9"), "It was not possible: 'c9' is not a column."),
        (
            Outcome.BAD_PARAMETERS,
            proposal("moveblock", "r", step=False),
            "It was not possible: moveblock takes the parameters block, column, each with the name of one object.",
        ),
    ],
)
def test_what_came_of_an_attempt_is_a_sentence(outcome: Outcome, made: Proposal, told: str) -> None:
    assert outcome_text(outcome, made, blocksworld()) == told


@pytest.mark.parametrize("outcome", Outcome)
def test_every_outcome_has_a_sentence_and_no_name_is_repeated_at_length(outcome: Outcome) -> None:
    long = "z" * 10_000
    for made in (proposal(long, long), proposal("moveblock", long, "c1"), proposal("moveblock", step=False)):
        told = outcome_text(outcome, made, blocksworld())
        assert told.startswith("It was ")
        assert told.endswith(".")
        assert len(told) < 300
