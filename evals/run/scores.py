"""Scores of a run: success with its interval, and the judge's measures, by split and overall.

The measures and the formula of the overall number are in the run's configuration (`Judging`).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from pydantic import BaseModel

from evals.run.judging import AGENT_ERROR, UNPLAYED, Judging, Measure, Tally
from evals.run.repeated import Attempts, attempts
from evals.run.results import EpisodeResult
from evals.run.statistics import Interval, clustered, combined, effective_trials, wilson

SCORER = "2"
"""Raised whenever the same trace would get a different score."""


class Accuracy(BaseModel):
    """Right answers out of all; `value` is None if nothing was asked."""

    right: int = 0
    total: int = 0
    value: float | None = None
    sem: float | None = None

    @classmethod
    def of(cls, tallies: Iterable[Tally]) -> Accuracy:
        """The accuracy over tallies."""
        listed = list(tallies)
        right, total = sum(tally.right for tally in listed), sum(tally.total for tally in listed)
        if not total:
            return cls()
        return cls(right=right, total=total, value=right / total, sem=sem(right / total, total))


class Range(BaseModel):
    """A 95 % confidence interval."""

    low: float
    high: float


class SplitScores(BaseModel):
    """The scores of one split. `n` counts scored episodes; those cut short are counted separately.

    `counts` are sums over scored episodes; `accuracy` is over all answers, `by` over those of each group.
    """

    split: str
    n: int
    infrastructure: int
    agent_errors: int
    success: float | None
    value: float | None
    sem: float | None
    interval: Range | None
    steps: int
    asked: int
    counts: dict[str, float]
    accuracy: Accuracy
    by: dict[str, dict[str, Accuracy]]
    measures: dict[str, float | None]
    failure_classes: dict[str, int]
    ends: dict[str, int] = {}
    prompt_tokens: int
    completion_tokens: int
    cost: float

    def total(self, *names: str) -> float:
        """The sum of counts; `attempts/*` is all of a group."""
        return total(self.counts, names)

    def group(self, name: str) -> dict[str, float]:
        """The counts of a group: `attempts` has those named `attempts/…`."""
        return {key.partition("/")[2]: value for key, value in self.counts.items() if key.startswith(f"{name}/")}


class RunScores(BaseModel):
    """The scores of a run: each split, all episodes pooled, and the benchmark's overall number.

    There is no overall number until every split has scores: the easiest are often finished first.
    """

    splits: dict[str, SplitScores]
    pooled: SplitScores
    success: float | None
    value: float | None
    sem: float | None
    interval: Range | None
    overall: str
    scored: int
    expected: int
    attempts: list[Attempts] = []

    @property
    def partial(self) -> bool:
        """Whether episodes of the run are missing."""
        return self.scored < self.expected


def sem(p: float, n: float) -> float:
    """The standard error of a success rate over n trials."""
    return math.sqrt(p * (1 - p) / n)


def mean_with_sem(values: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """The mean of independent estimates with its standard error."""
    count = len(values)
    return sum(value for value, _ in values) / count, math.sqrt(sum(error**2 for _, error in values)) / count


def total(counts: Mapping[str, float], names: Iterable[str]) -> float:
    """The sum of counts; a name such as `attempts/*` stands for all counts with that prefix."""
    found = 0.0
    for name in names:
        if name.endswith("*"):
            found += sum(value for key, value in counts.items() if key.startswith(name[:-1]))
        else:
            found += counts.get(name, 0.0)
    return found


def measured(measure: Measure, counts: Mapping[str, float], tallies: Sequence[Tally], episodes: int) -> float | None:
    """A measure over episodes; None if there is nothing to divide by."""
    amount = total(counts, measure.of)
    match measure.kind:
        case "total":
            return amount
        case "mean":
            return amount / episodes if episodes else None
        case "share":
            whole = total(counts, measure.over)
            return amount / whole if whole else None
        case "accuracy":
            fitting = [tally for tally in tallies if _fits(tally, measure.where)]
            if not measure.macro:
                return Accuracy.of(fitting).value
            rates = [Accuracy.of(group).value for group in grouped(fitting, measure.macro).values()]
            known = [rate for rate in rates if rate is not None]
            return sum(known) / len(known) if known else None


def _fits(tally: Tally, where: Mapping[str, str]) -> bool:
    return all(tally.by.get(name) == value for name, value in where.items())


def grouped(tallies: Iterable[Tally], by: str) -> dict[str, list[Tally]]:
    """Tallies by their value in one dimension."""
    groups: defaultdict[str, list[Tally]] = defaultdict(list)
    for tally in tallies:
        if by in tally.by:
            groups[tally.by[by]].append(tally)
    return dict(sorted(groups.items()))


def score_split(split: str, results: Sequence[EpisodeResult], judging: Judging | None = None) -> SplitScores:
    """The scores of the episodes of one split."""
    judging = judging or Judging()
    scored = [result for result in results if result.scored]
    tallies = [tally for result in scored for tally in result.tallies]
    counts: Counter[str] = Counter()
    for result in scored:
        counts.update(result.measures)
    sums: dict[str, float] = dict(sorted(counts.items()))
    success = sum(result.success for result in scored) / len(scored) if scored else None
    failures = Counter(result.failure for result in results if result.failure)
    dimensions = judging.dimensions or dict.fromkeys(name for tally in tallies for name in tally.by)
    return SplitScores(
        split=split,
        n=len(scored),
        infrastructure=failures[UNPLAYED],
        agent_errors=failures[AGENT_ERROR],
        success=success,
        value=sum(result.value for result in scored) / len(scored) if scored else None,
        sem=_error(scored, judging.cluster),
        interval=_range(_interval(scored, judging.cluster)),
        steps=sum(result.steps for result in scored),
        asked=sum(result.asked for result in scored),
        counts=sums,
        accuracy=Accuracy.of(tallies),
        by={
            name: {value: Accuracy.of(group) for value, group in grouped(tallies, name).items()} for name in dimensions
        },
        measures={measure.name: measured(measure, sums, tallies, len(scored)) for measure in judging.measures},
        failure_classes=dict(sorted(failures.items())),
        ends=_ends(scored, judging),
        prompt_tokens=sum(result.prompt_tokens for result in results),
        completion_tokens=sum(result.completion_tokens for result in results),
        cost=sum(result.cost for result in results),
    )


def _ends(results: Sequence[EpisodeResult], judging: Judging) -> dict[str, int]:
    """How many episodes ended in each way, in the order of the judging; empty if the judge does not tell."""
    found = Counter(result.end for result in results if result.end)
    return {end: found[end] for end in [*judging.ends, *sorted(found.keys() - judging.ends.keys())]} if found else {}


def _interval(results: Sequence[EpisodeResult], cluster: str) -> Interval | None:
    """Wilson's interval, or a clustered one if several episodes share a problem, a picture or a scene."""
    if not results:
        return None
    clusters = _clusters(results, cluster)
    if len(clusters) == len(results):
        return wilson(sum(result.success for result in results), len(results))
    return clustered(clusters)


