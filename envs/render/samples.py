"""Surface samples of many rays as arrays, with one column per ray."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from envs.render.arrays import Floats, Ints, Numbers, columns, cross, dot, unit
from envs.render.patterns import rgb
from envs.render.scene import UPRIGHT, Camera, Colour, Label, Plain, Solid, Texture
from envs.render.textures import albedo
from envs.render.trace import SIDES, Geometry

Index: TypeAlias = NDArray[np.intp]

INKS = 4
"""The number of shades between paper and ink that count as different faces of a label."""
NOWHERE = -SIDES * INKS
"""The face of a ray that hit nothing."""
_BLACK: Colour = (0.0, 0.0, 0.0)
_CHUNK = 16384
"""Samples that are painted together: arrays that fit the processor's cache are several times faster."""


@dataclass(frozen=True)
class Samples:
    """Surfaces hit by rays. `face` distinguishes solids, their sides, and ink from paper; see `owner`."""

    face: Ints
    depth: Numbers
    point: Numbers
    normal: Numbers
    albedo: Numbers
    gloss: Numbers
    glow: Numbers

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
        self._right = unit(_aside(self._forward, camera))
        self._up = cross(self._right, self._forward)
        self.scale = camera.view / shown[1]
        self._middle = (shown[0] * 0.5, shown[1] * 0.5)

    def rays(self, x: Floats, y: Floats) -> Floats:
        """Directions through points of the picture, in pixels from its top left corner."""
        across, down = (x - self._middle[0]) * self.scale, (y - self._middle[1]) * self.scale
        return self._forward + self._right * across - self._up * down

    def rows(self, first: int, last: int) -> Floats:
        """Directions through the centres of all pixels of a range of rows, bit-identical to those of `rays`."""
        across = (np.arange(self.width) + 0.5 - self._middle[0]) * self.scale
        down = (np.arange(first, last) + 0.5 - self._middle[1]) * self.scale
        ways: Floats = (self._forward + self._right * across)[:, None, :] - (self._up * down)[:, :, None]
        return ways.reshape(3, -1)

    def seen_from(self, points: Floats) -> Floats:
        """Points in camera coordinates: right, up, forward."""
        offset = points - self.eye
        return np.stack([dot(offset, self._right), dot(offset, self._up), dot(offset, self._forward)])

    def on_picture(self, points: Floats) -> tuple[Floats, Floats]:
        """The pixel coordinates of points in camera coordinates."""
        right, up, depth = points
        return right / depth / self.scale + self._middle[0], self._middle[1] - up / depth / self.scale

    def project(self, points: Floats) -> tuple[Floats, Floats]:
        """The pixel coordinates of points; points behind the camera are far outside."""
        right, up, depth = self.seen_from(points)
        return self.on_picture(np.stack([right, up, np.maximum(depth, 1e-6)]))


def _aside(forward: Floats, camera: Camera) -> Floats:
    """The direction to the right of the camera."""
    if camera.up is None:
        return np.stack([forward[1], -forward[0], np.zeros(1)])
    aside = cross(forward, np.array(camera.up)[:, None])
    if float(dot(aside, aside)[0]) < 1e-12:
        raise ValueError(f"a camera that looks along its own up {camera.up} has no right side: give another `up`")
    return aside


class Coats:
    """The materials of some solids: uniform properties in tables, textures evaluated one after the other."""

    def __init__(self, solids: Sequence[Solid], like: np.dtype[Any]) -> None:
        materials = [solid.material for solid in solids]
        self._textures = {id(material.texture): material.texture for material in materials}
        order = {
            key: number
            for number, (key, texture) in enumerate(self._textures.items())
            if not isinstance(texture, Plain)
        }
        kinds = [order.get(id(material.texture), -1) for material in materials]
        colours = [material.texture.colour if isinstance(material.texture, Plain) else _BLACK for material in materials]
        # One extra entry for number -1, nothing, which is black and matt.
        self._texture = np.array([*kinds, -1], dtype=np.int16)
        self._plain = np.concatenate([rgb(colour, like) for colour in (*colours, _BLACK)], axis=1)
        self._place, self._turn = (
            np.array(rows, dtype=like).T.copy()
            for rows in (
                [*(solid.position for solid in solids), UPRIGHT[:3]],
                [*(solid.rotation for solid in solids), UPRIGHT],
            )
        )
        self.lettered = np.array([*(isinstance(material.texture, Label) for material in materials), False])
        self.gloss = np.array([*(material.gloss for material in materials), 0.0], dtype=like)
        self.glow = np.array([*(material.glow for material in materials), 0.0], dtype=like)

    def plain(self, whose: Ints) -> Numbers:
        """The colours of solids; black if they have a texture."""
        return columns(self._plain, whose)

    def textured(self, whose: Ints) -> Iterator[tuple[Texture, Index]]:
        """Each texture with the samples that have it, in chunks."""
        kind = self._texture[whose]
        painted = np.flatnonzero(kind >= 0)
        painted = painted[np.argsort(kind[painted], kind="stable")]
        textures = list(self._textures.values())
        for mine in np.split(painted, np.flatnonzero(np.diff(kind[painted])) + 1):
            for start in range(0, len(mine), _CHUNK):
                yield textures[kind[mine[start]]], mine[start : start + _CHUNK]

    def colours(self, texture: Texture, whose: Ints, point: Numbers, normal: Numbers, lens: Lens) -> Numbers:
        """The colours of a texture at points on solids."""
        away = point - lens.eye.astype(point.dtype)
        far = np.sqrt(dot(away, away))
        # A pixel covers more of a surface that is further away or seen at a lower angle.
        pixel = far * lens.scale / np.sqrt(np.maximum(np.abs(dot(away, normal)) / far, 0.1))
        turn = columns(self._turn, whose)
        local = _turned_back(turn, point - columns(self._place, whose))
        return albedo(texture, local, _turned_back(turn, normal), pixel)


def inked(texture: Texture, colour: Numbers) -> Ints | int:
    """The offset of ink to the numbers of faces, so that letters have edges."""
    return (colour[0] * (INKS - 0.01)).astype(np.int32) if isinstance(texture, Label) else 0


def surfaces(geometry: Geometry, coats: Coats, lens: Lens, ray: Floats, triangle: Ints, depth: Floats) -> Samples:
    """The surfaces where rays hit triangles; a miss is black and infinitely far."""
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
    face, whose = geometry.face[triangle] * INKS, geometry.owner[triangle]
    colours = coats.plain(whose)
    for texture, mine in coats.textured(whose):
        colours[:, mine] = coats.colours(texture, whose[mine], point[:, mine], normal[:, mine], lens)
        face[mine] += inked(texture, colours[:, mine])
    return Samples(face, depth, point, normal, colours, coats.gloss[whose], coats.glow[whose])


def _turned_back(turn: Numbers, vectors: Numbers) -> Numbers:
    """Convert directions from the scene to the frames of solids."""
    x, y, z = vectors
    return np.stack([x * turn[axis] + y * turn[3 + axis] + z * turn[6 + axis] for axis in range(3)])
