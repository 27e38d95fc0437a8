"""Shapes as triangles with a normal at each corner. Few triangles: smooth normals do the rounding."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise, product

import numpy as np

from envs.render.arrays import Floats, Ints, unit
from envs.render.scene import Box, Cylinder, Mesh, Shape, Solid, Sphere

Triangles = tuple[Floats, Floats]
"""Corner points and corner normals, each of shape (triangles, 3 corners, 3 coordinates)."""

_ROUND = 32
"""Segments round a ball or a cylinder."""


@lru_cache(maxsize=512)
def triangles(shape: Shape) -> Triangles:
    """The surface of a shape about its own centre."""
    match shape:
        case Box(size, bevel):
            return _box(np.array(size) / 2.0, min(bevel, min(size) / 2.0))
        case Sphere(radius):
            return _sphere(radius)
        case Cylinder(radius, height):
            return _cylinder(radius, height)
        case Mesh(points, faces, normals):
            corners = np.array(points)[np.array(faces)]
            return corners, np.array(normals)[np.array(faces)] if normals else _flat(corners)


@lru_cache(maxsize=512)
def sides(shape: Shape) -> Ints:
    """For each triangle of a shape the axis it mostly faces: +x, +y, +z, -x, -y, -z as 0 to 5."""
    facing = triangles(shape)[1].sum(axis=1)
    axes: Ints = np.argmax(np.concatenate([facing, -facing], axis=1), axis=1).astype(np.int32)
    return axes


def placed(solid: Solid, inset: float) -> Triangles:
    """The surface of a solid in the scene, drawn in by a hair so that touching faces are never the same plane."""
    points, normals = triangles(solid.shape)
    turn = np.array(solid.rotation).reshape(3, 3)
    moved = _turned(points - inset * np.sign(points), turn) + np.array(solid.position)
    return moved, _turned(normals, turn)


def _turned(vectors: Floats, turn: Floats) -> Floats:
    rows = [vectors[..., 0] * row[0] + vectors[..., 1] * row[1] + vectors[..., 2] * row[2] for row in turn]
    return np.stack(rows, axis=-1)


def _flat(corners: Floats) -> Floats:
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    normals = unit(np.cross(b - a, c - a).T).T
    return np.repeat(normals[:, None, :], 3, axis=1)


def _outward(corners: Floats, normals: Floats) -> Triangles:
    """The same triangles, each wound so that its face looks the way its normals do."""
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    facing = (np.cross(b - a, c - a) * normals.sum(axis=1)).sum(axis=1)
    order = np.where((facing < 0.0)[:, None], [0, 2, 1], [0, 1, 2])
    rows = np.arange(len(corners))[:, None]
    return corners[rows, order], normals[rows, order]


def _box(half: Floats, bevel: float) -> Triangles:
    """Six faces, and where bevelled twelve edges and eight corners whose normals turn from face to face."""
    inner = half - bevel
    axes = np.eye(3)
    found: list[tuple[Floats, Floats]] = []

    def corner(signs: Floats, face: int) -> tuple[Floats, Floats]:
        return signs * inner + signs * axes[face] * bevel, signs * axes[face]

    def add(*around: tuple[Floats, Floats]) -> None:
        for three in ((around[0], b, c) for b, c in pairwise(around[1:])):
            found.append((np.stack([p for p, _ in three]), np.stack([n for _, n in three])))

    for face in range(3):
        u, v = (face + 1) % 3, (face + 2) % 3
        for sign in (-1.0, 1.0):
            around = [sign * axes[face] + p * axes[u] + q * axes[v] for p, q in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
            add(*(corner(signs, face) for signs in around))
        if bevel > 0.0:
            for p, q in product((-1.0, 1.0), repeat=2):
                low, high = (side * axes[face] + p * axes[u] + q * axes[v] for side in (-1.0, 1.0))
                add(corner(low, u), corner(high, u), corner(high, v), corner(low, v))
    if bevel > 0.0:
        for signs in product((-1.0, 1.0), repeat=3):
            add(*(corner(np.array(signs), face) for face in range(3)))
    return _outward(np.stack([p for p, _ in found]), np.stack([n for _, n in found]))


def _circle(count: int) -> Floats:
    """Points on the unit circle, rounded so that every machine has the same ones."""
    angles = np.arange(count + 1) * (2.0 * np.pi / count)
    return np.round(np.stack([np.cos(angles), np.sin(angles)], axis=1), 9)


def _sphere(radius: float) -> Triangles:
    circle, arc = _circle(_ROUND), _circle(_ROUND)[: _ROUND // 2 + 1]
    grid = np.array([[(x * s, y * s, c) for x, y in circle] for c, s in arc])
    a, b, c, d = grid[:-1, :-1], grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:]
    first, second = np.stack([a, b, c], axis=2), np.stack([a, c, d], axis=2)
    # At the poles two corners of one triangle fall together.
    corners = np.concatenate([first[:-1].reshape(-1, 3, 3), second[1:].reshape(-1, 3, 3)])
    return _outward(corners * radius, unit(corners.reshape(-1, 3).T).T.reshape(corners.shape))


def _cylinder(radius: float, height: float) -> Triangles:
    points: list[list[tuple[float, float, float]]] = []
    normals: list[list[tuple[float, float, float]]] = []
    circle = [(float(x), float(y)) for x, y in _circle(_ROUND)]
    z = height / 2.0
    for (ax, ay), (bx, by) in pairwise(circle):
        a, b = (ax, ay, 0.0), (bx, by, 0.0)
        low_a, low_b = (ax * radius, ay * radius, -z), (bx * radius, by * radius, -z)
        top_a, top_b = (ax * radius, ay * radius, z), (bx * radius, by * radius, z)
        points += [[low_a, low_b, top_b], [low_a, top_b, top_a], [top_a, top_b, (0.0, 0.0, z)]]
        points += [[low_b, low_a, (0.0, 0.0, -z)]]
        normals += [[a, b, b], [a, b, a], [(0.0, 0.0, 1.0)] * 3, [(0.0, 0.0, -1.0)] * 3]
    return _outward(np.array(points), np.array(normals))