def _clusters(results: Sequence[EpisodeResult], cluster: str) -> list[list[float]]:
    """The successes of the episodes of each problem, picture or scene."""
    clusters: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for result in results:
        # Problems of different splits may share a name; a picture or a scene is the same wherever it occurs.
        within = result.split if cluster == "problem" else ""
        clusters[within, result.tags.get(cluster, result.id)].append(float(result.success))
    return list(clusters.values())


def _error(results: Sequence[EpisodeResult], cluster: str) -> float | None:
    """The standard error of the success rate; a single episode, or a single problem, has none."""
    clusters = _clusters(results, cluster)
    if len(clusters) < 2:
        return None
    mean = sum(result.success for result in results) / len(results)
    return sem(mean, effective_trials(clusters))


def _range(interval: Interval | None) -> Range | None:
    return None if interval is None else Range(low=interval.low, high=interval.high)


def score_run(
    results: Sequence[EpisodeResult],
    splits: Sequence[str],
    expected: Mapping[str, int] | None = None,
    judging: Judging | None = None,
) -> RunScores:
    """The scores of a run over its splits, in order; `expected` is the number of episodes of each."""
    judging = judging or Judging()
    scores = {split: score_split(split, [r for r in results if r.split == split], judging) for split in splits}
    finished = [result for result in results if result.scored]
    complete = bool(scores) and all(split.n for split in scores.values())
    one = overall(finished, judging, "success") if complete else None
    scored = sum(split.n for split in scores.values())
    wanted = sum((expected or {}).values()) or len(results)
    return RunScores(
        splits=scores,
        pooled=score_split("all", results, judging),
        success=one[0] if one else None,
        value=(overall(finished, judging, "value") or (None,))[0] if complete else None,
        sem=one[1] if one else None,
        interval=_range(one[2]) if one else None,
        overall=formula(judging.overall),
        scored=scored,
        expected=wanted,
        attempts=attempts(finished),
    )


def formula(by: Sequence[str]) -> str:
    """The formula of the overall number, in words."""
    if not by:
        return "mean of episodes"
    return "mean of " + ", each the mean of ".join(f"{name}s" for name in by)


def overall(
    results: Sequence[EpisodeResult], judging: Judging, of: str, by: Sequence[str] | None = None
) -> tuple[float, float | None, Interval | None] | None:
    """The overall number with its standard error and interval: means of means over the tags of the benchmark."""
    levels = judging.overall if by is None else by
    if not results:
        return None
    if not levels:
        values = [float(getattr(result, of)) for result in results]
        mean = sum(values) / len(values)
        error = _error(results, judging.cluster)
        return mean, error, _interval(results, judging.cluster)
    groups: defaultdict[str, list[EpisodeResult]] = defaultdict(list)
    for result in results:
        groups[result.split if levels[0] == "split" else result.tags.get(levels[0], "")].append(result)
    parts = [overall(group, judging, of, levels[1:]) for group in groups.values()]
    known = [part for part in parts if part is not None]
    errors = [part[1] for part in known]
    mean, error = mean_with_sem([(part[0], part[1] or 0.0) for part in known])
    intervals = [(part[0], part[2]) for part in known if part[2] is not None]
    return mean, None if None in errors else error, combined(intervals) if len(intervals) == len(known) else None
