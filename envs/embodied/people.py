"""People: jointed figures of capsules that stand, sit, lie, point, wave, beckon and hold out a hand.

A figure stands on its origin and looks along its -y axis, as things do. Its only cavity is the hand that takes what is
given to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from random import Random

from envs.embodied.kinds.made import coat
from envs.embodied.model import Person, Posture
from envs.household.home.model import Cavity, Part, Pose, Thing
from envs.household.home.things.materials import BLACK, paint
from envs.household.home.things.parts import bounds
from envs.household.home.things.shapes import stretched
from envs.household.home.things.turns import about, after, pointing
from envs.render.forms import capsule, ellipsoid, lathe, ring
from envs.render.scene import UPRIGHT, Colour, Cylinder, Material, Rotation, Shape, Sphere, Vector

HAIR: Mapping[str, Colour] = {
    "black": (0.06, 0.05, 0.05),
    "brown": (0.34, 0.19, 0.09),
    "blond": (0.90, 0.74, 0.36),
    "grey": (0.66, 0.66, 0.67),
    "red": (0.72, 0.27, 0.08),
}
SKINS: tuple[Colour, ...] = ((0.93, 0.74, 0.62), (0.80, 0.58, 0.43), (0.56, 0.37, 0.25), (0.40, 0.26, 0.18))
SHIRTS = ("red", "blue", "green", "yellow", "white", "purple", "orange", "pink")
TROUSERS = ("blue", "black", "grey", "brown", "green", "beige")
SHOES = ("black", "white", "brown", "red")
HATS = ("red", "blue", "green", "black", "yellow")
_SHOULDER = (0.2, 0.0, 1.38)
"""Positions on the left side, which is +x, because figures look along -y."""
_HIP = (0.1, 0.0, 0.88)
_UPPER, _FORE, _THIGH, _SHIN = 0.29, 0.26, 0.42, 0.42
_ARM = _UPPER + _FORE + 0.09


@dataclass(frozen=True)
class Joints:
    """The positions of a figure's joints, left and right; `base` is the position of its hips, `lying` means on its back."""

    knees: tuple[Vector, Vector]
    ankles: tuple[Vector, Vector]
    elbows: tuple[Vector, Vector]
    wrists: tuple[Vector, Vector]
    tips: tuple[Vector, Vector]
    hips: float = _HIP[2]


def dressed(random: Random, name: str, posture: Posture, taken: list[Person]) -> Person:
    """A person who differs from all others in at least two visible features."""
    while True:
        person = Person(
            name,
            random.choice(("man", "woman")),
            posture,
            random.choice(tuple(HAIR)),
            random.choice(SHIRTS),
            random.choice(TROUSERS),
            random.choice(SHOES),
            random.choice(HATS) if random.random() < 0.3 else "",
            random.choice(("black", "red", "blue")) if random.random() < 0.3 else "",
        )
        clothes = all(person.shirt != other.shirt and person.trousers != other.trousers for other in taken)
        if clothes and person.shirt != person.trousers:
            return person


def figure(person: Person, seed: int, *, seat: float = 0.45, aim: Vector | None = None) -> Thing:
    """The figure of a person; `seat` is the height of the seat or bed, `aim` the target of pointing in the figure's frame."""
    joints = _joints(person.posture, seat, aim)
    skin = paint(SKINS[Random(f"{seed} {person.name} skin").randrange(len(SKINS))], 0.05)
    shirt, trousers, shoes = (coat(name, 0.0) for name in (person.shirt, person.trousers, person.shoes))
    parts = _body(joints, skin, shirt, trousers, shoes)
    parts += _head(person, skin, joints.hips - _HIP[2] + 1.58)
    if person.posture == "lie":
        parts = [_laid(part, seat) for part in parts]
    low, high = bounds(parts)
    reach = tuple(2.0 * max(abs(a), abs(b)) for a, b in zip(low[:2], high[:2], strict=True))
    if person.posture not in ("sit", "lie"):
        # Raised arms are no obstacle, and distances to a person do not include them.
        reach = (0.5, 0.4)
    hand = joints.tips[1]
    at = (hand[0], hand[1], hand[2] + 0.02)
    if person.posture == "lie":
        at = (0.0, 0.1, seat + 0.3)
    if person.posture == "sit":
        at = (0.0, -0.28, seat + 0.16)
    return Thing(
        person.name,
        "person",
        tuple(parts),
        (round(reach[0], 4), round(reach[1], 4), round(high[2], 4)),
        cavities=(Cavity(at, (0.1, 0.1, 0.1)),),
    )


