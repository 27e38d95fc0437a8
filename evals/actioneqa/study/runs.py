"""Compare runs: views with paired tests, error proportions, and how far two people agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from evals.actioneqa.results import KIND_NAMES, accuracy, error_rates
from evals.pages.tables import Cell, Content, Table
from evals.run.directory import RunDirectory
from evals.run.statistics import sign_flip

if TYPE_CHECKING:
    from evals.run.results import EpisodeResult

RESAMPLES = 1000
CHANCE = 0.25


def views_table(paths: Sequence[Path]) -> Table:
    """Runs of the same questions in other views: accuracy by task, and a paired test against the first run."""
    runs = dict(map(_opened, paths))
    if len(runs) < 2:
        raise ValueError("views compares runs: name at least two, each with other --views")
    first = next(iter(runs.values()))
    tasks = sorted({result.tags.get("task", "") for results in runs.values() for result in results})
    rows: list[list[Content]] = []
    for name, results in runs.items():
        cells: list[Content] = [_percent(accuracy(results, task=task)) for task in tasks]
        rows.append([name, len(results), *cells, _percent(accuracy(results)), _against(first, results)])
    notes = ["p: exact sign-flip test on the questions that both runs have, against the first run."]
    heads = ["views", "questions", *tasks, "all", "p"]
    return Table.of("Views, %", heads, rows, notes=notes, name="views")


def errors_table(paths: Sequence[Path], level: str) -> Table:
    """The published error proportions of the kinds of motion, for each run."""
    rows: list[list[Content]] = []
    for name, results in map(_opened, paths):
        rates = error_rates([result for result in results if result.tags.get("level") == level])
        whole = sum(rates.values())
        rows.append(
            [name, *(_percent(rates[kind] / whole if kind in rates and whole else None) for kind in KIND_NAMES)]
        )
    return Table.of(f"Error proportions, {level} level, %", ["run", *KIND_NAMES], rows, name="errors")


def _opened(path: Path) -> tuple[str, list[EpisodeResult]]:
    run = RunDirectory.open(path)
    settings = run.config.get("settings", {})
    return f"{settings.get('views', '?')} {path.name}"[:40], [result for result in run.results() if result.scored]


def _against(first: Sequence[EpisodeResult], other: Sequence[EpisodeResult]) -> str:
    known: Mapping[str, bool] = {result.id: result.success for result in first}
    differences = [int(result.success) - int(known[result.id]) for result in other if result.id in known]
    return "–" if other is first or not differences else f"{sign_flip(differences).exact:.3f}"


def _percent(value: float | None) -> Cell:
    return Cell("–") if value is None else Cell(f"{100 * value:.1f}", value)


def agreement_table(agree: int, count: int, seed: int = 0) -> Table:
    """How far two annotators agree, with an interval from resampled items and kappa with a chance of one in four."""
    if not 0 <= agree <= count or not count:
        raise ValueError(f"{agree} of {count} items cannot agree: AGREE is from 0 to COUNT, COUNT at least 1")
    dice = Random(seed)
    share = agree / count
    means = sorted(sum(dice.random() < share for _ in range(count)) / count for _ in range(RESAMPLES))
    low, high = means[int(0.025 * RESAMPLES)], means[int(0.975 * RESAMPLES) - 1]
    rows: list[list[Content]] = [
        ["raw agreement", Cell(f"{share:.3f}", share)],
        [f"95 % interval ({RESAMPLES} resamples)", f"{low:.3f}–{high:.3f}"],
        ["kappa, chance .25", Cell(f"{(share - CHANCE) / (1 - CHANCE):.3f}")],
    ]
    return Table.of(f"Agreement on {agree} of {count} items", ["", "value"], rows, name="agreement")
