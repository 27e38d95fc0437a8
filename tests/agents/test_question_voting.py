"""Voting: several orders of the options, one majority."""

from __future__ import annotations

from typing import Any

import pytest

from agents.posing import question_agent
from agents.vote import Voter, ballots
from envs.base import Question
from models.base import Kind, Request
from models.registry import load_model
from models.scripted import Scripted, always
from tests.question_sets import events, item_of, play
from tools.events import Asked, Ended


def test_a_vote_asks_for_other_orders_of_the_options_and_reads_them_back() -> None:
    item = item_of(Kind.ORDER)
    model = Scripted(always("A,B,C,D" if len(item.options) == 4 else "A,B,C,D,E"))
    _, records = play("answer_vote", item, model)
    orders = [event.options for event in events(records, Asked)]
    assert len(set(orders)) == 5
    assert orders[0] == item.options
    # Whoever always names the letters in order says something else each time.
    truths = [record.truth.right for record in records if isinstance(record.event, Asked)]
    restored = [tuple(item.options.index(option) for option in order) for order in orders]
    right = tuple("ABCDE".index(letter) for letter in item.answer)  # type: ignore[union-attr]
    assert truths == [order == right for order in restored]


@pytest.mark.parametrize(("options", "votes"), [(4, 4), (8, 5), (5, 5), (2, 9), (1, 3), (0, 12)])
def test_no_two_ballots_are_the_same_and_places_are_shared_out(options: int, votes: int) -> None:
    names = tuple(f"thing {number}" for number in range(options))
    ways = ballots(Question("Which?", (), names), votes)
    assert len(set(ways)) == votes
    assert ways[0] == (names, "")
    assert all(sorted(order) == sorted(names) for order, _ in ways)
    if 0 < options <= votes:
        assert len({order[0] for order, _ in ways[:options]}) == options


def test_votes_that_cannot_be_read_do_not_count() -> None:
    item = item_of(Kind.CHOICE)
    replies = iter(["?", "?", "?", "?"])

    def script(request: Request) -> str:
        return next(replies, "ABCDE"[request.options.index(str(item.answer))])

    result, records = play("answer_vote", item, Scripted(script), reask=0)
    assert result.success
    assert events(records, Ended)[0].detail == "1 of 1 votes"


def test_more_votes_are_a_parameter() -> None:
    agent = question_agent("nine", "nine votes", Voter(votes=9).graph)
    assert play(agent, item_of(Kind.CHOICE), load_model("oracle"))[0].asked == 9


def test_no_votes_are_refused() -> None:
    with pytest.raises(ValueError, match="votes is at least 1, not 0"):
        Voter(votes=0)


def test_the_same_wrong_answer_in_every_order_is_reported() -> None:
    item = item_of(Kind.CHOICE)
    wrong = next(option for option in item.options if option != item.answer)
    stubborn = Scripted(lambda request: "ABCDE"[request.options.index(wrong)])
    result, _ = play("answer_vote", item, stubborn)
    assert not result.success
    assert (result.measures["votes"], result.measures["wrong_pairs"], result.measures["wrong_pairs_alike"]) == (
        5,
        10,
        10,
    )
    first, _ = play("answer_vote", item, Scripted(always("A")))  # a habit of letters, not an error about the picture
    assert first.measures["wrong_pairs_alike"] < first.measures["wrong_pairs"]
    assert "votes" not in play("answer", item, stubborn)[0].measures


def test_fresh_errors_in_counting_are_different_numbers_and_shared_ones_the_same() -> None:
    wrong: dict[str, set[Any]] = {}
    for errors in ("fresh", "shared"):
        _, records = play("answer_vote", item_of(Kind.NUMBER), load_model(f"sim:phi-4-multimodal?errors={errors}"))
        wrong[errors] = {event.value for event in events(records, Asked)} - {item_of(Kind.NUMBER).answer}
    assert len(wrong["fresh"]) > 1
    assert len(wrong["shared"]) == 1