def shoulder(posture: Posture) -> Vector:
    """Where the pointing arm begins, in the figure's frame."""
    return -_SHOULDER[0], _SHOULDER[1], _SHOULDER[2]


def _joints(posture: Posture, seat: float, aim: Vector | None) -> Joints:
    """The positions of all joints, by posture. The acting arm is the right one, at -x."""
    hips = seat + 0.1 if posture == "sit" else _HIP[2]
    rise = hips - _HIP[2]
    if posture == "sit":
        knees = tuple((side * 0.12, -0.42, hips + 0.01) for side in (1, -1))
        ankles = tuple((side * 0.12, -0.46, max(hips - 0.4, 0.09)) for side in (1, -1))
    else:
        knees = tuple((side * 0.11, -0.015, 0.47) for side in (1, -1))
        ankles = tuple((side * 0.12, 0.0, 0.08) for side in (1, -1))
    arms = []
    for side in (1, -1):
        start = (side * _SHOULDER[0], 0.0, _SHOULDER[2] + rise)
        arms.append(_arm(start, side, posture if side < 0 else "sit" if posture == "sit" else "stand", aim))
    (e1, w1, t1), (e2, w2, t2) = arms
    return Joints((knees[0], knees[1]), (ankles[0], ankles[1]), (e1, e2), (w1, w2), (t1, t2), hips)


def _arm(start: Vector, side: int, posture: Posture, aim: Vector | None) -> tuple[Vector, Vector, Vector]:
    """Elbow, wrist and finger tips of an arm."""
    ways: dict[str, tuple[Vector, Vector, Vector]] = {
        "stand": ((side * 0.16, 0.02, -1.0), (side * 0.06, -0.16, -1.0), (0.0, -0.1, -1.0)),
        "lie": ((side * 0.3, 0.0, -1.0), (side * 0.1, -0.1, -1.0), (0.0, -0.1, -1.0)),
        "sit": ((side * 0.1, -0.25, -1.0), (-side * 0.1, -1.0, -0.25), (0.0, -1.0, -0.1)),
        "wave": ((side * 1.0, -0.1, 0.55), (side * 0.25, -0.05, 1.0), (-side * 0.15, 0.0, 1.0)),
        "beckon": ((side * 0.35, -0.75, -0.5), (-side * 0.1, -0.35, 1.0), (-side * 0.1, 0.95, 0.35)),
        "hand out": ((side * 0.1, -0.35, -1.0), (-side * 0.05, -1.0, 0.12), (0.0, -1.0, 0.0)),
    }
    if posture == "point" and aim is not None:
        way = tuple(b - a for a, b in zip(start, aim, strict=True))
        ways["point"] = ((way[0], way[1], way[2]),) * 3
    upper, fore, hand = ways[posture]
    elbow = _along(start, upper, _UPPER)
    wrist = _along(elbow, fore, _FORE)
    return elbow, wrist, _along(wrist, hand, 0.11)


def _along(start: Vector, way: Vector, far: float) -> Vector:
    length = sqrt(sum(value * value for value in way))
    x, y, z = (round(a + b / length * far, 6) for a, b in zip(start, way, strict=True))
    return x, y, z


def _limb(material: Material, radius: float, start: Vector, end: Vector) -> Part:
    """A capsule between two joints."""
    way = tuple(b - a for a, b in zip(start, end, strict=True))
    length = sqrt(sum(value * value for value in way))
    x, y, z = (round((a + b) / 2.0, 6) for a, b in zip(start, end, strict=True))
    shape = capsule(radius, round(length + 2.0 * radius, 3), segments=16)
    return Part(shape, material, Pose((x, y, z), pointing((way[0], way[1], way[2]))), solid=False)


def _at(material: Material, shape: Shape, x: float, y: float, z: float, turn: Rotation = UPRIGHT) -> Part:
    return Part(shape, material, Pose((round(x, 6), round(y, 6), round(z, 6)), turn), solid=False)


_TORSO = stretched(
    lathe([(0, -0.02), (0.15, 0.0), (0.155, 0.12), (0.165, 0.28), (0.2, 0.46), (0.17, 0.54), (0.06, 0.58), (0, 0.58)]),
    (1.0, 0.6, 1.0),
)


