"""The moving part of a scene, drawn over its backdrop: only pixels that it changes are recomputed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from envs.render.arrays import Bools, Bytes, Floats, Ints, Singles, encode
from envs.render.backdrop import Backdrop
from envs.render.light import DARK, Bits, Glow, facing, feeler_distances, glow, lit, near_shadow, openness, shadows
from envs.render.samples import INKS, Coats, Index, owner, surfaces
from envs.render.scene import Light, Mesh, Solid
from envs.render.threads import together
from envs.render.trace import Geometry
from envs.render.view import (
    SUBPIXELS,
    TILE,
    borrowed,
    cast_shadows,
    grown,
    representatives,
    spread,
    tile_of,
    tiles_of,
    uneven,
)

_SLACK = 0.006
"""The margin around a solid's bounding sphere for shadow tests, because tiles have a width."""


class Overlay:
    """Draws one frame. `slot` is the moving sample that covers a pixel, -1 for none."""

    def __init__(self, backdrop: Backdrop, moving: Sequence[Solid], threads: int) -> None:
        self.backdrop, self.lens = backdrop, backdrop.lens
        self.solids = (*backdrop.scene.solids, *moving)
        self.geometry = Geometry(tuple(enumerate(moving, start=len(backdrop.scene.solids))))
        self._cover()
        self.edges = uneven(self.face, self.lens.width)
        together(threads, self._cast_shadows, self._prepare)

    def _cast_shadows(self) -> None:
        lamps = zip(self.backdrop.scene.lights, self.backdrop.bits, strict=True)
        self.bits = [self._shadows(light, known) for light, known in lamps]

    def _prepare(self) -> None:
        """Compute everything that painting needs except shadows."""
        self._measure_openness()
        self.glow = glow(self.backdrop.scene, self.lens.eye, self.samples)
        # Edges of moving solids, and the pixels that their subpixels take light from.
        self.edge = np.flatnonzero(self.edges & grown(self.slot >= 0, self.lens.width))
        self.lenders = self._borrow(self.edge)

    def _cover(self) -> None:
        """Find the pixels that moving solids cover, and their surfaces."""
        lens, base = self.lens, self.backdrop
        inside = np.flatnonzero(self._windows())
        row, column = np.divmod(inside, lens.width)
        ray = lens.rays(column + 0.5, row + 0.5)
        triangle, depth = self.geometry.first(lens.eye, ray)
        won = np.flatnonzero(depth < base.depth[inside])
        self.covered: Index = inside[won]
        self.samples = surfaces(
            self.geometry, Coats(self.solids, np.dtype(np.float64)), lens, ray[:, won], triangle[won], depth[won]
        )
        self.slot = np.full(len(base.face), -1, dtype=np.int32)
        self.slot[self.covered] = np.arange(len(won))
        self.face = base.face.copy()
        self.face[self.covered] = self.samples.face
        self.owner = self.backdrop.owner.copy()
        self.owner[self.covered] = owner(self.samples.face)

    def _windows(self) -> Bools:
        """The pixels within the bounding boxes of moving solids."""
        inside = np.zeros((self.lens.height, self.lens.width), dtype=np.bool_)
        for points in self.geometry.outlines:
            x, y = self.lens.project(points)
            left, top = max(int(x.min()) - 1, 0), max(int(y.min()) - 1, 0)
            inside[top : max(int(y.max()) + 2, 0), left : max(int(x.max()) + 2, 0)] = True
        return inside.ravel()

    def _measure_openness(self) -> None:
        """Recompute the ambient occlusion near and on moving solids."""
        representative, reach = representatives(self.lens), self.backdrop.scene.sky.reach
        mine = self.slot[representative] >= 0
        near = self.geometry.near(self.backdrop.place(representative)[0], reach)
        touched = np.flatnonzero(mine | (near & (self.owner[representative] >= 0)))
        point, normal, own = self._place(representative[touched])
        felt = self.backdrop.felt[:, touched]
        felt[:, own] = 1.0
        low = own[self.backdrop.geometry.near(point[:, own], reach)]
        felt[:, low] = feeler_distances(point[:, low], normal[:, low], self.backdrop.geometry, reach)
        self.open = self.backdrop.open.copy()
        self.open[touched] = openness(np.minimum(felt, feeler_distances(point, normal, self.geometry, reach)))
        # Ignore changes as small as rounding errors: they are invisible but take time.
        self._opened = (np.abs(self.open - self.backdrop.open) > 3e-3) | mine

    def _shadows(self, light: Light, known: Bits) -> Bits:
        mine, shaded = tiles_of(self.lens, self.slot >= 0), self._shaded(light)
        bits = known.copy()
        bits[self.covered] = np.where(facing(light, self.samples.point, self.samples.normal), 0, DARK)

        def trace(which: Index, *, roughly: bool = False) -> Bits:
            point, normal, own = self._place(which)
            found = known[which]
            found[own] = 0
            for some, geometry in (
                (own[shaded[tile_of(self.lens, which[own])]], self.backdrop.geometry),
                (np.flatnonzero(found != DARK), self.geometry),
            ):
                found[some] |= shadows(light, point[:, some], normal[:, some], geometry, roughly=roughly)
            return found

        cast_shadows(self.lens, self.edges, bits, self._shading(light) | (mine & shaded), trace)
        return bits

    def _shading(self, light: Light) -> Bools:
        """The tiles on which moving solids may cast shadows."""
        representative = representatives(self.lens)
        point, _, _ = self._place(representative)
        whose = self.owner[representative]
        tiles = np.zeros(len(representative), dtype=np.bool_)
        balls = [(centre, radius + _SLACK) for centre, radius in self.geometry.balls()]
        for number, near in enumerate(near_shadow(light, point, balls), start=len(self.backdrop.scene.solids)):
            # Only meshes can cast shadows on themselves.
            tiles |= near if isinstance(self.solids[number].shape, Mesh) else near & (whose != number)
        return grown(tiles, self.lens.width // TILE)

    def _shaded(self, light: Light) -> Bools:
        """The tiles in which the backdrop may shade moving solids: near shaded representatives, or with none nearby."""
        across, representative = self.lens.width // TILE, representatives(self.lens)
        mine = self.slot[representative] >= 0
        point, normal, _ = self._place(representative[mine])
        shaded = np.zeros(len(mine), dtype=np.bool_)
        shaded[mine] = facing(light, point, normal) & (shadows(light, point, normal, self.backdrop.geometry) != 0)
        return grown(shaded, across) | ~grown(mine, across)

    def _place(self, which: Index) -> tuple[Floats, Floats, Index]:
        """Points and normals behind pixels, and which pixels show a moving solid."""
        (point, normal), slot = self.backdrop.place(which), self.slot[which]
        own = np.flatnonzero(slot >= 0)
        point[:, own], normal[:, own] = self.samples.point[:, slot[own]], self.samples.normal[:, slot[own]]
        return point, normal, own

    def paint(self) -> Bytes:
        """The pixels as bytes, one row of three channels each."""
        rgb, width, base = self.backdrop.rgb.copy(), self.lens.width, self.backdrop
        mine = self.slot >= 0
        changed = spread(self.lens, grown(self._opened, width // TILE)) | mine
        for now, before in zip(self.bits, base.bits, strict=True):
            changed |= now != before
        which = np.flatnonzero(changed)
        light = self._glow(which).arriving(*self._light(which))
        rgb[which] = encode(light).T
        rgb[self.edge] = encode(self._new_edges(which, light)).T
        old = np.flatnonzero(self.edges & base.edges & grown(changed, width) & ~grown(mine, width))
        rgb[old] = encode(self._old_edges(old)).T
        return rgb

    def _glow(self, which: Index) -> Glow:
        sent, slot = self.backdrop.glow[which], self.slot[which]
        own = np.flatnonzero(slot >= 0)
        sent.put(own, self.glow[slot[own].astype(np.intp)])
        return sent

    def _light(self, which: Index) -> tuple[Singles, list[Singles]]:
        return self.backdrop.blend(self.face, self.open, which), [lit(bits[which]) for bits in self.bits]

    def _new_edges(self, which: Index, light: Singles) -> Singles:
        """The colours of edges of moving solids, from changed and unchanged pixels."""
        total = np.zeros((3, len(self.edge)), dtype=np.float32)
        for lender in self.lenders:
            place = np.minimum(np.searchsorted(which, lender), max(len(which) - 1, 0))
            lent = self.backdrop.light[:, lender]
            changed = np.flatnonzero(which[place] == lender)
            lent[:, changed] = light[:, place[changed]]
            total += lent
        return total * np.float32(1.0 / len(SUBPIXELS))

    def _old_edges(self, which: Index) -> Singles:
        """The colours of edges of the backdrop whose light has changed."""
        place = np.searchsorted(self.backdrop.edge, which)
        total = np.zeros((3, len(which)), dtype=np.float32)
        for part in self.backdrop.parts:
            total += part.glow[place].arriving(*self._light(part.lender[place]))
        return total * np.float32(1.0 / len(SUBPIXELS))

    def _borrow(self, which: Index) -> list[Index]:
        """For each subpixel of some pixels, the nearby pixel that shows the same face."""
        row, column = np.divmod(which, self.lens.width)
        behind = np.flatnonzero(grown(self.slot < 0, self.lens.width)[which])
        faces = (self._faces(column + (0.5 + dx), row + (0.5 + dy), behind) for dx, dy in SUBPIXELS)
        return [borrowed(self.lens, self.face, row, column, face) for face in faces]

    def _faces(self, x: Floats, y: Floats, behind: Index) -> Ints:
        """The faces at points of the picture; `behind` marks those where the backdrop may be visible."""
        ray = self.lens.rays(x, y)
        triangle, depth = self.geometry.first(self.lens.eye, ray)
        face = self.geometry.face[triangle] * INKS
        still, base = self.backdrop.geometry, ray[:, behind]
        triangle, distance = still.first(self.lens.eye, base)
        front = np.flatnonzero(distance < depth[behind])
        face[behind[front]] = still.face[triangle[front]] * INKS
        return face
