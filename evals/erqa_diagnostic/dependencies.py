"""A figure of what depends on what among the families of ERQA-Plus, with the scores of a run where there is one."""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from evals.erqa_diagnostic.taxonomy import ACTION, CONTEXT, COUNTS, DEPENDS, FAMILIES, NAVIGATION, PERCEPTUAL, SOCIAL
from evals.pages.markup import Html, el

PLACES: Mapping[str, tuple[int, int]] = {
    PERCEPTUAL: (20, 330),
    CONTEXT: (460, 330),
    SOCIAL: (20, 170),
    NAVIGATION: (460, 170),
    ACTION: (240, 10),
}
"""Left and top of each family's box. A family is above those that it depends on."""
WIDTH, HEIGHT, SIZE = 700, 440, (220, 92)
_LINE = 15


def figure(scores: Mapping[str, float] | None = None) -> Html:
    """Families as boxes with their sub-types, and an arrow from each to what depends on it."""
    head = el(
        "defs",
        el(
            "marker", el("path", d="M0 0L8 4L0 8z", fill="#555"), id="tip", markerWidth=8, markerHeight=8, refX=7,
            refY=4, orient="auto",
        ),
    )  # fmt: skip
    arrows = [_arrow(other, family) for family, others in DEPENDS.items() for other in others]
    boxes = [_box(family, scores or {}) for family in FAMILIES]
    title = "What depends on what among the families of ERQA-Plus"
    return el(
        "svg", el("title", title), head, *arrows, *boxes, xmlns="http://www.w3.org/2000/svg", role="img",
        viewBox=f"0 0 {WIDTH} {HEIGHT}", font_family="sans-serif", font_size=12,
    )  # fmt: skip


def _arrow(start: str, end: str) -> Html:
    (x0, y0), (x1, y1) = PLACES[start], PLACES[end]
    half = SIZE[0] / 2
    tilt = half + (half - 30 if x1 > x0 else 30 - half if x1 < x0 else 0) * 0.6
    return el(
        "path", d=f"M{x0 + half:g} {y0}L{x1 + SIZE[0] - tilt:g} {y1 + SIZE[1] + 2:g}", stroke="#555", stroke_width=1.5,
        fill="none", marker_end="url(#tip)",
    )  # fmt: skip


def _box(family: str, scores: Mapping[str, float]) -> Html:
    x, y = PLACES[family]
    lines = [
        el("tspan", f"{name} ({COUNTS[name]}){_shown(scores, name)}", x=x + 10, dy=_LINE) for name in FAMILIES[family]
    ]
    title = el("tspan", f"{family}{_shown(scores, family)}", x=x + 10, dy=18, font_weight="bold", font_size=11)
    frame = el("rect", x=x, y=y, width=SIZE[0], height=SIZE[1], rx=6, fill="#f4f6fa", stroke="#8a94a6")
    return el("g", frame, el("text", title, *lines, x=x + 10, y=y))


def _shown(scores: Mapping[str, float], name: str) -> str:
    return f": {scores[name]:.0%}" if name in scores else ""


def scores_of(run: Path) -> dict[str, float]:
    """The success of a run by family and by sub-type."""
    from evals.run.directory import RunDirectory

    values: defaultdict[str, list[float]] = defaultdict(list)
    for result in RunDirectory.open(run).results():
        if result.scored:
            for tag in ("category", "sub_category"):
                values[result.tags.get(tag, "")].append(float(result.success))
    return {name: sum(some) / len(some) for name, some in values.items() if name}


def main(words: Sequence[str]) -> int:
    """Write the figure as an SVG file."""
    parser = argparse.ArgumentParser(
        prog="python -m evals.erqa_diagnostic dependencies",
        description="Draw what depends on what among the families, with the scores of a run where one is given.",
    )
    parser.add_argument("run", nargs="?", type=Path, metavar="RUN", help="a run of erqa_diagnostic")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="the SVG file to write")
    chosen = parser.parse_args(words)
    from evals.pages.markup import write_atomically
    from evals.run.prepare import BadInput, as_bad_input

    try:
        with as_bad_input():
            write_atomically(chosen.out, f"{figure(scores_of(chosen.run) if chosen.run else None)}\n")
    except BadInput as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(f"drawn on {chosen.out}")
    return 0
