"""What the published tables of ActionEQA have to add up to.

    python -m evals.actioneqa --published published_tables.csv

The file has a value in each row, under `table, model, mode, source, task, views, metric, value`. Three printed cells
contradict the others, and one sum of table 8 does not follow.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evals.pages.tables import as_document, print_table, terminal
from evals.questions.arithmetic import Cells, Check, Key, Rule, examine
from evals.questions.published import Figures, tables_of, unexpected, verdicts
from evals.questions.readers.rows import BadData
from evals.questions.readers.sources import checked

COLUMNS = ("table", "model", "mode", "source", "task", "views", "metric", "value")
TASKS = ("H-SP", "M-SP", "L-SP", "H-AI", "M-AI", "L-AI")
TASKS_OF = {"droid": TASKS, "bridge": TASKS, "rt1": ("H-SP", "H-AI")}
FIRST = {"droid": "exo", "bridge": "1V", "rt1": "1V"}
"""The views of table 1, by source."""
OVERALL = 0.0501
SHOWN = ("1", "2", "3", "4", "11", "12", "9", "8")


def _place(source: str, task: str, views: str) -> tuple[str, str]:
    return source, f"{task} {views}".strip()


@dataclass(frozen=True, slots=True)
class Mean:
    """Cells of a table are plain means of other cells; `parts` returns those of a given cell."""

    name: str
    table: str
    cells: tuple[tuple[tuple[str, str], tuple[tuple[tuple[str, str], ...], ...]], ...]
    """Each mean with its parts: groups of cells whose means are averaged."""
    metric: str = "accuracy"
    tolerance: float = 0.05

    def checks(self, cells: Cells) -> Iterator[Check]:
        """The means of every model."""
        wanted = dict(self.cells)
        for key, value in cells.items():
            groups = wanted.get((key.category, key.subcategory))
            if key.table == self.table and key.metric == self.metric and groups:
                yield Check(key, value, _nested(cells, key, groups), self.tolerance)


@dataclass(frozen=True, slots=True)
class OverModels:
    """Cells of a summary are means over the models of another table."""

    name: str
    table: str
    of: str
    metric: str
    models: tuple[str, ...]
    tolerance: float

    def checks(self, cells: Cells) -> Iterator[Check]:
        """Every cell of the summary, over all models of the other table or over those that are named."""
        for key, value in cells.items():
            if key.table == self.table and key.metric == self.metric:
                parts = [
                    other
                    for found, other in cells.items()
                    if found.table == self.of
                    and found[2:] == key[2:]
                    and (not self.models or found.model in self.models)
                ]
                yield Check(key, value, sum(parts) / len(parts) if parts else None, self.tolerance)


@dataclass(frozen=True, slots=True)
class Differences:
    """Table 4: how much better the wrist's view is, and how much worse both views are than the better one."""

    name: str = "table 4: differences"

    def checks(self, cells: Cells) -> Iterator[Check]:
        """Every difference."""
        for key, value in cells.items():
            if key.table == "4" and key.metric == "difference":
                task, what = key.subcategory.split()
                ego, exo, both = (
                    cells.get(key._replace(subcategory=f"{task} {views}", metric="accuracy"))
                    for views in ("ego", "exo", "ego+exo")
                )
                if ego is None or exo is None or both is None:
                    yield Check(key, value, None, 0.0)
                else:
                    yield Check(key, value, ego - exo if what == "ego-exo" else both - max(ego, exo), 1e-6)


@dataclass(frozen=True, slots=True)
class Whole:
    """The three kinds of motion make 100 %."""

    name: str
    table: str
    tolerance: float

    def checks(self, cells: Cells) -> Iterator[Check]:
        """The gripper's share of every row against the other two."""
        for key, value in cells.items():
            kind, _, views = key.subcategory.partition(" ")
            if key.table == self.table and kind == "gripper":
                others = [cells.get(key._replace(subcategory=f"{one} {views}")) for one in ("translation", "rotation")]
                known = [one for one in others if one is not None]
                yield Check(key, value, 100 - sum(known) if len(known) == 2 else None, self.tolerance)


@dataclass(frozen=True, slots=True)
class Added:
    """The row `all` of table 8 is the sum of the three sources, and questions are those of table 9."""

    name: str = "table 8: sums"

    def checks(self, cells: Cells) -> Iterator[Check]:
        """Every total."""
        for key, value in cells.items():
            if key.table == "8" and key.category == "all":
                parts = [cells.get(key._replace(category=source)) for source in TASKS_OF]
                yield Check(key, value, sum(part for part in parts if part is not None), 0.0)
            elif key.table == "8" and key.metric == "questions":
                parts = [cells.get(Key("9", "", key.category, task, key.metric)) for task in TASKS_OF[key.category]]
                yield Check(key, value, sum(part for part in parts if part is not None), 0.0)


def _nested(cells: Cells, key: Key, groups: Sequence[Sequence[tuple[str, str]]]) -> float | None:
    means = []
    for group in groups:
        values = [cells.get(key._replace(category=source, subcategory=task)) for source, task in group]
        known = [value for value in values if value is not None]
        if len(known) < len(values):
            return None
        means.append(sum(known) / len(known))
    return sum(means) / len(means)


