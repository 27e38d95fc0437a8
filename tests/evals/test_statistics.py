"""Our statistics against scipy's and statsmodels', and on cases whose answer is known."""

from __future__ import annotations

import math
import random
from importlib import import_module
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evals.run.statistics import (
    Interval,
    PairedTest,
    benjamini_hochberg,
    bootstrap,
    clustered,
    combined,
    holm,
    sign_flip,
    spread,
    wilson,
)

quick = settings(max_examples=60, deadline=None)
p_values = st.lists(st.floats(0, 1), min_size=1, max_size=12)


def scipy() -> Any:
    """Scipy's statistics, imported by whoever is first to use them: it takes seconds, and all processes read this."""
    return import_module("scipy.stats")


def statsmodels(part: str) -> Any:
    """The statistics of statsmodels, likewise."""
    return import_module(f"statsmodels.stats.{part}")


def mcnemar(only_first: int, only_second: int) -> PairedTest:
    return sign_flip([1] * only_first + [-1] * only_second)


@pytest.mark.slow
@pytest.mark.parametrize(("first", "second"), [(0, 1), (1, 9), (5, 5), (12, 3), (0, 25), (40, 61)])
def test_mcnemar_is_the_one_of_statsmodels(first: int, second: int) -> None:
    expected = statsmodels("contingency_tables").mcnemar([[7, first], [second, 30]], exact=True).pvalue
    assert mcnemar(first, second).exact == pytest.approx(expected, abs=1e-12)
    assert mcnemar(second, first) == mcnemar(first, second)


@pytest.mark.slow
@pytest.mark.parametrize(("first", "second"), [(0, 1), (1, 9), (12, 3), (40, 61)])
def test_mid_p_counts_half_of_what_was_seen(first: int, second: int) -> None:
    most = max(first, second)
    beyond = scipy().binom.sf(most, first + second, 0.5)
    assert mcnemar(first, second).mid == pytest.approx(
        2 * beyond + scipy().binom.pmf(most, first + second, 0.5), abs=1e-12
    )


@pytest.mark.slow
def test_thousands_of_questions_are_tested_exactly() -> None:
    expected = scipy().binomtest(1600, 3100, 0.5).pvalue
    assert mcnemar(1600, 1500).exact == pytest.approx(expected, rel=1e-9)
    assert mcnemar(1050, 0).mid == 2.0**-1050


def test_no_difference_is_no_evidence() -> None:
    assert mcnemar(0, 0).exact == mcnemar(0, 0).mid == 1.0
    assert sign_flip([0, 0, 0]).exact == 1.0


@quick
@given(st.lists(st.integers(-3, 3), max_size=9))
def test_sign_flip_counts_every_choice_of_signs(differences: list[int]) -> None:
    sizes = [abs(difference) for difference in differences]
    sums = [abs(sum(sign * size for sign, size in zip(signs, sizes, strict=True))) for signs in _signs(len(sizes))]
    seen = abs(sum(differences))
    test = sign_flip(differences)
    assert test.exact == pytest.approx(sum(total >= seen for total in sums) / len(sums))
    assert test.mid <= test.exact


def _signs(count: int) -> list[tuple[int, ...]]:
    return list(product((-1, 1), repeat=count))


