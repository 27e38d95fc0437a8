"""Triangulates shapes, with a normal at each corner. Few triangles suffice, because normals are smooth.

A home has hundreds of boxes, balls and cylinders of different sizes, which are scaled from a few patterns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import pairwise, product

import numpy as np

from envs.render.arrays import Floats, Ints, Numbers, unit
from envs.render.scene import Box, Cylinder, Mesh, Shape, Solid, Sphere

Triangles = tuple[Floats, Floats]
"""Corner points and corner normals, each of shape (triangles, 3 corners, 3 coordinates)."""

_ROUND = 32
"""Segments round a ball or a cylinder."""


@dataclass(frozen=True)
class Pattern:
    """A shape of unit size, which is scaled.

    `first` are the corners that differ from all earlier ones, `faces` are the indices of these points for each
    triangle, and `sides` is the axis that each triangle mostly faces: +x, +y, +z, -x, -y, -z as 0 to 5.
    """

    points: Floats
    normals: Floats
    first: Ints
    faces: Ints
    sides: Ints


def _pattern(points: Floats, normals: Floats) -> Pattern:
    _, first, faces = np.unique(points.reshape(-1, 3), axis=0, return_index=True, return_inverse=True)
    facing = normals.sum(axis=1)
    axes = np.argmax(np.concatenate([facing, -facing], axis=1), axis=1)
    numbers = faces.reshape(-1, 3).astype(np.int32)
    return Pattern(points, normals, first.astype(np.int32), numbers, axes.astype(np.int32))


def pattern(shape: Shape) -> Pattern:
    """The pattern of a shape."""
    match shape:
        case Box(size, bevel):
            return _boxes(min(bevel, min(size) / 2.0) > 0.0)
        case Sphere():
            return _spheres()
        case Cylinder():
            return _cylinders()
        case Mesh():
            return _mesh(shape)


@lru_cache(maxsize=1024)
def triangles(shape: Shape) -> Triangles:
    """The triangles of a shape about its own centre."""
    cut = pattern(shape)
    match shape:
        case Box(size, bevel):
            bevel = min(bevel, min(size) / 2.0)
            # The corners of a pattern are signs, and its normals are the axes of the bevel.
            return cut.points * (np.array(size) / 2.0 - bevel) + cut.normals * bevel, cut.normals
        case Sphere(radius):
            return cut.points * radius, cut.normals
        case Cylinder(radius, height):
            return cut.points * np.array([radius, radius, height / 2.0]), cut.normals
        case Mesh():
            return cut.points, cut.normals


def placed(solids: Sequence[Solid], insets: Numbers) -> Triangles:
    """The triangles of solids in the scene, slightly shrunk so that touching faces never coincide."""
    cut = [triangles(solid.shape) for solid in solids]
    counts = [len(points) for points, _ in cut]
    points, normals = (np.concatenate([np.zeros((0, 3, 3)), *(part[which] for part in cut)]) for which in (0, 1))
    turn = np.repeat(np.array([solid.rotation for solid in solids]).reshape(-1, 9), counts, axis=0)
    points -= np.repeat(insets, counts)[:, None, None] * np.sign(points)
    moved = _turned(points, turn)
    moved += np.repeat(np.array([solid.position for solid in solids]).reshape(-1, 3), counts, axis=0)[:, None, :]
    return moved, _turned(normals, turn)


def _turned(vectors: Floats, turn: Floats) -> Floats:
    x, y, z = (vectors[..., axis] for axis in range(3))
    rows = (turn[:, start : start + 3, None] for start in (0, 3, 6))
    return np.stack([x * row[:, 0] + y * row[:, 1] + z * row[:, 2] for row in rows], axis=-1)


@lru_cache(maxsize=512)
def _mesh(mesh: Mesh) -> Pattern:
    faces = np.array(mesh.faces)
    points = np.array(mesh.points)[faces]
    return _pattern(points, np.array(mesh.normals)[faces] if mesh.normals else _flat(points))


def _flat(corners: Floats) -> Floats:
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    normals = unit(np.cross(b - a, c - a).T).T
    return np.repeat(normals[:, None, :], 3, axis=1)


def _wound(points: Floats, normals: Floats) -> Pattern:
    """The triangles with corners in counter-clockwise order as seen from the side of their normals."""
    order, rows = _order(points, normals), np.arange(len(points))[:, None]
    return _pattern(points[rows, order], normals[rows, order])


def _order(points: Floats, normals: Floats) -> Ints:
    a, b, c = points[:, 0], points[:, 1], points[:, 2]
    facing = (np.cross(b - a, c - a) * normals.sum(axis=1)).sum(axis=1)
    order: Ints = np.where((facing < 0.0)[:, None], [0, 2, 1], [0, 1, 2]).astype(np.int32)
    return order


@cache
def _boxes(bevelled: bool) -> Pattern:
    """Six faces; if bevelled, also twelve edges and eight corners with interpolated normals."""
    axes = np.eye(3)
    found: list[tuple[Floats, Floats]] = []

    def corner(signs: Floats, face: int) -> tuple[Floats, Floats]:
        return signs, signs * axes[face]

    def add(*around: tuple[Floats, Floats]) -> None:
        for three in ((around[0], b, c) for b, c in pairwise(around[1:])):
            found.append((np.stack([p for p, _ in three]), np.stack([n for _, n in three])))

    for face in range(3):
        u, v = (face + 1) % 3, (face + 2) % 3
        for sign in (-1.0, 1.0):
            around = [sign * axes[face] + p * axes[u] + q * axes[v] for p, q in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
            add(*(corner(signs, face) for signs in around))
        if bevelled:
            for p, q in product((-1.0, 1.0), repeat=2):
                low, high = (side * axes[face] + p * axes[u] + q * axes[v] for side in (-1.0, 1.0))
                add(corner(low, u), corner(high, u), corner(high, v), corner(low, v))
    if bevelled:
        for eighth in product((-1.0, 1.0), repeat=3):
            add(*(corner(np.array(eighth), face) for face in range(3)))
    # The signs of an edge's corners coincide, so add the normals to compute the order.
    normals = np.stack([n for _, n in found])
    whole = _wound(np.stack([p for p, _ in found]) + normals * bevelled, normals)
    return replace(whole, points=whole.points - whole.normals * bevelled)


def _circle(count: int) -> Floats:
    """Points on the unit circle, rounded to be the same on every machine."""
    angles = np.arange(count + 1) * (2.0 * np.pi / count)
    return np.round(np.stack([np.cos(angles), np.sin(angles)], axis=1), 9)


@cache
def _spheres() -> Pattern:
    circle, arc = _circle(_ROUND), _circle(_ROUND)[: _ROUND // 2 + 1]
    grid = np.array([[(x * s, y * s, c) for x, y in circle] for c, s in arc])
    a, b, c, d = grid[:-1, :-1], grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:]
    first, second = np.stack([a, b, c], axis=2), np.stack([a, c, d], axis=2)
    # At the poles, two corners of a triangle coincide.
    corners = np.concatenate([first[:-1].reshape(-1, 3, 3), second[1:].reshape(-1, 3, 3)])
    return _wound(corners, unit(corners.reshape(-1, 3).T).T.reshape(corners.shape))


@cache
def _cylinders() -> Pattern:
    points: list[list[tuple[float, float, float]]] = []
    normals: list[list[tuple[float, float, float]]] = []
    circle = [(float(x), float(y)) for x, y in _circle(_ROUND)]
    for (ax, ay), (bx, by) in pairwise(circle):
        a, b = (ax, ay, 0.0), (bx, by, 0.0)
        low_a, low_b, top_a, top_b = (ax, ay, -1.0), (bx, by, -1.0), (ax, ay, 1.0), (bx, by, 1.0)
        points += [[low_a, low_b, top_b], [low_a, top_b, top_a], [top_a, top_b, (0.0, 0.0, 1.0)]]
        points += [[low_b, low_a, (0.0, 0.0, -1.0)]]
        normals += [[a, b, b], [a, b, a], [(0.0, 0.0, 1.0)] * 3, [(0.0, 0.0, -1.0)] * 3]
    return _wound(np.array(points), np.array(normals))
