"""The scores of a run as a table in a terminal, with a column for each of the judge's measures.

In a narrow terminal, the least important columns are omitted.
"""

from __future__ import annotations

import textwrap
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

from evals.pages import tables
from evals.pages.tables import Cell, Column, Content, Table, fit_width
from evals.pages.wording import NONE, count, names, plural, spaced, unusual, warnings
from evals.report.ends import ends_line
from evals.run.judging import AGENT_ERROR, UNPLAYED, Judging, Measure
from evals.run.repeated import Chance
from evals.run.results import EpisodeResult
from evals.run.scores import Range, RunScores, SplitScores, score_split
from planners.names import natural

if TYPE_CHECKING:
    from rich.console import Console

Row: TypeAlias = tuple[str, SplitScores, RunScores | SplitScores]
"""A name, its episodes, and the success to show: theirs, or the overall number."""
MOST = 40
"""Tags with more values get no table in a terminal."""


def print_table(
    scores: RunScores, config: Mapping[str, Any], console: Console, results: Sequence[EpisodeResult] = ()
) -> None:
    """Print success with its interval and the judge's measures by split, then failures and unscored episodes.

    With the results, it also prints a table for each tag of the overall number.
    """
    from rich.text import Text

    judging = Judging.of(config)
    for warning in warnings(config):
        console.print(Text(warning, style="bold yellow"))
    table = fit_width(score_table(scores, judging, title=title_of(config)), console)
    tables.print_table(replace(table, notes=tuple(_legend(table, scores, judging))), console)
    for line in _notes(scores, results, console.width):
        console.print(Text(line))
    for other in (*attempts_tables(scores), *tag_tables(results, judging)):
        console.print()
        tables.print_table(other, console)


def title_of(config: Mapping[str, Any]) -> str:
    """Agent, model and domain of a run, and its settings that are not default."""
    settings = config.get("settings") or {}
    named = [*names(settings), *([str(settings["domain"])] if settings.get("domain") else [])]
    named += [f"{spaced(name)} {value}" for name, value in unusual(config).items() if name != "domain"]
    return ", ".join(named) or "Scores"


def score_table(scores: RunScores, judging: Judging, *, title: str = "") -> Table:
    """A row for each split and one for all; columns for success and for every measure with counts."""
    rows = _rows(scores.splits.values())
    together = len(rows) > 1 or judging.overall not in ((), ("split",))
    sections = frozenset({len(rows)} if together else ())
    if together:
        rows.append(("all", scores.pooled, scores))
    return replace(_filled(title, "split", rows, judging), name="scores", sections=sections)


def attempts_tables(scores: RunScores) -> Iterator[Table]:
    """pass@k and pass^k, where problems were played several times."""
    if scores.attempts:
        rows: list[list[Content]] = [
            [one.k, *(_chance_cell(chance) for chance in (one.some, one.every))] for one in scores.attempts
        ]
        note = f"k attempts at each of {plural(scores.attempts[0].problems, 'problem')}; intervals are by problem"
        yield Table.of("Several attempts", ["k", "pass@k", "pass^k"], rows, words=0, notes=[note], name="attempts")


def _chance_cell(chance: Chance) -> Cell:
    return Cell.of(chance.value, interval=(chance.low, chance.high))


def tag_tables(results: Sequence[EpisodeResult], judging: Judging, *, most: int = MOST) -> Iterator[Table]:
    """A table for each tag of the overall number; for question sets, also for each dimension."""
    tags = [*judging.overall, *(judging.dimensions if judging.of_questions else ())]
    known: list[set[frozenset[str]]] = [_partition(by_tag(results, "split"))]
    for tag in dict.fromkeys(tag for tag in tags if tag != "split"):
        groups = by_tag(results, tag)
        if not 1 < len(groups) <= most or _partition(groups) in known:
            continue
        known.append(_partition(groups))
        values = [score_split(value, groups[value], judging) for value in sorted(groups, key=natural)]
        title = f"By {judging.dimensions.get(tag, spaced(tag))}"
        yield replace(_filled(title, spaced(tag), _rows(values), judging), name=f"by-{tag}")


def by_tag(results: Iterable[EpisodeResult], tag: str) -> dict[str, list[EpisodeResult]]:
    """Results by their value of a tag; those without one are omitted."""
    groups: defaultdict[str, list[EpisodeResult]] = defaultdict(list)
    for result in results:
        value = result.split if tag == "split" else result.tags.get(tag)
        if value is not None:
            groups[value].append(result)
    return dict(groups)


def _partition(groups: Mapping[str, Sequence[EpisodeResult]]) -> set[frozenset[str]]:
    """The partition of results, regardless of group names."""
    return {frozenset(result.id for result in group) for group in groups.values()}


def _rows(groups: Iterable[SplitScores]) -> list[Row]:
    return [(group.split, group, group) for group in groups]


