"""Agreement: against scipy and statsmodels, and against worked examples where neither has the figure."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evals.questions.agreement import (
    band,
    band_exact,
    cohen_kappa,
    compare_scores,
    exact,
    interval,
    krippendorff_alpha,
    mean_absolute_error,
    pairwise,
    pearson,
    pearson_interval,
    spearman,
)
from evals.run.statistics import wilson

JUDGE, PEOPLE = (10, 9, 3, 7, 8, 10, 2, 6), (9, 9, 5, 7, 4, 10, 0, 8)
# Four observers of twelve units, with gaps: the example of Krippendorff's "Computing Krippendorff's Alpha-Reliability".
OBSERVERS = (
    (1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None),
    (1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3),
    (None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None),
    (1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None),
)
UNITS = [[rating for rating in unit if rating is not None] for unit in zip(*OBSERVERS, strict=True)]
NAMES = st.lists(st.tuples(st.sampled_from("ABC"), st.sampled_from("ABC")), min_size=2, max_size=40)


def test_a_judge_beside_people() -> None:
    found = compare_scores(JUDGE, PEOPLE)
    assert found.r == pytest.approx(0.8083, abs=5e-5)
    assert found.exact.value == 0.375
    assert found.bands.value == 0.625
    assert found.mae == 1.375
    assert found.count == 8


@pytest.mark.slow
def test_correlations_are_those_of_scipy() -> None:
    from scipy import stats

    r = pearson(JUDGE, PEOPLE)
    theirs = stats.pearsonr(JUDGE, PEOPLE)
    assert r == pytest.approx(theirs.statistic)
    within, bounds = pearson_interval(r or 0, 8), theirs.confidence_interval(0.95)
    assert (within.low, within.high) == pytest.approx((bounds.low, bounds.high))
    assert spearman(JUDGE, PEOPLE) == pytest.approx(stats.spearmanr(JUDGE, PEOPLE).statistic)


@pytest.mark.slow
@settings(deadline=None)  # scipy and statsmodels take their time to be imported
@given(st.lists(st.tuples(st.integers(0, 10), st.integers(0, 10)), min_size=2, max_size=30))
def test_correlations_of_any_scores_are_those_of_scipy(pairs: list[tuple[int, int]]) -> None:
    from scipy import stats

    one, other = zip(*pairs, strict=True)
    if len(set(one)) == 1 or len(set(other)) == 1:
        assert pearson(one, other) is None
        assert spearman(one, other) is None
        return
    assert pearson(one, other) == pytest.approx(stats.pearsonr(one, other).statistic)
    assert spearman(one, other) == pytest.approx(stats.spearmanr(one, other).statistic)


@pytest.mark.slow
@settings(deadline=None)  # scipy and statsmodels take their time to be imported
@given(NAMES)
def test_kappa_is_that_of_statsmodels(pairs: list[tuple[str, str]]) -> None:
    from statsmodels.stats.inter_rater import cohens_kappa

    one, other = zip(*pairs, strict=True)
    counts = [[sum(pair == (a, b) for pair in pairs) for b in "ABC"] for a in "ABC"]
    ours = cohen_kappa(one, other)
    if len({*one, *other}) == 1:
        assert ours is None  # nothing could have differed
    else:
        assert ours == pytest.approx(cohens_kappa(counts, return_results=False))


@pytest.mark.slow
@settings(deadline=None)  # scipy and statsmodels take their time to be imported
@given(NAMES)
def test_alpha_of_two_raters_follows_from_the_kappa_of_fleiss(pairs: list[tuple[str, str]]) -> None:
    from statsmodels.stats.inter_rater import fleiss_kappa

    if len({name for pair in pairs for name in pair}) == 1:
        assert krippendorff_alpha(pairs) is None
        return
    table = [[pair.count(name) for name in "ABC"] for pair in pairs]
    pi = float(fleiss_kappa(table, method="fleiss"))
    assert krippendorff_alpha(pairs) == pytest.approx(pi + (1 - pi) / (2 * len(pairs)))


def test_alpha_of_four_observers_with_gaps() -> None:
    assert krippendorff_alpha(UNITS) == pytest.approx(0.743, abs=5e-4)
    assert krippendorff_alpha(UNITS, interval) == pytest.approx(0.849, abs=5e-4)


def test_a_unit_with_one_rating_says_nothing_about_agreement() -> None:
    assert krippendorff_alpha([*UNITS, [5], []]) == krippendorff_alpha(UNITS)
    assert krippendorff_alpha([["A"], ["B"]]) is None
    assert pairwise([["A"], ["B"]]) is None


def test_exact_agreement_has_wilsons_interval() -> None:
    found = exact("ABCD", "ABCA")
    assert found.value == 0.75
    assert found.interval == wilson(3, 4)
    many = pairwise([["A", "A"], ["B", "C"], ["C", "C"], ["A", "A"]])
    assert many is not None
    assert many.interval == wilson(3, 4)  # one pair each: clusters of one


def test_pairs_of_a_question_are_no_independent_witnesses() -> None:
    dice = random.Random(1)
    units = [["A"] * 4 if dice.random() < 0.6 else ["A", "B", "C", "D"] for _ in range(30)]
    found = pairwise(units)
    assert found is not None
    alone = wilson(round(found.value * found.count), found.count)
    assert found.interval.high - found.interval.low > alone.high - alone.low


@pytest.mark.parametrize(
    ("score", "place"), [(10, 0), (9, 0), (8, 1), (7, 1), (6, 2), (5, 2), (4, 3), (3, 3), (2, 4), (0, 4)]
)
def test_bands_have_their_borders(score: int, place: int) -> None:
    assert band(score) == place


@pytest.mark.parametrize("score", [-1, 11])
def test_a_score_beyond_the_bands_is_refused(score: int) -> None:
    with pytest.raises(ValueError, match="from 0 to 10"):
        band(score)
    with pytest.raises(ValueError, match="from 0 to 10"):
        band_exact([score], [5])


def test_an_interval_of_few_pairs_is_any() -> None:
    assert pearson_interval(0.9, 3).low == -1
    assert pearson_interval(0.9, 4).low > -1
    assert pearson_interval(1.0, 9).low == 1


@pytest.mark.parametrize("figure", [exact, cohen_kappa, pearson, spearman, mean_absolute_error])
def test_what_cannot_be_paired_is_refused(figure: object) -> None:
    with pytest.raises(ValueError, match="cannot be paired"):
        figure([1, 2], [1])  # type: ignore[operator]
    with pytest.raises(ValueError, match="at least one"):
        figure([], [])  # type: ignore[operator]


def test_kappa_of_raters_who_never_differ_from_chance() -> None:
    assert cohen_kappa("AABB", "ABAB") == pytest.approx(0.0)
    assert not math.isnan(cohen_kappa("AB", "BA") or 0)
