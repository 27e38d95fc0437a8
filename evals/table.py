"""The scores of a run as a table in a terminal, legible from 80 columns on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from evals.report.wording import NONE, SIMULATED, accuracy, count, per_episode, plural, spaced, with_error
from evals.scores import Accuracy, RunScores, SplitScores, sem

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

TOP = 3
"""How many failure classes are named under the table."""


def print_table(scores: RunScores, config: Mapping[str, Any], console: Console) -> None:
    """Success with its error, predicate accuracy and effort by split, then the most frequent failures."""
    from rich.text import Text

    settings = config.get("settings", {})
    if config.get("simulated"):
        console.print(Text(SIMULATED, style="bold yellow"))
    table = _table(_title(settings))
    for name in ("split", "n", "success ± SEM", "accuracy", "official", "questions", "replans", "steps"):
        table.add_column(name, justify="left" if name == "split" else "right", no_wrap=True)
    for split in scores.splits.values():
        table.add_row(*_row(split.split, [split], with_error(split.success, split.sem)))
    if len(scores.splits) > 1:
        table.add_section()
        table.add_row(*_row("all", list(scores.splits.values()), with_error(scores.success, scores.sem)), style="bold")
    console.print(table)
    for line in _notes(scores):
        console.print(Text(line))


def print_failures(scores: RunScores, console: Console) -> None:
    """How often each failure class ended an episode, by split, with what it means."""
    from rich.text import Text

    from evals.failures import MEANING, Failure

    splits = list(scores.splits.values())
    totals = _failures(splits)
    if not totals:
        console.print(Text("No episode failed." if any(split.n for split in splits) else "No episode is finished yet."))
        return
    table = _table("Why episodes failed")
    table.add_column("class", no_wrap=True)
    for split in splits:
        table.add_column(split.split, justify="right", no_wrap=True)
    table.add_column("meaning", ratio=1)
    for name in totals:
        counts = (split.failure_classes.get(name, 0) for split in splits)
        table.add_row(spaced(name), *(str(number) if number else NONE for number in counts), MEANING[Failure(name)])
    console.print(table)


def _table(title: str) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    return Table(
        title=Text(title),
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
        pad_edge=False,
    )


def _title(settings: Mapping[str, Any]) -> str:
    named = (str(settings[key]) for key in ("agent", "model", "domain") if settings.get(key))
    return ", ".join(named) or "Scores"


def _row(name: str, splits: list[SplitScores], success: str) -> Iterator[str]:
    episodes = sum(split.n for split in splits)
    yield name
    yield str(episodes)
    yield success
    yield accuracy(together(split.predicate_accuracy for split in splits))
    yield accuracy(together(split.official_accuracy for split in splits))
    yield per_episode(sum(split.questions for split in splits), episodes)
    yield per_episode(sum(split.replans for split in splits), episodes)
    yield per_episode(sum(split.steps for split in splits), episodes)


def together(parts: Iterable[Accuracy]) -> Accuracy:
    """One accuracy over the questions of several."""
    listed = list(parts)
    right, total = sum(part.right for part in listed), sum(part.total for part in listed)
    return (
        Accuracy(right=right, total=total, value=right / total, sem=sem(right / total, total)) if total else Accuracy()
    )


def _notes(scores: RunScores) -> Iterator[str]:
    splits = list(scores.splits.values())
    if scores.partial:
        yield f"PARTIAL: {scores.scored:,} of {scores.expected:,} episodes are scored"
    if any(split.n for split in splits):
        yield "accuracy: all answers; official: enumeration only; the rest: means per episode"
    failures = _failures(splits)
    failures.pop("infrastructure", None)
    if failures:
        named = ", ".join(f"{spaced(name)} {count(number)}" for name, number in list(failures.items())[:TOP])
        more = sum(list(failures.values())[TOP:])
        yield f"failures: {named}" + (f", others {more:,}" if more else "")
    lost = sum(split.infrastructure for split in splits)
    if lost:
        yield f"not scored: {plural(lost, 'episode')} that model, planner or program cut short"


def _failures(splits: Iterable[SplitScores]) -> dict[str, int]:
    """Failure classes over all splits, the most frequent first."""
    totals: dict[str, int] = {}
    for split in splits:
        for name, number in split.failure_classes.items():
            totals[name] = totals.get(name, 0) + number
    return dict(sorted(totals.items(), key=lambda item: (-item[1], item[0])))
