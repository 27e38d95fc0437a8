"""Compute the published ViPlan tables again from recorded runs.

    python -m evals.viplan_recorded path/to/ViPlan --compare published_tables.csv

Reads a checkout of the original, scores its raw records (not the statistics written beside them) and prints tables
6, 9, 10, 11 and 14 to 19 with their errors. With --compare it ends in `N of M cells agree`, M being the published
cells that the records cover, and exits with 1 if any differs.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from evals.pages.tables import write_rows
from evals.viplan.recorded.display import rich_tables
from evals.viplan.recorded.published import COLUMNS, Comparison, compare, read_published
from evals.viplan.recorded.scores import TABLES, Cell, table_cells, tables_of
from models.recorded.checkout import MODEL_NAMES, Checkout, contradiction, model_name, open_checkout
from models.recorded.reading import RecordError
from models.recorded.records import RecordedRun

DESCRIPTION = """\
Compute the published ViPlan tables again from recorded runs: success and predicate accuracy with their
standard errors, from every answer and every attempt on record.

Tables: 6 and 10 (grounder, Blocksworld and Household), 9 and 11 (planner), 14 and 15 (Blocksworld whose moves
fail with 0.1), 16 to 19 (accuracy per predicate). The column `all` is the mean over the three splits.
"""
EPILOG = """\
examples:
  python -m evals.viplan_recorded ViPlan
  python -m evals.viplan_recorded ViPlan --table 6 10
  python -m evals.viplan_recorded ViPlan --compare published_tables.csv --json > tables.json

exit code: 0 all well, 1 a cell differs from the published one, 2 invalid input
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit code."""
    arguments = _parser().parse_args(argv)
    try:
        return _run(arguments)
    except RecordError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m evals.viplan_recorded",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("path", type=Path, metavar="PATH", help="a checkout of the original, or its results/final")
    parser.add_argument(
        "--compare",
        type=Path,
        metavar="CSV",
        help=f"published cells to compare with; columns {','.join(COLUMNS)}",
    )
    parser.add_argument(
        "--table",
        type=int,
        nargs="+",
        action="extend",
        choices=TABLES,
        metavar="N",
        help=f"only these tables, of {', '.join(map(str, TABLES))}",
    )
    parser.add_argument("--csv", type=Path, metavar="OUT", help="write the cells to a file, in the same columns")
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else on stdout")
    return parser


def _run(arguments: argparse.Namespace) -> int:
    published = read_published(arguments.compare) if arguments.compare else None
    wanted = set(arguments.table or TABLES)
    checkout = _limited(open_checkout(arguments.path), wanted)
    notes = list(_notes(checkout))
    cells = [cell for cell in table_cells(_noting(checkout.runs(), notes)) if cell.table in wanted]
    comparison = compare(cells, published) if published is not None else None
    for note in notes:
        print(f"note: {note}", file=sys.stderr)
    if arguments.csv:
        _write_csv(arguments.csv, cells)
    if arguments.json:
        print(json.dumps(_as_json(checkout, cells, notes, comparison), ensure_ascii=False, indent=1))
    else:
        _print_tables(cells)
    return 0 if comparison is None else _report(comparison, arguments)


def _limited(checkout: Checkout, wanted: set[int]) -> Checkout:
    """Skip files without cells of the wanted tables, since a full checkout is slow to read."""
    files = tuple(file for file in checkout.files if tables_of(file.setting) & wanted)
    if not files:
        raise RecordError(f"{checkout.root}: no runs for table {', '.join(map(str, sorted(wanted)))}")
    return replace(checkout, files=files)


def _notes(checkout: Checkout) -> Iterator[str]:
    """Warnings about the folders."""
    if checkout.unknown:
        names = ", ".join(str(folder.relative_to(checkout.root)) for folder in checkout.unknown)
        yield f"ignored, as no published setting is known by that name: {names}"
    models = {file.setting.model for file in checkout.files}
    if strangers := sorted(model for model in models if model_name(model) not in MODEL_NAMES.values()):
        yield f"not among the paper's models, so nothing to compare: {', '.join(strangers)}"


def _noting(runs: Iterator[RecordedRun], notes: list[str]) -> Iterator[RecordedRun]:
    """Yield the runs and note mislabelled ones, so that each file is read once."""
    for run in runs:
        if odd := contradiction(run):
            notes.append(f"{run.path}: {odd}")
        yield run


def _print_tables(cells: list[Cell]) -> None:
    from evals.pages.tables import terminal

    # Off a terminal rich assumes 80 columns, which would cut the longest names.
    console = terminal(100)
    for table in rich_tables(cells):
        console.print(table)


def _report(comparison: Comparison, arguments: argparse.Namespace) -> int:
    """Print the differing cells and the tally; on stderr with --json."""
    out = sys.stderr if arguments.json else sys.stdout
    for difference in comparison.differences:
        print(difference, file=out)
    if not comparison.covered:
        # No compared cells is an error: most likely the wrong file, or other names of models.
        raise RecordError(f"{arguments.compare}: has no cell that the records of {arguments.path} cover")
    print(comparison, file=out)
    return 1 if comparison.differences else 0


def _as_json(
    checkout: Checkout, cells: list[Cell], notes: list[str], comparison: Comparison | None
) -> dict[str, object]:
    return {
        "root": str(checkout.root),
        "files": len(checkout.files),
        "notes": notes,
        "cells": [asdict(cell) for cell in cells],
        "comparison": None if comparison is None else _comparison_as_json(comparison),
    }


def _comparison_as_json(comparison: Comparison) -> dict[str, object]:
    differences = [
        {**asdict(difference.cell), "published_value": float(difference.value), "published_err": float(difference.err)}
        for difference in comparison.differences
    ]
    return {"agree": comparison.agree, "covered": comparison.covered, "differences": differences}


def _write_csv(path: Path, cells: list[Cell]) -> None:
    try:
        columns = (*COLUMNS, "n")
        rows = [dict(zip(columns, (*cell.key, *cell.shown, cell.n), strict=True)) for cell in cells]
        write_rows(path, rows, columns)
    except OSError as error:
        raise RecordError(f"{path}: cannot be written: {error.strerror}") from error
