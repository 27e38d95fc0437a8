"""The study as tables in a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from statistics import mean, median
from typing import TYPE_CHECKING

from evals.viplan.homes.figures import Episode, lines
from evals.viplan.homes.playing import Study

if TYPE_CHECKING:
    from rich.table import Table


def show(study: Study) -> None:
    """Print the study."""
    from evals.pages.tables import terminal

    console = terminal(100)
    console.print(_solved(study.episodes))
    console.print(_rates(study))
    reasons = study.planned.together(study.walked).reasons.most_common(8)
    console.print("Why actions failed, most frequent first:", highlight=False)
    for reason, number in reasons:
        console.print(f"  {number:4}  {reason}", highlight=False)
    console.print(f"memory: {study.megabytes:.0f} MB at the most", highlight=False)


def _solved(episodes: Sequence[Episode]) -> Table:
    table = _table("Plans from the true state", "split", "solved", "steps (mean, most)", "s a step", "s a reset")
    for split, group in groupby(episodes, key=lambda episode: episode.split):
        played = list(group)
        table.add_row(
            split,
            f"{sum(episode.solved for episode in played)} of {len(played)}",
            f"{mean(episode.steps for episode in played):.1f}, {max(episode.steps for episode in played)}",
            f"{mean(episode.seconds for episode in played):.2f}",
            f"{median(episode.reset for episode in played):.2f}",
        )
    return table


def _rates(study: Study) -> Table:
    table = _table("Beside the original's records", "", "", "plans", "random", "both", "recorded")
    both = study.planned.together(study.walked)
    group = ""
    for planned, walked, line in zip(lines(study.planned), lines(study.walked), lines(both), strict=True):
        if group and group != line.group:
            table.add_section()
        cells = (_cell(shown.ours, shown.n) for shown in (planned, walked, line))
        table.add_row("" if group == line.group else line.group, line.name, *cells, f"{line.recorded:.2f}")
        group = line.group
    return table


def _cell(value: float | None, n: int) -> str:
    return "–" if value is None else f"{value:.2f} ({n})"


def _table(title: str, *columns: str) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1))
    for place, name in enumerate(columns):
        table.add_column(name, justify="left" if place < 1 or not name else "right", no_wrap=True)
    return table