def _filled(title: str, first: str, rows: Sequence[Row], judging: Judging) -> Table:
    groups = [group for _, group, _ in rows]
    shown = [
        measure for measure in judging.measures if measure.column and any(counted(measure, group) for group in groups)
    ]
    graded = any(one.value != one.success for _, _, one in rows)
    columns = [Column(first, "left"), Column("n"), Column("success")]
    columns += [Column("score", rank=1)] if graded else []
    columns += [Column(measure.heading, rank=measure.column) for measure in shown]
    figures = {measure.name: _figures(measure, groups) for measure in shown}
    return Table(
        title,
        tuple(columns),
        tuple(
            (
                Cell(name),
                Cell.count(group.n),
                success_cell(one.success, one.sem, one.interval),
                *((Cell.of(one.value),) if graded else ()),
                *(figures[measure.name][place] for measure in shown),
            )
            for place, (name, group, one) in enumerate(rows)
        ),
    )


def counted(measure: Measure, scores: SplitScores) -> bool:
    """Whether a measure has counts."""
    if measure.kind in ("accuracy", "share"):
        return scores.measures.get(measure.name) is not None
    return scores.total(*measure.of) != 0


def success_cell(value: float | None, error: float | None, interval: Range | None, *, bold: bool = False) -> Cell:
    """A success rate with its interval: `0.67 [0.30, 0.90]`."""
    within = (interval.low, interval.high) if interval else None
    return Cell.of(value, error, interval=within, bold=bold) if within else Cell.of(value, bold=bold)


def _figures(measure: Measure, groups: Sequence[SplitScores]) -> list[Cell]:
    """The cells of a measure, with equal digits."""
    values = [group.measures.get(measure.name) for group in groups]
    digits = digits_of(measure, values)
    return [Cell(NONE) if value is None else Cell(f"{value:,.{digits}f}", value) for value in values]


def digits_of(measure: Measure, values: Iterable[float | None]) -> int:
    """The digits of a measure: three for accuracies, which are over thousands of answers."""
    known = [value for value in values if value is not None]
    match measure.kind:
        case "accuracy":
            return 3
        case "share":
            return 2
        case "mean":
            return 2 if any(known) and all(abs(value) < 1 for value in known) else 1
    return 0 if all(value == int(value) for value in known) else 2


def _legend(table: Table, scores: RunScores, judging: Judging) -> Iterator[str]:
    """The explanations of headings."""
    if not scores.pooled.n:
        return
    shown = [measure for measure in judging.measures if measure.column and measure.heading in table.head]
    parts = ["success: with its 95 % interval"]
    parts += [f"{measure.heading}: {measure.meaning}" for measure in shown if measure.meaning]
    parts += [f"{measure.heading}: in all" for measure in shown if measure.kind == "total" and not measure.meaning]
    if any(measure.kind == "mean" for measure in shown):
        parts.append("means per episode" if all(one.kind == "mean" for one in shown) else "the rest: means per episode")
    yield "; ".join(parts)
    nothing = [
        measure.heading
        for measure in judging.measures
        if measure.column and measure.kind in ("mean", "total") and not counted(measure, scores.pooled)
    ]
    if nothing:
        yield f"zero throughout: {', '.join(nothing)}"
    if len(table.rows) > len(scores.splits):
        pooled = ", the rest is over all episodes" if shown else ""
        yield f"all: success is the {scores.overall}{pooled}"


def _notes(scores: RunScores, results: Sequence[EpisodeResult], width: int) -> Iterator[str]:
    if scores.partial:
        yield f"PARTIAL: {scores.scored:,} of {scores.expected:,} episodes are scored"
    totals = failures_of(scores)
    lost, broken = totals.pop(UNPLAYED, 0), totals.pop(AGENT_ERROR, 0)
    if totals:
        yield _in_two_lines(totals, width)
    yield from ends_line(scores)
    if lost:
        yield f"not scored: {plural(lost, 'episode')} that model, planner, world or program cut short"
    if broken:
        first = next((result for result in results if result.failure == AGENT_ERROR), None)
        error_text = f", the first: {first_line(first)}" if first else ""
        yield f"not scored: {plural(broken, 'episode')} that ended by an error of the agent{error_text}"


def first_line(result: EpisodeResult) -> str:
    """The error of an episode that was cut short, in one line."""
    return result.detail.strip().partition("\n")[0] or spaced(result.reason)


def failures_of(scores: RunScores) -> dict[str, int]:
    """Failure classes over all splits, the most frequent first."""
    totals: Counter[str] = Counter()
    for split in scores.splits.values():
        totals.update(split.failure_classes)
    return dict(sorted(totals.items(), key=lambda item: (-item[1], item[0])))


def _in_two_lines(failures: Mapping[str, int], width: int) -> str:
    """How often each class ended an episode, in two lines; the rarest are summed up if needed."""
    classes = [f"{spaced(name)} {count(number)}" for name, number in failures.items()]
    numbers = list(failures.values())
    for named in range(len(classes), 0, -1):
        others = [f"others {sum(numbers[named:]):,}"] if named < len(classes) else []
        line = f"failures: {', '.join([*classes[:named], *others])}"
        if len(textwrap.wrap(line, width)) <= 2:
            break
    return line
