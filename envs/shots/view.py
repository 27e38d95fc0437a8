"""What one camera sees: the picture, the segmentation and depth of each pixel, and the projection of points.

A pixel is named by column and row, and shows what the ray through its middle hits.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from math import inf, sqrt
from typing import TYPE_CHECKING

import numpy as np

from envs.render.arrays import Bools, Bytes, Floats
from envs.render.marks import Mark, draw
from envs.render.ray import Measured, count, measure, snapshot
from envs.render.samples import Lens
from envs.shots import masks
from envs.shots.cameras import HEIGHT, WIDTH, Eye, Head
from envs.shots.masks import Spot

if TYPE_CHECKING:
    from envs.render.scene import Scene, Vector

PIXELS = 150
"""Questions are about things with at least so many pixels of a 640 x 480 picture."""
SHARE = 0.3
"""They are about things of which at least this share is visible."""
_HALF = 2
"""The factor by which resolution is reduced, both ways, to measure how large a thing is unoccluded."""
_CLOSED = {"robot", "shell"}


class View:
    """One camera's view of a scene. Everything is computed when first needed, and cached."""

    def __init__(self, eye: Eye, scene: Scene, threads: int = 2) -> None:
        self.eye, self.scene = eye, scene
        self._threads = threads
        self._lens = Lens(scene.camera, WIDTH, HEIGHT, (WIDTH, HEIGHT))
        self._whole: dict[str, int] = {}
        self._spots: dict[str, Spot | None] = {}

    @cached_property
    def measured(self) -> Measured:
        """The segmentation and depth of each pixel: ten times faster than a picture."""
        return measure(self.scene, WIDTH, HEIGHT, threads=self._threads)

    @cached_property
    def rgb(self) -> Bytes:
        """The picture."""
        return snapshot(self.scene, WIDTH, HEIGHT, threads=self._threads).rgb

    def png(self, marks: Iterable[Mark] = ()) -> bytes:
        """The picture with marks as a PNG file; deterministic."""
        from envs.render.png import png

        return png(draw(self.rgb, marks))

    @cached_property
    def seen(self) -> Mapping[str, int]:
        """How many pixels show each visible thing, without walls and the robot itself."""
        counts = self.measured.counts()
        return {name: number for name, number in counts.items() if number and name not in _CLOSED}

    def pixels(self, name: str) -> int:
        """How many pixels show a thing."""
        return self.seen.get(name, 0)

    def whole(self, name: str) -> int:
        """How many pixels would show a thing without occlusion and clipping."""
        if name not in self._whole:
            mine = tuple(solid for solid in self.scene.solids if solid.name == name)
            camera = replace(self.scene.camera, view=2.0 * self.scene.camera.view)
            # Twice the field of view at half the resolution: as many pixels as the picture has.
            counted = count(
                replace(self.scene, solids=mine, camera=camera), (name,), WIDTH, HEIGHT, threads=self._threads
            )
            self._whole[name] = counted[name] * _HALF**2
        return self._whole[name]

    def share(self, name: str) -> float:
        """The visible share of a thing, from 0 to 1."""
        whole = self.whole(name)
        return min(self.pixels(name) / whole, 1.0) if whole else 0.0

    def clear(self, name: str, pixels: int = PIXELS, share: float = SHARE) -> bool:
        """Whether enough of a thing is visible to ask about it."""
        return self.pixels(name) >= pixels and self.share(name) >= share

    def doubtful(self, name: str) -> bool:
        """Whether it is debatable that a thing is in the picture: a part of it is visible, but not enough."""
        seen = self.pixels(name)
        return not self.clear(name) and (seen >= PIXELS / 5 or (seen > 0 and self.share(name) >= 0.1))

    def mask(self, name: str) -> Bools:
        """The pixels that show a thing."""
        if name not in self.measured.names:
            return np.zeros((HEIGHT, WIDTH), dtype=np.bool_)
        return self.measured.mask(name)

    def spot(self, name: str) -> Spot | None:
        """The place of a mark on a thing: well inside its visible part. None if it is not in view."""
        if name not in self._spots:
            self._spots[name] = masks.inmost(self.mask(name))
        return self._spots[name]

    def frame(self, name: str) -> tuple[int, int, int, int] | None:
        """Left, top, right and bottom of the visible part of a thing."""
        return masks.frame(self.mask(name))

    def owner(self, x: int, y: int) -> str | None:
        """What a pixel shows: a thing, `shell`, `robot`, or nothing."""
        number = int(self.measured.segmentation[y, x])
        return self.measured.names[number] if number >= 0 else None

    def point(self, x: int, y: int) -> Vector:
        """The point of the home that a pixel shows; infinite if it shows nothing."""
        depth = float(self.measured.depth[y, x])
        if depth == inf:
            return inf, inf, inf
        ray = self._lens.rays(np.array([x + 0.5]), np.array([y + 0.5]))
        a, b, c = (self._lens.eye[:, 0] + ray[:, 0] * depth).tolist()
        return a, b, c

    def points(self) -> Floats:
        """The points that all pixels show: coordinates, rows, columns."""
        rays = self._lens.rows(0, HEIGHT)
        found: Floats = self._lens.eye + rays * self.measured.depth.ravel()
        return found.reshape(3, HEIGHT, WIDTH)

    def project(self, point: Vector) -> tuple[float, float, float] | None:
        """The pixel coordinates of a point, from the top left corner, and its depth; None if behind the camera.

        It may be outside the picture, or occluded. Rounding down gives the pixel.
        """
        seen = self._lens.seen_from(np.array(point, dtype=np.float64)[:, None])
        if float(seen[2, 0]) <= 0.0:
            return None
        x, y = self._lens.on_picture(seen)
        return float(x[0]), float(y[0]), float(seen[2, 0])

    def shows(self, point: Vector, slack: float = 0.03) -> bool:
        """Whether a point is in the picture and not occluded; `slack` in metres."""
        found = self.project(point)
        if found is None or not (0.0 <= found[0] < WIDTH and 0.0 <= found[1] < HEIGHT):
            return False
        return found[2] <= float(self.measured.depth[int(found[1]), int(found[0])]) + slack

    def from_eye(self, point: Vector) -> float:
        """The distance of a point from the camera."""
        return sqrt(sum((a - b) ** 2 for a, b in zip(point, self.scene.camera.position, strict=True)))

    @property
    def hand(self) -> Vector | None:
        """The fingertips of the robot whose head this is."""
        return hand_tip(self.eye) if isinstance(self.eye, Head) else None


def hand_tip(eye: Head) -> Vector:
    """The point between the fingertips."""
    from envs.household.home.frames import spot
    from envs.household.home.robot import TIP, links

    return spot(links(eye.stance)["hand"], (TIP, 0.0, 0.0))
