"""Blame as a table in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evals.blame.shares import IMPOSSIBLE, UNEXPLAINED, Share, groups
from evals.pages.wording import names, plural, warnings
from evals.run.statistics import Interval

if TYPE_CHECKING:
    from rich.console import Console

    from evals.blame.blaming import Blame

BEYOND = {
    IMPOSSIBLE: "a legal action fails however often it is tried",
    UNEXPLAINED: "no perfect faculty would have saved it",
}


def print_blame(blame: Blame, console: Console) -> None:
    """Print the causes with their intervals, and what was excluded."""
    from rich.text import Text

    run = blame.original.run
    for warning in warnings(run.config):
        console.print(Text(warning, style="bold yellow"))
    title = f"why {blame.failed} of {blame.scored} episodes failed: {', '.join(names(run.config['settings']))}"
    console.print(Text(title, style="bold"))
    for line in left_out(blame):
        console.print(Text(line, style="dim"), soft_wrap=True)  # a path that is broken cannot be copied
    if not blame.shares:
        return
    console.print(_table(blame.shares))
    for share in blame.shares:
        console.print(Text(f"{share.cause}: {meaning(share.cause, blame)}", style="dim"))
    console.print("what would have saved them:")
    for saved_by, count in groups(blame.cases):
        console.print(Text(f"  {count:4}  {saved_by}"))


def left_out(blame: Blame) -> list[str]:
    """What the shares exclude, and why."""
    lines = []
    if blame.infrastructure:
        lines.append(f"{plural(blame.infrastructure, 'episode')} could not be played: left out")
    if blame.agent_errors:
        lines.append(f"{plural(blame.agent_errors, 'episode')} ended by an error of the agent: left out")
    if blame.damaged:
        first = next(iter(blame.damaged.values()))
        lines.append(f"{plural(len(blame.damaged), 'failure')} cannot be played again: left out ({first})")
    if blame.undetermined:
        lines.append(f"{plural(len(blame.undetermined), 'failure')} not determined: left out of the shares")
    silent = [case for case in blame.untried if "--ask" in case.untried]
    if silent:
        count = plural(len(silent), "episode")
        lines.append(f"in {count} the model would have to be asked more to try everything; --ask allows it")
    return lines


def meaning(cause: str, blame: Blame) -> str:
    """The meaning of a cause."""
    return BEYOND[cause] if cause in BEYOND else blame.original.judging.changes[cause]


def within(interval: Interval) -> str:
    """An interval in per cent."""
    return f"{interval.low:.0%} to {interval.high:.0%}"


def _table(shares: list[Share]) -> object:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE)
    table.add_column("cause")
    for name in ("alone enough", "95 %", "share of blame", "95 %"):
        table.add_column(name, justify="right")
    for share in shares:
        blame = f"{share.blame:.0%}"
        table.add_row(share.cause, str(share.alone), within(share.alone_within), blame, within(share.blame_within))
    return table
