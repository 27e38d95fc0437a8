"""The figures of a comparison as plots, for the page and as SVG files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from evals.compare.exhibits import Drawing
from evals.compare.figures import Comparison
from evals.compare.matrices import Estimate, Matrix
from evals.pages.lines import SHAPES
from evals.pages.markup import Html, asset, el
from evals.pages.plots import SHADES, Axis, Mark, plot
from evals.pages.terminal import inert
from evals.pages.wording import rate, with_error, with_interval

__all__ = ["Drawing", "as_file", "drawings_of", "mark", "style_sheet"]


def drawings_of(comparison: Comparison) -> Iterator[Drawing]:
    """All plots that have figures."""
    yield from (_success(domain, matrix) for domain, matrix in comparison.success.items())
    if comparison.pairs:
        yield _differences(comparison)
    for exhibit in comparison.exhibits:
        if exhibit.shown:
            yield from exhibit.drawings


def _success(domain: str, matrix: Matrix) -> Drawing:
    """Every arm by split, or over all splits if there are more arms than colours."""
    places = [place for place, column in enumerate(matrix.columns) if column[1]]
    if len(places) > SHADES:
        places = [place for place, column in enumerate(matrix.columns) if not column[1]]
    series = tuple(matrix.columns[place][1] or "all splits" for place in places)
    rows = [(f"{row.name} · {row.model}", [mark(row.cells[place]) for place in places]) for row in matrix.rows]
    title = f"Success by split, {domain}" if len(series) > 1 else f"Success, {domain}"
    described = f"The share of problems solved in {domain}, by run and split, with its 95% interval."
    figure = plot(title, described, rows, series, Axis.of_rates("problems solved"))
    # The name of a domain comes from a run, and must not contain a path.
    name = re.sub(r"[^\w.-]", "_", f"success-{domain}")
    return Drawing(name, title, series, figure)


def mark(estimate: Estimate | None) -> Mark:
    """A rate as a bar, with its interval or its error."""
    if estimate is None:
        return Mark(None, "not played")
    if estimate.interval is not None:
        bounds = estimate.interval.low, estimate.interval.high
        return Mark(estimate.value, rate(estimate.value), hint=with_interval(estimate.value, bounds), interval=bounds)
    hint = with_error(estimate.value, estimate.sem)
    return Mark(estimate.value, rate(estimate.value), estimate.sem or 0.0, hint)


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


def as_file(drawing: Drawing) -> str:
    """The plot as a standalone SVG file with title, legend and colours."""
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
    return inert(f'<svg xmlns="http://www.w3.org/2000/svg" {box}{found[3]}>{"".join(parts)}{inner}</svg>\n')


def _style() -> str:
    """The styles of plots, on white."""
    ours, theirs = style_sheet(), asset("style.css")
    roots = [sheet[sheet.index(":root") : sheet.index("}") + 1] for sheet in (theirs, ours)]
    wanted = (".plot", ".s0", ".s2", ".single", ".point", ".c0", ".c3")
    rules = [line for sheet in (theirs, ours) for line in sheet.splitlines() if line.startswith(wanted)]
    return "\n".join([*roots, "svg { font-family: system-ui, sans-serif; background: #fff; }", *rules])


@cache
def style_sheet() -> str:
    """The additional styles of the page of a comparison."""
    return (Path(__file__).parent / "style.css").read_text(encoding="utf-8")
