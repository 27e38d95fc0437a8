"""The moving part of a scene, laid over its backdrop: only pixels that it changes are looked at again."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from envs.render.arrays import Bools, Bytes, Floats, Ints, dot, encode
from envs.render.backdrop import Backdrop
from envs.render.light import feel, near_shadow, openness, shade, shadows
from envs.render.samples import Index, Samples, codes, surfaces
from envs.render.scene import Light, Scene, Solid
from envs.render.trace import Geometry
from envs.render.view import (
    Bits,
    cast_shadows,
    grown,
    pixels_of,
    seen,
    smooth_edges,
    speakers,
    spread_openness,
    TILE,
    tiles_of,
    uneven,
)

_SLACK = 0.008
"""How far beyond its ball a solid's shadow is looked for, for the width of a tile."""


class Overlay:
    """One frame in the making."""

    def __init__(self, backdrop: Backdrop, moving: Sequence[Solid]) -> None:
        self.backdrop, self.scene, self.lens = backdrop, backdrop.scene, backdrop.lens
        still = backdrop.scene.solids
        self.solids = (*still, *moving)
        self.geometry = Geometry(tuple(enumerate(moving, start=len(still))))
        self._balls = self.geometry.balls()
        self._cover()
        self._feel()
        self.bits = [self._shadows(light, known) for light, known in zip(self.scene.lights, backdrop.bits, strict=True)]

    def _cover(self) -> None:
        """Find the pixels that moving solids cover, and their surfaces."""
        lens, base = self.lens, self.backdrop.samples
        inside = np.flatnonzero(self._windows())
        row, column = np.divmod(inside, lens.width)
        ray = lens.rays(column + 0.5, row + 0.5)
        triangle, depth = self.geometry.first(lens.eye, ray)
        won = np.flatnonzero(depth < base.depth[inside])
        self.covered: Index = inside[won]
        self.samples = surfaces(self.geometry, self.solids, lens.eye, ray[:, won], triangle[won], depth[won])
        self.slot = np.full(len(base), -1, dtype=np.int32)
        self.slot[self.covered] = np.arange(len(won), dtype=np.int32)
        self.code = self.backdrop.code.copy()
        self.code[self.covered] = codes(self.samples, self.solids)

    def _windows(self) -> Bools:
        """Pixels within the frames round the moving solids."""
        inside = np.zeros((self.lens.height, self.lens.width), dtype=np.bool_)
        for points in self.geometry.outlines():
            x, y = self.lens.project(points)
            left, top = max(int(x.min()) - 1, 0), max(int(y.min()) - 1, 0)
            inside[top : max(int(y.max()) + 2, 0), left : max(int(x.max()) + 2, 0)] = True
        return inside.ravel()

    def _feel(self) -> None:
        """Feel again where moving solids are near, and on them."""
        speaker, reach = speakers(self.lens), self.scene.sky.reach
        self.grid = self.backdrop.grid[np.arange(len(speaker))]
        mine = np.flatnonzero(self.slot[speaker] >= 0)
        self.grid.put(mine, self.samples[self.slot[speaker[mine]]])
        near = np.zeros(len(speaker), dtype=np.bool_)
        for centre, radius in self._balls:
            offset = self.grid.point - centre
            near |= dot(offset, offset) < (radius + reach) * (radius + reach)
        near[mine] = True
        touched = np.flatnonzero(near)
        grid = self.grid[touched]
        felt = np.minimum(self.backdrop.felt[:, touched], feel(grid, self.geometry, reach))
        own = np.flatnonzero(self.slot[speaker[touched]] >= 0)
        felt[:, own] = np.minimum(
            feel(grid[own], self.geometry, reach), feel(grid[own], self.backdrop.geometry, reach)
        )
        self.open = self.backdrop.open.copy()
        self.open[touched] = openness(felt)
        self._opened = self.open != self.backdrop.open

    def _shadows(self, light: Light, known: Bits) -> Bits:
        tiles = np.zeros(len(self.grid), dtype=np.bool_)
        for centre, radius in self._balls:
            tiles |= near_shadow(light, self.grid.point, centre, radius, _SLACK)
        tiles = grown(tiles, self.lens.width // TILE) | tiles_of(self.lens, self.slot >= 0)
        bits = known.copy()

        def trace(which: Index) -> Bits:
            samples = self.pick(which)
            own = np.flatnonzero(self.slot[which] >= 0)
            other = np.flatnonzero(self.slot[which] < 0)
            found = np.zeros(len(which), dtype=np.uint16)
            found[own] = shadows(light, samples[own], [self.geometry, self.backdrop.geometry])
            open_ = other[known[which[other]] != 0xFFFF]
            found[open_] = shadows(light, samples[open_], [self.geometry])
            found[other] |= known[which[other]]
            return found

        cast_shadows(self, bits, tiles, trace)
        return bits

    def pick(self, which: Index) -> Samples:
        """The surfaces behind some pixels."""
        samples, slot = self.backdrop.samples[which], self.slot[which]
        mine = np.flatnonzero(slot >= 0)
        samples.put(mine, self.samples[slot[mine]])
        return samples

    def hit(self, x: Floats, y: Floats) -> Samples:
        """The surfaces behind points of the picture."""
        samples = self.backdrop.hit(x, y)
        ray = self.lens.rays(x, y)
        triangle, depth = self.geometry.first(self.lens.eye, ray)
        won = np.flatnonzero(depth < samples.depth)
        found = surfaces(self.geometry, self.solids, self.lens.eye, ray[:, won], triangle[won], depth[won])
        samples.put(won, found)
        return samples

    def paint(self) -> Bytes:
        """The pixels as bytes, one row each."""
        rgb, width = self.backdrop.rgb.copy(), self.lens.width
        changed = pixels_of(self.lens, grown(self._opened, width // TILE)) | (self.slot >= 0)
        for mine, known in zip(self.bits, self.backdrop.bits, strict=True):
            changed |= mine != known
        edges = uneven(self.code, width)
        inner = np.flatnonzero(changed & ~edges)
        samples = self.pick(inner)
        light = self._shade(samples, seen(self, inner), spread_openness(self, inner, samples))
        rgb[inner] = encode(light).T
        edge = np.flatnonzero(edges & grown(changed, width))
        rgb[edge] = encode(smooth_edges(self, edge, self._codes, self._shade)).T
        return rgb

    def _codes(self, samples: Samples) -> Ints:
        return codes(samples, self.solids)

    def _shade(self, samples: Samples, shares: Sequence[Floats], open_: Floats) -> Floats:
        return shade(self.scene, self.lens.eye, samples, shares, open_)
