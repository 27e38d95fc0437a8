"""The part of a scene that does not move, traced and shaded once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from envs.render.arrays import Bytes, Floats, Ints, encode
from envs.render.light import feel, openness, shade, shadows
from envs.render.samples import Index, Lens, Samples, codes, nothing, surfaces
from envs.render.scene import Scene, Solid
from envs.render.trace import Geometry
from envs.render.view import (
    TILE,
    Bits,
    cast_shadows,
    seen,
    smooth_edges,
    speakers,
    spread_openness,
    uneven,
)


@dataclass(frozen=True)
class Setting:
    """What a backdrop is made from: a scene without its moving solids, and the size of the picture."""

    scene: Scene
    width: int
    height: int


class Backdrop:
    """Everything known of the pixels before anything moves. Never changed once made."""

    def __init__(self, setting: Setting) -> None:
        scene, width, height = setting.scene, setting.width, setting.height
        self.scene = scene
        # Whole tiles: what sticks out at the right and at the bottom is cut off in the end.
        self.lens = Lens(scene.camera, -(-width // TILE) * TILE, -(-height // TILE) * TILE, height).centred(width)
        self.geometry = Geometry(tuple(enumerate(scene.solids)))
        rows, columns = np.mgrid[0 : self.lens.height, 0 : self.lens.width]
        self.samples = self.hit(columns.ravel() + 0.5, rows.ravel() + 0.5)
        self.code = codes(self.samples, scene.solids)
        self.bits: list[Bits] = []
        self._cast_shadows()
        self.grid = self.samples[speakers(self.lens)]
        self.felt = feel(self.grid, self.geometry, scene.sky.reach)
        self.open = openness(self.felt)
        self.rgb = self._paint()

    def pick(self, which: Index) -> Samples:
        """The surfaces behind some pixels."""
        return self.samples[which]

    def hit(self, x: Floats, y: Floats) -> Samples:
        """The surfaces behind points of the picture."""
        ray = self.lens.rays(x, y)
        triangle, depth = self.geometry.first(self.lens.eye, ray)
        met = np.flatnonzero(triangle >= 0)
        found = surfaces(self.geometry, self.scene.solids, self.lens.eye, ray[:, met], triangle[met], depth[met])
        if len(met) == len(x):
            return found
        samples = nothing(len(x))
        samples.put(met, found)
        return samples

    def _cast_shadows(self) -> None:
        everywhere = np.ones(len(self.samples) // (TILE * TILE), dtype=np.bool_)
        for light in self.scene.lights:
            known = np.zeros(len(self.samples), dtype=np.uint16)
            cast_shadows(
                self, known, everywhere, lambda which, light=light: shadows(light, self.pick(which), [self.geometry])
            )
            self.bits.append(known)

    def _paint(self) -> Bytes:
        everything = np.arange(len(self.samples))
        light = self._shade(self.samples, seen(self, everything), spread_openness(self, everything, self.samples))
        edge = np.flatnonzero(uneven(self.code, self.lens.width))
        light[:, edge] = smooth_edges(self, edge, self._codes, self._shade)
        return np.ascontiguousarray(encode(light).T)

    def _codes(self, samples: Samples) -> Ints:
        return codes(samples, self.scene.solids)

    def _shade(self, samples: Samples, shares: Sequence[Floats], open_: Floats) -> Floats:
        return shade(self.scene, self.lens.eye, samples, shares, open_)


def without_moving(scene: Scene) -> tuple[tuple[Solid, ...], tuple[Solid, ...]]:
    """The solids that stay, and those that move."""
    still = tuple(solid for solid in scene.solids if not solid.moving)
    return still, tuple(solid for solid in scene.solids if solid.moving)