@pytest.mark.slow
def test_sign_flip_agrees_with_scipys_permutation_test() -> None:
    differences = [3, -1, 2, 0, 1, 1, -2, 3, 1, 2, 0, -1]
    expected = scipy().permutation_test((differences,), lambda x, axis: x.mean(axis=axis), permutation_type="samples")
    assert sign_flip(differences).exact == pytest.approx(expected.pvalue, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("trials", [1, 7, 25, 75])
def test_wilson_is_the_one_of_statsmodels(trials: int) -> None:
    for successes in range(trials + 1):
        low, high = statsmodels("proportion").proportion_confint(successes, trials, method="wilson")
        interval = wilson(successes, trials)
        assert (interval.low, interval.high) == (pytest.approx(low, abs=1e-9), pytest.approx(high, abs=1e-9))


def test_the_end_of_an_interval_is_exact_where_all_succeed_or_all_fail() -> None:
    for count in range(1, 40):
        assert wilson(0, count).low == 0.0
        assert wilson(count, count).high == 1.0
        assert 0.0 < wilson(0, count).high < 1.0
        assert 0.0 < wilson(count, count).low < 1.0


@pytest.mark.parametrize(("successes", "trials"), [(0, 0), (3, 2), (-1, 4)])
def test_wilson_of_nothing_is_an_error(successes: int, trials: int) -> None:
    with pytest.raises(ValueError, match="make no rate"):
        wilson(successes, trials)


trials = st.lists(st.booleans(), min_size=1, max_size=30)
grouped = st.lists(st.lists(st.booleans(), min_size=1, max_size=6), min_size=1, max_size=12)


def width(interval: Interval) -> float:
    return interval.high - interval.low


@quick
@given(grouped)
def test_a_clustered_interval_is_inside_0_to_1_and_holds_the_rate(clusters: list[list[bool]]) -> None:
    values = [value for cluster in clusters for value in cluster]
    interval = clustered(clusters)
    assert 0 <= interval.low <= sum(values) / len(values) <= interval.high <= 1
    assert interval.low < interval.high


@quick
@given(trials)
def test_a_clustered_interval_of_single_trials_is_wilsons(values: list[bool]) -> None:
    assert clustered([[value] for value in values]) == wilson(sum(values), len(values))


@quick
@given(grouped)
def test_a_clustered_interval_is_never_narrower_than_wilsons(clusters: list[list[bool]]) -> None:
    values = [value for cluster in clusters for value in cluster]
    assert width(clustered(clusters)) >= width(wilson(sum(values), len(values))) - 1e-12


@quick
@given(trials, st.integers(2, 5))
def test_copies_of_a_trial_in_one_cluster_tell_nothing_new(values: list[bool], copies: int) -> None:
    """Questions of a picture that always come out alike are worth no more than one of them."""
    alike, once = clustered([[value] * copies for value in values]), wilson(sum(values), len(values))
    assert (alike.low, alike.high) == (pytest.approx(once.low), pytest.approx(once.high))
    assert width(alike) > width(wilson(sum(values) * copies, len(values) * copies))


def test_clusters_whose_trials_differ_as_chance_has_it_cost_nothing() -> None:
    """Every picture has one question answered right and one answered wrong: the pictures explain nothing."""
    assert clustered([[True, False]] * 10) == wilson(10, 20)


def test_the_trials_of_one_cluster_count_as_one() -> None:
    assert clustered([[True, False, True, True]]) == clustered([[0.75]])
    assert clustered([[True] * 9]) == wilson(1, 1)
    assert clustered([[True] * 9, [True]]) == wilson(2, 2)


def test_the_worth_of_clusters_is_that_of_the_design_effect() -> None:
    """Clusters of three, mostly alike: the variance of the mean is 5/3 of that of twelve independent trials."""
    alike = [[1.0, 1.0, 1.0], [1.0, 1.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    worth, z = 12 / (5 / 3), 1.959964
    reach = z * math.sqrt(0.25 / worth + z**2 / (4 * worth**2)) / (1 + z**2 / worth)
    interval = clustered(alike)
    assert (interval.low, interval.high) == (pytest.approx(0.5 - reach, abs=1e-6), pytest.approx(0.5 + reach, abs=1e-6))


@pytest.mark.parametrize("clusters", [[], [[]]])
def test_a_clustered_interval_of_nothing_is_an_error(clusters: list[list[float]]) -> None:
    with pytest.raises(ValueError, match="at least one trial"):
        clustered(clusters)


rates = st.integers(1, 40).flatmap(lambda count: st.tuples(st.integers(0, count), st.just(count)))


def rate(successes: int, count: int) -> tuple[float, Interval]:
    return successes / count, wilson(successes, count)


@quick
@given(rates)
def test_one_interval_combined_is_that_interval(one: tuple[int, int]) -> None:
    assert combined([rate(*one)]) == wilson(*one)


@quick
@given(st.lists(rates, min_size=1, max_size=6))
def test_a_combined_interval_is_inside_0_to_1_and_holds_the_mean(several: list[tuple[int, int]]) -> None:
    parts = [rate(*one) for one in several]
    interval = combined(parts)
    mean = sum(value for value, _ in parts) / len(parts)
    assert 0 <= interval.low <= mean + 1e-12
    assert mean - 1e-12 <= interval.high <= 1
    assert width(interval) <= max(width(part) for _, part in parts) + 1e-12


def test_the_more_rates_the_narrower_the_interval_of_their_mean() -> None:
    part = rate(6, 10)
    widths = [width(combined([part] * count)) for count in (1, 4, 9)]
    assert widths[1:] == [pytest.approx(widths[0] / 2), pytest.approx(widths[0] / 3)]


def test_a_mean_of_no_rates_is_an_error() -> None:
    with pytest.raises(ValueError, match="at least one rate"):
        combined([])


@pytest.mark.slow
@settings(max_examples=12, deadline=None)  # statsmodels takes its time
@given(p_values)
def test_corrections_are_those_of_statsmodels(values: list[float]) -> None:
    multipletests = statsmodels("multitest").multipletests
    assert holm(values) == pytest.approx(list(multipletests(values, method="holm")[1]), abs=1e-12)
    assert benjamini_hochberg(values) == pytest.approx(list(multipletests(values, method="fdr_bh")[1]), abs=1e-12)


def test_corrections_are_those_of_the_textbook() -> None:
    assert holm([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])
    assert benjamini_hochberg([0.04, 0.01, 0.03]) == pytest.approx([0.04, 0.03, 0.04])


def test_nothing_to_correct_stays_nothing() -> None:
    assert holm([]) == benjamini_hochberg([]) == []


@pytest.mark.slow
@quick
@given(st.lists(st.floats(-1, 1), min_size=2, max_size=30))
def test_the_error_of_a_mean_is_scipys(values: list[float]) -> None:
    assert spread(values) == pytest.approx(scipy().sem(values), abs=1e-9)


def test_a_single_value_has_no_error() -> None:
    assert spread([0.3]) is None


@pytest.mark.slow
def test_the_bootstrap_is_scipys_but_for_the_dice() -> None:
    dice = random.Random(3)
    values = [dice.choice((-1, 0, 0, 0, 1, 1)) for _ in range(75)]
    ours = bootstrap([values], seed=1)
    theirs = (
        scipy()
        .bootstrap((values,), lambda x, axis: x.mean(axis=axis), method="percentile", n_resamples=10_000, rng=2)
        .confidence_interval
    )
    assert ours.low == pytest.approx(theirs.low, abs=0.015)
    assert ours.high == pytest.approx(theirs.high, abs=0.015)


def test_strata_count_alike_whatever_their_size() -> None:
    always, never = [1.0] * 3, [0.0] * 300
    interval = bootstrap([always, never])
    assert interval.low == interval.high == pytest.approx(0.5)


def test_the_bootstrap_is_narrower_where_strata_explain_the_spread() -> None:
    mixed = [1.0] * 20 + [0.0] * 20
    together, apart = bootstrap([mixed]), bootstrap([mixed[:20], mixed[20:]])
    assert apart.low == apart.high == 0.5
    assert together.low < 0.5 < together.high


@pytest.mark.slow
def test_the_bootstrap_covers_a_known_difference_about_as_often_as_it_says() -> None:
    """The first solves .6 and the second .4 of the problems, drawn independently: the difference is .2."""
    dice = random.Random(0)
    rounds, covered = 400, 0
    for number in range(rounds):
        differences = [float((dice.random() < 0.6) - (dice.random() < 0.4)) for _ in range(75)]
        interval = bootstrap([differences], seed=number, resamples=1000)
        covered += interval.low <= 0.2 <= interval.high
    # 400 rounds at .95 leave a standard error of .011; the percentile interval is known to be a little narrow.
    assert 0.91 <= covered / rounds <= 0.98


@pytest.mark.parametrize("strata", [[], [[]], [[1.0], []]])
def test_a_bootstrap_of_nothing_is_an_error(strata: list[list[float]]) -> None:
    with pytest.raises(ValueError, match="a bootstrap needs at least one problem"):
        bootstrap(strata)


def test_the_seed_and_all_resamples_count() -> None:
    values = [math.sin(number) for number in range(40)]
    drawn = bootstrap([values], seed=1, resamples=2500)
    assert bootstrap([values], seed=1, resamples=2500) == drawn
    assert drawn != bootstrap([values], seed=2, resamples=2500)
    assert drawn != bootstrap([values], seed=1, resamples=2000)


def test_clusters_are_drawn_whole_and_count_by_their_size() -> None:
    """Two pictures, one with three questions that are all ahead and one with a single question that is not."""
    drawn = bootstrap([[1.0, 0.0]], sizes=[[3, 1]], seed=1)
    assert (drawn.low, drawn.high) == (0.0, 1.0)
    middle = bootstrap([[1.0, 0.0]], sizes=[[3, 1]], confidence=0.1)
    assert (middle.low, middle.high) == (0.75, 0.75)


def test_weights_are_the_shares_of_strata_in_the_mean() -> None:
    interval = bootstrap([[1.0], [0.0], [0.0]], weights=[0.5, 0.25, 0.25])
    assert interval.low == interval.high == 0.5


def test_the_bootstrap_gives_the_percentiles_of_the_means(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evals.run.statistics._resampled_means", lambda *drawing: np.arange(101.0))
    interval = bootstrap([[1.0]], resamples=101)
    assert (interval.low, interval.high) == (pytest.approx(2.5), pytest.approx(97.5))
    interval = bootstrap([[1.0]], resamples=101, confidence=0.5)
    assert (interval.low, interval.high) == (pytest.approx(25), pytest.approx(75))
