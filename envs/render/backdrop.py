"""The part of a scene that does not move, traced and shaded once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import numpy as np

from envs.render.arrays import Bytes, Floats, Singles, encode
from envs.render.light import FEELERS, Bits, Glow, feel, glow, lit, openness, shadows
from envs.render.samples import Index, Lens, Samples, owner, surfaces
from envs.render.scene import Light, Scene
from envs.render.threads import together
from envs.render.trace import Geometry
from envs.render.view import SUBPIXELS, TILE, Blend, borrowed, cast_shadows, speakers, uneven

_BANDS = 4


@dataclass(frozen=True)
class Part:
    """One part of every pixel on an edge: the light it would send, and the pixel it has its shadow from."""

    glow: Glow
    lender: Index


class Backdrop:
    """All that is known of the pixels before anything moves. Never changed once made."""

    def __init__(self, scene: Scene, width: int, height: int, threads: int) -> None:
        self.scene = scene
        # Whole tiles: what sticks out to the right and below is cut off in the end.
        self.lens = Lens(scene.camera, -(-width // TILE) * TILE, -(-height // TILE) * TILE, (width, height))
        self.blend = Blend(self.lens)
        self.geometry = Geometry(tuple(enumerate(scene.solids)))
        cuts = [self.lens.height * part // _BANDS for part in range(_BANDS + 1)]
        bands = together(threads, *(partial(self._band, top, bottom) for top, bottom in pairwise(cuts)))
        self.samples = Samples.joined([samples for samples, _ in bands])
        self.glow = Glow.joined([light for _, light in bands])
        self.owner = owner(self.samples.face).astype(np.int16)
        self.edges = uneven(self.samples.face, self.lens.width)
        self.edge = np.flatnonzero(self.edges)
        together(threads, self._prepare, self._cast_shadows)
        self.light = self._light()
        self.rgb = self._smoothed()

    def _prepare(self) -> None:
        """All that painting needs besides shadows."""
        self.felt = self._feel()
        self.open = openness(self.felt)
        self.parts = tuple(self._part(dx, dy) for dx, dy in SUBPIXELS)

    def _cast_shadows(self) -> None:
        self.bits = tuple(self._shadows(light) for light in self.scene.lights)

    def _band(self, top: int, bottom: int) -> tuple[Samples, Glow]:
        """The surfaces behind some rows of pixels, and their light."""
        rows, columns = np.mgrid[top:bottom, 0 : self.lens.width]
        samples = self._hit(columns.ravel() + 0.5, rows.ravel() + 0.5)
        return samples, glow(self.scene, self.lens.eye, samples)

    def _hit(self, x: Floats, y: Floats) -> Samples:
        ray = self.lens.rays(x, y)
        triangle, depth = self.geometry.first(self.lens.eye, ray)
        return surfaces(self.geometry, self.scene.solids, self.lens.eye, ray, triangle, depth)

    def _shadows(self, light: Light) -> Bits:
        known = np.zeros(len(self.samples), dtype=np.uint16)

        def trace(which: Index) -> Bits:
            point, normal = self.samples.point[:, which], self.samples.normal[:, which]
            return shadows(light, point, normal, self.geometry)

        cast_shadows(self.lens, self.edges, known, np.ones(len(known) // TILE**2, dtype=np.bool_), trace)
        return known

    def _feel(self) -> Singles:
        speaker, reach = speakers(self.lens), self.scene.sky.reach
        point, normal = self.samples.point[:, speaker], self.samples.normal[:, speaker]
        whose = self.owner[speaker]
        crowded = np.flatnonzero(self.geometry.near(point, reach, whose) & (whose >= 0))
        felt = np.ones((FEELERS, len(speaker)), dtype=np.float32)
        felt[:, crowded] = feel(point[:, crowded], normal[:, crowded], self.geometry, reach)
        return felt

    def _part(self, dx: float, dy: float) -> Part:
        row, column = np.divmod(self.edge, self.lens.width)
        samples = self._hit(column + (0.5 + dx), row + (0.5 + dy))
        lender = borrowed(self.lens, self.samples.face, row, column, samples.face)
        return Part(glow(self.scene, self.lens.eye, samples), lender)

    def _light(self) -> Singles:
        open_ = self.blend(self.lens, self.samples.face, self.open, np.arange(len(self.samples)))
        return self.glow.arriving(open_, [lit(bits) for bits in self.bits])

    def _smoothed(self) -> Bytes:
        light = self.light.copy()
        light[:, self.edge] = 0.0
        for part in self.parts:
            open_ = self.blend(self.lens, self.samples.face, self.open, part.lender)
            shares = [lit(bits[part.lender]) for bits in self.bits]
            light[:, self.edge] += part.glow.arriving(open_, shares) * (1.0 / len(SUBPIXELS))
        return np.ascontiguousarray(encode(light).T)
