"""Draws one picture from a moving camera: everything from scratch, in single precision and few passes.

The steps are those of a `Backdrop`, with two savings: colours are computed per texture for the whole picture, and
subpixels on an edge take the light of a neighbouring pixel that shows the same face.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from envs.render.arrays import Floats, Ints, Singles, columns, encode, put_columns
from envs.render.light import FEELERS, feeler_distances, glow, lit, openness, shadows
from envs.render.memory import return_large_arrays
from envs.render.samples import INKS, Coats, Index, Lens, Samples, inked, owner
from envs.render.scene import Scene, Solid, Texture
from envs.render.threads import together
from envs.render.trace import Geometry
from envs.render.view import (
    SUBPIXELS,
    TILE,
    Shares,
    blend,
    borrowed,
    representatives,
    softened,
    spread,
    tiles_of,
    torn,
    uneven,
)
from envs.render.windows import frames, inside

_BAND = 24
"""Rows of pixels that are processed together: arrays that fit the processor's cache are several times faster."""
_CHUNK = 4096
"""The size of other chunks."""
_SHARP = 0.3
"""Shadows that differ by more than this between tiles are computed per pixel."""


@lru_cache(maxsize=5)
def _still(solids: tuple[Solid, ...]) -> Geometry:
    return Geometry(tuple(enumerate(solids)))


@lru_cache(maxsize=5)
def _moving(solids: tuple[tuple[int, Solid], ...]) -> Geometry:
    """Cached separately, because moving solids change often and would displace static ones."""
    return Geometry(solids)


@lru_cache(maxsize=2)
def _joined(still: Geometry, moving: Geometry) -> Geometry:
    """Cached for further requests about the same scene."""
    return Geometry.joined((still, moving))


