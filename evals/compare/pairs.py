"""Two arms on the same problems: their difference and its significance."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

from evals.compare.arms import Arm, Played, Stratum, UnknownCourse, strata_of
from evals.compare.courses import Divergence, first_divergence
from evals.run.judging import Judging
from evals.run.power import smallest_difference
from evals.run.statistics import (
    RESAMPLES,
    Interval,
    PairedTest,
    benjamini_hochberg,
    bootstrap,
    holm,
    sign_flip,
)
from planners.names import natural

Place: TypeAlias = tuple[Hashable, ...]
"""The group of a problem at each level of the overall number."""


@dataclass(frozen=True)
class Match:
    """One problem with the episodes of both sides."""

    stratum: Stratum
    problem: str
    left: tuple[Played, ...]
    right: tuple[Played, ...]

    @property
    def left_rate(self) -> Fraction:
        """The success rate of the left side."""
        return Fraction(sum(bool(played.success) for played in self.left), len(self.left))

    @property
    def right_rate(self) -> Fraction:
        """The success rate of the right side."""
        return Fraction(sum(bool(played.success) for played in self.right), len(self.right))

    @property
    def difference(self) -> Fraction:
        """By how much the right side is ahead."""
        return self.right_rate - self.left_rate

    def cluster(self, tag: str) -> Hashable:
        """The cluster of the problem under a tag."""
        return self.left[0].cluster(tag)

    def place(self, levels: Sequence[str]) -> Place:
        """Its group at each level of the overall number."""
        return tuple(self.left[0].level(level) for level in levels)

    @property
    def divergence(self) -> Divergence | None:
        """The first divergence; None if there is none, or if it is unknown."""
        return self._first_divergence[0]

    @property
    def unknown(self) -> str:
        """Why the divergence is unknown; empty if it is known."""
        return self._first_divergence[1]

    @property
    def divergence_kind(self) -> str:
        """The kind of the first divergence, in a word or two."""
        if self.unknown:
            return "not known"
        return str(self.divergence.kind) if self.divergence else "nowhere"

    @cached_property
    def _first_divergence(self) -> tuple[Divergence | None, str]:
        """The first divergence, or why it is unknown. Of several episodes, the first of each side is compared."""
        try:
            return first_divergence(self.left[0].course(), self.right[0].course()), ""
        except UnknownCourse as error:
            return None, str(error)


@dataclass(frozen=True)
class Pair:
    """Two arms. The difference is right minus left, averaged over problems like the overall number.

    `lost` counts episodes excluded because one of the two is not scored, `unmatched` those without a counterpart.
    `holm` and `bh` are corrected for all pairs of the comparison.
    """

    left: Arm
    right: Arm
    matches: tuple[Match, ...]
    lost: int
    unmatched: int
    interval: Interval
    test: PairedTest
    holm: float = 1.0
    bh: float = 1.0

    @property
    def strata(self) -> tuple[Stratum, ...]:
        """The strata that both played."""
        here = {match.stratum for match in self.matches}
        return tuple(stratum for stratum in strata_of([self.left, self.right]) if stratum in here)

    @property
    def left_success(self) -> float:
        """The left side's success on the common problems."""
        return self._mean("left_rate")

    @property
    def right_success(self) -> float:
        """The right side's success on the common problems."""
        return self._mean("right_rate")

    @property
    def difference(self) -> float:
        """By how much the right side is ahead."""
        return self._mean("difference")

    def _mean(self, attribute: str) -> float:
        levels = self.left.judging.overall
        return float(_nested_mean([(match.place(levels), getattr(match, attribute)) for match in self.matches]))

    @property
    def repeated(self) -> bool:
        """Whether problems have repeats, so that the test is on problems, not on episodes."""
        return any(len(match.left) > 1 or len(match.right) > 1 for match in self.matches)

    @property
    def clustered(self) -> bool:
        """Whether problems are clustered, by a picture or a scene, so that the test is on clusters."""
        return len({match.cluster(self.left.judging.cluster) for match in self.matches}) < len(self.matches)

    @cached_property
    def detectable(self) -> float | None:
        """The smallest difference that the comparison could show, if as much goes against it as here; None if none."""
        ahead = _ahead(self.matches, self.left.judging.cluster).values()
        against = min(sum(difference > 0 for difference in ahead), sum(difference < 0 for difference in ahead))
        return smallest_difference(len(ahead), against / len(ahead))

    @cached_property
    def table(self) -> Counter[tuple[bool, bool]]:
        """How many episodes both solved, only one, or neither; paired episode by episode if possible."""
        counts: Counter[tuple[bool, bool]] = Counter()
        for match in self.matches:
            for left, right in zip(match.left, match.right, strict=False):
                counts[bool(left.success), bool(right.success)] += 1
        return counts


def paired(left: Arm, right: Arm, *, seed: int = 0, resamples: int = RESAMPLES) -> Pair | None:
    """The two arms on their common problems; None if there are none."""
    matches, lost, unmatched = _matched(left, right)
    if not matches:
        return None
    judging = left.judging
    interval = _interval(matches, judging, seed, resamples)
    return Pair(left, right, tuple(matches), lost, unmatched, interval, _test(matches, judging.cluster))


