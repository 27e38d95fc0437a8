"""Repeats as an axis of their own in a comparison: attempts at one problem, apart from seeds."""

from __future__ import annotations

import pytest

from evals.compare.arms import Played
from evals.compare.figures import compare
from evals.compare.listing import tables_of
from evals.compare.reliability import reliability_figures, reliability_of
from tests.evals.arms import arms, part, played


def attempts(problem: str, letters: str, seed: int = 0) -> list[Played]:
    """Played several times: `+` succeeds, `-` fails, `?` is not scored."""
    outcome = {"+": True, "-": False, "?": None}
    return [played(problem, outcome[letter], seed=seed, repeat=place) for place, letter in enumerate(letters)]


def test_repeats_are_attempts_and_seeds_are_not() -> None:
    both = [*attempts("p1", "+-"), *attempts("p1", "--", seed=1), *attempts("p2", "++")]
    (arm,) = arms(part(both, repeats=2))
    once, twice = reliability_of(arm)
    assert (once.problems, twice.k) == (3, 2)
    assert once.some.value == once.every.value == pytest.approx(0.5)
    assert (twice.some.value, twice.every.value) == pytest.approx((2 / 3, 1 / 3))


def test_seeds_alone_are_no_repeats() -> None:
    (arm,) = arms(part({"p1": True}, seed=0), part({"p1": False}, seed=1))
    assert reliability_of(arm) == []


def test_problems_that_lack_a_scored_attempt_are_left_out() -> None:
    (arm,) = arms(part([*attempts("p1", "+-"), *attempts("p2", "+?")], repeats=2))
    assert [one.problems for one in reliability_of(arm)] == [1, 1]


def test_the_table_is_there_if_a_run_has_repeats() -> None:
    left = part([*attempts("p1", "+-"), *attempts("p2", "++")], agent="ground", repeats=2)
    right = part([*attempts("p1", "--"), *attempts("p2", "+-")], agent="ground_mem", repeats=2)
    comparison = compare(arms(left, right))
    (table,) = tables_of(comparison, ["reliability"])
    assert [(row[0].text, row[2].text, row[4].value, row[5].value) for row in table.rows] == [
        ("ground", "1", 0.75, 0.75), ("ground", "2", 1.0, 0.5),
        ("ground_mem", "1", 0.25, 0.25), ("ground_mem", "2", 0.5, 0.0),
    ]  # fmt: skip
    assert reliability_figures(comparison.arms[0])[1]["every"]["value"] == 0.5
    assert comparison.pairs[0].repeated
    assert len(comparison.pairs[0].matches) == 2, "two problems, not four"


def test_runs_without_repeats_have_no_such_table() -> None:
    comparison = compare(arms(part({"p1": True}), part({"p1": False}, agent="ground_mem")))
    assert list(tables_of(comparison, ["reliability"])) == []
