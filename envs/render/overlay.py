"""The moving part of a scene, laid over its backdrop: only pixels that it changes are looked at again."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from envs.render.arrays import Bools, Bytes, Floats, Ints, dot, encode
from envs.render.backdrop import Backdrop, mixed
from envs.render.light import DARK, Bits, Glow, feel, glow, lit, near_shadow, openness, shadows
from envs.render.samples import INKS, NOWHERE, Index, surfaces
from envs.render.scene import Light, Solid
from envs.render.trace import Geometry
from envs.render.view import (
    SUBPIXELS,
    TILE,
    borrowed,
    cast_shadows,
    grown,
    speakers,
    spread,
    spread_openness,
    tiles_of,
    uneven,
)

_SLACK = 0.006
"""How far beyond its ball a solid's shadow is looked for, because a tile has a width."""


class Overlay:
    """One frame in the making. `slot` says which moving sample covers a pixel, -1 for none."""

    def __init__(self, backdrop: Backdrop, moving: Sequence[Solid]) -> None:
        self.backdrop, self.lens = backdrop, backdrop.lens
        self.solids = (*backdrop.scene.solids, *moving)
        self.geometry = Geometry(tuple(enumerate(moving, start=len(backdrop.scene.solids))))
        self._balls = self.geometry.balls()
        self._cover()
        self.edges = uneven(self.face, self.lens.width)
        self._feel()
        lamps = zip(backdrop.scene.lights, backdrop.bits, strict=True)
        self.bits = [self._shadows(light, known) for light, known in lamps]

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
        self.face = base.face.copy()
        self.face[self.covered] = self.samples.face

    def _windows(self) -> Bools:
        """Pixels within the frames round the moving solids."""
        inside = np.zeros((self.lens.height, self.lens.width), dtype=np.bool_)
        for points in self.geometry.outlines:
            x, y = self.lens.project(points)
            left, top = max(int(x.min()) - 1, 0), max(int(y.min()) - 1, 0)
            inside[top : max(int(y.max()) + 2, 0), left : max(int(x.max()) + 2, 0)] = True
        return inside.ravel()

    def _feel(self) -> None:
        """Feel again near moving solids, and on them."""
        speaker, reach = speakers(self.lens), self.backdrop.scene.sky.reach
        near = self.slot[speaker] >= 0
        point = self.backdrop.samples.point[:, speaker]
        for centre, radius in self._balls:
            offset = point - centre
            near |= dot(offset, offset) < (radius + reach) * (radius + reach)
        touched = np.flatnonzero(near)
        point, normal, own = self._place(speaker[touched])
        known = self.backdrop.felt[:, touched]
        known[:, own] = feel(point[:, own], normal[:, own], self.backdrop.geometry, reach)
        self.open = self.backdrop.open.copy()
        self.open[touched] = openness(np.minimum(known, feel(point, normal, self.geometry, reach)))
        # A rounding error's worth of change would not be seen, only be paid for.
        self._opened = np.abs(self.open - self.backdrop.open) > 1e-4
        self._opened[touched[own]] = True

    def _shadows(self, light: Light, known: Bits) -> Bits:
        point = self.backdrop.samples.point[:, speakers(self.lens)]
        tiles = np.zeros(point.shape[1], dtype=np.bool_)
        for centre, radius in self._balls:
            tiles |= near_shadow(light, point, centre, radius + _SLACK)
        tiles = grown(tiles, self.lens.width // TILE) | tiles_of(self.lens, self.slot >= 0)
        bits = known.copy()

        def trace(which: Index) -> Bits:
            point, normal, own = self._place(which)
            found = known[which]
            found[own] = shadows(light, point[:, own], normal[:, own], [self.geometry, self.backdrop.geometry])
            other = np.flatnonzero((self.slot[which] < 0) & (found != DARK))
            found[other] |= shadows(light, point[:, other], normal[:, other], [self.geometry])
            return found

        cast_shadows(self.lens, self.edges, bits, tiles, trace)
        return bits

    def _place(self, which: Index) -> tuple[Floats, Floats, Index]:
        """Points and normals behind pixels, and which of the pixels show a moving solid."""
        base, slot = self.backdrop.samples, self.slot[which]
        point, normal, own = base.point[:, which], base.normal[:, which], np.flatnonzero(slot >= 0)
        point[:, own], normal[:, own] = self.samples.point[:, slot[own]], self.samples.normal[:, slot[own]]
        return point, normal, own

    def paint(self) -> Bytes:
        """The pixels as bytes, one row of three each."""
        rgb, width, base = self.backdrop.rgb.copy(), self.lens.width, self.backdrop
        changed = spread(self.lens, grown(self._opened, width // TILE)) | (self.slot >= 0)
        for mine, known in zip(self.bits, base.bits, strict=True):
            changed |= mine != known
        which = np.flatnonzero(changed)
        light = base.light.copy()
        light[:, which] = mixed(self._glow(which), *self._arriving(which))
        rgb[which] = encode(light[:, which]).T
        edge = self.edges & grown(changed, width)
        new = edge & grown(self.slot >= 0, width)
        for pixels, smoothed in ((new, self._new_edges), (edge & base.edges & ~new, self._old_edges)):
            found = np.flatnonzero(pixels)
            rgb[found] = encode(smoothed(found, light)).T
        return rgb

    def _glow(self, which: Index) -> Glow:
        base, slot = self.backdrop.glow, self.slot[which]
        own = np.flatnonzero(slot >= 0)
        mine = glow(self.backdrop.scene, self.lens.eye, self.samples)
        rows = [base.ambient[:, which], *(sent[:, which] for sent in base.direct)]
        for row, fresh in zip(rows, (mine.ambient, *mine.direct), strict=True):
            row[:, own] = fresh[:, slot[own]]
        return Glow(rows[0], tuple(rows[1:]))

    def _arriving(self, which: Index) -> tuple[Floats, list[Floats]]:
        return spread_openness(self.lens, self.face, self.open, which), [lit(bits[which]) for bits in self.bits]

    def _old_edges(self, which: Index, _: Floats) -> Floats:
        """Edges of the backdrop that now get another light."""
        place = np.searchsorted(self.backdrop.edge, which)
        total = np.zeros((3, len(which)))
        for part in self.backdrop.parts:
            sent = Glow(part.glow.ambient[:, place], tuple(sent[:, place] for sent in part.glow.direct))
            total += mixed(sent, *self._arriving(part.lender[place]))
        return total * (1.0 / len(SUBPIXELS))

    def _new_edges(self, which: Index, light: Floats) -> Floats:
        """Edges that moving solids make: each part of a pixel takes the light of a pixel beside it on its face."""
        row, column = np.divmod(which, self.lens.width)
        total = np.zeros((3, len(which)))
        for dx, dy in SUBPIXELS:
            face = self._faces(column + (0.5 + dx), row + (0.5 + dy))
            total += light[:, borrowed(self.lens, self.face, row, column, face)]
        return total * (1.0 / len(SUBPIXELS))

    def _faces(self, x: Floats, y: Floats) -> Ints:
        base = self.backdrop.geometry
        ray, triangle, depth = self.backdrop.first(x, y)
        face = np.where(triangle >= 0, base.face[triangle] * INKS, NOWHERE)
        mine, distance = self.geometry.first(self.lens.eye, ray)
        return np.where(distance < depth, self.geometry.face[mine] * INKS, face)
