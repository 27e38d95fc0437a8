"""A comparison: arms, pairs, and all figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from evals.compare.arms import Arm, Unlike
from evals.compare.exhibits import Exhibit, exhibits_of
from evals.compare.likeness import incomparable, not_paired, notes
from evals.compare.matrices import Estimate, Key, Matrix, by_arm, scores_of
from evals.compare.pairs import Pair, corrected, paired, pairs_of
from evals.run.statistics import RESAMPLES


@dataclass(frozen=True)
class Comparison:
    """A comparison to show. `forced` are the reasons against it that --force overrides.

    `more` are exhibits that were asked for; they take the place of those with the same name.
    """

    arms: tuple[Arm, ...]
    baseline: Arm | None
    pairs: tuple[Pair, ...]
    forced: tuple[str, ...]
    notes: tuple[str, ...]
    more: tuple[Exhibit, ...] = ()

    @cached_property
    def scores(self) -> dict[Key, Estimate]:
        """The success of every arm on every split."""
        return scores_of(self.arms)

    @cached_property
    def success(self) -> dict[str, Matrix]:
        """Every arm by itself, by domain."""
        return by_arm(self.arms)

    @cached_property
    def exhibits(self) -> tuple[Exhibit, ...]:
        """The exhibits of the benchmarks."""
        asked = {exhibit.name for exhibit in self.more}
        return (*(exhibit for exhibit in exhibits_of(self.arms) if exhibit.name not in asked), *self.more)

    @property
    def warnings(self) -> tuple[str, ...]:
        """The warnings to show first."""
        return tuple(dict.fromkeys(warning for arm in self.arms for warning in arm.warnings))


def compare(
    arms: Sequence[Arm],
    *,
    baseline: Arm | None = None,
    more: Sequence[Exhibit] = (),
    skipped: Sequence[str] = (),
    force: bool = False,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Comparison:
    """Compare arms with the baseline, or all pairs. `Unlike` if they are not comparable and not forced."""
    differing = incomparable(arms)
    if differing and not force:
        raise Unlike(
            f"these runs are unlike: {'; '.join(differing)}. Compare runs of the same kind, or add --force to compare "
            "them all the same"
        )
    wanted = list(pairs_of(arms, baseline))
    found = [paired(left, right, seed=seed, resamples=resamples) for left, right in wanted]
    pairs = corrected([pair for pair in found if pair is not None])
    apart = [sides for sides, pair in zip(wanted, found, strict=True) if pair is None]
    noted = (*skipped, *notes(arms), *not_paired(apart))
    return Comparison(tuple(arms), baseline, tuple(pairs), tuple(differing), noted, tuple(more))
