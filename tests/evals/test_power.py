"""The smallest difference that a comparison could show, against enumeration, and at its boundaries."""

from __future__ import annotations

from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evals.run.dry_run import independent
from evals.run.episodes import Episode
from evals.run.power import POWER, STEP, Detectable, detectable, power, smallest_difference
from evals.run.statistics import sign_flip

quick = settings(max_examples=25, deadline=None)


def enumerated(problems: int, against: float, ahead: float) -> float:
    """The power, by every number of differing problems and every way they can fall."""
    either = against + ahead
    found = 0.0
    for differing in range(1, problems + 1):
        chance = comb(problems, differing) * either**differing * (1 - either) ** (problems - differing)
        for wins in range(differing + 1):
            p = sign_flip([1] * wins + [-1] * (differing - wins)).exact
            share = comb(differing, wins) * (ahead / either) ** wins * (against / either) ** (differing - wins)
            found += chance * share * (p <= 0.05)
    return found


@quick
@given(st.integers(1, 40), st.floats(0, 0.4), st.floats(0.01, 0.6))
def test_power_is_that_of_the_exact_test(problems: int, against: float, ahead: float) -> None:
    assert power(problems, against, ahead) == pytest.approx(enumerated(problems, against, ahead), abs=1e-6)


@pytest.mark.parametrize(("problems", "against"), [(25, 0.0), (75, 0.0), (75, 0.1), (150, 0.2)])
def test_it_is_the_smallest(problems: int, against: float) -> None:
    found = smallest_difference(problems, against)
    assert found is not None
    assert power(problems, against, against + found) >= POWER
    assert power(problems, against, against + found - STEP) < POWER


def test_five_problems_can_show_nothing_and_six_can() -> None:
    assert smallest_difference(5) is None
    assert smallest_difference(0) is None
    assert smallest_difference(6) == pytest.approx(0.964)
    assert power(6, 0.0, 1.0) == pytest.approx(1.0)
    assert power(75, 0.0, 0.0) == 0.0


def test_more_problems_show_less_and_what_goes_against_it_costs() -> None:
    least = [smallest_difference(problems) or 1.0 for problems in (6, 25, 75, 300, 3000)]
    assert least == sorted(least, reverse=True)
    noisy = [smallest_difference(75, against) or 1.0 for against in (0.0, 0.05, 0.1, 0.2, 0.3)]
    assert noisy == sorted(noisy)
    assert smallest_difference(20, 0.45) is None, "what is left to win is too little"


def test_it_is_said_in_words() -> None:
    assert "75 problems" in str(detectable(75))
    assert " of 0.1 if the better run" in str(detectable(75))
    assert "too few" in str(detectable(5))
    assert str(Detectable(6, 0.96, None)).count("1 if their") == 1


def test_episodes_of_one_problem_count_once_and_so_do_those_of_one_picture() -> None:
    def episode(id: str, split: str, **tags: str) -> Episode:
        return Episode(id, split, tags=tags)

    repeats = [episode(f"p{n}.repeat{r}", "simple", problem=f"p{n}") for n in range(3) for r in range(2)]
    assert independent(repeats, "problem") == 3
    assert independent([*repeats, episode("x", "hard", problem="p0")], "problem") == 4
    pictures = [episode(f"q{n}", "all", picture=f"{n % 2}") for n in range(4)]
    assert independent(pictures, "picture") == 2
    assert independent([*pictures, episode("q9", "all")], "picture") == 3
