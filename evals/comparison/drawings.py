"""The figures of a comparison as plots, for the page and as files of their own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from evals.comparison.compounding import Curve
from evals.comparison.figures import Comparison
from evals.comparison.lines import SHAPES, Line, line_plot
from evals.comparison.matrices import Estimate, Matrix, Ranking
from evals.report.markup import Html, asset, el
from evals.report.plots import SHADES, Axis, Mark, plot
from evals.report.wording import rate, with_error

CURVES = len(SHAPES)
"""More lines than that nobody can tell apart."""


class Drawing(NamedTuple):
    """A plot with the name of its file, and what its colours stand for."""

    name: str
    title: str
    series: tuple[str, ...]
    figure: Html


def drawings_of(comparison: Comparison) -> Iterator[Drawing]:
    """Every plot for which there are figures."""
    yield from (_success(domain, matrix) for domain, matrix in comparison.by_model.items())
    if comparison.pairs:
        yield _differences(comparison)
    if comparison.by_method:
        yield _methods(comparison.by_domain)
    if comparison.cot:
        yield _cot(comparison)
    yield from (_ranking(ranking, number) for number, ranking in enumerate(comparison.rankings, 1))
    if comparison.curves:
        yield _compounding(comparison.curves)


def _success(domain: str, matrix: Matrix) -> Drawing:
    places = [place for place, column in enumerate(matrix.columns) if column[1]]
    series = tuple(matrix.columns[place][1] for place in places)
    rows = [(f"{row.name} · {row.model}", [_mark(row.cells[place]) for place in places]) for row in matrix.rows]
    title = f"Success by split, {domain}"
    described = f"The share of problems solved in {domain}, by run and split, with its standard error."
    figure = plot(title, described, rows, series, Axis.of_rates("problems solved"))
    # The name of a domain comes from a run, and must not lead out of the folder.
    name = re.sub(r"[^\w.-]", "_", f"success-{domain}")
    return Drawing(name, title, series, figure)


def _mark(cell: Estimate | None) -> Mark:
    if cell is None:
        return Mark(None, "not played")
    return Mark(cell.value, rate(cell.value), cell.sem or 0.0, with_error(cell.value, cell.sem))


def _differences(comparison: Comparison) -> Drawing:
    one = comparison.baseline
    rows, largest = [], 0.0
    for pair in comparison.pairs:
        bounds = pair.interval.low, pair.interval.high
        largest = max(largest, *map(abs, bounds))
        found = f"{pair.difference:+.3f}, {bounds[0]:+.3f} to {bounds[1]:+.3f}"
        hint = f"{found}; p {pair.test.exact:.3g}, Holm {pair.holm:.3g}"
        name = pair.right.label if one else f"{pair.right.label} − {pair.left.label}"
        rows.append((name, [Mark(pair.difference, f"{pair.difference:+.2f}", hint=hint, interval=bounds)]))
    title = f"Difference from {one.label}" if one else "Differences"
    described = "Paired differences of success with their 95% bootstrap intervals."
    figure = plot(title, described, rows, ["difference"], Axis.of_differences("difference of success", largest))
    return Drawing("differences", title, ("difference",), figure)


def _methods(matrix: Matrix) -> Drawing:
    series = tuple(domain for domain, _ in matrix.columns)
    rows = [(row.name, [_mark(cell) for cell in row.cells]) for row in matrix.rows]
    title = "Success by method"
    described = f"Mean success over models and splits, by method, in {', '.join(series)}."
    figure = plot(title, described, rows, series, Axis.of_rates("problems solved"))
    return Drawing("methods", title, series, figure)


def _cot(comparison: Comparison) -> Drawing:
    rows = []
    for one in comparison.cot:
        told = f"{one.mean:+.3f}" if one.error is None else f"{one.mean:+.3f} ± {one.error:.3f}"
        mark = Mark(one.mean, f"{one.mean:+.2f}", one.error or 0.0, f"{told} over {one.models} models")
        rows.append((f"{one.method}, {one.domain} {one.split}", [mark]))
    largest = max(abs(one.mean) + (one.error or 0.0) for one in comparison.cot)
    title = "What chain of thought adds"
    described = "Success with minus without chain of thought, mean over models, with its standard error."
    figure = plot(title, described, rows, ["difference"], Axis.of_differences("difference of success", largest))
    return Drawing("cot", title, ("difference",), figure)


def _ranking(ranking: Ranking, number: int) -> Drawing:
    rows = [(f"{rank.place}. {rank.model}", [_mark(rank.success)]) for rank in ranking.ranks]
    title = f"Models ranked by {' and '.join(ranking.methods)}"
    described = "Mean success over methods, domains and splits, from best to worst."
    figure = plot(title, described, rows, ["success"], Axis.of_rates("mean success"))
    return Drawing("ranking" if number == 1 else f"ranking-{number}", title, ("success",), figure)


def _compounding(curves: Sequence[Curve]) -> Drawing:
    best = sorted(curves, key=lambda curve: -sum(point.solved * point.problems for point in curve.points))[:CURVES]
    lines = []
    for curve in best:
        # One answer alone is where the other benchmarks stop: the curve begins with its accuracy.
        points: list[tuple[float, float, tuple[float, float] | None]] = []
        if curve.accuracy is not None:
            points.append((1.0, curve.accuracy, None))
        points += [(point.needed, point.solved, (point.interval.low, point.interval.high)) for point in curve.points]
        lines.append(Line(curve.arm.label, tuple(points)))
    title = "Solved against questions that had to be right"
    more = f" The {CURVES} best of {len(curves)} runs." if len(curves) > CURVES else ""
    described = (
        f"The share of problems solved, against how many questions a perfect model is asked. Bars: Wilson.{more}"
    )
    figure = line_plot(title, described, lines, "questions that had to be answered right", "solved")
    return Drawing("compounding", title, tuple(line.name for line in lines), figure)


def as_file(drawing: Drawing) -> str:
    """The plot as an SVG file that needs no page around it: with its title, its legend and its colours."""
    found = re.search(r'<svg viewBox="0 0 (\S+) (\S+)"([^>]*class="plot[^>]*)>(.*)</svg>', drawing.figure, re.DOTALL)
    if not found:
        raise ValueError(f"plot {drawing.name} has nothing in it")
    width, height, inner = float(found[1]), float(found[2]), found[4]
    legend = drawing.series if len(drawing.series) > 1 else ()
    above = 34 + 18 * len(legend)
    parts = [
        el("style", Html(_style())),
        el("text", drawing.title, x=8, y=-above + 18, font_size=15, font_weight=600),
    ]
    for number, name in enumerate(legend):
        top = -above + 34 + 18 * number
        lined = 'class="course' in drawing.figure
        shape = SHAPES[number % len(SHAPES)].format(x=13, y=top + 5) if lined else f"M8 {top}h10v10h-10z"
        parts.append(el("path", d=shape, class_=f"point c{number % len(SHAPES)}" if lined else f"s{number % SHADES}"))
        parts.append(el("text", name, x=24, y=top + 6, font_size=12))
    box = f'viewBox="0 {-above} {width:g} {height + above:g}" width="{width:g}" height="{height + above:g}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {box}{found[3]}>{"".join(parts)}{inner}</svg>\n'


def _style() -> str:
    """What the style sheets say of plots, on white."""
    ours, theirs = style_sheet(), asset("style.css")
    roots = [sheet[sheet.index(":root") : sheet.index("}") + 1] for sheet in (theirs, ours)]
    wanted = (".plot", ".s0", ".s2", ".single", ".point", ".c0", ".c3")
    rules = [line for sheet in (theirs, ours) for line in sheet.splitlines() if line.startswith(wanted)]
    return "\n".join([*roots, "svg { font-family: system-ui, sans-serif; background: #fff; }", *rules])


@cache
def style_sheet() -> str:
    """What the page of a comparison needs beside the report's style."""
    return (Path(__file__).parent / "style.css").read_text(encoding="utf-8")
