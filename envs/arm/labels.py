"""Motions in words: which dimensions are named, and the labels and vectors in questions and options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from envs.arm.states import Motion

DIMENSIONS = ("x", "y", "z", "roll", "pitch", "yaw", "opening")
"""The dimensions of states and motions, in order."""

SELECTION: Mapping[str, Motion] = {
    "bridge": Motion(0.1, 0.1, 0.1, 18.0, 18.0, 18.0, 0.2),
    "droid": Motion(0.18, 0.18, 0.18, 18.0, 18.0, 18.0, 0.2),
    "rt1": Motion(0.1, 0.1, 0.1, 18.0, 18.0, 18.0, 0.2),
}
"""The change from which a dimension counts in the selection of a pair of frames."""
SELECTED = 2
"""The number of dimensions that must change by their threshold."""
NAMED = 0.5
"""The share of the selection threshold from which a dimension is named."""
UNCLEAR = 0.35
"""From this share of the threshold up to `NAMED` it is unclear whether a person would name the dimension."""

POSITIVE = (
    "Move along positive X direction",
    "Move along positive Y direction",
    "Move along positive Z direction",
    "Tilt clockwise around X-axis",
    "Tilt downward around Y-axis",
    "Rotate counterclockwise around Z-axis",
    "Open gripper",
)
"""The label of each dimension where it grows."""
NEGATIVE = (
    "Move along negative X direction",
    "Move along negative Y direction",
    "Move along negative Z direction",
    "Tilt counterclockwise around X-axis",
    "Tilt upward around Y-axis",
    "Rotate clockwise around Z-axis",
    "Close gripper",
)
"""The label of each dimension where it shrinks."""


def in_thresholds(motion: Motion, source: str) -> Motion:
    """Each dimension of a motion in units of its selection threshold."""
    return Motion(*(value / unit for value, unit in zip(motion, SELECTION[source], strict=True)))


def selected(motion: Motion, source: str) -> bool:
    """Whether enough dimensions change enough for a question about the motion."""
    return sum(abs(share) >= 1.0 for share in in_thresholds(motion, source)) >= SELECTED


def named(motion: Motion, source: str) -> tuple[int, ...]:
    """The numbers of the dimensions that a label of the motion names."""
    shares = in_thresholds(motion, source)
    return tuple(number for number, share in enumerate(shares) if abs(share) >= NAMED)


def unclear(motion: Motion, source: str) -> bool:
    """Whether it is unclear for any dimension if it should be named."""
    return any(UNCLEAR <= abs(share) < NAMED for share in in_thresholds(motion, source))


def mid_label(motion: Motion, dimensions: Sequence[int], *, amounts: bool = False) -> str:
    """The motion as labels of these dimensions, with amounts where wanted."""
    return ", ".join(_label(number, motion[number], amounts) for number in dimensions)


def _label(number: int, value: float, amounts: bool) -> str:
    label = (POSITIVE if value > 0.0 else NEGATIVE)[number]
    if not amounts:
        return label
    if number < 3:
        return f"{label} by {_short(100.0 * value)} cm"
    if number < 6:
        return f"{label} by {_short(value)} degrees"
    return f"{label} by {_short(value)}"


def _short(value: float) -> str:
    return f"{round(abs(value), 2):g}"


def low_label(motion: Motion, decimals: int) -> str:
    """The motion as a list of seven numbers: metres, degrees, opening."""
    # Adding 0.0 makes -0.0 a plain zero.
    return "[" + ", ".join(f"{round(value, decimals) + 0.0:.{decimals}f}" for value in motion) + "]"
