"""The gates that frames, pairs of frames and sets of options must pass to be used: functions of pixels alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from envs.render.arrays import Bools, Bytes, Floats

SHARP_SHARE = 1.0 / 3.0
"""A sharp frame has at least this share of the median sharpness of its scene."""
DARKEST, BRIGHTEST = 40.0, 215.0
"""The allowed mean brightness of a frame, from 0 to 255."""
CLIPPED = 0.25
"""The largest share of pixels that may be all black or all white."""
FLICKER = 20.0
"""The largest difference in mean brightness within a pair."""
LEAST_GRIPPER = {256: 150, 180: 120}
"""The fewest visible pixels of the gripper, by the height of the picture."""
FREE_SHARE = 0.30
"""The smallest visible share of the gripper's free silhouette."""
DIFFERENT = 80
"""The fewest pixels in which any two options must differ."""
PENETRATION = 0.002
"""The least height of a gripper's points over the table, in metres."""


def grey(rgb: Bytes) -> Floats:
    """The brightness of each pixel, from 0 to 255."""
    red, green, blue = (rgb[..., channel].astype(np.float64) for channel in range(3))
    made: Floats = 0.299 * red + 0.587 * green + 0.114 * blue
    return made


def sharpness(rgb: Bytes) -> float:
    """The variance of the Laplacian: high where edges are crisp."""
    g = grey(rgb)
    laplacian = g[:-2, 1:-1] + g[2:, 1:-1] + g[1:-1, :-2] + g[1:-1, 2:] - 4.0 * g[1:-1, 1:-1]
    return float(laplacian.var())


def blurred(value: float, others: Sequence[float]) -> bool:
    """Whether a frame is less sharp than the required share of the median of its scene."""
    return value < SHARP_SHARE * float(np.median(others))


def badly_lit(rgb: Bytes) -> bool:
    """Whether a frame is too dark, too bright, or clipped."""
    g = grey(rgb)
    clipped = ((g <= 2.0) | (g >= 253.0)).mean()
    return not DARKEST <= float(g.mean()) <= BRIGHTEST or float(clipped) >= CLIPPED


def light_changes(first: Bytes, second: Bytes) -> bool:
    """Whether the light of two frames differs."""
    return abs(float(grey(first).mean()) - float(grey(second).mean())) >= FLICKER


def gripper_hidden(visible: int, free: int, height: int) -> bool:
    """Whether too little of the gripper shows. `free` are its pixels if nothing were in front of it."""
    least = LEAST_GRIPPER[min(LEAST_GRIPPER, key=lambda known: abs(known - height))]
    return visible < least or visible < FREE_SHARE * free


def alike(pictures: Iterable[Bools | NDArray[np.int16]], least: int = DIFFERENT) -> bool:
    """Whether any two of some masks or segmentations differ in too few pixels."""
    return any(int((a != b).sum()) < least for a, b in combinations(pictures, 2))
