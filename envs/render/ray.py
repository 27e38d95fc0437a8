"""The `ray` renderer: a scene in, a frame out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from envs.render.arrays import Bytes, Floats, Ints, dot, encode, linear, unit
from envs.render.scene import Scene
from envs.render.textures import albedo
from envs.render.trace import Geometry


@dataclass(frozen=True)
class Frame:
    """A picture, and which solid each of its pixels shows (an index into `names`, -1 for none)."""

    rgb: Bytes
    segmentation: NDArray[np.int16]
    names: tuple[str, ...]


def render(scene: Scene, width: int = 480, height: int = 480) -> Frame:
    """Draw the scene."""
    geometry = Geometry(tuple(enumerate(scene.solids)))
    eye = np.array(scene.camera.position)[:, None]
    forward = unit(np.array(scene.camera.target)[:, None] - eye)
    right = unit(np.stack([forward[1], -forward[0], forward[0] * 0]))
    up = np.stack([right[1]*forward[2]-right[2]*forward[1], right[2]*forward[0]-right[0]*forward[2], right[0]*forward[1]-right[1]*forward[0]])
    rows, columns = np.mgrid[0:height, 0:width]
    total = np.zeros((3, width * height))
    offs = ((-.375, -.125), (-.125, .375), (.125, -.375), (.375, .125))
    owner = np.zeros(0)
    for dx, dy in offs:
        x = ((columns.ravel() + 0.5 + dx) / height - 0.5 * width / height) * scene.camera.view
        y = (0.5 - (rows.ravel() + 0.5 + dy) / height) * scene.camera.view
        ray = forward + right * x + up * y
        tri, t = geometry.first(eye, ray)
        hit = tri >= 0
        owner = np.where(hit, geometry.owner[tri], -1)
        tri, t, ray = tri[hit], t[hit], ray[:, hit]
        p = eye + ray * t
        n = geometry.normal(tri, p)
        base = np.zeros_like(p)
        for i, solid in enumerate(scene.solids):
            mine = geometry.owner[tri] == i
            if mine.any():
                R = np.array(solid.rotation).reshape(3, 3)
                q = p[:, mine] - np.array(solid.position)[:, None]
                local = np.stack([q[0]*R[0,k]+q[1]*R[1,k]+q[2]*R[2,k] for k in range(3)])
                m = n[:, mine]
                ln = np.stack([m[0]*R[0,k]+m[1]*R[1,k]+m[2]*R[2,k] for k in range(3)])
                base[:, mine] = albedo(solid.material.texture, local, ln)
        above = np.array([[linear(c)] for c in scene.sky.above]); below = np.array([[linear(c)] for c in scene.sky.below])
        light = below + (above - below) * (0.5 + 0.5 * n[2])
        for lamp in scene.lights:
            to = np.array(lamp.position)[:, None] - p
            lit = ~geometry.blocked(p + n * 2e-4, to)
            light = light + np.maximum(dot(unit(to), n), 0) * lit * lamp.strength
        total[:, hit] += base * light
    rgb = encode(total / len(offs)).T.reshape(height, width, 3)
    return Frame(np.ascontiguousarray(rgb), owner.reshape(height, width).astype(np.int16), tuple(s.name for s in scene.solids))
