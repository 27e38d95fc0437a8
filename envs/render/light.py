"""How bright a surface is: lamps with soft shadows, and light from everywhere that corners get less of."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from envs.render.arrays import Bools, Floats, dot, linear, unit
from envs.render.samples import Samples
from envs.render.scene import Light, Scene, Sky
from envs.render.trace import Geometry

SPOTS = 16
"""Points on a lamp that shadow rays aim at."""
DARK = np.uint16(0xFFFF)
"""All spots of a lamp hidden: one bit each."""
FEELERS = 16
"""Rays that feel how open the surroundings of a point are."""

_CLEARANCE = 2e-4
_SHARPNESS = 6
"""Highlights fall off as the cosine to the power of two to this."""
_CREASE = 0.9
"""How much of the light from everywhere a fully enclosed point loses."""


def _spiral(count: int) -> list[tuple[float, float]]:
    """Points evenly over the unit disc. The first four surround it, so that they can speak for the others."""
    angles = np.arange(count) * 2.399963229728653
    radii = np.sqrt((np.arange(count) + 0.5) / count)
    points = [(round(float(x), 6), round(float(y), 6)) for x, y in zip(radii * np.cos(angles), radii * np.sin(angles))]
    ring = [min(points, key=lambda p: (p[0] - x) ** 2 + (p[1] - y) ** 2) for x, y in ((1, 0), (0, 1), (-1, 0), (0, -1))]
    return ring + [point for point in points if point not in ring]


_DISC = _spiral(SPOTS)
_DOME = [(x, y, round(float(np.sqrt(max(0.0, 1.0 - x * x - y * y))), 6)) for x, y in _spiral(FEELERS)]
_ONES = np.array([bin(bits).count("1") for bits in range(256)], dtype=np.float64)


def spots(light: Light) -> Floats:
    """The points of a lamp that shadow rays aim at, on a disc that faces the middle of the scene."""
    centre = np.array(light.position)[:, None]
    side, up = _frame(unit(-centre))
    return np.concatenate([centre + light.radius * (x * side + y * up) for x, y in _DISC], axis=1)


def shadows(light: Light, samples: Samples, geometries: Sequence[Geometry]) -> NDArray[np.uint16]:
    """Which spots of the lamp each sample cannot see. Where the first four agree, the others are taken to."""
    hidden = np.full(len(samples), DARK)
    centre = np.array(light.position)[:, None]
    facing = np.flatnonzero(dot(samples.normal, centre - samples.point) > 0.0)
    start = samples.point[:, facing] + samples.normal[:, facing] * _CLEARANCE
    aims = spots(light)
    bits = _hidden(start, aims[:, :4], geometries)
    split = (bits != 0) & (bits != 15)
    rest = _hidden(start[:, split], aims[:, 4:], geometries)
    bits[bits == 15] = DARK
    bits[split] |= rest << np.uint16(4)
    hidden[facing] = bits
    return hidden


def _hidden(start: Floats, aims: Floats, geometries: Sequence[Geometry]) -> NDArray[np.uint16]:
    bits = np.zeros(start.shape[1], dtype=np.uint16)
    for number in range(aims.shape[1]):
        blocked = np.zeros(start.shape[1], dtype=np.bool_)
        for geometry in geometries:
            open_ = np.flatnonzero(~blocked)
            blocked[open_] = geometry.blocked(start[:, open_], aims[:, number : number + 1] - start[:, open_])
        bits |= blocked.astype(np.uint16) << np.uint16(number)
    return bits


def lit(bits: NDArray[np.uint16]) -> Floats:
    """The part of a lamp that is seen."""
    share: Floats = 1.0 - (_ONES[bits & np.uint16(255)] + _ONES[bits >> np.uint16(8)]) * (1.0 / SPOTS)
    return share


def feel(samples: Samples, geometry: Geometry, reach: float) -> Floats:
    """How far each feeler gets (rows), as a part of its reach."""
    side, up = _frame(samples.normal)
    start = samples.point + samples.normal * _CLEARANCE
    rows = []
    for x, y, z in _DOME:
        _, distance = geometry.first(start, (side * x + up * y + samples.normal * z) * reach)
        rows.append(np.minimum(distance, 1.0))
    return np.stack(rows)


def openness(felt: Floats) -> Floats:
    """From feelers to the part of the light from everywhere that arrives."""
    closed = np.zeros(felt.shape[1])
    for row in felt:
        closed += (1.0 - row) * (1.0 - row)
    share: Floats = 1.0 - closed * (_CREASE / FEELERS)
    return share


def shade(scene: Scene, eye: Floats, samples: Samples, seen: Sequence[Floats], open_: Floats) -> Floats:
    """Linear light from each sample to the eye; `seen` is the part of each lamp that it sees."""
    glow = _ambient(scene.sky, samples.normal) * open_
    shine = np.zeros_like(glow)
    view = unit(eye - samples.point)
    for light, share in zip(scene.lights, seen, strict=True):
        towards = unit(np.array(light.position)[:, None] - samples.point)
        colour = np.array([[linear(channel)] for channel in light.colour]) * light.strength
        glow += colour * (np.maximum(dot(towards, samples.normal), 0.0) * share)
        spark = np.maximum(dot(unit(towards + view), samples.normal), 0.0)
        for _ in range(_SHARPNESS):
            spark = spark * spark
        shine += colour * (spark * samples.gloss * share)
    light_out: Floats = samples.albedo * glow + shine
    return light_out


def _ambient(sky: Sky, normal: Floats) -> Floats:
    above, below = (np.array([[linear(channel)] for channel in colour]) for colour in (sky.above, sky.below))
    glow: Floats = below + (above - below) * (0.5 + 0.5 * normal[2])
    return glow


def _frame(normal: Floats) -> tuple[Floats, Floats]:
    """Two directions at right angles to each normal and to each other, without a branch that could flicker."""
    x, y, z = normal
    sign = np.where(z >= 0.0, 1.0, -1.0)
    a = -1.0 / (sign + z)
    b = x * y * a
    return np.stack([1.0 + sign * x * x * a, sign * b, -sign * x]), np.stack([b, sign + y * y * a, -y])


def near_shadow(light: Light, point: Floats, centre: Floats, radius: float, slack: float) -> Bools:
    """Whether a ball could come between points and the lamp, or nearly."""
    aim = np.array(light.position)[:, None] - point
    away = np.sqrt(dot(aim, aim))
    aim = aim / away
    offset = centre - point
    along = dot(offset, aim)
    aside = np.sqrt(np.maximum(dot(offset, offset) - along * along, 0.0))
    spread = light.radius * np.maximum(along, 0.0) / away
    return (along > -radius - slack) & (aside < radius + slack + spread)
