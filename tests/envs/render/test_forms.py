"""Forms are closed, look outwards, and are as large as they say; their normals are smooth where they should be."""

from __future__ import annotations

from collections import Counter
from math import pi, sin

import numpy as np
import pytest

from envs.render import forms
from envs.render.scene import Box, Cylinder, Mesh, Shape, Sphere
from envs.render.shapes import pattern, triangles

CUP = [(0.0, 0.0), (0.04, 0.0), (0.04, 0.1), (0.036, 0.1), (0.036, 0.004), (0.0, 0.004)]
FORMS: dict[str, tuple[Mesh, tuple[float, float, float]]] = {
    "cup": (forms.lathe(CUP), (0.08, 0.08, 0.1)),
    "frustum": (forms.frustum(0.05, 0.03, 0.2), (0.1, 0.1, 0.2)),
    "cone": (forms.cone(0.05, 0.2), (0.1, 0.1, 0.2)),
    "capsule": (forms.capsule(0.03, 0.2), (0.06, 0.06, 0.2)),
    "ball-like capsule": (forms.capsule(0.03, 0.06), (0.06, 0.06, 0.06)),
    "ellipsoid": (forms.ellipsoid((0.2, 0.1, 0.06)), (0.2, 0.1, 0.06)),
    "ring": (forms.ring(0.05, 0.02), (0.12, 0.12, 0.02)),
    "prism": (forms.prism([(0, 0), (0.1, 0), (0.1, 0.1), (0.05, 0.03), (0, 0.1)], 0.04), (0.1, 0.1, 0.04)),
    "tube": (forms.tube([(0, 0, 0), (0, 0, 0.1), (0.05, 0, 0.15)], 0.01), (0.067, 0.02, 0.157)),
    "closed tube": (
        forms.tube([(0, 0, 0), (0.1, 0, 0), (0.1, 0.1, 0), (0, 0.1, 0)], 0.01, closed=True),
        (0.114, 0.114, 0.02),
    ),
    "sheet": (forms.sheet((0.3, 0.2), lambda x, y: 0.01 * sin(3.0 * x) * y, 0.004), (0.3, 0.2, 0.024)),
    "cushion": (forms.cushion((0.4, 0.3, 0.12)), (0.4, 0.3, 0.12)),
}


@pytest.mark.parametrize("name", FORMS)
def test_forms_are_closed(name: str) -> None:
    mesh = FORMS[name][0]
    ways: Counter[tuple[object, object]] = Counter()
    for face in mesh.faces:
        a, b, c = (mesh.points[corner] for corner in face)
        ways.update([(a, b), (b, c), (c, a)])
    assert all(ways[b, a] == count for (a, b), count in ways.items())


@pytest.mark.parametrize("name", FORMS)
def test_faces_and_normals_look_outwards(name: str) -> None:
    mesh = FORMS[name][0]
    corners = np.array(mesh.points)[np.array(mesh.faces)]
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    across = np.cross(b - a, c - a)
    assert (a * np.cross(b, c)).sum() / 6.0 > 0.0
    normals = np.array(mesh.normals)[np.array(mesh.faces)].sum(axis=1)
    assert ((across * normals).sum(axis=1) > 0.0).all()
    assert np.allclose(np.linalg.norm(mesh.normals, axis=1), 1.0, atol=1e-6)


@pytest.mark.parametrize("name", FORMS)
def test_forms_have_their_size(name: str) -> None:
    mesh, size = FORMS[name]
    points = np.array(mesh.points)
    assert points.max(axis=0) - points.min(axis=0) == pytest.approx(size, rel=0.06, abs=0.002)


def test_volumes_are_those_of_the_textbook() -> None:
    def volume(mesh: Mesh) -> float:
        a, b, c = np.moveaxis(np.array(mesh.points)[np.array(mesh.faces)], 1, 0)
        return float((a * np.cross(b, c)).sum() / 6.0)

    assert volume(forms.cone(0.3, 0.5)) == pytest.approx(pi * 0.09 * 0.5 / 3, rel=0.02)
    assert volume(forms.ellipsoid((0.2, 0.4, 0.6))) == pytest.approx(pi * 0.2 * 0.4 * 0.6 / 6, rel=0.03)
    assert volume(forms.capsule(0.1, 0.5)) == pytest.approx(pi * 0.01 * 0.3 + pi * 0.004 / 3, rel=0.04)
    assert volume(forms.prism([(0, 0), (1, 0), (1, 1), (0.5, 0.5), (0, 1)], 2)) == pytest.approx(1.5)


def test_gentle_bends_are_smooth_and_sharp_ones_are_edges() -> None:
    ball = forms.ellipsoid((0.2, 0.2, 0.2))
    assert np.allclose(np.array(ball.normals) * 0.1, ball.points, atol=1e-6)
    cup = forms.lathe(CUP)
    at_the_rim = {
        tuple(np.round(normal, 3))
        for point, normal in zip(cup.points, cup.normals, strict=True)
        if point == (0.04, 0.0, 0.1)
    }
    assert at_the_rim == {(1.0, 0.0, 0.0), (0.0, 0.0, 1.0)}


def test_an_outline_that_runs_the_wrong_way_is_named() -> None:
    with pytest.raises(ValueError, match="counter-clockwise"):
        forms.prism([(0, 0), (0, 1), (1, 1), (1, 0)], 0.1)


@pytest.mark.parametrize(
    "shape", [Box((0.1, 0.2, 0.3)), Box((0.1, 0.2, 0.3), 0.02), Sphere(0.1), Cylinder(0.1, 0.3), forms.cone(0.1, 0.2)]
)
def test_points_given_once_make_the_same_triangles(shape: Shape) -> None:
    points, normals = triangles(shape)
    cut = pattern(shape)
    assert (points.reshape(-1, 3)[cut.first][cut.faces] == points).all()
    assert len(cut.first) < len(points) * 2
    assert points.shape == normals.shape


def test_equal_meshes_are_equal_and_hash_alike() -> None:
    one, other = forms.cone(0.1, 0.2), forms.cone(0.1, 0.2)
    assert one == other
    assert hash(one) == hash(other)
    assert one != forms.cone(0.1, 0.3)