def _body(joints: Joints, skin: Material, shirt: Material, trousers: Material, shoes: Material) -> list[Part]:
    hips = joints.hips
    parts = [
        _at(shirt, _TORSO, 0.0, 0.0, hips),
        _at(trousers, ellipsoid((0.34, 0.22, 0.24)), 0.0, 0.0, hips),
        _at(skin, Cylinder(0.052, 0.12), 0.0, 0.0, hips + 0.6),
    ]
    for number, side in enumerate((1, -1)):
        hip, start = (side * _HIP[0], 0.0, hips), (side * _SHOULDER[0], 0.0, hips + 0.5)
        knee, ankle = joints.knees[number], joints.ankles[number]
        elbow, wrist, tip = joints.elbows[number], joints.wrists[number], joints.tips[number]
        parts += [
            _limb(trousers, 0.082, hip, knee),
            _limb(trousers, 0.062, knee, ankle),
            _at(shoes, ellipsoid((0.1, 0.27, 0.11)), ankle[0], ankle[1] - 0.06, ankle[2] - 0.03),
            _limb(shirt, 0.058, start, elbow),
            _limb(shirt, 0.046, elbow, wrist),
            _limb(skin, 0.036, wrist, _between(wrist, tip, 0.6)),
            _limb(skin, 0.014, _between(wrist, tip, 0.5), tip),
        ]
    return parts


def _between(a: Vector, b: Vector, share: float) -> Vector:
    x, y, z = (round(p + (q - p) * share, 6) for p, q in zip(a, b, strict=True))
    return x, y, z


def _head(person: Person, skin: Material, z: float) -> list[Part]:
    """Face, hair, and what is worn on the head."""
    hair = paint(HAIR[person.hair], 0.15)
    parts = [
        _at(skin, ellipsoid((0.18, 0.21, 0.25)), 0.0, 0.0, z),
        _at(skin, Sphere(0.02), 0.0, -0.105, z - 0.015),
        *(_at(skin, ellipsoid((0.03, 0.05, 0.07)), side * 0.092, 0.0, z - 0.01) for side in (1, -1)),
        *(_at(coat("white"), Sphere(0.019), side * 0.04, -0.088, z + 0.025) for side in (1, -1)),
        *(_at(BLACK, Sphere(0.012), side * 0.04, -0.101, z + 0.025) for side in (1, -1)),
        *(_at(hair, ellipsoid((0.05, 0.02, 0.012)), side * 0.04, -0.097, z + 0.062) for side in (1, -1)),
        _at(paint((0.62, 0.20, 0.20), 0.0), ellipsoid((0.065, 0.02, 0.016)), 0.0, -0.092, z - 0.062),
        _at(hair, ellipsoid((0.205, 0.21, 0.2)), 0.0, 0.028, z + 0.055),
    ]
    if person.noun == "woman":
        parts += [_at(hair, ellipsoid((0.23, 0.13, 0.36)), 0.0, 0.075, z - 0.06)]
    if person.hat:
        brim = coat(person.hat, 0.0)
        parts += [
            _at(brim, Cylinder(0.165, 0.014), 0.0, 0.0, z + 0.095),
            _at(brim, Cylinder(0.108, 0.1), 0.0, 0.01, z + 0.145),
        ]
    if person.glasses:
        frame, turn = coat(person.glasses, 0.3), about("x", 1.5707963)
        parts += [
            _at(frame, ring(0.034, 0.011, segments=20), side * 0.042, -0.112, z + 0.024, turn) for side in (1, -1)
        ]
        parts += [
            _limb(frame, 0.005, (side * 0.075, -0.108, z + 0.03), (side * 0.095, 0.0, z + 0.03)) for side in (1, -1)
        ]
    return parts


_ON_BACK: Rotation = (1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -1.0, 0.0)
"""Brings the head to +y and the face up."""


def _laid(part: Part, seat: float) -> Part:
    """A part of a standing figure, lying on its back with the head at +y."""
    x, y, z = part.pose.position
    return Part(
        part.shape,
        part.material,
        Pose((x, round(z - 0.85, 6), round(seat + 0.12 - y, 6)), after(_ON_BACK, part.pose.rotation)),
        False,
    )
