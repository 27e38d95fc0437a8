"""Draws antialiased lines and arrows into a picture, deterministically."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from envs.render.arrays import Bytes, Floats

LINE = 1.5
"""Half the width of a line."""
HEAD = (15.0, 7.0)
"""Length of an arrow's head, and half its width."""
Ends: TypeAlias = tuple[float, float, float, float]
"""Column and row of one end, then of the other."""
Window: TypeAlias = tuple[int, int, int, int]
"""Rows and columns of a part of the picture: top, bottom, left, right; bottom and right are exclusive."""


def sides(left: int, top: int, right: int, bottom: int) -> list[tuple[int, int, int, int]]:
    """The four sides of a box."""
    return [
        (left, top, right, top),
        (left, bottom, right, bottom),
        (left, top, left, bottom),
        (right, top, right, bottom),
    ]


def line(rgb: Bytes, ends: Ends, half: float, colour: Bytes) -> None:
    """Draw an antialiased line with round ends."""
    window = _window(rgb, ends, half + 1.0)
    x, y = grid(window)
    _ink(rgb, window, np.clip(half + 0.5 - distance(x, y, ends), 0.0, 1.0), colour)


def distance(x: Floats, y: Floats, ends: Ends) -> Floats:
    """The distance of pixels from a line between two points."""
    x0, y0, x1, y1 = ends
    across, down = x1 - x0, y1 - y0
    length = across * across + down * down
    share = np.clip(((x - x0) * across + (y - y0) * down) / (length or 1.0), 0.0, 1.0)
    dx, dy = x - (x0 + share * across), y - (y0 + share * down)
    found: Floats = np.sqrt(dx * dx + dy * dy)
    return found


def arrow(rgb: Bytes, ends: Ends, halo: float, colour: Bytes) -> None:
    """Draw an arrow; `halo` widens it on each side."""
    x0, y0, x1, y1 = ends
    length = float(np.sqrt(float((x1 - x0) ** 2 + (y1 - y0) ** 2))) or 1.0
    ux, uy = (x1 - x0) / length, (y1 - y0) / length
    head = min(HEAD[0], 0.6 * length)
    neck = (x1 - ux * head, y1 - uy * head)
    line(rgb, (x0, y0, *neck), LINE + halo, colour)
    window = _window(rgb, (x0, y0, x1, y1), HEAD[1] + halo + 2.0)
    x, y = grid(window)
    # Distances behind the tip and beside the axis: the head is a triangle in these coordinates.
    back = (x1 - x) * ux + (y1 - y) * uy
    aside = np.abs((x - x1) * uy - (y - y1) * ux)
    slope = HEAD[1] / HEAD[0]
    lean = float(np.sqrt(1.0 + slope * slope))
    inner = np.minimum((back * slope - aside) / lean, head - back)
    _ink(rgb, window, np.clip(inner + halo + 0.5, 0.0, 1.0), colour)


def _window(rgb: Bytes, ends: Ends, margin: float) -> Window:
    x0, y0, x1, y1 = ends
    height, width, _ = rgb.shape
    top, bottom = (min(max(int(value), 0), height) for value in (min(y0, y1) - margin, max(y0, y1) + margin + 2.0))
    left, right = (min(max(int(value), 0), width) for value in (min(x0, x1) - margin, max(x0, x1) + margin + 2.0))
    return top, bottom, left, right


def grid(window: Window) -> tuple[Floats, Floats]:
    """The columns and rows of a window, for broadcasting."""
    top, bottom, left, right = window
    return np.arange(left, right, dtype=np.float64)[None, :], np.arange(top, bottom, dtype=np.float64)[:, None]


def _ink(rgb: Bytes, window: Window, share: Floats, colour: Bytes) -> None:
    top, bottom, left, right = window
    part = rgb[top:bottom, left:right].astype(np.int32)
    alpha = np.floor(share * 256.0).astype(np.int32)[:, :, None]
    rgb[top:bottom, left:right] = (part * (256 - alpha) + colour.astype(np.int32) * alpha) >> 8
