"""A comparison in a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from evals.compare.figures import Comparison
from evals.compare.listing import divergences, problems_table, tables_of, unknown_courses
from evals.compare.pairs import Pair
from evals.pages.tables import Table, terminal
from evals.pages.tables import print_table as show
from evals.pages.wording import plural

if TYPE_CHECKING:
    from rich.console import Console

SHOWN = 12
"""How many problems with different outcomes are shown by default."""
NARROW = 160
"""The width without a terminal, so that long names are not cut."""


def print_comparison(comparison: Comparison, wanted: Sequence[str] | None) -> None:
    """Print warnings, then tables; of the problems only differing ones, unless they are asked for."""
    from rich.text import Text

    console = terminal(NARROW)
    for warning in comparison.warnings:
        console.print(Text(warning, style="bold yellow"))
    for reason in comparison.forced:
        console.print(Text(f"UNLIKE: {reason}", style="bold yellow"))
    for note in comparison.notes:
        console.print(Text(note))
    for table in tables_of(comparison, wanted):
        _print_table(table, console)
    if wanted is None:
        for pair in comparison.pairs if len(comparison.pairs) == 1 else ():
            _print_problems(pair, console)
    elif "problems" in wanted:
        _print_unknown(comparison.pairs, console)


def print_table(table: Table) -> None:
    """Print one table."""
    _print_table(table, terminal(NARROW))


def _print_table(table: Table, console: Console) -> None:
    show(table, console)
    console.print()


def _print_problems(pair: Pair, console: Console) -> None:
    from rich.text import Text

    differing = tuple(match for match in pair.matches if match.difference)
    if differing:
        table = problems_table([replace(pair, matches=differing[:SHOWN])])
        _print_table(replace(table, title=f"Problems with another outcome: {table.title}"), console)
    if len(differing) > SHOWN:
        console.print(Text(f"and {plural(len(differing) - SHOWN, 'more problem')}; --table problems shows all"))
    console.print(Text(f"Where the courses part first: {divergences(pair)}"))
    _print_unknown([pair], console)


def _print_unknown(pairs: Sequence[Pair], console: Console) -> None:
    from rich.text import Text

    for line in unknown_courses(pairs):
        console.print(Text(line), soft_wrap=True)  # a wrapped path cannot be copied
