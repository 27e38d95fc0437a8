"""The scores of a run as plain numbers: what `--json` prints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evals.run.judging import Judging
from evals.run.scores import RunScores, SplitScores


def as_figures(scores: RunScores, judging: Judging) -> dict[str, Any]:
    """The scores as plain numbers.

    A split has its success, totals of counts, shares and accuracies by the names of their measures, groups of counts
    (`attempts`), and accuracies by dimension (`by_phase`). `measures` has every measure as tables show it, such as
    means per episode.
    """
    content: dict[str, Any] = scores.model_dump(mode="json", exclude={"splits", "pooled"})
    splits = {name: _split(split, judging) for name, split in scores.splits.items()}
    return {"splits": splits, "pooled": _split(scores.pooled, judging), **content}


def _split(split: SplitScores, judging: Judging) -> dict[str, Any]:
    figures: dict[str, Any] = split.model_dump(mode="json", exclude={"counts", "by", "accuracy"})
    sorts = {name: {value: one.model_dump() for value, one in values.items()} for name, values in split.by.items()}
    return {
        **figures,
        **{name: _whole(value) for name, value in _totals(split, judging).items()},
        **_shares(split, judging),
        **{group: {kind: _whole(value) for kind, value in split.group(group).items()} for group in judging.groups},
        **{f"by_{name}": values for name, values in sorts.items()},
        "accuracy": {"all": split.accuracy.model_dump(), **_parts(sorts, judging)},
    }


def _totals(split: SplitScores, judging: Judging) -> dict[str, float]:
    """Totals: every count outside groups, and the sums behind means."""
    counts = {name: value for name, value in split.counts.items() if name.partition("/")[0] not in judging.groups}
    summed = [measure for measure in judging.measures if measure.kind in ("mean", "total")]
    return counts | {measure.name: split.total(*measure.of) for measure in summed}


def _shares(split: SplitScores, judging: Judging) -> dict[str, float | None]:
    shares = [measure for measure in judging.measures if measure.kind in ("share", "accuracy")]
    return {measure.name: split.measures.get(measure.name) for measure in shares}


def _parts(sorts: Mapping[str, Mapping[str, Any]], judging: Judging) -> dict[str, Any]:
    """The accuracies of one group of answers, by the headings of their measures."""
    found = {}
    for measure in judging.measures:
        if measure.kind == "accuracy" and len(measure.where) == 1 and not measure.macro:
            ((dimension, value),) = measure.where.items()
            found[measure.heading] = sorts.get(dimension, {}).get(value)
    return found


def _whole(value: float) -> float:
    return int(value) if value == int(value) else value
