"""Tables of a run that only ActionEQA has: by task and source, by level and direction, by factor, by kind of motion.

The published error proportion of a kind is its wrong answers by its questions, divided by the sum over the three kinds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from evals.actioneqa.entries import DIRECTIONS, LEVELS, SHORT, SOURCES
from evals.actioneqa.judge import FACTORS, FACTORS_WRONG, KINDS, KINDS_WRONG
from evals.pages.tables import Cell, Content, Table
from evals.pages.wording import NONE

if TYPE_CHECKING:
    from evals.run.directory import RunDirectory
    from evals.run.results import EpisodeResult

TASKS = tuple(f"{level[0].upper()}-{SHORT[direction]}" for direction in DIRECTIONS for level in LEVELS)
KIND_NAMES = ("translation", "rotation", "gripper")


def print_tables(run: RunDirectory, *, stderr: bool = False) -> None:
    """Print the tables of a run, beside its own."""
    from evals.pages.tables import print_table
    from evals.pages.terminal import console

    place = console(stderr=stderr)
    for table in tables_of(run.results()):
        print_table(table, place)


def tables_of(results: Sequence[EpisodeResult]) -> Iterator[Table]:
    """All tables that have rows."""
    scored = [result for result in results if result.scored]
    if not scored:
        return
    yield by_task(scored)
    yield by_level(scored)
    if _totals(scored, FACTORS):
        yield by_factor(scored)
    if _totals(scored, KINDS):
        yield by_kind(scored)


def by_task(results: Sequence[EpisodeResult]) -> Table:
    """Accuracies as in the first published table: tasks by source, with the mean over sources that have a task."""
    present = [task for task in TASKS if any(result.tags.get("task") == task for result in results)]
    rows: list[list[Content]] = []
    for source in SOURCES:
        own = [result for result in results if result.tags.get("source") == source]
        if own:
            values = [accuracy(own, task=task) for task in present]
            rows.append([source, *map(_percent, values), _percent(_mean(values))])
    means = [task_mean(results, task) for task in present]
    rows.append(["mean of sources", *map(_percent, means), _percent(_mean(means))])
    return Table.of("By task and source, %", ["", *present, "mean"], rows, name="tasks")


def by_level(results: Sequence[EpisodeResult]) -> Table:
    """Means over tasks of a level and of a direction, each the mean over sources."""
    rows: list[list[Content]] = []
    for name, tasks in {
        **{level: [task for task in TASKS if task[0] == level[0].upper()] for level in LEVELS},
        **{short: [task for task in TASKS if task.endswith(short)] for short in SHORT.values()},
    }.items():
        value = _mean([task_mean(results, task) for task in tasks])
        if value is not None:
            rows.append([name, _percent(value)])
    return Table.of("By level and direction, %", ["", "mean"], rows, name="levels")


def by_factor(results: Sequence[EpisodeResult]) -> Table:
    """The share of wrong values of each factor; guessing gets one half wrong."""
    asked, wrong = _totals(results, FACTORS), _totals(results, FACTORS_WRONG)
    rows: list[list[Content]] = [
        [factor, int(count), _percent(wrong.get(factor, 0.0) / count)] for factor, count in sorted(asked.items())
    ]
    notes = ["Each set of options is made of two factors with two values; by chance 50 % of values are wrong."]
    return Table.of("Factors that were wrong", ["factor", "questions", "wrong, %"], rows, notes=notes, name="factors")


def by_kind(results: Sequence[EpisodeResult]) -> Table:
    """Error rates by kind of motion, and their published proportions, of each level that names motions."""
    rows: list[list[Content]] = []
    for level in LEVELS:
        own = [result for result in results if result.tags.get("level") == level]
        rates, asked = error_rates(own), _totals(own, KINDS)
        whole = sum(rates.values())
        for kind, rate in rates.items():
            rows.append(
                [f"{level} {kind}", int(asked[kind]), _percent(rate), _percent(rate / whole if whole else None)]
            )
    notes = ["A question counts for every kind of motion in it."]
    return Table.of("Errors by kind of motion", ["kind", "questions", "wrong, %", "proportion, %"], rows, notes=notes,
                    name="kinds")  # fmt: skip


def error_rates(results: Sequence[EpisodeResult]) -> dict[str, float]:
    """Wrong answers by questions, for every kind of motion that occurs."""
    asked, wrong = _totals(results, KINDS), _totals(results, KINDS_WRONG)
    return {kind: wrong.get(kind, 0.0) / asked[kind] for kind in KIND_NAMES if asked.get(kind)}


def accuracy(results: Sequence[EpisodeResult], **tags: str) -> float | None:
    """The share of right answers among the results with these tags."""
    fitting = [result for result in results if all(result.tags.get(name) == value for name, value in tags.items())]
    return sum(result.success for result in fitting) / len(fitting) if fitting else None


def task_mean(results: Sequence[EpisodeResult], task: str) -> float | None:
    """The mean over the sources that have a task."""
    return _mean([accuracy(results, task=task, source=source) for source in SOURCES])


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _totals(results: Sequence[EpisodeResult], group: str) -> Mapping[str, float]:
    found: dict[str, float] = {}
    for result in results:
        for name, value in result.measures.items():
            family, _, rest = name.partition("/")
            if family == group:
                found[rest] = found.get(rest, 0.0) + value
    return found


def _percent(value: float | None) -> Cell:
    return Cell(NONE) if value is None else Cell(f"{100 * value:.1f}", value)