class Stage:
    """The solids of a scene, static ones first, and rays from its camera.

    With `shadows`, rays also start elsewhere. Without, moving solids out of view are left out.
    """

    def __init__(self, scene: Scene, width: int, height: int, *, shadows: bool = True) -> None:
        return_large_arrays()
        still = tuple(solid for solid in scene.solids if not solid.moving)
        moving = tuple(solid for solid in scene.solids if solid.moving)
        self.solids = (*still, *moving)
        self._still, self._shadows = still, shadows
        # Whole tiles; the excess at the right and below is cropped at the end.
        self.lens = Lens(scene.camera, -(-width // TILE) * TILE, -(-height // TILE) * TILE, (width, height))
        self._frames = frames(self.lens, moving)
        self.lively = inside(self.lens, self._frames)

    @cached_property
    def parts(self) -> tuple[Geometry, Geometry]:
        """The geometry of static and of moving solids, built for the first ray."""
        moving = enumerate(self.solids[len(self._still) :], start=len(self._still))
        seen = (mine for mine, frame in zip(moving, self._frames, strict=True) if self._shadows or not frame.empty)
        return _still(self._still), _moving(tuple(seen))

    @cached_property
    def geometry(self) -> Geometry:
        """Both parts as one."""
        return _joined(*self.parts)

    def bands(self) -> list[slice]:
        """The pixels of the picture, some rows at a time."""
        return _pieces(self.lens.width * self.lens.height, _BAND * self.lens.width)

    def rays(self, band: slice) -> Floats:
        """Rays through the centres of pixels."""
        return self.lens.rows(band.start // self.lens.width, band.stop // self.lens.width)

    def owners(self, threads: int) -> NDArray[np.int16]:
        """The number of the solid behind each pixel, -1 for none."""
        found, geometry = np.empty(self.lens.width * self.lens.height, dtype=np.int16), self.geometry

        def look(band: slice) -> None:
            triangle = geometry.met(self.lens.eye, self.rays(band), others=np.flatnonzero(self.lively[band]))
            found[band] = geometry.owner[triangle]

        together(threads, *(partial(look, band) for band in self.bands()))
        return found

    def surfaces(self, threads: int) -> tuple[NDArray[np.int16], Floats]:
        """The number of the solid behind each pixel, and its distance in lengths of the pixel's ray."""
        count = self.lens.width * self.lens.height
        found, depth, geometry = np.empty(count, dtype=np.int16), np.empty(count), self.geometry

        def look(band: slice) -> None:
            others = np.flatnonzero(self.lively[band])
            triangle, depth[band] = geometry.first(self.lens.eye, self.rays(band), others=others)
            found[band] = geometry.owner[triangle]

        together(threads, *(partial(look, band) for band in self.bands()))
        return found, depth

    def owners_at(self, row: Index, column: Index, threads: int) -> NDArray[np.int16]:
        """Like `owners`, for some pixels only."""
        found = np.empty(len(row), dtype=np.int16)
        if not len(row):
            return found
        geometry, lively = self.geometry, self.lively.reshape(self.lens.height, self.lens.width)

        def look(some: slice) -> None:
            others = np.flatnonzero(lively[row[some], column[some]])
            ray = self.lens.rays(column[some] + np.float64(0.5), row[some] + np.float64(0.5))
            found[some] = geometry.owner[geometry.met(self.lens.eye, ray, others=others)]

        together(threads, *(partial(look, some) for some in _pieces(len(row), _BAND * self.lens.width)))
        return found


@dataclass(frozen=True)
class Shade:
    """The visible share of a lamp for tiles, and for some pixels."""

    tiles: Singles
    which: Index
    share: Singles

    def seen(self, shares: Shares, band: slice) -> Singles:
        """The visible share of the lamp for each pixel of a band."""
        seen = shares.mix(self.tiles)
        start, stop = np.searchsorted(self.which, (band.start, band.stop))
        seen[self.which[start:stop] - band.start] = self.share[start:stop]
        return seen


class Snapshot:
    """Draws one picture; `rgb`, `owner` and `depth` are the result, pixel by pixel."""

    def __init__(self, scene: Scene, width: int, height: int, threads: int) -> None:
        self.scene = scene
        self.stage = Stage(scene, width, height)
        self.lens, self._geometry = self.stage.lens, self.stage.geometry
        self._coats = Coats(self.stage.solids, np.dtype(np.float32))
        self._allocate(self.lens.width * self.lens.height)
        bands = self.stage.bands()
        together(threads, *(partial(self._trace, band) for band in bands))
        self._corners = uneven(self._face, self.lens.width)
        shares = together(threads, *(partial(self._weigh_tiles, band) for band in bands))
        self._lonely = ~np.concatenate([share.familiar for share in shares])
        together(
            threads,
            *(partial(self._shade, number) for number in range(len(scene.lights))),
            *(partial(self._measure_openness, some) for some in _pieces(len(self._open), _CHUNK)),
            *(partial(self._paint, texture, which) for texture, which in self._coats.textured(self.owner)),
        )
        self._open[:] = softened(self._open, self._face[representatives(self.lens)], self.lens.width // TILE)
        together(threads, *(partial(self._light, *pair) for pair in zip(bands, shares, strict=True)))
        self._face += self._ink
        edge = np.flatnonzero(uneven(self._face, self.lens.width))
        together(threads, *(partial(self._smooth, edge[some]) for some in _pieces(len(edge), _CHUNK)))

    def _allocate(self, count: int) -> None:
        self.depth = np.empty(count, dtype=np.float32)
        self.owner = np.empty(count, dtype=np.int32)
        self.rgb = np.empty((count, 3), dtype=np.uint8)
        self._face = np.empty(count, dtype=np.int32)
        self._ink = np.zeros(count, dtype=np.int32)
        self._point, self._normal, self._colour, self._arriving = (
            np.empty((3, count), dtype=np.float32) for _ in range(4)
        )
        self._open = np.empty(len(representatives(self.lens)), dtype=np.float32)
        self._lamps: dict[int, Shade] = {}

    def _trace(self, band: slice) -> None:
        """Find the surfaces behind some pixels."""
        ray = self.stage.rays(band)
        others = np.flatnonzero(self.stage.lively[band])
        triangle, depth = self._geometry.first(self.lens.eye, ray, others=others)
        self.depth[band] = depth
        depth[triangle < 0] = 0.0
        point = self.lens.eye + ray * depth
        normal = self._geometry.normal(triangle, point)
        whose = self._geometry.owner[triangle]
        self._face[band], self.owner[band] = self._geometry.face[triangle] * INKS, whose
        self._point[:, band], self._normal[:, band] = point, normal
        self._colour[:, band] = self._coats.plain(whose)

    def _paint(self, texture: Texture, which: Index) -> None:
        """Compute the colours of one texture."""
        point, normal = columns(self._point, which), columns(self._normal, which)
        colour = self._coats.colours(texture, self.owner[which], point, normal, self.lens)
        put_columns(self._colour, which, colour)
        self._ink[which] = inked(texture, colour)

    def _weigh_tiles(self, band: slice) -> Shares:
        """The tiles that represent some pixels."""
        mix = blend(self.lens.width, self.lens.height)
        return mix.shares(self._face, np.arange(band.start, band.stop))

    def _shade(self, number: int) -> None:
        """The visible share of a lamp: interpolated from tiles where it changes slowly, else per pixel."""

        light = self.scene.lights[number]

        def trace(which: Index, *, roughly: bool = False) -> Singles:
            point, normal = columns(self._point, which), columns(self._normal, which)
            return lit(shadows(light, point, normal, self._geometry, roughly=roughly))

        representative = representatives(self.lens)
        tiles = trace(representative)
        sharp = torn(tiles, self._face[representative], self.lens.width // TILE, _SHARP)
        doubtful = spread(self.lens, sharp) | self._lonely
        # Where faces meet, one ray tests whether the tile's value is valid for a pixel.
        meeting = np.flatnonzero(spread(self.lens, tiles_of(self.lens, self._corners)) & ~doubtful)
        interpolated = spread(self.lens, tiles)[meeting]
        doubtful[meeting[np.abs(trace(meeting, roughly=True) - interpolated) > 0.75]] = True
        which = np.flatnonzero(doubtful)
        self._lamps[number] = Shade(tiles, which, trace(which))

    def _measure_openness(self, which: slice) -> None:
        """The openness of the surroundings of tiles."""
        representative, reach = representatives(self.lens)[which], self.scene.sky.reach
        point, normal, whose = (
            columns(self._point, representative),
            columns(self._normal, representative),
            self.owner[representative],
        )
        felt = np.ones((FEELERS, len(representative)), dtype=np.float32)
        for part in self.stage.parts:
            crowded = np.flatnonzero(part.near(point, reach, whose) & (whose >= 0))
            mine = feeler_distances(columns(point, crowded), columns(normal, crowded), part, reach)
            put_columns(felt, crowded, np.minimum(columns(felt, crowded), mine))
        self._open[which] = openness(felt)

    def _light(self, band: slice, shares: Shares) -> None:
        """Compute the final light of some pixels."""
        whose = self.owner[band]
        samples = Samples(
            self._face[band],
            self.depth[band],
            self._point[:, band],
            self._normal[:, band],
            self._colour[:, band],
            self._coats.gloss[whose],
            self._coats.glow[whose],
        )
        lamps = [self._lamps[number] for number in range(len(self.scene.lights))]
        sent = glow(self.scene, self.lens.eye, samples)
        self._arriving[:, band] = sent.arriving(shares.mix(self._open), [lamp.seen(shares, band) for lamp in lamps])
        self.rgb[band] = encode(self._arriving[:, band]).T

    def _smooth(self, edge: Index) -> None:
        """Give pixels on edges the mean light of their subpixels."""
        row, column = np.divmod(np.tile(edge, len(SUBPIXELS)), self.lens.width)
        right, down = np.repeat(np.array(SUBPIXELS) + 0.5, len(edge), axis=0).T
        others = np.flatnonzero(np.tile(self.stage.lively[edge], len(SUBPIXELS)))
        face = self._faces(self.lens.rays(column + right, row + down), others)
        lender = borrowed(self.lens, self._face, row, column, face)
        light = np.zeros((3, len(edge)), dtype=np.float32)
        for part in np.split(columns(self._arriving, lender), len(SUBPIXELS), axis=1):
            light += part
        self.rgb[edge] = encode(light * np.float32(1.0 / len(SUBPIXELS))).T

    def _faces(self, ray: Floats, others: Index) -> Ints:
        """The faces that rays hit; `others` are the rays that may hit moving solids."""
        triangle = self._geometry.met(self.lens.eye, ray, others=others)
        face = self._geometry.face[triangle] * INKS
        lettered = np.flatnonzero(self._coats.lettered[owner(face)])
        for texture, some in self._coats.textured(owner(face[lettered])):
            mine = lettered[some]
            point = self.lens.eye + ray[:, mine] * self._geometry.distance(triangle[mine], self.lens.eye, ray[:, mine])
            normal = self._geometry.normal(triangle[mine], point)
            colour = self._coats.colours(texture, owner(face[mine]), point, normal, self.lens)
            face[mine] += inked(texture, colour)
        return face


def _pieces(count: int, size: int) -> list[slice]:
    return [slice(start, min(start + size, count)) for start in range(0, count, size)]
