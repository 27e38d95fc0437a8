"""Line plots as inline SVG. Colours come from the page's style sheet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evals.pages.markup import NOTHING, Html, el, joined
from evals.pages.plots import WIDTH, fmt

HEIGHT = 330
LEFT, RIGHT, TOP, BOTTOM = 56, 16, 12, 50
SHAPES = (
    "M{x} {y}m-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0",
    "M{x} {y}m-4 -4h8v8h-8z",
    "M{x} {y}m0 -5.5l5 9h-10z",
    "M{x} {y}m0 -5.5l5.5 5.5l-5.5 5.5l-5.5 -5.5z",
    "M{x} {y}m0 5.5l5 -9h-10z",
    "M{x} {y}m-5 -1.5h3.5v-3.5h3v3.5h3.5v3h-3.5v3.5h-3v-3.5h-3.5z",
)
"""Lines also differ in the shape of their markers, for readers who cannot distinguish the colours."""
Place = Callable[[float, float], tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Line:
    """A named line through points (x, y, interval of y or None); y is between 0 and 1."""

    name: str
    points: tuple[tuple[float, float, tuple[float, float] | None], ...]


def line_plot(title: str, description: str, lines: Sequence[Line], x_title: str, y_title: str) -> Html:
    """Several lines over a common axis."""
    largest = max((x for line in lines for x, _, _ in line.points), default=0.0)
    if not largest:
        return NOTHING
    step = next(step for step in (5, 10, 20, 25, 50, 100, 250, 500, 1000, 10_000) if largest <= 10 * step)
    top = step * -int(-largest // step)
    x_scale, y_scale = (WIDTH - LEFT - RIGHT) / top, HEIGHT - TOP - BOTTOM

    def place(x: float, y: float) -> tuple[str, str]:
        return fmt(LEFT + x * x_scale), fmt(TOP + (1 - y) * y_scale)

    svg = el(
        "svg",
        el("title", title),
        el("desc", description),
        _grid(range(0, top + 1, step), place, x_title, y_title),
        *(_drawn(line, number, place) for number, line in enumerate(lines)),
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        role="img",
        class_="plot",
    )
    keys = (el("span", key(number), line.name) for number, line in enumerate(lines))
    return el("figure", el("figcaption", title), el("p", *keys, class_="legend"), svg)


def key(number: int) -> Html:
    """The marker of a line, as shown in a legend."""
    shape = SHAPES[number % len(SHAPES)].format(x=7, y=7)
    return el("svg", el("path", d=shape, class_=f"point c{number % len(SHAPES)}"), viewBox="0 0 14 14", class_="key")


def _grid(ticks: Sequence[int], place: Place, x_title: str, y_title: str) -> Html:
    parts = []
    left, bottom = place(0, 0)
    right, top = place(ticks[-1], 1)
    for tick in ticks:
        x, _ = place(tick, 0)
        parts.append(el("line", x1=x, x2=x, y1=top, y2=bottom, class_="grid"))
        parts.append(el("text", str(tick), x=x, y=fmt(float(bottom) + 15), class_="tick"))
    for tenth in range(0, 11, 2):
        _, y = place(0, tenth / 10)
        parts.append(el("line", x1=left, x2=right, y1=y, y2=y, class_="grid" if tenth else "base"))
        parts.append(el("text", f"{tenth / 10:.1f}", x=fmt(float(left) - 18), y=y, class_="tick"))
    middle, half = place(ticks[-1] / 2, 0.5)
    parts.append(el("text", x_title, x=middle, y=fmt(float(bottom) + 36), class_="axis"))
    rotation = f"rotate(-90 12 {half})"
    return joined(*parts, el("text", y_title, x=12, y=half, transform=rotation, class_="axis"))


def _drawn(line: Line, number: int, place: Place) -> Html:
    colour = f"c{number % len(SHAPES)}"
    whiskers, points = [], []
    for x, y, interval in line.points:
        px, py = place(x, y)
        if interval:
            low, high = place(x, interval[0])[1], place(x, interval[1])[1]
            whiskers.append(el("path", d=f"M{px} {low}V{high}", class_=f"span {colour}"))
        hint = el("title", f"{line.name}: {y:.2f} at {x:.0f}")
        shape = SHAPES[number % len(SHAPES)].format(x=px, y=py)
        points.append(el("path", hint, d=shape, class_=f"point {colour}"))
    course = "M" + "L".join(" ".join(place(x, y)) for x, y, _ in line.points)
    return joined(*whiskers, el("path", d=course, class_=f"course {colour}"), *points)
