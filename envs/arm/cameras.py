"""Cameras as matrices: where points of the scene appear in a picture, without a renderer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from envs.render.scene import Camera


@dataclass(frozen=True, slots=True)
class Pinhole:
    """A camera without distortion. Pixels are counted from the top left corner of the picture, y downwards."""

    width: int
    height: int
    focal: float
    """The focal length in pixels, the same both ways; the principal point is the middle of the picture."""
    position: tuple[float, float, float]
    rotation: tuple[tuple[float, float, float], ...]
    """The directions right, down and forward of the camera in the scene: rows of a matrix."""

    @property
    def intrinsics(self) -> NDArray[np.float64]:
        """The 3 x 3 matrix K."""
        return np.array([[self.focal, 0, self.width / 2], [0, self.focal, self.height / 2], [0, 0, 1.0]])

    @property
    def extrinsics(self) -> NDArray[np.float64]:
        """The 3 x 4 matrix from points of the scene to points of the camera."""
        turn = np.array(self.rotation)
        return np.concatenate([turn, -turn @ np.array(self.position)[:, None]], axis=1)

    def project(self, points: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Pixels (n, 2) and depths (n) of points (n, 3); what is behind the camera has a depth below zero."""
        seen = (points - np.array(self.position)) @ np.array(self.rotation).T
        depth = seen[:, 2]
        safe = np.where(np.abs(depth) < 1e-9, 1e-9, depth)
        middle = np.array([self.width / 2, self.height / 2])
        return seen[:, :2] / safe[:, None] * self.focal + middle, depth


def pinhole(camera: Camera, width: int, height: int) -> Pinhole:
    """The matrices of a renderer's camera for a size of picture."""
    eye = np.array(camera.position)
    forward = np.array(camera.target) - eye
    forward /= np.linalg.norm(forward)
    right = np.cross(forward, np.array(camera.up or (0.0, 0.0, 1.0)))
    right /= np.linalg.norm(right)
    rows = (right, np.cross(forward, right), forward)
    rotation = tuple((float(row[0]), float(row[1]), float(row[2])) for row in rows)
    return Pinhole(width, height, height / camera.view, camera.position, rotation)
