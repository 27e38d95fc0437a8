"""What rays met: one column per ray, so that thousands of surfaces are handled in one go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from envs.render.arrays import Floats, Ints, cross, dot, unit
from envs.render.patterns import rgb
from envs.render.scene import Camera, Label, Plain, Solid
from envs.render.textures import albedo
from envs.render.trace import SIDES, Geometry

Index: TypeAlias = NDArray[np.intp]

INKS = 4
"""Steps from paper to ink on a label that count as different faces."""
NOWHERE = -SIDES * INKS
"""The face of a ray that met nothing."""


@dataclass(frozen=True)
class Samples:
    """Surfaces met by rays. `face` tells solids, their sides, and ink from paper apart; see `owner`."""

    face: Ints
    depth: Floats
    point: Floats
    normal: Floats
    albedo: Floats
    gloss: Floats
    glow: Floats

    def __len__(self) -> int:
        return len(self.face)

    def put(self, which: Index, other: Samples) -> None:
        """Overwrite some of the samples."""
        self.face[which], self.depth[which] = other.face, other.depth
        self.gloss[which], self.glow[which] = other.gloss, other.glow
        self.point[:, which], self.normal[:, which], self.albedo[:, which] = other.point, other.normal, other.albedo


def owner(face: Ints) -> Ints:
    """The numbers of the solids that faces belong to, -1 for none."""
    return face // (SIDES * INKS)


class Lens:
    """A camera with its picture size: from pixels to rays and back.

    The camera's view fills the top left `shown` part (width, height) of the picture, which may be larger.
    """

    def __init__(self, camera: Camera, width: int, height: int, shown: tuple[int, int]) -> None:
        self.width, self.height = width, height
        self.eye: Floats = np.array(camera.position, dtype=np.float64)[:, None]
        self._forward = unit(np.array(camera.target)[:, None] - self.eye)
        self._right = unit(np.stack([self._forward[1], -self._forward[0], np.zeros(1)]))
        self._up = cross(self._right, self._forward)
        self._scale = camera.view / shown[1]
        self._middle = (shown[0] * 0.5, shown[1] * 0.5)

    def rays(self, x: Floats, y: Floats) -> Floats:
        """Directions through points of the picture, in pixels from its top left corner."""
        across, down = (x - self._middle[0]) * self._scale, (y - self._middle[1]) * self._scale
        return self._forward + self._right * across - self._up * down

    def project(self, points: Floats) -> tuple[Floats, Floats]:
        """Where points appear in the picture."""
        offset = points - self.eye
        depth = np.maximum(dot(offset, self._forward), 1e-6)
        x = dot(offset, self._right) / depth / self._scale + self._middle[0]
        return x, self._middle[1] - dot(offset, self._up) / depth / self._scale

    def pixel(self, ray: Floats, depth: Floats, normal: Floats) -> Floats:
        """How much of a surface one pixel covers, in metres: more the further off it is and the more it is turned."""
        cosine = np.abs(dot(ray, normal)) / np.sqrt(dot(ray, ray))
        return depth * self._scale / np.sqrt(np.maximum(cosine, 0.1))


class Coats:
    """The materials of some solids: all that is the same all over them in tables, the rest painted one by one."""

    def __init__(self, solids: Sequence[Solid]) -> None:
        self._solids = solids
        materials = [solid.material for solid in solids]
        self._plain = np.zeros((3, len(solids)))
        for number, material in enumerate(materials):
            if isinstance(material.texture, Plain):
                self._plain[:, number] = rgb(material.texture.colour)[:, 0]
        self._gloss = np.array([material.gloss for material in materials])
        self._glow = np.array([material.glow for material in materials])
        self._painted = np.array([not isinstance(material.texture, Plain) for material in materials])

    def cover(self, lens: Lens, ray: Floats, samples: Samples) -> None:
        """Give samples their colours. Where those are of ink, a sample's face tells how much of it."""
        whose = owner(samples.face)
        samples.albedo[:] = self._plain[:, whose]
        samples.gloss[:], samples.glow[:] = self._gloss[whose], self._glow[whose]
        painted = np.flatnonzero(self._painted[whose])
        painted = painted[np.argsort(whose[painted], kind="stable")]
        for mine in np.split(painted, np.flatnonzero(np.diff(whose[painted])) + 1):
            if not len(mine):
                continue
            solid = self._solids[whose[mine[0]]]
            point, normal = samples.point[:, mine], samples.normal[:, mine]
            pixel = lens.pixel(ray[:, mine], samples.depth[mine], normal)
            local = _local(solid, point - np.array(solid.position)[:, None])
            colour = albedo(solid.material.texture, local, _local(solid, normal), pixel)
            samples.albedo[:, mine] = colour
            if isinstance(solid.material.texture, Label):
                samples.face[mine] += (colour[0] * (INKS - 0.01)).astype(np.int32)


def surfaces(geometry: Geometry, coats: Coats, lens: Lens, ray: Floats, triangle: Ints, depth: Floats) -> Samples:
    """The surfaces where rays met triangles; those that met none are black and endlessly far."""
    met = np.flatnonzero(triangle >= 0)
    if len(met) < len(triangle):
        count = len(triangle)
        point, normal, colour = (np.zeros((3, count)) for _ in range(3))
        face = np.full(count, NOWHERE, dtype=np.int32)
        samples = Samples(face, depth.copy(), point, normal, colour, np.zeros(count), np.zeros(count))
        samples.put(met, surfaces(geometry, coats, lens, ray[:, met], triangle[met], depth[met]))
        return samples
    point = lens.eye + ray * depth
    normal = geometry.normal(triangle, point)
    face = geometry.face[triangle] * INKS
    gloss, glow = np.empty(len(triangle)), np.empty(len(triangle))
    samples = Samples(face, depth, point, normal, np.empty_like(point), gloss, glow)
    coats.cover(lens, ray, samples)
    return samples


def _local(solid: Solid, vectors: Floats) -> Floats:
    r = solid.rotation
    return np.stack([vectors[0] * r[k] + vectors[1] * r[3 + k] + vectors[2] * r[6 + k] for k in range(3)])
