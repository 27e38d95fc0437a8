"""What rays met: one column per ray, so that a thousand surfaces are shaded in one go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from envs.render.arrays import Bools, Floats, Ints, cross, dot, unit
from envs.render.scene import Camera, Label, Solid
from envs.render.textures import albedo
from envs.render.trace import Geometry

Index: TypeAlias = NDArray[np.intp]


@dataclass(frozen=True)
class Samples:
    """Surfaces met by rays. `owner` is the number of the solid, -1 for none."""

    owner: Ints
    depth: Floats
    point: Floats
    normal: Floats
    albedo: Floats
    gloss: Floats

    def __len__(self) -> int:
        return len(self.owner)

    def __getitem__(self, which: Index | Bools) -> Samples:
        return Samples(
            self.owner[which],
            self.depth[which],
            self.point[:, which],
            self.normal[:, which],
            self.albedo[:, which],
            self.gloss[which],
        )

    def put(self, which: Index | Bools, other: Samples) -> None:
        """Overwrite some of the samples."""
        self.owner[which] = other.owner
        self.depth[which] = other.depth
        self.point[:, which] = other.point
        self.normal[:, which] = other.normal
        self.albedo[:, which] = other.albedo
        self.gloss[which] = other.gloss


class Lens:
    """A camera with its picture size: from pixels to rays and back."""

    def __init__(self, camera: Camera, width: int, height: int, rows: int) -> None:
        """`rows` of the picture's `height` make up the whole view; more are drawn below it."""
        self.width, self.height = width, height
        self.eye: Floats = np.array(camera.position, dtype=np.float64)[:, None]
        self._forward = unit(np.array(camera.target)[:, None] - self.eye)
        self._right = unit(np.stack([self._forward[1], -self._forward[0], np.zeros(1)]))
        self._up = cross(self._right, self._forward)
        self._scale = camera.view / rows
        self._middle = (0.0, rows * 0.5)

    def centred(self, columns: int) -> Lens:
        """The same lens with the middle of its view at the middle of the first `columns`."""
        self._middle = (columns * 0.5, self._middle[1])
        return self

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


def surfaces(
    geometry: Geometry, solids: Sequence[Solid], eye: Floats, ray: Floats, triangle: Ints, depth: Floats
) -> Samples:
    """The surfaces where rays met triangles (all of them must have)."""
    point = eye + ray * depth
    normal = geometry.normal(triangle, point)
    owner = geometry.owner[triangle]
    colour, gloss = np.zeros_like(point), np.zeros(len(owner))
    for number in np.unique(owner):
        mine = owner == number
        solid = solids[number]
        local = _local(solid, point[:, mine] - np.array(solid.position)[:, None])
        colour[:, mine] = albedo(solid.material.texture, local, _local(solid, normal[:, mine]))
        gloss[mine] = solid.material.gloss
    return Samples(owner, depth, point, normal, colour, gloss)


def nothing(count: int) -> Samples:
    """Rays that met nothing: black, endlessly far."""
    owner = np.full(count, -1, dtype=np.int32)
    zeros = [np.zeros((3, count)) for _ in range(3)]
    return Samples(owner, np.full(count, np.inf), *zeros, np.zeros(count))


def codes(samples: Samples, solids: Sequence[Solid]) -> Ints:
    """A number for each sample that differs where neighbours lie on different faces, or on ink and paper."""
    code = samples.owner * 729
    for row, factor in zip(samples.normal, (81, 9, 1), strict=True):
        code += ((row + 1.0) * 3.99).astype(np.int32) * factor
    code *= 4
    for number, solid in enumerate(solids):
        if isinstance(solid.material.texture, Label):
            printed = samples.owner == number
            code[printed] += (samples.albedo[0][printed] * 3.99).astype(np.int32)
    return code


def _local(solid: Solid, vectors: Floats) -> Floats:
    r = solid.rotation
    return np.stack([vectors[0] * r[k] + vectors[1] * r[3 + k] + vectors[2] * r[6 + k] for k in range(3)])
