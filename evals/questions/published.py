"""Displays published tables from a user's CSV file, and checks their arithmetic.

The file has a value in each row, under `benchmark, table, model, category, subcategory, metric, value`.
"""

from __future__ import annotations

import csv
import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evals.pages.tables import Cell, Content, Table, as_document, print_table, terminal
from evals.pages.wording import NONE, plural
from evals.questions.arithmetic import Finding, Key, Rule, examine
from evals.questions.readers.rows import BadData
from evals.questions.readers.sources import checked

COLUMNS = ("benchmark", "table", "model", "category", "subcategory", "metric", "value")


@dataclass(frozen=True, slots=True)
class Expected:
    """The rules for a benchmark's published tables, and the cells that are known to deviate, with reasons."""

    benchmark: str
    rules: Sequence[Rule]
    known: Mapping[Key, str]


@dataclass(frozen=True, slots=True)
class Figures:
    """The cells of one benchmark, as printed and as numbers."""

    printed: Mapping[Key, str]

    @property
    def cells(self) -> dict[Key, float]:
        """The cells as numbers."""
        return {key: float(text) for key, text in self.printed.items()}


def read_figures(path: Path, benchmark: str) -> Figures:
    """Read the rows of a benchmark from a CSV file; the error names an invalid row in one line."""
    if not path.is_file():
        raise FileNotFoundError(f"{path}: there is no such file")
    found: dict[Key, str] = {}
    with checked(path).open(newline="", encoding="utf-8-sig") as file:
        try:
            for row, fields in enumerate(_rows(path, file), 2):
                if fields["benchmark"] == benchmark:
                    key, value = _cell(path, row, fields)
                    if key in found:
                        raise BadData(f"{path}, row {row}: a second value of {key.name}")
                    found[key] = value
        except (csv.Error, UnicodeDecodeError) as error:
            raise BadData(f"{path} is no CSV file: {error}") from None
    if not found:
        raise BadData(f"{path} has no row of the benchmark {benchmark!r}")
    return Figures(found)


def _rows(path: Path, file: Iterator[str]) -> Iterator[dict[str, str]]:
    rows = csv.DictReader(file)
    missing = [name for name in COLUMNS if name not in (rows.fieldnames or ())]
    if missing:
        raise BadData(f"{path} has no column {missing[0]!r}; it needs {', '.join(COLUMNS)}")
    for fields in rows:
        yield {name: fields[name] or "" for name in COLUMNS}


def _cell(path: Path, row: int, fields: Mapping[str, str]) -> tuple[Key, str]:
    try:
        number = float(fields["value"])
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise BadData(f"{path}, row {row}: the value {fields['value']!r} is no number")
    return Key(*(fields[name] for name in COLUMNS[1:-1])), fields["value"]


def tables_of(figures: Figures, title: str, width: int = 0) -> list[Table]:
    """The published tables: one for each table and metric, or one for all metrics if there is a single model.

    A table that is wider than `width` is split into several.
    """
    found = []
    for name in dict.fromkeys(key.table for key in figures.printed):
        keys = [key for key in figures.printed if key.table == name]
        if len({key.model for key in keys}) == 1:
            model = f": {keys[0].model}" if keys[0].model else ""
            found += _tables(figures, keys, f"{title}, table {name}{model}", "metric", width)
            continue
        for metric in dict.fromkeys(key.metric for key in keys):
            chosen = [key for key in keys if key.metric == metric]
            found += _tables(figures, chosen, f"{title}, table {name}: {metric}", "model", width)
    return found


def _tables(figures: Figures, keys: list[Key], title: str, across: str, width: int) -> list[Table]:
    """Cells as a table with a row per model, or transposed if models have few cells each."""
    rows = {(key.category, key.subcategory): " · ".join(filter(None, key[2:4])) or "all" for key in keys}
    columns = {getattr(key, across): getattr(key, across) or "all" for key in keys}
    grid = {((key.category, key.subcategory), getattr(key, across)): figures.printed[key] for key in keys}
    lines = [[_shown(grid.get((place, column))) for column in columns] for place in rows]
    names, heads, corner = list(rows.values()), list(columns.values()), ""
    if across == "model" and len(names) < len(heads):
        names, heads, corner = heads, names, "model"
        lines = [list(line) for line in zip(*lines, strict=True)]
    found = []
    for part in _parts(heads, max(map(len, names)), width):
        cells: list[list[Content]] = [[name, *line[part]] for name, line in zip(names, lines, strict=True)]
        found.append(Table.of(title, [corner, *heads[part]], cells, name="published"))
    return found


def _parts(heads: Sequence[str], first: int, width: int) -> Iterator[slice]:
    """The columns in groups that fit beside the first one."""
    start, used = 0, first
    for place, head in enumerate(heads):
        used += len(head) + 2
        if width and used > width and place > start:
            yield slice(start, place)
            start, used = place, first + len(head) + 2
    yield slice(start, len(heads))


def _shown(text: str | None) -> Cell:
    return Cell(NONE) if text is None else Cell(text, float(text))


def verdicts(findings: Sequence[Finding], known: Mapping[Key, str]) -> Table:
    """The number of cells that satisfy each rule, and those that do not."""
    rows: list[list[Content]] = []
    notes = []
    for finding in findings:
        rows.append([finding.rule, len(finding.checks), len(finding.checks) - len(finding.deviations)])
        for check in finding.deviations:
            notes.append(f"{check}{_because(known.get(check.key))}")
    deviations = {check.key for finding in findings for check in finding.deviations}
    word = plural(len(deviations), "cell does", "cells do")
    notes.append(f"{word} not follow from the others; {len(deviations & known.keys())} known.")
    return Table.of("Arithmetic", ["rule", "cells", "hold"], rows, notes=notes, name="arithmetic")


def _because(reason: str | None) -> str:
    return f" ({reason})" if reason else "; not known before"


def unexpected(findings: Sequence[Finding], known: Mapping[Key, str]) -> list[str]:
    """Unexpected results: new deviations, known ones that no longer occur, rules without cells."""
    deviations = {check.key: check for finding in findings for check in finding.deviations}
    new = [str(check) for key, check in deviations.items() if key not in known]
    gone = [f"{key.name}: agrees now, and was known not to" for key in known if key not in deviations]
    empty = [f"no cell for the rule: {finding.rule}" for finding in findings if not finding.checks]
    return [*new, *gone, *empty]


def report(path: Path, expected: Expected, title: str, form: str = "terminal") -> int:
    """Print the tables and the results of the rules, as `terminal`, `csv` or `latex`.

    Returns 0 if only the known cells deviate, else 1.
    """
    return report_figures(read_figures(path, expected.benchmark), expected, title, form)


def report_figures(figures: Figures, expected: Expected, title: str, form: str = "terminal") -> int:
    """Like `report`, for figures that were already read."""
    findings = examine(figures.cells, expected.rules)
    verdict = verdicts(findings, expected.known)
    if form == "terminal":
        console = terminal()
        for table in (*tables_of(figures, title, console.width), verdict):
            print_table(table, console)
    else:
        sys.stdout.write(as_document([*tables_of(figures, title), verdict], latex=form == "latex"))
    return int(bool(unexpected(findings, expected.known)))
