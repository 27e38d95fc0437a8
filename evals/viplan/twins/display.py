"""The figures of a check in a terminal, and as a plot."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import TYPE_CHECKING

from evals.compare.drawings import Drawing, as_file
from evals.pages.plots import Axis, Mark, plot
from evals.pages.tables import terminal
from evals.viplan.twins.checking import ALIKE, CLOSE, Row, in_order, orders, summaries

if TYPE_CHECKING:
    from rich.table import Table

WAYS = {"twin": "twin", "independent": "independent errors"}


def shown(rows: Sequence[Row]) -> None:
    """Print all figures, and how close they come."""
    console = terminal(130)
    console.print(_table(rows))
    for way, name in WAYS.items():
        for one in summaries(rows, way):
            console.print(
                f"{name}, {one.method}: mean difference {one.difference:.3f} over {one.cells} cells (wanted: {CLOSE}), "
                f"rank correlation {one.rank:.2f} over {one.models} models (wanted: {ALIKE})",
                highlight=False,
            )
        ahead = orders(rows, way)
        if ahead:
            right = sum(map(in_order, ahead.values()))
            console.print(
                f"{name}: ground and plan in the published order for {right} of {len(ahead)}", highlight=False
            )
    console.print("SIMULATED: no real model was asked.", highlight=False)


def _table(rows: Iterable[Row]) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), title="Success, and first enumerations", title_justify="left")
    table.add_column("model, method", no_wrap=True)
    for name in ("split", "published", "twin", "independent", "errors", "twin", "indep.", "exact", "twin", "indep."):
        table.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        figures = (row.published, row.twin, row.independent, row.errors_recorded, row.errors_twin)
        more = (row.errors_independent, row.exact_recorded, row.exact_twin, row.exact_independent)
        name = f"{row.model}, {row.method}{'_cot' if row.cot else ''}"
        table.add_row(name, row.level, *("–" if value is None else f"{value:.2f}" for value in (*figures, *more)))
    return table


def plotted(rows: Sequence[Row]) -> str:
    """The success of `ground` over all levels, published and simulated, as SVG."""
    series = ("published", *WAYS.values())
    cells: dict[tuple[str, bool], list[Row]] = {}
    for row in rows:
        if row.method == "ground" and row.twin is not None:
            cells.setdefault((row.model, row.cot), []).append(row)
    drawn = [
        (f"{model}{', reasoning' if cot else ''}", [_mark(found, name) for name in ("published", *WAYS)])
        for (model, cot), found in cells.items()
    ]
    title = "Success of ground in Blocksworld, published and SIMULATED"
    described = "Mean over the three splits, by model with and without chain of thought."
    figure = plot(title, described, drawn, series, Axis.of_rates("share of problems"))
    return as_file(Drawing("twins", title, series, figure))


def _mark(rows: Sequence[Row], name: str) -> Mark:
    values = [value for row in rows if (value := getattr(row, name)) is not None]
    mean = fmean(values) if values else 0.0
    return Mark(mean, f"{mean:.2f}" if values else "–")