def _test(matches: Sequence[Match], cluster: str) -> PairedTest:
    """The exact sign-flip test over clusters."""
    ahead = _ahead(matches, cluster)
    scale = math.lcm(*(difference.denominator for difference in ahead.values()))
    return sign_flip([int(difference * scale) for difference in ahead.values()])


def _ahead(matches: Sequence[Match], cluster: str) -> Mapping[Hashable, Fraction]:
    """By how much the right side is ahead in each cluster."""
    ahead: defaultdict[Hashable, Fraction] = defaultdict(Fraction)
    for match in matches:
        ahead[match.cluster(cluster)] += match.difference
    return ahead


def _interval(matches: Sequence[Match], judging: Judging, seed: int, resamples: int) -> Interval:
    """The paired bootstrap: clusters are resampled within each group of the overall number."""
    groups: defaultdict[Place, defaultdict[Hashable, list[float]]] = defaultdict(lambda: defaultdict(list))
    for match in matches:
        groups[match.place(judging.overall)][match.cluster(judging.cluster)].append(float(match.difference))
    shares = _shares(list(groups))
    return bootstrap(
        [[math.fsum(values) / len(values) for values in clusters.values()] for clusters in groups.values()],
        sizes=[[len(values) for values in clusters.values()] for clusters in groups.values()],
        weights=[float(shares[place]) for place in groups],
        seed=seed,
        resamples=resamples,
    )


def _nested_mean(values: Sequence[tuple[Place, Fraction]]) -> Fraction:
    """The mean of the groups' means, level by level."""
    groups: defaultdict[Place, list[Fraction]] = defaultdict(list)
    for place, value in values:
        groups[place].append(value)
    shares = _shares(list(groups))
    return sum((shares[place] * sum(group, Fraction()) / len(group) for place, group in groups.items()), Fraction())


def _shares(places: Sequence[Place]) -> Mapping[Place, Fraction]:
    """The weight of each group in the mean of means: equal at each level."""
    if not places[0]:
        return {places[0]: Fraction(1)}
    below: defaultdict[Hashable, list[Place]] = defaultdict(list)
    for place in places:
        below[place[0]].append(place[1:])
    return {
        (first, *rest): share / len(below) for first, places in below.items() for rest, share in _shares(places).items()
    }


def corrected(pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs with p-values corrected for their number."""
    exact = [pair.test.exact for pair in pairs]
    adjusted = zip(pairs, holm(exact), benjamini_hochberg(exact), strict=True)
    return [replace(pair, holm=by_holm, bh=by_bh) for pair, by_holm, by_bh in adjusted]


def _matched(left: Arm, right: Arm) -> tuple[list[Match], int, int]:
    """The common problems, the number of lost episodes, and the number without a counterpart."""
    # Episodes with the same seed are paired; without common seeds, problems are.
    draws = left.draws & right.draws or None
    mine, theirs = (_by_problem(arm, draws) for arm in (left, right))
    shared = set(left.strata) & set(right.strata)
    places = {stratum: place for place, stratum in enumerate(strata_of([left, right]))}
    matches, lost, unmatched = [], 0, 0
    for key in sorted(mine.keys() | theirs.keys(), key=lambda key: (places[key[0]], natural(key[1]))):
        if key[0] not in shared:
            continue
        sides = mine.get(key, []), theirs.get(key, [])
        kept = _scored_together(*sides) if draws else _scored(*sides)
        fell_out = max(map(len, sides)) - max(map(len, kept))
        broken = any(played.success is None for side in sides for played in side)
        lost, unmatched = lost + fell_out * broken, unmatched + fell_out * (not broken)
        if all(kept):
            matches.append(Match(*key, *map(tuple, kept)))
    return matches, lost, unmatched


def _by_problem(arm: Arm, draws: set[tuple[int, int]] | None) -> dict[tuple[Stratum, str], list[Played]]:
    found: defaultdict[tuple[Stratum, str], list[Played]] = defaultdict(list)
    for played in sorted(arm.played, key=lambda played: played.draw):
        if draws is None or played.draw in draws:
            found[played.stratum, played.problem].append(played)
    return found


def _scored_together(mine: Sequence[Played], theirs: Sequence[Played]) -> tuple[list[Played], list[Played]]:
    """Episodes that both sides have, with the same seed and repeat, scored by both."""
    other = {played.draw: played for played in theirs}
    both = [(played, other[played.draw]) for played in mine if played.draw in other]
    both = [pair for pair in both if None not in (pair[0].success, pair[1].success)]
    return [one for one, _ in both], [two for _, two in both]


def _scored(mine: Sequence[Played], theirs: Sequence[Played]) -> tuple[list[Played], list[Played]]:
    kept = [[played for played in side if played.success is not None] for side in (mine, theirs)]
    return (kept[0], kept[1]) if all(kept) else ([], [])


def pairs_of(arms: Sequence[Arm], baseline: Arm | None) -> Iterator[tuple[Arm, Arm]]:
    """The baseline with every other arm, or every two arms without one."""
    if baseline is not None:
        yield from ((baseline, arm) for arm in arms if arm is not baseline)
    else:
        yield from ((left, right) for place, left in enumerate(arms) for right in arms[place + 1 :])
