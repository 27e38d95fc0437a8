"""The effort behind successes, over all runs of a folder: the judges' measures, requests, tokens and cost.

    python -m evals.effort RUN… [--csv OUT]

`examples/belief.toml` is a sweep made for it. Runs that differ only in seed or split are combined.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from evals.run.pipes import quietly

if TYPE_CHECKING:
    from evals.pages.tables import Cell, Content, Table
    from evals.run.directory import RunDirectory
    from evals.run.judging import Judging, Measure
    from evals.run.results import EpisodeResult

DESCRIPTION = """\
Success with its 95% interval, and its effort: the measures of the benchmark per episode (such as questions, refused
attempts and replans), and requests, tokens and cost per solved task, failed ones included. There is a row for each
agent, model, condition and split; runs with different seeds are combined.
"""
SPENT = ("requests", "tokens", "cost")
"""What every episode spends."""


class Key(NamedTuple):
    """The key of a group of runs."""

    domain: str
    model: str
    condition: str
    agent: str


@dataclass(frozen=True)
class Effort:
    """The effort of one method in one split.

    `measures` are the benchmark's, over all episodes. `per_solved` are totals of counts and spending divided by the
    number of solved tasks; None if there are none. The error and the interval of the success are over problems:
    repeats with other seeds do not count as further problems.
    """

    key: Key
    split: str
    seeds: int
    n: int
    success: float
    sem: float | None
    interval: tuple[float, float] | None
    measures: Mapping[str, float | None]
    per_solved: Mapping[str, float | None]
    judging: Judging

    @property
    def figures(self) -> dict[str, Any]:
        """All figures as one row."""
        low, high = self.interval or (None, None)
        return {
            **self.key._asdict(),
            "split": self.split,
            "seeds": self.seeds,
            "n": self.n,
            "success": self.success,
            "sem": self.sem,
            "low": low,
            "high": high,
            **self.measures,
            **{f"{name}_per_solved": value for name, value in self.per_solved.items()},
        }


@dataclass
class _Group:
    """The scored episodes of one method in one split, each with the seed of its run."""

    judging: Judging
    results: list[tuple[int, EpisodeResult]]


def efforts(paths: Iterable[Path]) -> list[Effort]:
    """The efforts of all runs at the paths; `Unusable` if there are none, `RunError` if one cannot be read."""
    from evals.compare.arms import in_order
    from evals.compare.own import every_run, settings_of, stratum_of
    from evals.run.directory import RunDirectory

    groups: dict[Key, dict[tuple[str, str], _Group]] = {}
    order: dict[str, None] = {}
    for folder in every_run(paths):
        run = RunDirectory.open(folder)
        settings, condition = settings_of(run.config), _condition(run)
        for result in run.results():
            domain, split = stratum_of(result, settings)
            order |= {name.removeprefix(f"{domain} "): None for name in run.splits}
            key = Key(domain, str(settings.get("model")), condition, str(settings.get("agent")))
            group = groups.setdefault(key, {}).setdefault((domain, split), _Group(run.judging, []))
            if result.scored:
                group.results.append((int(settings.get("seed", 0)), result))
    return [
        _effort(key, stratum[1], strata[stratum])
        for key, strata in sorted(groups.items(), key=lambda item: item[0][:3])
        for stratum in in_order(strata, tuple(order))
        if strata[stratum].results
    ]


def _condition(run: RunDirectory) -> str:
    """The settings of a run that are not default, without agent, model and selection of episodes."""
    from evals.compare.conditions import NAMED, conditions, unusual
    from evals.compare.own import settings_of

    settings = settings_of(run.config)
    tags = {tag for result in run.results() for tag in result.tags}
    names = [name for name in conditions(settings, tags) if name not in NAMED | {"benchmark"}]
    return ", ".join(unusual(settings, run.config.get("usual") or {}, names))


def _effort(key: Key, split: str, group: _Group) -> Effort:
    from evals.compare.arms import Played
    from evals.compare.matrices import rate_of
    from evals.run.scores import measured, total

    judging, results = group.judging, [result for _, result in group.results]
    played = [Played(key.domain, split, one.problem, one.seed, one.success, tags=one.tags) for one in results]
    rate = rate_of(played, judging.cluster)
    assert rate is not None  # there is at least one result
    counts: Counter[str] = Counter()
    for result in results:
        counts.update(result.measures)
    tallies = [tally for result in results for tally in result.tallies]
    solved = sum(result.success for result in results)
    sums = {measure.name: total(counts, measure.of) for measure in judging.measures if measure.kind == "mean"}
    spent = {
        "requests": sum(result.asked for result in results),
        "tokens": sum(result.prompt_tokens + result.completion_tokens for result in results),
        "cost": sum(result.cost for result in results),
    }
    return Effort(
        key=key,
        split=split,
        seeds=len({seed for seed, _ in group.results}),
        n=len(results),
        success=rate.value,
        sem=rate.sem,
        interval=(rate.interval.low, rate.interval.high) if rate.interval else None,
        measures={one.name: measured(one, counts, tallies, len(results)) for one in judging.measures},
        per_solved={name: amount / solved if solved else None for name, amount in {**sums, **spent}.items()},
        judging=judging,
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit code."""
    arguments = _parser().parse_args(argv)
    from evals.compare.arms import Unusable
    from evals.pages.tables import as_markdown, print_table, write_rows
    from evals.run.directory import RunError

    try:
        found = efforts(arguments.runs)
        tables = list(tables_of(found, arguments.measure, by_agent=arguments.markdown))
        rows = [effort.figures for effort in found]
        if arguments.csv:
            write_rows(arguments.csv, rows, list(dict.fromkeys(name for row in rows for name in row)))
    except (OSError, ValueError, Unusable, RunError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if arguments.json:
        print(json.dumps(rows))
        return 0
    for table in tables:
        if arguments.markdown:
            print(as_markdown(table))
        else:
            print_table(table)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m evals.effort",
        description=DESCRIPTION,
        epilog="exit code: 0 done, 2 invalid input",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("runs", type=Path, nargs="+", metavar="RUN", help="run directories, or folders of them")
    parser.add_argument("--measure", nargs="+", metavar="NAME", help="only these columns, such as questions or cost")
    parser.add_argument("--csv", type=Path, metavar="OUT", help="write the figures to a file")
    parser.add_argument("--markdown", action="store_true", help="print tables for a page: a row for each agent")
    parser.add_argument("--json", action="store_true", help="print one JSON list and nothing else on stdout")
    return parser


class Column(NamedTuple):
    """A column: a measure, or spending per solved task."""

    name: str
    heading: str
    meaning: str
    spent: bool
    digits: int = 2

    def cell(self, effort: Effort) -> Cell:
        """The figure of one method in one split."""
        from evals.pages.tables import Cell

        value = (effort.per_solved if self.spent else effort.measures).get(self.name)
        if value is None or self.name == "cost":
            return Cell.of(value, digits=4)
        digits = self.digits if value < 10 else 1 if value < 100 else 0
        return Cell(f"{value:,.{digits}f}", value)


def tables_of(
    found: Sequence[Effort], wanted: Sequence[str] | None = None, *, by_agent: bool = False
) -> Iterator[Table]:
    """A table for each domain, model and condition: a row for each agent and split, or for each agent."""
    for heading, group in _by_heading(found):
        columns = _columns(group, wanted)
        yield (_short_table if by_agent else _long_table)(heading, group, columns, [_note(group, columns)])


def _columns(group: Sequence[Effort], wanted: Sequence[str] | None) -> list[Column]:
    """The requested columns, or those of the benchmark's tables that are not all zero."""
    from planners.names import unknown

    judging = group[0].judging
    shown = sorted((measure for measure in judging.measures if measure.column), key=lambda measure: measure.column)
    spent = [Column(name, f"{name} / solved", "", True) for name in SPENT]
    if wanted is None:
        return [column for column in [*map(_column, shown), *spent] if any(column.cell(one).value for one in group)]
    possible = {column.name: column for column in [*map(_column, judging.measures), *spent]}
    missing = next((name for name in wanted if name not in possible), None)
    if missing is not None:
        raise unknown("measure", missing, tuple(possible))
    return [possible[name] for name in wanted]


def _column(measure: Measure) -> Column:
    digits = 3 if measure.kind == "accuracy" else 2
    return Column(measure.name, measure.heading, measure.meaning, False, digits)


def _note(group: Sequence[Effort], columns: Sequence[Column]) -> str:
    meanings = [f"{column.heading}: {column.meaning}" for column in columns if column.meaning]
    spent = [column.name for column in columns if column.spent]
    if spent:
        meanings.append(f"{', '.join(spent)}: per solved task, failed ones included")
    return "; ".join(["success: with its 95% interval", *meanings, "the rest: means per episode"])


def _long_table(heading: str, group: Sequence[Effort], columns: Sequence[Column], notes: Sequence[str]) -> Table:
    from evals.pages.tables import Cell, Table

    rows: list[list[Content]] = []
    sections = []
    for agent in dict.fromkeys(effort.key.agent for effort in group):
        sections.append(len(rows))
        for effort in (one for one in group if one.key.agent == agent):
            success = Cell.of(effort.success, effort.sem, interval=effort.interval)
            rows.append([agent, effort.split, effort.n, success, *(column.cell(effort) for column in columns)])
    head = ("agent", "split", "n", "success", *(column.heading for column in columns))
    least = [column.heading for column in reversed(columns) if not column.spent]
    return Table.of(heading, head, rows, words=2, notes=notes, name="effort", sections=sections, least=least)


def _short_table(heading: str, group: Sequence[Effort], columns: Sequence[Column], notes: Sequence[str]) -> Table:
    """A row for each agent, with the figures of all splits in one cell."""
    from evals.pages.tables import Cell, Table
    from evals.pages.wording import NONE

    splits = list(dict.fromkeys(effort.split for effort in group))

    def together(own: Mapping[str, Effort], column: Column | None) -> str:
        cells = (
            Cell(NONE) if split not in own else column.cell(own[split]) if column else Cell.of(own[split].success)
            for split in splits
        )
        return " / ".join(cell.text for cell in cells)

    rows = []
    for agent in dict.fromkeys(effort.key.agent for effort in group):
        own = {effort.split: effort for effort in group if effort.key.agent == agent}
        rows.append([agent, *(together(own, column) for column in (None, *columns))])
    head = ("agent", "success", *(column.heading for column in columns))
    return Table.of(f"{heading} ({' / '.join(splits)})", head, rows, notes=notes, name="effort")


def _by_heading(found: Sequence[Effort]) -> Iterator[tuple[str, list[Effort]]]:
    for key in dict.fromkeys(effort.key[:3] for effort in found):
        group = [effort for effort in found if effort.key[:3] == key]
        seeds = max(effort.seeds for effort in group)
        yield ", ".join([*filter(None, key), f"{seeds} seeds" if seeds > 1 else "1 seed"]), group


if __name__ == "__main__":
    sys.exit(quietly(main))
