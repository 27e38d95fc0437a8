"""From votes and probabilities to an answer: exact where that can be checked by trying everything."""

from __future__ import annotations

from itertools import combinations, pairwise, permutations, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envs.base import Question
from models.base import Kind
from tools import consensus
from tools.consensus import best_assignment, likeliest_order, log_odds, settled, whole

AMOUNTS = st.integers(-6, 6).map(float)


def agreement(order: tuple[int, ...], before: list[list[float]]) -> float:
    return sum(before[first][second] for first, second in combinations(order, 2))


@st.composite
def squares(draw: Any, most: int = 6) -> list[list[float]]:
    side = draw(st.integers(1, most))
    return [[draw(AMOUNTS) for _ in range(side)] for _ in range(side)]


@given(squares())
@settings(deadline=None)
def test_the_likeliest_order_is_the_best_of_all(before: list[list[float]]) -> None:
    found = likeliest_order(before)
    best = max(permutations(range(len(before))), key=lambda order: (agreement(order, before), [-one for one in order]))
    assert found == best


@given(squares())
@settings(deadline=None)
def test_more_things_than_can_be_tried_are_put_in_an_order_that_no_exchange_betters(before: list[list[float]]) -> None:
    found = consensus._approached(before)
    assert sorted(found) == list(range(len(before)))
    assert all(before[second][first] <= before[first][second] for first, second in pairwise(found))


def test_seven_and_twenty_six_things_are_put_in_order() -> None:
    for count in (7, 26):
        right = list(range(count))[::-1]
        before = [[1.0 if one > other else -1.0 for other in range(count)] for one in range(count)]
        assert likeliest_order(before) == tuple(right)


@given(st.integers(1, 4), st.integers(1, 5), st.data())
@settings(deadline=None)
def test_the_best_assignment_is_the_best_of_all(rows: int, columns: int, data: st.DataObject) -> None:
    worth = [[data.draw(AMOUNTS) for _ in range(columns)] for _ in range(rows)]
    found = best_assignment(worth)

    def total(chosen: tuple[int, ...]) -> float:
        return sum(row[column] for row, column in zip(worth, chosen, strict=True))

    ways = permutations(range(columns), rows) if rows <= columns else product(range(columns), repeat=rows)
    assert total(found) == max(map(total, ways))
    assert rows > columns or len(set(found)) == rows


def test_nothing_is_assigned_to_nothing() -> None:
    assert best_assignment([]) == ()


def test_certainty_has_a_bound() -> None:
    assert log_odds(0.5) == 0.0
    assert log_odds(1.0) == -log_odds(0.0) == pytest.approx(4.595, abs=0.001)


OPTIONS = ("red", "green", "blue", "grey")


def settle(kind: Kind, *votes: Any, items: int = 3) -> Any:
    return settled(votes, Question("?", (), OPTIONS, kind, tuple(f"item {number}" for number in range(items))))


@pytest.mark.parametrize(
    ("kind", "votes", "answer"),
    [
        (Kind.CHOICE, ["red", "blue", "blue"], "blue"),
        (Kind.CHOICE, ["red", "blue"], "red"),
        (Kind.YES_NO, [True, False, False], False),
        (Kind.TEXT, ["a cup", "a mug", "a cup"], "a cup"),
        (Kind.CHOICES, [("A", "B"), ("A", "C"), ("A", "B", "D")], ("A", "B")),
        (Kind.CHOICES, [("A",), ("B",), ("C",)], ("A",)),
        (Kind.CHOICES, [("A", "B"), ("B",)], ("B",)),
        (Kind.JUDGEMENTS, [("1", "0", "1"), ("1", "1", "0"), ("0", "0", "1")], ("1", "0", "1")),
        (Kind.JUDGEMENTS, [("1", "0"), ("0",), ("1", "0")], ("1", "0")),
        (Kind.NUMBER, [4.0, 5.0, 5.0, 7.0, 9.0], 5.0),
        (Kind.NUMBER, [4.0, 5.0, 9.0], 5.0),
        (Kind.NUMBER, [4.0, 4.0, 9.0, 9.0, 6.0], 6.0),
        (Kind.NUMBER, [4.0, 8.0], 4.0),
        (Kind.ORDER, [("A", "B", "C", "D"), ("B", "A", "C", "D"), ("A", "B", "D", "C")], ("A", "B", "C", "D")),
        (Kind.ORDER, [("A", "B"), ("C", "D")], ("A", "B", "C", "D")),
        (Kind.MATCHING, [("A", "B", "C"), ("A", "C", "B"), ("B", "A", "C")], ("A", "B", "C")),
        (Kind.MATCHING, [("A", "A", "C"), ("A", "A", "C"), ("B", "A", "C")], ("A", "A", "C")),
    ],
)  # fmt: skip
def test_votes_are_settled_in_the_form_of_the_answer(kind: Kind, votes: list[Any], answer: Any) -> None:
    assert settle(kind, *votes) == answer


def test_an_order_that_nobody_gave_can_win() -> None:
    """Each pair is decided by most votes."""
    votes = [("A", "B", "D", "C"), ("B", "A", "C", "D"), ("A", "C", "B", "D")]
    assert settle(Kind.ORDER, *votes) == ("A", "B", "C", "D")


def test_of_matchings_no_option_is_used_twice_where_no_vote_does() -> None:
    assert settle(Kind.MATCHING, ("A", "B"), ("A", "C"), ("B", "A"), items=2) == ("A", "B")
    found = settle(Kind.MATCHING, ("A", "B", "C"), ("B", "C", "A"), ("C", "A", "B"))
    assert sorted(found) == ["A", "B", "C"]


def test_no_votes_are_no_answer() -> None:
    for kind in (Kind.CHOICE, Kind.CHOICES, Kind.ORDER, Kind.MATCHING, Kind.JUDGEMENTS, Kind.NUMBER, Kind.TEXT):
        assert settle(kind) is None


votes_of = st.lists(st.lists(st.sampled_from("ABCD"), max_size=4).map(tuple), min_size=1, max_size=5)


@given(votes_of, st.sampled_from([Kind.CHOICES, Kind.ORDER, Kind.MATCHING, Kind.JUDGEMENTS]))
@settings(deadline=None)
def test_any_votes_are_settled(votes: list[tuple[str, ...]], kind: Kind) -> None:
    assert isinstance(settle(kind, *votes), tuple)


def test_probabilities_make_the_likeliest_matching() -> None:
    question = Question("?", (), OPTIONS, Kind.MATCHING, ("one", "two"))
    chances = {f"match {item} {letter}": 0.1 for item in (1, 2) for letter in "ABCD"}
    # Both items look most like A; the second has another one that is nearly as likely.
    chances |= {"match 1 A": 0.9, "match 2 A": 0.95, "match 2 C": 0.94}
    assert whole(question, chances) == ("A", "C")


def test_a_number_has_no_parts_of_yes_and_no() -> None:
    assert whole(Question("?", (), (), Kind.NUMBER), {}) is None
