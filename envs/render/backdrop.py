"""The part of a scene that does not move, traced and shaded once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from envs.render.arrays import Bytes, Floats, Singles, encode
from envs.render.light import FEELERS, Bits, Glow, feel, glow, lit, openness, shadows
from envs.render.samples import Index, Lens, Samples, owner, surfaces
from envs.render.scene import Light, Scene
from envs.render.trace import Geometry
from envs.render.view import SUBPIXELS, TILE, borrowed, cast_shadows, speakers, spread_openness, uneven


@dataclass(frozen=True)
class Part:
    """One part of every pixel on an edge: the light it would send, and the pixel it has its shadow from."""

    glow: Glow
    lender: Index


class Backdrop:
    """All that is known of the pixels before anything moves. Never changed once made."""

    def __init__(self, scene: Scene, width: int, height: int) -> None:
        self.scene = scene
        # Whole tiles: what sticks out to the right and below is cut off in the end.
        self.lens = Lens(scene.camera, -(-width // TILE) * TILE, -(-height // TILE) * TILE, (width, height))
        self.geometry = Geometry(tuple(enumerate(scene.solids)))
        rows, columns = np.mgrid[0 : self.lens.height, 0 : self.lens.width]
        self.samples = self._hit(columns.ravel() + 0.5, rows.ravel() + 0.5)
        self.glow = glow(scene, self.lens.eye, self.samples)
        self.edges = uneven(self.samples.face, self.lens.width)
        self.bits = tuple(self._shadows(light) for light in scene.lights)
        self.felt = self._feel()
        self.open = openness(self.felt)
        self.edge = np.flatnonzero(self.edges)
        self.parts = tuple(self._part(dx, dy) for dx, dy in SUBPIXELS)
        self.light = self._light()
        self.rgb = self._smoothed()

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
        crowded = np.flatnonzero(self.geometry.near(point, reach, owner(self.samples.face[speaker])))
        felt = np.ones((FEELERS, len(speaker)), dtype=np.float32)
        felt[:, crowded] = feel(point[:, crowded], normal[:, crowded], self.geometry, reach)
        return felt

    def _part(self, dx: float, dy: float) -> Part:
        row, column = np.divmod(self.edge, self.lens.width)
        samples = self._hit(column + (0.5 + dx), row + (0.5 + dy))
        lender = borrowed(self.lens, self.samples.face, row, column, samples.face)
        return Part(glow(self.scene, self.lens.eye, samples), lender)

    def _light(self) -> Singles:
        open_ = spread_openness(self.lens, self.samples.face, self.open, np.arange(len(self.samples)))
        return self.glow.arriving(open_, [lit(bits) for bits in self.bits])

    def _smoothed(self) -> Bytes:
        light = self.light.copy()
        light[:, self.edge] = 0.0
        for part in self.parts:
            open_ = spread_openness(self.lens, self.samples.face, self.open, part.lender)
            shares = [lit(bits[part.lender]) for bits in self.bits]
            light[:, self.edge] += part.glow.arriving(open_, shares) * (1.0 / len(SUBPIXELS))
        return np.ascontiguousarray(encode(light).T)
