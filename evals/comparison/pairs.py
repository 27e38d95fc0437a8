"""Two arms on the same problems: who solved what, by how much they differ, and whether that is more than luck."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from evals.comparison.arms import Arm, Played, Stratum, UnknownCourse, in_order
from evals.comparison.stages import Divergence, first_divergence
from evals.statistics import (
    RESAMPLES,
    Interval,
    PairedTest,
    benjamini_hochberg,
    bootstrap,
    holm,
    sign_flip,
)
from planners.names import natural


@dataclass(frozen=True)
class Match:
    """One problem as both sides played it, each as often as the other or at least once."""

    stratum: Stratum
    problem: str
    left: tuple[Played, ...]
    right: tuple[Played, ...]

    @property
    def left_rate(self) -> Fraction:
        """The share of the left side's episodes that succeeded."""
        return Fraction(sum(bool(played.success) for played in self.left), len(self.left))

    @property
    def right_rate(self) -> Fraction:
        """The share of the right side's."""
        return Fraction(sum(bool(played.success) for played in self.right), len(self.right))

    @property
    def difference(self) -> Fraction:
        """By how much the right side is ahead."""
        return self.right_rate - self.left_rate

    @property
    def divergence(self) -> Divergence | None:
        """Where the courses part first; None if nowhere, or if that is not known."""
        return self._parted[0]

    @property
    def unknown(self) -> str:
        """Why it is not known where the courses part; nothing if it is."""
        return self._parted[1]

    @property
    def parting(self) -> str:
        """In what the courses differ first, in a word or two."""
        if self.unknown:
            return "not known"
        return str(self.divergence.parting) if self.divergence else "nowhere"

    @cached_property
    def _parted(self) -> tuple[Divergence | None, str]:
        """Of several episodes the first of each side is looked at."""
        try:
            return first_divergence(self.left[0].stages(), self.right[0].stages()), ""
        except UnknownCourse as error:
            return None, str(error)


@dataclass(frozen=True)
class Pair:
    """Two arms. The difference is right minus left, the mean over domains and splits like every success here.

    `lost` counts episodes that fell out because model, planner or program broke down on either side, `unmatched` those
    without a counterpart. `holm` and `bh` are corrected for all pairs of the comparison.
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
        """Where both played."""
        return in_order(match.stratum for match in self.matches)

    @property
    def left_success(self) -> float:
        """The left side's success on the problems of both."""
        return _mean_of_strata(self.matches, "left_rate")

    @property
    def right_success(self) -> float:
        """The right side's success on the problems of both."""
        return _mean_of_strata(self.matches, "right_rate")

    @property
    def difference(self) -> float:
        """By how much the right side is ahead."""
        return _mean_of_strata(self.matches, "difference")

    @property
    def repeated(self) -> bool:
        """Whether some problem was played several times, so that the test is on problems and not on episodes."""
        return any(len(match.left) > 1 or len(match.right) > 1 for match in self.matches)

    @cached_property
    def table(self) -> Counter[tuple[bool, bool]]:
        """How many episodes both solved, only one, or neither; paired episode by episode where that is possible."""
        counts: Counter[tuple[bool, bool]] = Counter()
        for match in self.matches:
            for left, right in zip(match.left, match.right, strict=False):
                counts[bool(left.success), bool(right.success)] += 1
        return counts


def paired(left: Arm, right: Arm, *, seed: int = 0, resamples: int = RESAMPLES) -> Pair | None:
    """The two arms on what both played; None if that is nothing."""
    matches, lost, unmatched = _matched(left, right)
    if not matches:
        return None
    by_stratum: defaultdict[Stratum, list[float]] = defaultdict(list)
    for match in matches:
        by_stratum[match.stratum].append(float(match.difference))
    differences = [match.difference for match in matches]
    scale = math.lcm(*(difference.denominator for difference in differences))
    return Pair(
        left,
        right,
        tuple(matches),
        lost,
        unmatched,
        bootstrap(list(by_stratum.values()), seed=seed, resamples=resamples),
        sign_flip([int(difference * scale) for difference in differences]),
    )


def corrected(pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs with their p-values corrected for there being so many of them."""
    exact = [pair.test.exact for pair in pairs]
    adjusted = zip(pairs, holm(exact), benjamini_hochberg(exact), strict=True)
    return [replace(pair, holm=by_holm, bh=by_bh) for pair, by_holm, by_bh in adjusted]


def _matched(left: Arm, right: Arm) -> tuple[list[Match], int, int]:
    """What both played, how many episodes fell out because one was lost, and how many have no counterpart."""
    # The same seed is the same world; without a common one, a problem is still the same problem.
    seeds = left.seeds & right.seeds or None
    mine, theirs = (_by_problem(arm, seeds) for arm in (left, right))
    shared = set(left.strata) & set(right.strata)
    keys = sorted(
        mine.keys() | theirs.keys(), key=lambda key: (in_order(shared | {key[0]}).index(key[0]), natural(key[1]))
    )
    matches, lost, unmatched = [], 0, 0
    for key in keys:
        if key[0] not in shared:
            continue
        sides = mine.get(key, []), theirs.get(key, [])
        kept = _scored_together(*sides) if seeds else _scored(*sides)
        fell_out = max(map(len, sides)) - max(map(len, kept))
        broken = any(played.success is None for side in sides for played in side)
        lost, unmatched = lost + fell_out * broken, unmatched + fell_out * (not broken)
        if all(kept):
            matches.append(Match(*key, *map(tuple, kept)))
    return matches, lost, unmatched


def _by_problem(arm: Arm, seeds: set[int] | None) -> dict[tuple[Stratum, str], list[Played]]:
    found: defaultdict[tuple[Stratum, str], list[Played]] = defaultdict(list)
    for played in sorted(arm.played, key=lambda played: played.seed):
        if seeds is None or played.seed in seeds:
            found[played.stratum, played.problem].append(played)
    return found


def _scored_together(mine: Sequence[Played], theirs: Sequence[Played]) -> tuple[list[Played], list[Played]]:
    """Episodes that both sides have, with the same seed, scored by both."""
    other = {played.seed: played for played in theirs}
    both = [(played, other[played.seed]) for played in mine if played.seed in other]
    both = [pair for pair in both if None not in (pair[0].success, pair[1].success)]
    return [one for one, _ in both], [two for _, two in both]


def _scored(mine: Sequence[Played], theirs: Sequence[Played]) -> tuple[list[Played], list[Played]]:
    kept = [[played for played in side if played.success is not None] for side in (mine, theirs)]
    return (kept[0], kept[1]) if all(kept) else ([], [])


def _mean_of_strata(matches: Sequence[Match], attribute: str) -> float:
    groups: defaultdict[Stratum, list[Fraction]] = defaultdict(list)
    for match in matches:
        groups[match.stratum].append(getattr(match, attribute))
    means = [sum(group, Fraction()) / len(group) for group in groups.values()]
    return float(sum(means, Fraction()) / len(means))


def pairs_of(arms: Sequence[Arm], baseline: Arm | None) -> Iterator[tuple[Arm, Arm]]:
    """The baseline with every other arm, or every two arms without one."""
    if baseline is not None:
        yield from ((baseline, arm) for arm in arms if arm is not baseline)
    else:
        yield from ((left, right) for place, left in enumerate(arms) for right in arms[place + 1 :])
