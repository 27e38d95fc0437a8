"""Scores of a run: success with its error, predicate accuracy, questions, replans and failure classes by split."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from pydantic import BaseModel

from envs.base import Outcome
from evals.results import EpisodeResult, Tally
from tools.events import Phase

SCORER = "1"
"""Raised whenever the same trace would get another number."""


REFUSED = (Outcome.NOT_LEGAL, Outcome.UNKNOWN_ACTION, Outcome.BAD_PARAMETERS)
"""What a world answers to an attempt that it does not carry out."""


class Accuracy(BaseModel):
    """Right answers out of all; `value` is None where nothing was asked."""

    right: int = 0
    total: int = 0
    value: float | None = None
    sem: float | None = None

    @classmethod
    def of(cls, tallies: Iterable[Tally]) -> Accuracy:
        """The accuracy over some tallies."""
        listed = list(tallies)
        right, total = sum(tally.right for tally in listed), sum(tally.total for tally in listed)
        if not total:
            return cls()
        return cls(right=right, total=total, value=right / total, sem=sem(right / total, total))


class SplitScores(BaseModel):
    """The scores of one split. `n` counts scored episodes; infrastructure failures are beside it, never in it."""

    split: str
    n: int
    infrastructure: int
    success: float | None
    sem: float | None
    predicate_accuracy: Accuracy
    official_accuracy: Accuracy
    macro_accuracy: float | None
    by_phase: dict[str, Accuracy]
    by_predicate: dict[str, Accuracy]
    by_value: dict[str, dict[str, Accuracy]]
    questions: int
    proposals: int
    replans: int
    steps: int
    attempts: dict[str, int]
    illegal: int
    action_accuracy: float | None
    misjudged: dict[str, int]
    failure_classes: dict[str, int]
    prompt_tokens: int
    completion_tokens: int
    cost: float


def refused(result: EpisodeResult) -> int:
    """How many attempts the world refused."""
    return sum(result.attempts.get(outcome, 0) for outcome in REFUSED)


def sem(p: float, n: int) -> float:
    """The standard error of a success rate over n trials."""
    return math.sqrt(p * (1 - p) / n)


def mean_with_sem(values: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """The mean of independent estimates, and its error: the root of the summed squares over their number."""
    count = len(values)
    return sum(value for value, _ in values) / count, math.sqrt(sum(error**2 for _, error in values)) / count


def score_split(split: str, results: Sequence[EpisodeResult]) -> SplitScores:
    """The scores of the episodes of one split."""
    scored = [result for result in results if result.scored]
    tallies = [tally for result in scored for tally in result.tallies]
    by_predicate = {name: Accuracy.of(group) for name, group in _grouped(tallies, "predicate").items()}
    known = [accuracy.value for accuracy in by_predicate.values() if accuracy.value is not None]
    success = sum(result.success for result in scored) / len(scored) if scored else None
    attempts = sum((Counter(result.attempts) for result in scored), Counter[str]())
    tried = sum(attempts.values())
    return SplitScores(
        split=split,
        n=len(scored),
        infrastructure=len(results) - len(scored),
        success=success,
        # One episode says nothing about how far off it may be.
        sem=sem(success, len(scored)) if success is not None and len(scored) > 1 else None,
        predicate_accuracy=Accuracy.of(tallies),
        official_accuracy=Accuracy.of(tally for tally in tallies if tally.phase is Phase.ENUMERATION),
        macro_accuracy=sum(known) / len(known) if known else None,
        by_phase={name: Accuracy.of(group) for name, group in _grouped(tallies, "phase").items()},
        by_predicate=by_predicate,
        by_value={
            name: {"yes": Accuracy.of(t for t in group if t.truth), "no": Accuracy.of(t for t in group if not t.truth)}
            for name, group in _grouped(tallies, "predicate").items()
        },
        questions=sum(result.questions for result in scored),
        proposals=sum(result.proposals for result in scored),
        replans=sum(result.replans for result in scored),
        steps=sum(result.steps for result in scored),
        attempts=dict(sorted(attempts.items())),
        illegal=sum(map(refused, scored)),
        action_accuracy=attempts["executed"] / tried if tried else None,
        misjudged=dict(sorted(sum((Counter(result.misjudged) for result in scored), Counter[str]()).items())),
        failure_classes=dict(sorted(Counter(str(result.failure) for result in results if result.failure).items())),
        prompt_tokens=sum(result.prompt_tokens for result in results),
        completion_tokens=sum(result.completion_tokens for result in results),
        cost=sum(result.cost for result in results),
    )


def _grouped(tallies: Iterable[Tally], by: str) -> dict[str, list[Tally]]:
    groups: defaultdict[str, list[Tally]] = defaultdict(list)
    for tally in tallies:
        groups[str(getattr(tally, by))].append(tally)
    return dict(sorted(groups.items()))


class RunScores(BaseModel):
    """The scores of a run: each split, and the mean over splits with its error.

    There is no mean as long as a split has none: what is finished first is seldom the hardest.
    """

    splits: dict[str, SplitScores]
    success: float | None
    sem: float | None
    scored: int
    expected: int

    @property
    def partial(self) -> bool:
        """Whether episodes are missing that the run was to play."""
        return self.scored < self.expected


def score_run(
    results: Sequence[EpisodeResult], splits: Sequence[str], expected: Mapping[str, int] | None = None
) -> RunScores:
    """The scores of a run over its splits, in their order; `expected` is how many episodes each was to have."""
    scores = {split: score_split(split, [r for r in results if r.split == split]) for split in splits}
    rates = [split.success for split in scores.values()]
    errors = [split.sem for split in scores.values()]
    success = error = None
    if rates and None not in rates:
        success, error = mean_with_sem([(rate or 0.0, error or 0.0) for rate, error in zip(rates, errors, strict=True)])
        error = None if None in errors else error
    scored = sum(split.n for split in scores.values())
    wanted = sum((expected or {}).values()) or len(results)
    return RunScores(splits=scores, success=success, sem=error, scored=scored, expected=wanted)
