"""The brightness of surfaces: lamps with soft shadows, and ambient light with occlusion in corners."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from envs.render.arrays import Bools, Floats, Numbers, Singles, columns, dot, linear, unit
from envs.render.samples import Index, Samples
from envs.render.scene import Colour, Light, Scene
from envs.render.trace import Geometry

Bits = NDArray[np.uint16]
"""The hidden sample points of a lamp, one bit each."""

SPOTS = 16
"""The number of sample points on a lamp, which shadow rays aim at."""
DARK = np.uint16(0xFFFF)
FEELERS = 16
"""The number of rays that measure how open the surroundings of a point are."""

_CLEARANCE = 2e-4
_SHARPNESS = 6
"""Highlights fall off as the cosine to the power of two to this number."""
_CREASE = 0.9
"""The share of ambient light that a fully enclosed point loses."""


@dataclass(frozen=True)
class Glow:
    """Light that surfaces send to the eye: ambient light, and the unshadowed light of each lamp."""

    ambient: Singles
    direct: tuple[Singles, ...]

    def __getitem__(self, which: Index | slice) -> Glow:
        return Glow(self.ambient[:, which], tuple(sent[:, which] for sent in self.direct))

    def put(self, which: Index | slice, other: Glow) -> None:
        """Overwrite some samples."""
        self.ambient[:, which] = other.ambient
        for mine, sent in zip(self.direct, other.direct, strict=True):
            mine[:, which] = sent

    def arriving(self, open_: Singles, shares: Sequence[Singles]) -> Singles:
        """The light that remains, given the openness of surfaces and the visible share of each lamp."""
        total: Singles = self.ambient * open_
        for sent, share in zip(self.direct, shares, strict=True):
            total += sent * share
        return total


def glow(scene: Scene, eye: Floats, samples: Samples) -> Glow:
    """The light that surfaces send without occlusion."""
    above, below = _linear(scene.sky.above), _linear(scene.sky.below)
    point, normal, colour, gloss = map(_single, (samples.point, samples.normal, samples.albedo, samples.gloss))
    ambient = colour * (below + (above - below) * (0.5 + 0.5 * normal[2]))
    ambient[:, samples.face < 0] = _linear(scene.sky.beyond)
    shining = np.flatnonzero(samples.glow > 0.0)
    ambient[:, shining] += colour[:, shining] * samples.glow[shining].astype(np.float32)
    direct = []
    glossy = np.flatnonzero(gloss > 0.0)
    view: Singles = unit(eye.astype(np.float32) - columns(point, glossy))
    for light in scene.lights:
        towards: Singles = unit(np.array(light.position, dtype=np.float32)[:, None] - point)
        tint = _linear(light.colour) * np.float32(light.strength)
        sent = colour * (np.maximum(dot(towards, normal), 0.0) * tint)
        half: Singles = unit(columns(towards, glossy) + view)
        spark: Singles = np.maximum(dot(half, columns(normal, glossy)), 0.0)
        for _ in range(_SHARPNESS):
            spark = spark * spark
        sent[:, glossy] += tint * (spark * gloss[glossy])
        direct.append(sent)
    return Glow(ambient, tuple(direct))


@lru_cache(maxsize=64)
def spots(light: Light) -> Floats:
    """The sample points of a lamp."""
    centre = np.array(light.position)[:, None]
    side, up = _frame(unit(np.array(light.aim)[:, None] - centre))
    return np.concatenate([centre + light.radius * (x * side + y * up) for x, y in _DISC], axis=1)


def facing(light: Light, point: Numbers, normal: Numbers) -> Bools:
    """Whether surfaces face the lamp."""
    towards: Numbers = np.array(light.position, dtype=point.dtype)[:, None] - point
    return dot(normal, towards) > 0.0


def shadows(light: Light, point: Numbers, normal: Numbers, geometry: Geometry, *, roughly: bool = False) -> Bits:
    """The sample points of the lamp that are hidden from points. If the first four agree, so are the others assumed to.

    With `roughly`, only the centre of the lamp is tested.
    """
    hidden = np.full(point.shape[1], DARK)
    turned = np.flatnonzero(facing(light, point, normal))
    start = columns(point, turned) + columns(normal, turned) * _CLEARANCE
    aims = spots(light)
    if roughly:
        hidden[turned] = _hidden(start, aims[:, 4:5], geometry) * DARK
        return hidden
    bits = _hidden(start, aims[:, :4], geometry)
    split = np.flatnonzero((bits != 0) & (bits != 15))
    rest = _hidden(columns(start, split), aims[:, 4:], geometry)
    bits[bits == 15] = DARK
    bits[split] |= rest << np.uint16(4)
    hidden[turned] = bits
    return hidden


def _hidden(start: Numbers, aims: Floats, geometry: Geometry) -> Bits:
    count, number = start.shape[1], aims.shape[1]
    origin = np.empty((number, count, 3), dtype=np.float32)
    origin[:] = start.T
    ray = aims.T.astype(np.float32)[:, None, :] - origin
    blocked = geometry.blocked(origin.reshape(-1, 3), ray.reshape(-1, 3)).reshape(number, count)
    bits = np.zeros(count, dtype=np.uint16)
    for spot, row in enumerate(blocked):
        bits |= row.astype(np.uint16) << np.uint16(spot)
    return bits


def lit(bits: Bits) -> Singles:
    """The visible share of a lamp."""
    share: Singles = _SEEN[bits]
    return share


def feeler_distances(point: Numbers, normal: Numbers, geometry: Geometry, reach: float) -> Singles:
    """The free distance along each feeler ray (rows), as a share of its reach."""
    side, up = _frame(normal)
    start = point + normal * _CLEARANCE
    rays = np.concatenate([(side * x + up * y + normal * z) * reach for x, y, z in _DOME], axis=1)
    _, distance = geometry.first(np.tile(start, FEELERS), rays, reach=1.0)
    return np.minimum(distance, 1.0).astype(np.float32).reshape(FEELERS, -1)


def openness(felt: Singles) -> Singles:
    """The share of ambient light that arrives, from the results of feeler rays."""
    closed = np.zeros(felt.shape[1], dtype=np.float32)
    for row in felt:
        closed += (1.0 - row) * (1.0 - row)
    share: Singles = 1.0 - closed * (_CREASE / FEELERS)
    return share


def near_shadow(light: Light, point: Numbers, balls: Sequence[tuple[Floats, float]]) -> Iterator[Bools]:
    """For each ball, whether it could be between points and any part of the lamp."""
    place = point.astype(np.float32)
    aim = np.array(light.position, dtype=np.float32)[:, None] - place
    length = np.sqrt(dot(aim, aim))
    aim /= length
    spread = np.float32(light.radius) / length
    for centre, radius in balls:
        offset = centre.astype(np.float32) - place
        along = dot(offset, aim)
        reach = radius + spread * np.maximum(along, 0.0)
        yield (along > -radius) & (dot(offset, offset) - along * along < reach * reach)


def _spiral(count: int) -> list[tuple[float, float]]:
    """Points evenly over the unit disc. The first four surround it and represent the others; the fifth is central."""
    steps = np.arange(count)
    angles, radii = steps * 2.399963229728653, np.sqrt((steps + 0.5) / count)
    xs, ys = np.round(radii * np.cos(angles), 6).tolist(), np.round(radii * np.sin(angles), 6).tolist()
    points = list(zip(xs, ys, strict=True))
    ring = [min(points, key=lambda p: (p[0] - x) ** 2 + (p[1] - y) ** 2) for x, y in ((1, 0), (0, 1), (-1, 0), (0, -1))]
    return ring + [point for point in points if point not in ring]


def _frame(normal: Numbers) -> tuple[Numbers, Numbers]:
    """Two directions perpendicular to each normal and to each other, computed without branches."""
    x, y, z = normal
    sign = np.where(z >= 0.0, 1.0, -1.0)
    a = -1.0 / (sign + z)
    b = x * y * a
    return np.stack([1.0 + sign * x * x * a, sign * b, -sign * x]), np.stack([b, sign + y * y * a, -y])


def _single(values: Numbers) -> Singles:
    return values.astype(np.float32, copy=False)


def _linear(colour: Colour) -> Singles:
    return np.array([[linear(channel)] for channel in colour], dtype=np.float32)


_DISC = _spiral(SPOTS)
_DOME = [(x, y, round(float(np.sqrt(max(0.0, 1.0 - x * x - y * y))), 6)) for x, y in _spiral(FEELERS)]
_SEEN = np.array([1.0 - bin(bits).count("1") / SPOTS for bits in range(1 << SPOTS)], dtype=np.float32)
