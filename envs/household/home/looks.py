"""The look of a thing in a few words: its dominant colours by common names, and its print."""

from __future__ import annotations

from colorsys import rgb_to_hsv
from math import dist, pi, sqrt

from envs.household.home.model import Part, Thing
from envs.render.scene import (
    Box,
    Brushed,
    Clouds,
    Colour,
    Cylinder,
    Gradient,
    Label,
    Layers,
    Mesh,
    Plain,
    Planks,
    Rug,
    Shape,
    Speckle,
    Sphere,
    Stripes,
    Texture,
    Tiles,
    Vector,
    Weave,
    Wood,
)

_HUES = ((15, "red"), (42, "orange"), (68, "yellow"), (180, "green"), (255, "blue"), (310, "purple"), (340, "pink"))
"""Names of hues, each with the largest angle on the colour wheel; red is on both sides of 0."""


def colours(thing: Thing) -> dict[str, float]:
    """The names of a thing's colours with their shares of the visible surface, largest first."""
    shares: dict[str, float] = {}
    leaves = (part for leaf in thing.leaves for part in leaf.parts)
    for part in (*thing.parts, *leaves):
        if part.seen:
            for name, share in _of(part).items():
                shares[name] = shares.get(name, 0.0) + share
    total = sum(shares.values())
    ranked = sorted(shares, key=lambda name: (-round(shares[name], 9), name))
    return {name: shares[name] / total for name in ranked}


def prints(thing: Thing) -> tuple[str, ...]:
    """The words printed on a thing."""
    labels = (part.material.texture for part in thing.parts if part.seen)
    return tuple(dict.fromkeys(label.text.replace("\n", " ") for label in labels if isinstance(label, Label)))


def _of(part: Part) -> dict[str, float]:
    size = _area(part.shape)
    found: dict[str, float] = {}
    tones = _tones(part.material.texture)
    for name in tones:
        found[name] = found.get(name, 0.0) + size / len(tones)
    return found


def _tones(texture: Texture) -> list[str]:
    """The names of the colours of a texture."""
    match texture:
        case Wood(light, dark) | Planks(light, dark):
            return [f"{_brightness(_between(light, dark))} wood"]
        case Stripes(several):
            return [colour_name(colour) for colour in several]
        case Weave(colour) | Clouds(colour) | Layers(colour) | Gradient(colour) | Rug(colour) | Label(paper=colour):
            return [colour_name(colour)]
        case Tiles(colour, other=other):
            return [colour_name(colour)] if other is None else [colour_name(colour), colour_name(other)]
        case Plain(colour) | Speckle(colour) | Brushed(colour):
            return [colour_name(colour)]


def colour_name(colour: Colour) -> str:
    """The common name of a colour."""
    hue, strength, light = rgb_to_hsv(*colour)
    angle = (360.0 * hue + 20.0) % 360.0 - 20.0
    if light < 0.2:
        return "black"
    if strength < 0.14:
        return "white" if light > 0.85 else "grey"
    name = next(name for limit, name in _HUES if angle < limit)
    if name in ("red", "orange") and angle < 20 and strength < 0.65 and light > 0.8:
        return "pink"
    if name in ("red", "orange", "yellow") and angle >= 8 and (strength < 0.72 or light < 0.6):
        # Cardboard and leather are pale or dull orange.
        return "beige" if light > 0.72 else "brown"
    return f"dark {name}" if light < 0.5 else f"light {name}" if strength < 0.5 and light > 0.75 else name


def _brightness(colour: Colour) -> str:
    light = sum(colour) / 3.0
    return "pale" if light > 0.6 else "light" if light > 0.47 else "reddish" if colour[0] > 1.7 * colour[1] else "dark"


def _between(one: Colour, other: Colour) -> Colour:
    red, green, blue = ((a + b) / 2.0 for a, b in zip(one, other, strict=True))
    return red, green, blue


def _area(shape: Shape) -> float:
    """The surface area of a shape."""
    match shape:
        case Box((x, y, z)):
            return 2.0 * (x * y + y * z + z * x)
        case Sphere(radius):
            return 4.0 * pi * radius**2
        case Cylinder(radius, height):
            return 2.0 * pi * radius * (radius + height)
        case Mesh(points, faces):
            return sum(_triangle(points[i], points[j], points[k]) for i, j, k in faces)


def _triangle(one: Vector, two: Vector, three: Vector) -> float:
    a, b, c = dist(one, two), dist(two, three), dist(three, one)
    half = (a + b + c) / 2.0
    return sqrt(max(half * (half - a) * (half - b) * (half - c), 0.0))
