"""The shapes and colours of our arms: the parts of their links in the frames of the joints, and of their grippers."""

from __future__ import annotations

from typing import TypeAlias

from envs.household.home.model import Part
from envs.household.home.things.materials import paint
from envs.household.home.things.parts import ball, rod, slab, span
from envs.render.scene import Material, Vector

Links: TypeAlias = tuple[tuple[Part, ...], ...]
"""The parts that are fixed to the base, then those of each joint."""


def _material(red: float, green: float, blue: float, gloss: float = 0.25) -> Material:
    return paint((red, green, blue), gloss)


_BLACK, DARK, GREY = _material(0.10, 0.10, 0.11), _material(0.20, 0.21, 0.23), _material(0.42, 0.44, 0.47)
_SILVER, PALE = _material(0.72, 0.74, 0.77, 0.35), _material(0.90, 0.91, 0.92)
_TEAL = _material(0.10, 0.52, 0.56)
LEFT_TIP, RIGHT_TIP = _material(0.96, 0.48, 0.08), _material(0.10, 0.42, 0.95)
"""The tips of the two fingers have different colours, so that a picture shows how a gripper is turned."""
_O: Vector = (0.0, 0.0, 0.0)


def widowx_links() -> Links:
    """A black arm with grey joints."""
    turned = (0.0, 0.045, 0.0), (0.0, -0.045, 0.0)
    return (
        (
            slab(_BLACK, (-0.09, 0.07), span(0, 0.15), (0.0, 0.03), bevel=0.006),
            rod(DARK, 0.05, (0, 0, 0.03), (0, 0, 0.06)),
        ),
        (slab(_BLACK, span(0, 0.07), span(0, 0.075), (-0.012, 0.03), bevel=0.006),),
        (
            rod(GREY, 0.03, *turned),
            slab(_BLACK, span(0.0, 0.042), span(0, 0.052), (0.0, 0.25), bevel=0.006),
            slab(_BLACK, (-0.02, 0.05), span(0, 0.05), (0.222, 0.272), bevel=0.006),
        ),
        (
            rod(GREY, 0.028, (0, 0.042, 0), (0, -0.042, 0)),
            slab(_BLACK, (0.0, 0.17), span(0, 0.046), span(0, 0.04), bevel=0.006),
        ),
        (rod(DARK, 0.023, (0.0, 0, 0), (0.05, 0, 0)),),
        (
            rod(GREY, 0.026, (0, 0.038, 0), (0, -0.038, 0)),
            slab(_BLACK, (0.0, 0.045), span(0, 0.044), span(0, 0.038), bevel=0.005),
        ),
        (rod(DARK, 0.021, (-0.02, 0, 0), (0.02, 0, 0)),),
    )


WIDOWX_PALM = (
    slab(DARK, span(0, 0.046), span(0, 0.125), (0.035, 0.072), bevel=0.005),
    slab(_SILVER, (0.0232, 0.052), span(0, 0.05), (0.042, 0.068), bevel=0.003),
)
WIDOWX_FINGER = (
    slab(_SILVER, span(0, 0.020), (0.0, 0.011), (-0.018, 0.035), bevel=0.002),
    slab(LEFT_TIP, span(0, 0.0215), (-0.0006, 0.0118), (-0.0195, -0.004), bevel=0.002),
)


def panda_links(shell: Material, ring: Material) -> Links:
    """A shell of one colour with discs of another at the joints."""

    def drum(radius: float, centre: Vector, half: float) -> tuple[Part, ...]:
        x, y, z = centre
        return (
            rod(shell, radius, (x, y, z - half), (x, y, z + half)),
            rod(ring, radius * 0.72, (x, y, z - half - 0.008), (x, y, z + half + 0.008)),
        )

    return (
        (rod(shell, 0.085, _O, (0, 0, 0.135)), slab(shell, (-0.16, 0.0), span(0, 0.12), (0.0, 0.10), bevel=0.02)),
        (rod(shell, 0.062, (0, 0, -0.19), _O), ball(shell, 0.062, _O)),
        (*drum(0.066, _O, 0.075), rod(shell, 0.058, _O, (0, -0.19, 0))),
        (rod(shell, 0.058, (0, 0, -0.13), (0, 0, -0.01)), rod(shell, 0.052, (0, 0, -0.03), (0.0825, 0, 0))),
        (*drum(0.058, _O, 0.066), rod(shell, 0.05, _O, (-0.0825, 0.10, 0))),
        (rod(shell, 0.052, (0, 0, -0.29), (0, 0, -0.02)), ball(shell, 0.054, (0, 0, -0.28)), ball(shell, 0.055, _O)),
        (*drum(0.05, _O, 0.055), rod(shell, 0.045, _O, (0.088, 0, 0))),
        (rod(shell, 0.05, (0, 0, -0.05), (0, 0, 0.068)), rod(ring, 0.036, (0, 0, 0.068), (0, 0, 0.107))),
    )


def panda_palm(hand: Material) -> tuple[Part, ...]:
    """The hand of a Panda with the camera at its wrist."""
    return (
        slab(hand, span(0, 0.062), span(0, 0.205), (0.045, 0.104), bevel=0.012),
        slab(PALE, (0.0312, 0.062), span(0, 0.09), (0.068, 0.098), bevel=0.006),
    )


PANDA_FINGER = (
    slab(_BLACK, span(0, 0.022), (0.0, 0.020), (0.0, 0.045), bevel=0.003),
    slab(LEFT_TIP, span(0, 0.0235), (-0.0002, 0.0205), (-0.012, 0.016), bevel=0.002),
)


def wheeled_links() -> Links:
    """A Panda in other colours on a column with a round base."""
    base, *others = panda_links(_material(0.82, 0.83, 0.80), _TEAL)
    column = (
        slab(PALE, (-0.20, 0.10), span(0, 0.30), (-0.60, 0.0), bevel=0.04),
        rod(GREY, 0.30, (-0.05, 0, -0.86), (-0.05, 0, -0.62)),
        rod(_TEAL, 0.302, (-0.05, 0, -0.76), (-0.05, 0, -0.73)),
    )
    return ((*column, *base), *others)
