"""The static part of a scene, traced and shaded once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np

from envs.render.arrays import Floats, Singles, encode
from envs.render.light import FEELERS, Bits, Glow, feeler_distances, glow, lit, openness, shadows
from envs.render.samples import Coats, Index, Lens, Samples, owner, surfaces
from envs.render.scene import Light, Scene, Solid
from envs.render.threads import together
from envs.render.trace import Geometry
from envs.render.view import SUBPIXELS, TILE, blend, borrowed, cast_shadows, representatives, uneven

_BAND = 24
"""Rows of pixels that are traced together."""


@dataclass(frozen=True)
class Part:
    """One subpixel of every pixel on an edge: its unshadowed light, and the pixel that its shadow is taken from."""

    glow: Glow
    lender: Index


@lru_cache(maxsize=8)
def _geometry(solids: tuple[Solid, ...]) -> Geometry:
    """The geometry of static solids, cached independently of the camera."""
    return Geometry(tuple(enumerate(solids)))


class Backdrop:
    """Everything about the pixels of the static scene. Immutable."""

    def __init__(self, scene: Scene, width: int, height: int, threads: int) -> None:
        self.scene = scene
        # Whole tiles; the excess at the right and below is cropped at the end.
        self.lens = Lens(scene.camera, -(-width // TILE) * TILE, -(-height // TILE) * TILE, (width, height))
        self.blend = blend(self.lens.width, self.lens.height)
        self.geometry = _geometry(scene.solids)
        self._coats = Coats(scene.solids, np.dtype(np.float64))
        self._allocate(self.lens.width * self.lens.height)
        # A few rows at a time: arrays that fit the processor's cache are several times faster.
        bands = [
            slice(start, start + _BAND * self.lens.width) for start in range(0, len(self.face), _BAND * self.lens.width)
        ]
        together(threads, *(partial(self._trace, band) for band in bands))
        self.edges = uneven(self.face, self.lens.width)
        self.edge = np.flatnonzero(self.edges)
        together(threads, self._prepare, self._cast_shadows)
        together(threads, *(partial(self._paint, band) for band in bands))
        self._smooth()

    def _allocate(self, count: int) -> None:
        self.face = np.empty(count, dtype=np.int32)
        self.owner = np.empty(count, dtype=np.int16)
        self.depth = np.empty(count)
        self._point, self._normal = (np.empty((3, count), dtype=np.float32) for _ in range(2))
        lamps = range(len(self.scene.lights))
        ambient, *direct = (np.empty((3, count), dtype=np.float32) for _ in (None, *lamps))
        self.glow = Glow(ambient, tuple(direct))
        self.light = np.empty((3, count), dtype=np.float32)
        self.rgb = np.empty((count, 3), dtype=np.uint8)

    def _trace(self, band: slice) -> None:
        """Find the surfaces behind some pixels, and their unshadowed light."""
        row, column = np.divmod(np.arange(len(self.face))[band], self.lens.width)
        samples = self._hit(column + 0.5, row + 0.5)
        self.face[band], self.owner[band], self.depth[band] = samples.face, owner(samples.face), samples.depth
        self._point[:, band], self._normal[:, band] = samples.point, samples.normal
        self.glow.put(band, glow(self.scene, self.lens.eye, samples))

    def _hit(self, x: Floats, y: Floats) -> Samples:
        ray = self.lens.rays(x, y)
        triangle, depth = self.geometry.first(self.lens.eye, ray)
        return surfaces(self.geometry, self._coats, self.lens, ray, triangle, depth)

    def place(self, which: Index) -> tuple[Floats, Floats]:
        """Points and normals behind pixels."""
        return self._point[:, which].astype(np.float64), self._normal[:, which].astype(np.float64)

    def _prepare(self) -> None:
        """Compute everything that painting needs except shadows."""
        self.felt = self._measure_openness()
        self.open = openness(self.felt)
        self.parts = tuple(self._part(dx, dy) for dx, dy in SUBPIXELS)

    def _cast_shadows(self) -> None:
        self.bits = tuple(self._shadows(light) for light in self.scene.lights)

    def _shadows(self, light: Light) -> Bits:
        known = np.zeros(len(self.face), dtype=np.uint16)

        def trace(which: Index, *, roughly: bool = False) -> Bits:
            return shadows(light, *self.place(which), self.geometry, roughly=roughly)

        cast_shadows(self.lens, self.edges, known, np.ones(len(known) // TILE**2, dtype=np.bool_), trace)
        return known

    def _measure_openness(self) -> Singles:
        representative, reach = representatives(self.lens), self.scene.sky.reach
        (point, normal), whose = self.place(representative), self.owner[representative]
        crowded = np.flatnonzero(self.geometry.near(point, reach, whose) & (whose >= 0))
        felt = np.ones((FEELERS, len(representative)), dtype=np.float32)
        felt[:, crowded] = feeler_distances(point[:, crowded], normal[:, crowded], self.geometry, reach)
        return felt

    def _part(self, dx: float, dy: float) -> Part:
        row, column = np.divmod(self.edge, self.lens.width)
        samples = self._hit(column + (0.5 + dx), row + (0.5 + dy))
        lender = borrowed(self.lens, self.face, row, column, samples.face)
        return Part(glow(self.scene, self.lens.eye, samples), lender)

    def _paint(self, band: slice) -> None:
        """Compute the final light of some pixels."""
        which = np.arange(len(self.face))[band]
        self.light[:, band] = self.glow[band].arriving(*self._arriving(which))
        self.rgb[band] = encode(self.light[:, band]).T

    def _smooth(self) -> None:
        light = np.zeros((3, len(self.edge)), dtype=np.float32)
        for part in self.parts:
            light += part.glow.arriving(*self._arriving(part.lender))
        self.rgb[self.edge] = encode(light * np.float32(1.0 / len(SUBPIXELS))).T

    def _arriving(self, which: Index) -> tuple[Singles, list[Singles]]:
        return self.blend(self.face, self.open, which), [lit(bits[which]) for bits in self.bits]
