"""Bar plots as inline SVG. Colours and type come from the page's style sheet, so they follow light and dark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evals.report.markup import NOTHING, Html, el, joined

WIDTH = 640
CHARACTER = 7.0
"""The width of a letter at the plots' size of type, near enough to leave room for labels."""
RIGHT = 56
TOP, BOTTOM = 8, 40
GAP = 12


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: its length, its error if it has one, what stands at its end, and what it says when pointed at."""

    value: float | None
    label: str
    error: float = 0.0
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Axis:
    """The axis of lengths."""

    title: str
    top: float
    ticks: tuple[tuple[float, str], ...]

    @classmethod
    def of_rates(cls, title: str) -> Axis:
        """From 0 to 1."""
        return cls(title, 1.0, tuple((tenths / 10, f"{tenths / 10:.1f}") for tenths in range(0, 11, 2)))

    @classmethod
    def of_shares(cls, title: str, largest: float) -> Axis:
        """From 0 to a round percentage that is not below the largest share."""
        step = next(step for step in (0.05, 0.1, 0.2, 0.25) if largest <= 4 * step or step == 0.25)
        count = max(1, -int(-largest // step))
        return cls(title, count * step, tuple((place * step, f"{place * step:.0%}") for place in range(count + 1)))


def bar_plot(
    title: str, description: str, rows: Sequence[tuple[str, Sequence[Bar]]], series: Sequence[str], axis: Axis
) -> Html:
    """A row for each name, in it a bar for each series; errors as whiskers."""
    if not rows:
        return NOTHING
    left = 12 + CHARACTER * max(len(name) for name, _ in rows)
    thick = 20 if len(series) == 1 else 11
    pitch = thick * len(series) + GAP
    bottom = TOP + pitch * len(rows)
    scale = (WIDTH - left - RIGHT) / axis.top
    parts = [_grid(axis, left, scale, bottom)]
    for place, (name, bars) in enumerate(rows):
        top = TOP + place * pitch + GAP / 2
        middle = top + thick * len(series) / 2
        parts.append(el("text", name, x=_n(left - 8), y=_n(middle), class_="name"))
        parts += [_bar(bar, left, top + number * thick, thick, scale, number) for number, bar in enumerate(bars)]
    height = bottom + BOTTOM
    drawing = el(
        "svg",
        el("title", title),
        el("desc", description),
        *parts,
        viewBox=f"0 0 {WIDTH} {height}",
        role="img",
        class_=f"plot of-{min(len(series), 4)}",
    )
    return el("figure", el("figcaption", title, _legend(series)), drawing)


def _grid(axis: Axis, left: float, scale: float, bottom: float) -> Html:
    lines = []
    for value, label in axis.ticks:
        x = _n(left + value * scale)
        lines.append(el("line", x1=x, x2=x, y1=TOP, y2=_n(bottom), class_="base" if value == 0 else "grid"))
        lines.append(el("text", label, x=x, y=_n(bottom + 15), class_="tick"))
    middle = _n(left + axis.top * scale / 2)
    return joined(*lines, el("text", axis.title, x=middle, y=_n(bottom + 34), class_="axis"))


def _bar(bar: Bar, left: float, top: float, thick: int, scale: float, series: int) -> Html:
    middle = _n(top + thick / 2)
    if bar.value is None:
        return el("text", bar.label, x=_n(left + 5), y=middle, class_="value none")
    end = left + bar.value * scale
    low = max(left, end - bar.error * scale)
    high = end + bar.error * scale
    hint = el("title", bar.hint) if bar.hint else None
    body = el("rect", hint, x=_n(left), y=_n(top + 1), width=_n(end - left), height=thick - 2, class_=f"bar s{series}")
    whisker = None
    if bar.error:
        cap = min(4, thick / 3)
        up, down = _n(top + thick / 2 - cap), _n(top + thick / 2 + cap)
        path = f"M{_n(low)} {middle}H{_n(high)}M{_n(low)} {up}V{down}M{_n(high)} {up}V{down}"
        whisker = el("path", d=path, class_="whisker")
    return joined(body, whisker, el("text", bar.label, x=_n(max(end, high) + 6), y=middle, class_="value"))


def _legend(series: Sequence[str]) -> Html:
    if len(series) == 1:
        return NOTHING
    keys = (el("span", el("i", class_=f"s{number}"), name) for number, name in enumerate(series))
    return el("span", *keys, class_=f"legend of-{min(len(series), 4)}")


def _n(value: float) -> str:
    """A coordinate without needless digits."""
    return f"{value:.1f}".removesuffix(".0")
