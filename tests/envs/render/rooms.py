"""Small scenes that several tests look at."""

from __future__ import annotations

from envs.render import forms
from envs.render.scene import (
    UPRIGHT,
    Box,
    Camera,
    Clouds,
    Cylinder,
    Gradient,
    Label,
    Light,
    Material,
    Plain,
    Planks,
    Rug,
    Scene,
    Solid,
    Speckle,
    Sphere,
    Tiles,
    Vector,
    Weave,
    Wood,
)

RED = Material(Plain((0.8, 0.1, 0.1)), gloss=0.3)
GREY = Material(Plain((0.6, 0.6, 0.6)))
OAK = Material(Wood((0.8, 0.6, 0.4), (0.5, 0.3, 0.2), seed=3))
BOWL = forms.lathe([(0, 0), (0.06, 0), (0.12, 0.08), (0.11, 0.08), (0.05, 0.01), (0, 0.01)])


def box(name: str, size: Vector, material: Material, position: Vector, *, moving: bool = False) -> Solid:
    return Solid(name, Box(size), material, position, UPRIGHT, moving)


def furnished(camera: Vector = (0.0, -1.8, 1.1), shift: float = 0.0) -> Scene:
    """A corner with a table of five parts, things on it that may move, textures all over, and a window."""
    table = [box("table", (0.05, 0.05, 0.4), OAK, (x, y, 0.2)) for x in (-0.4, 0.4) for y in (-0.2, 0.2)]
    solids = [
        box("floor", (4, 4, 0.1), Material(Planks((0.8, 0.6, 0.4), (0.5, 0.3, 0.2))), (0, 0, -0.05)),
        box("wall", (4, 0.1, 2), Material(Clouds((0.9, 0.9, 0.8), (0.8, 0.8, 0.7), 0.3)), (0, 1.5, 1)),
        box("wall", (0.1, 4, 2), Material(Tiles((0.9, 0.9, 0.9), (0.2, 0.2))), (1.5, 0, 1)),
        box(
            "window",
            (0.8, 0.02, 0.6),
            Material(Gradient((0.7, 0.8, 0.6), (0.5, 0.7, 1), -0.3, 0.3), glow=0.9),
            (-0.5, 1.44, 1.0),
        ),
        box(
            "rug",
            (1.2, 0.8, 0.01),
            Material(Rug((0.5, 0.1, 0.1), (0.1, 0.1, 0.3), (0.9, 0.8, 0.5), (1.2, 0.8))),
            (0, -0.5, 0.005),
        ),
        *table,
        box("table", (0.9, 0.5, 0.04), OAK, (0, 0, 0.42)),
        Solid("bowl", BOWL, RED, (-0.2 + shift, 0.0, 0.44), UPRIGHT, moving=True),
        Solid(
            "apple", Sphere(0.05), Material(Speckle((0.8, 0.1, 0.1), (0.9, 0.6, 0.3))), (0.05, 0.05, 0.49), moving=True
        ),
        Solid(
            "can",
            Cylinder(0.04, 0.12),
            Material(Weave((0.2, 0.3, 0.5), (0.5, 0.6, 0.7))),
            (0.2, -0.1, 0.5),
            moving=True,
        ),
        box("card", (0.2, 0.02, 0.14), Material(Label("TEA", (0.2, 0.14))), (0.33, 0.1, 0.51), moving=True),
    ]
    lamps = (Light((-1.0, -1.0, 2.2), 0.1, 0.5), Light((1.0, -0.5, 2.2), 0.1, 0.3))
    return Scene(tuple(solids), Camera(camera, (0.0, 0.2, 0.4), 1.0), lamps)