_MEANS = tuple(
    (_place(source, "mean", FIRST[source]), (tuple(_place(source, task, FIRST[source]) for task in tasks),))
    for source, tasks in TASKS_OF.items()
)
_TASK_GROUPS = tuple(
    tuple(_place(source, task, FIRST[source]) for source, tasks in TASKS_OF.items() if task in tasks) for task in TASKS
)
_VIEWS = ("1V", "2V", "3V", "4V")
_KINDS = ("translation", "rotation", "gripper")
SHARE = "normalised error proportion"
RULES: tuple[Rule, ...] = (
    Mean("table 1: means over tasks", "1", _MEANS, tolerance=0.0501),
    Mean("table 1: overall, the mean over tasks of the means over sources", "1",
         tuple((_place("all", "overall", views), _TASK_GROUPS) for views in ("1V", "exo")), tolerance=OVERALL),
    Mean("table 2: means over tasks", "2",
         tuple((_place("bridge", "mean", views), (tuple(_place("bridge", task, views) for task in TASKS),))
               for views in _VIEWS), tolerance=0.0501),
    OverModels("table 4: means over the six models of table 3", "4", "3", "accuracy", (), 0.0501),
    Differences(),
    Mean("table 11: means over views", "11",
         tuple((_place("bridge", kind, "mean"), (tuple(_place("bridge", kind, views) for views in _VIEWS),))
               for kind in _KINDS), SHARE, 0.01),
    Whole("table 11: kinds make 100 %", "11", 0.0201),
    OverModels("table 12: means over the two models of table 11", "12", "11", SHARE, (), 0.0051),
    Whole("table 12: kinds make 100 %", "12", 0.0201),
    Added(),
)  # fmt: skip
OPUS = "the H-SP cell of RT-1, printed 62.3, is 42.3"
KNOWN: Mapping[Key, str] = {
    Key("1", "Claude-Opus-4", "rt1", "mean 1V", "accuracy"): OPUS,
    Key("1", "Claude-Opus-4", "all", "overall 1V", "accuracy"): OPUS,
    Key("1", "Ovis2.5-2B", "droid", "mean exo", "accuracy"): "the six tasks have a mean of 33.0",
    Key("1", "Gemma-3-4B", "bridge", "mean 1V", "accuracy"): "the six tasks have a mean of 32.5",
    Key("8", "", "all", "all", "unique images"): "the three sources have 26,316 pictures",
}
MENDED = {Key("1", "Claude-Opus-4", "rt1", "H-SP 1V", "accuracy"): 42.3}
"""Printed cells that cannot be right, with the values that follow from other cells and the authors' site."""


def read_tables(path: Path) -> Figures:
    """The values of a file, by table, row and column."""
    if not path.is_file():
        raise FileNotFoundError(f"{path}: there is no such file")
    found: dict[Key, str] = {}
    with checked(path).open(newline="", encoding="utf-8-sig") as file:
        rows = csv.DictReader(file)
        missing = [name for name in COLUMNS if name not in (rows.fieldnames or ())]
        if missing:
            raise BadData(f"{path} has no column {missing[0]!r}; it needs {', '.join(COLUMNS)}")
        try:
            for number, row in enumerate(rows, 2):
                found[_key(row)] = _number(path, number, row)
        except (csv.Error, UnicodeDecodeError) as error:
            raise BadData(f"{path} is no CSV file: {error}") from None
    if not found:
        raise BadData(f"{path} has no values")
    return Figures(found)


def _key(row: Mapping[str, str]) -> Key:
    return Key(row["table"], row["model"], *_place(row["source"], row["task"], row["views"]), row["metric"])


def _number(path: Path, number: int, row: Mapping[str, str]) -> str:
    try:
        float(row["value"])
    except (TypeError, ValueError):
        raise BadData(f"{path}, row {number}: the value {row['value']!r} is no number") from None
    return row["value"]


def report(path: Path, form: str = "terminal") -> int:
    """Print the published tables and check the rules; 0 if only the known cells deviate."""
    figures = read_tables(path)
    shown = Figures({key: text for key, text in figures.printed.items() if key.table in SHOWN})
    findings = examine(figures.cells, RULES)
    verdict = verdicts(findings, KNOWN)
    if form == "terminal":
        console = terminal()
        for table in (*tables_of(shown, "ActionEQA", console.width), verdict):
            print_table(table, console)
        print(mended(figures))
    else:
        sys.stdout.write(as_document([*tables_of(shown, "ActionEQA"), verdict], latex=form == "latex"))
    return int(bool(unexpected(findings, KNOWN)))


def mended(figures: Figures) -> str:
    """How many overall scores follow once the one wrong cell is corrected."""
    cells = {**figures.cells, **MENDED}
    rule = RULES[1]
    (printed,), (after,) = examine(figures.cells, [rule]), examine(cells, [rule])
    count = len(printed.checks)
    return (
        f"overall: {count - len(printed.deviations)} of {count} models follow from the printed cells, "
        f"{count - len(after.deviations)} with 42.3 for Claude-Opus-4's H-SP on RT-1"
    )
