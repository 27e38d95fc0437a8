"""The scores of a run as a table in a terminal. Where it is narrow, the least important columns are left out."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NamedTuple

from evals.report.wording import accuracy, count, names, per_episode, plural, spaced, warnings, with_error
from evals.scores import Accuracy, RunScores, SplitScores, sem

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

USUAL = {
    "rules": "mended",
    "fail_probability": 0.0,
    "seed": 0,
    "steps": None,
    "planner": "fd",
    "renderer": "ray",
    "problems": None,
    "viplan_root": None,
    "env_url": None,
    "limit": None,
    "control": None,
}
"""Settings that change the numbers, and what they usually are: the title names those that are not."""


class Column(NamedTuple):
    """A column: its heading, and its cell for one split or for several together."""

    name: str
    cell: Callable[[list[SplitScores]], str]


def _mean(name: str, amount: Callable[[SplitScores], int]) -> Column:
    return Column(name, lambda splits: per_episode(sum(map(amount, splits)), sum(split.n for split in splits)))


REPLANS = _mean("replans", lambda split: split.replans)
STEPS = _mean("steps", lambda split: split.steps)
QUESTIONS = _mean("questions", lambda split: split.questions)
PROPOSALS = _mean("proposals", lambda split: split.proposals)
ILLEGAL = _mean("illegal", lambda split: split.illegal)
ACCURACY = Column("accuracy", lambda splits: accuracy(together(split.predicate_accuracy for split in splits)))
OFFICIAL = Column("official", lambda splits: accuracy(together(split.official_accuracy for split in splits)))
ASKING = (ACCURACY, OFFICIAL, QUESTIONS, REPLANS, ILLEGAL, STEPS)
PROPOSING = (PROPOSALS, ILLEGAL, STEPS)
"""The columns behind success for methods that ask questions, and for those that propose."""
LEAST_FIRST = (STEPS, PROPOSALS, OFFICIAL, REPLANS, QUESTIONS, ILLEGAL, ACCURACY)
"""In which order columns are left out."""


def print_table(scores: RunScores, config: Mapping[str, Any], console: Console) -> None:
    """Success with its error, predicate accuracy and effort by split, then the failures."""
    from rich.text import Text

    for warning in warnings(config):
        console.print(Text(warning, style="bold yellow"))
    console.print(Text(_title(config.get("settings", {})), style="bold"))
    splits = list(scores.splits.values())
    columns: tuple[Column, ...] = ASKING if any(split.questions for split in splits) or not scores.scored else PROPOSING
    table = _filled(scores, columns)
    for least in LEAST_FIRST:
        if console.measure(table, options=console.options.update(width=1000)).maximum > console.width:
            columns = tuple(column for column in columns if column is not least)
            table = _filled(scores, columns)
    console.print(table)
    for line in _notes(scores, columns, console.width):
        console.print(Text(line))


def _title(settings: Mapping[str, Any]) -> str:
    named = [*names(settings), *(str(settings[key]) for key in ("domain",) if settings.get(key))]
    for key, usual in USUAL.items():
        if settings.get(key, usual) != usual:
            named.append(f"{spaced(key)} {PurePath(str(settings[key])).name}")
    return ", ".join(named) or "Scores"


def _filled(scores: RunScores, columns: Iterable[Column]) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column("split", no_wrap=True)
    for name in ("n", "success ± SEM", *(column.name for column in columns)):
        table.add_column(name, justify="right", no_wrap=True)

    def add(name: str, splits: list[SplitScores], success: str, style: str = "") -> None:
        cells = (column.cell(splits) for column in columns)
        table.add_row(name, str(sum(split.n for split in splits)), success, *cells, style=style)

    for split in scores.splits.values():
        add(split.split, [split], with_error(split.success, split.sem))
    if len(scores.splits) > 1:
        table.add_section()
        add("all", list(scores.splits.values()), with_error(scores.success, scores.sem), "bold")
    return table


def together(parts: Iterable[Accuracy]) -> Accuracy:
    """One accuracy over the questions of several."""
    listed = list(parts)
    right, total = sum(part.right for part in listed), sum(part.total for part in listed)
    return (
        Accuracy(right=right, total=total, value=right / total, sem=sem(right / total, total)) if total else Accuracy()
    )


def _notes(scores: RunScores, columns: tuple[Column, ...], width: int) -> Iterator[str]:
    splits = list(scores.splits.values())
    if scores.partial:
        yield f"PARTIAL: {scores.scored:,} of {scores.expected:,} episodes are scored"
    if any(split.n for split in splits):
        yield from _legend(set(columns))
    if any(split.n for split in splits) and len(splits) > 1:
        pooled = ", the rest is over all episodes" if columns else ""
        yield f"all: success is the mean of the splits{pooled}"
    failures = _failures(splits)
    failures.pop("infrastructure", None)
    if failures:
        yield _in_two_lines(failures, width)
    lost = sum(split.infrastructure for split in splits)
    if lost:
        yield f"not scored: {plural(lost, 'episode')} that model, planner, world or program cut short"


def _legend(columns: set[Column]) -> Iterator[str]:
    """What the headings do not say."""
    said = {
        ACCURACY: "accuracy: all answers",
        OFFICIAL: "official: enumeration only",
        ILLEGAL: "illegal: attempts that the world refused",
    }
    parts = [meaning for column, meaning in said.items() if column in columns]
    if columns - {ACCURACY, OFFICIAL}:
        parts.append("the rest: means per episode" if columns & {ACCURACY, OFFICIAL} else "means per episode")
    if parts:
        yield "; ".join(parts)


def _in_two_lines(failures: Mapping[str, int], width: int) -> str:
    """How often each class ended an episode; the rarest together where two lines do not hold them all."""
    told = [f"{spaced(name)} {count(number)}" for name, number in failures.items()]
    numbers = list(failures.values())
    for named in range(len(told), 0, -1):
        others = [f"others {sum(numbers[named:]):,}"] if named < len(told) else []
        line = f"failures: {', '.join([*told[:named], *others])}"
        if len(textwrap.wrap(line, width)) <= 2:
            break
    return line


def _failures(splits: Iterable[SplitScores]) -> dict[str, int]:
    """Failure classes over all splits, the most frequent first."""
    totals: dict[str, int] = {}
    for split in splits:
        for name, number in split.failure_classes.items():
            totals[name] = totals.get(name, 0) + number
    return dict(sorted(totals.items(), key=lambda item: (-item[1], item[0])))
