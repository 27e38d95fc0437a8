"""Plots as inline SVG: bars, or dots where the axis does not begin at zero and a bar's length would mislead.

Colours and fonts come from the page's style sheet, so plots follow its light and dark themes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from evals.pages.markup import NOTHING, Html, el, joined

WIDTH = 640
CHARACTER = 7.8
"""The approximate width of a character at the plots' font size, to leave room for labels."""
RIGHT = 56
TOP, BOTTOM = 8, 46
GAP = 12
SHADES = 4


@dataclass(frozen=True, slots=True)
class Mark:
    """One bar or dot: its value, its error if it has one, the label at its end and the tooltip (`hint`).

    `interval` is for asymmetric errors.
    """

    value: float | None
    label: str
    error: float = 0.0
    hint: str = ""
    interval: tuple[float, float] | None = None

    @property
    def whisker(self) -> tuple[float, float]:
        """The low and the high end of the whisker."""
        value = self.value or 0.0
        return self.interval or (value - self.error, value + self.error)


@dataclass(frozen=True, slots=True)
class Axis:
    """The value axis. `base` is where the solid base line is drawn: by default at the low end."""

    title: str
    top: float
    ticks: tuple[tuple[float, str], ...]
    low: float = 0.0
    base: float | None = None

    @classmethod
    def of_rates(cls, title: str, smallest: float = 0.0) -> Axis:
        """From 0 to 1; it begins just below the smallest rate if all rates are high."""
        first = min(8, max(0, math.floor(smallest * 10)))
        first -= first % 2 if first < 5 else 0  # so that ticks 0.2 apart end at 1
        step = 5 if first == 8 else 10 if first >= 5 else 20
        ticks = range(first * 10, 101, step)
        return cls(
            title, 1.0, tuple((tick / 100, f"{tick / 100:.{2 if step == 5 else 1}f}") for tick in ticks), first / 10
        )

    @classmethod
    def of_shares(cls, title: str, largest: float) -> Axis:
        """From 0 to a round percentage at or above the largest share."""
        step = next(step for step in (0.05, 0.1, 0.2, 0.25) if largest <= 4 * step or step == 0.25)
        count = max(1, -int(-largest // step))
        return cls(title, count * step, tuple((place * step, f"{place * step:.0%}") for place in range(count + 1)))

    @classmethod
    def of_differences(cls, title: str, largest: float) -> Axis:
        """Symmetric around zero, wide enough for the largest difference."""
        step = next(step for step in (0.05, 0.1, 0.25, 0.5) if largest <= 4 * step or step == 0.5)
        count = max(1, -int(-largest // step))
        ticks = tuple((place * step, f"{place * step:+.2g}" if place else "0") for place in range(-count, count + 1))
        return cls(title, count * step, ticks, -count * step, 0.0)


def plot(
    title: str,
    description: str,
    rows: Sequence[tuple[str, Sequence[Mark]]],
    series: Sequence[str],
    axis: Axis,
    links: Mapping[str, str] | None = None,
) -> Html:
    """A row for each name with a mark for each series; errors are whiskers. `links` maps names to addresses."""
    if not rows:
        return NOTHING
    left = 20 + CHARACTER * max(len(name) for name, _ in rows)
    thick = 20 if len(series) == 1 else 14
    pitch = thick * len(series) + GAP
    bottom = TOP + pitch * len(rows)
    scale = (WIDTH - left - RIGHT) / (axis.top - axis.low)
    parts = [_grid(axis, left, scale, bottom)]
    for place, (name, marks) in enumerate(rows):
        top = TOP + place * pitch + GAP / 2
        label = el("text", name, x=fmt(left - 8), y=fmt(top + thick * len(series) / 2), class_="name")
        link = (links or {}).get(name)
        parts.append(el("a", label, href=link) if link else label)
        for number, mark in enumerate(marks):
            draw = _dot if axis.low else _bar
            parts.append(_mark(mark, axis, left, top + number * thick, thick, scale, draw, f"s{number % SHADES}"))
    drawing = el(
        "svg",
        el("title", title),
        el("desc", description),
        *parts,
        viewBox=f"0 0 {WIDTH} {bottom + BOTTOM}",
        role="img",
        class_="plot single" if len(series) == 1 else "plot",
    )
    return el("figure", el("figcaption", title, _legend(series)), drawing)


def _grid(axis: Axis, left: float, scale: float, bottom: float) -> Html:
    lines = []
    base = axis.low if axis.base is None else axis.base
    for value, label in axis.ticks:
        x = fmt(left + (value - axis.low) * scale)
        lines.append(el("line", x1=x, x2=x, y1=TOP, y2=fmt(bottom), class_="base" if value == base else "grid"))
        lines.append(el("text", label, x=x, y=fmt(bottom + 15), class_="tick"))
    middle = fmt(left + (axis.top - axis.low) * scale / 2)
    return joined(*lines, el("text", axis.title, x=middle, y=fmt(bottom + 35), class_="axis"))


Draw = Callable[[float, float, float, int, str, Html | None], Html]


def _mark(mark: Mark, axis: Axis, left: float, top: float, thick: int, scale: float, draw: Draw, class_: str) -> Html:
    middle = fmt(top + thick / 2)
    if mark.value is None:
        return el("text", mark.label, x=fmt(left + 5), y=middle, class_="value none")
    end = left + (mark.value - axis.low) * scale
    low, high = (left + (bound - axis.low) * scale for bound in mark.whisker)
    low = max(left, low)
    hint = el("title", mark.hint) if mark.hint else None
    whisker = None
    if mark.error or mark.interval:
        cap = min(4, thick / 3)
        up, down = fmt(top + thick / 2 - cap), fmt(top + thick / 2 + cap)
        path = f"M{fmt(low)} {middle}H{fmt(high)}M{fmt(low)} {up}V{down}M{fmt(high)} {up}V{down}"
        whisker = el("path", d=path, class_="whisker")
    label = el("text", mark.label, x=fmt(max(end, high) + 7), y=middle, class_="value")
    drawn = draw(left, end, top, thick, class_, hint)
    # A whisker is drawn over a bar, to be visible, but behind a dot, whose colour must be visible.
    return joined(whisker, drawn, label) if axis.low else joined(drawn, whisker, label)


def _bar(left: float, end: float, top: float, thick: int, class_: str, hint: Html | None) -> Html:
    return el("rect", hint, x=fmt(left), y=fmt(top + 1), width=fmt(end - left), height=thick - 2, class_=class_)


def _dot(left: float, end: float, top: float, thick: int, class_: str, hint: Html | None) -> Html:
    return el("circle", hint, cx=fmt(end), cy=fmt(top + thick / 2), r=4.5, class_=class_)


def _legend(series: Sequence[str]) -> Html:
    if len(series) == 1:
        return NOTHING
    keys = (el("span", el("i", class_=f"s{number % SHADES}"), name) for number, name in enumerate(series))
    return el("span", *keys, class_="legend")


def fmt(value: float) -> str:
    """A coordinate rounded to one digit, without a trailing `.0`."""
    return f"{value:.1f}".removesuffix(".0")
