"""The figures as tables in a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from envs.blocksworld.problems import SPLITS
from evals.viplan.belief.figures import EXACT, ILLEGAL, SUCCESS, Figure

if TYPE_CHECKING:
    from rich.table import Table

_TITLES = {
    "Exact state after the first picture": EXACT,
    "Success": SUCCESS,
    "Attempts per problem that were not legal": ILLEGAL,
}


def rich_tables(figures: Sequence[Figure]) -> Iterator[Table]:
    """One table per kind of measure: a row per model and measure, a column per split, each with its interval."""
    for title, measures in _TITLES.items():
        yield _table(title, measures, figures)


def _table(title: str, measures: tuple[str, ...], figures: Sequence[Figure]) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1))
    table.add_column("", no_wrap=True)
    for name in SPLITS:
        table.add_column(name, justify="right", no_wrap=True)
    shown = {
        (figure.model, figure.measure, figure.split): f"{figure.value:.2f} [{figure.low:.2f}, {figure.high:.2f}]"
        for figure in figures
    }
    for model in dict.fromkeys(figure.model for figure in figures):
        table.add_row(Text(model, style="bold"))
        for measure in measures:
            cells = [shown.get((model, measure, split), "–") for split in SPLITS]
            table.add_row(f"  {measure.removeprefix('exact_').removeprefix('illegal_')}", *cells)
        table.add_section()
    return table
