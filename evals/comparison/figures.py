"""A comparison: arms, their pairs, and all figures that follow from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from evals.comparison.arms import Arm, Unusable
from evals.comparison.compounding import Curve
from evals.comparison.likeness import not_paired, notes, unlike
from evals.comparison.matrices import (
    CotDifference,
    Estimate,
    Key,
    Matrix,
    Ranking,
    by_domain,
    by_model,
    by_split,
    cot_differences,
    rankings,
    scores_of,
)
from evals.comparison.pairs import Pair, corrected, paired, pairs_of
from evals.statistics import RESAMPLES


@dataclass(frozen=True)
class Comparison:
    """Everything there is to tell. `forced` is what should have kept the arms from being compared."""

    arms: tuple[Arm, ...]
    baseline: Arm | None
    pairs: tuple[Pair, ...]
    curves: tuple[Curve, ...]
    forced: tuple[str, ...]
    notes: tuple[str, ...]

    @cached_property
    def scores(self) -> dict[Key, Estimate]:
        """The success of every arm on every split."""
        return scores_of(self.arms)

    @cached_property
    def families(self) -> dict[str, str]:
        """Of each method, whether it is a planner or a grounder."""
        return {arm.method: "grounder" if arm.asks else "planner" for arm in self.arms}

    @property
    def by_method(self) -> bool:
        """Whether matrices of methods say more than the runs by themselves: over models, or over domains."""
        models, domains = {key.model for key in self.scores}, {key.domain for key in self.scores}
        return len(self.families) > 1 and len(models) * len(domains) > 1

    @cached_property
    def by_domain(self) -> Matrix:
        """Method by domain (table 1)."""
        return by_domain(self.scores, self.families)

    @cached_property
    def by_split(self) -> Matrix:
        """Method by domain and split (figure 5)."""
        return by_split(self.scores, self.families)

    @cached_property
    def by_model(self) -> dict[str, Matrix]:
        """Every arm by itself, by domain."""
        return by_model(self.scores)

    @cached_property
    def cot(self) -> list[CotDifference]:
        """What chain of thought adds (table 3)."""
        return cot_differences(self.scores)

    @cached_property
    def rankings(self) -> list[Ranking]:
        """Models from best to worst (figure 4)."""
        return rankings(self.scores)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What nobody may overlook."""
        return tuple(dict.fromkeys(warning for arm in self.arms for warning in arm.warnings))


def compare(
    arms: Sequence[Arm],
    *,
    baseline: Arm | None = None,
    curves: Sequence[Curve] = (),
    said: Sequence[str] = (),
    force: bool = False,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Comparison:
    """The comparison of some arms: with the baseline, or every two. `Unusable` if they are unlike and not forced."""
    differing = unlike(arms)
    if differing and not force:
        raise Unusable(
            f"these runs are unlike: {'; '.join(differing)}. Compare runs of the same kind, or add --force to compare "
            "them all the same"
        )
    wanted = list(pairs_of(arms, baseline))
    found = [paired(left, right, seed=seed, resamples=resamples) for left, right in wanted]
    pairs = corrected([pair for pair in found if pair is not None])
    apart = [sides for sides, pair in zip(wanted, found, strict=True) if pair is None]
    told = (*said, *notes(arms), *not_paired(apart))
    return Comparison(tuple(arms), baseline, tuple(pairs), tuple(curves), tuple(differing), told)
