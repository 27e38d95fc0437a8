"""The places of people in a scene: on free floor, on seats, in bed; and the things they point at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import acos, atan2, hypot, pi, radians, sqrt
from random import Random

from envs.embodied.model import Person, Posture
from envs.embodied.people import dressed, figure, shoulder
from envs.household.home.frames import inverse, spot, within
from envs.household.home.model import Placed, Pose, Room
from envs.household.home.site import Block, Site
from envs.household.home.things.turns import about
from envs.render.scene import Vector

APART = radians(15.0)
"""The least angle between the thing pointed at and everything else."""
_FAR = (1.3, 4.5)
_SEATS = ("sofa", "armchair", "booth", "bench", "pouffe", "chair")
_HALF = 0.3
_ASIDE = radians(125.0)
"""The angle of the aim in a pointing person's frame, from the x axis: the arm points to the side, away from the body."""


@dataclass(frozen=True, slots=True)
class Guest:
    """The place of a person: the posture, the pose, and the seat with its height."""

    posture: Posture
    pose: Pose
    seat_height: float = 0.45
    seat: str = ""


class Guests:
    """Finds places for people, after the furniture and before small things are placed."""

    def __init__(self, site: Site, rooms: Sequence[Room], random: Random, postures: Sequence[Posture]) -> None:
        self.site, self.rooms, self.random = site, rooms, random
        self.found: list[Guest] = []
        for posture in postures:
            self.found.append(
                self._lies() if posture == "lie" else self._sits() if posture == "sit" else self._stands(posture)
            )

    def drawn(self, there: Sequence[Placed], seed: int) -> tuple[list[Person], list[Placed]]:
        """The people and their figures among all that is there."""
        people: list[Person] = []
        figures: list[Placed] = []
        for number, guest in enumerate(self.found, 1):
            person = dressed(self.random, f"person_{number}", guest.posture, people)
            if guest.posture == "lie":
                person = replace(person, hat="", glasses="")
            person, pose, aim = replace(person, seat=guest.seat), guest.pose, None
            if guest.posture == "point":
                target, pose = self._target(guest, there)
                person = replace(person, target=target.thing.name)
                aim = spot(inverse(pose), middle(target))
            people.append(person)
            figures.append(Placed(figure(person, seed, seat=guest.seat_height, aim=aim), pose))
        return people, figures

    def _stands(self, posture: Posture) -> Guest:
        rooms = [room for room in self.rooms if room.kind not in ("hallway", "bathroom")]
        for _ in range(400):
            x0, y0, x1, y1 = self.random.choice(rooms).corners
            x, y = (round(self.random.uniform(a + 0.6, b - 0.6), 2) for a, b in ((x0, x1), (y0, y1)))
            standing = Block("person", x - _HALF, y - _HALF, x + _HALF, y + _HALF)
            free = [zone for zone in self.site.zones if zone.owner == "openings"]
            solid = [block for block in self.site.blocks if block.high > 0.05]
            if not any(standing.meets(block) for block in (*solid, *self.site.swings, *free)):
                self.site.blocks.append(standing)
                # People face the middle of the room.
                yaw = atan2((y0 + y1) / 2.0 - y, (x0 + x1) / 2.0 - x) + pi / 2.0
                return Guest(posture, Pose((x, y, 0.0), about("z", round(yaw, 3))))
        raise ValueError("no floor is left for a person to stand on")

    def _sits(self) -> Guest:
        taken = {guest.seat for guest in self.found}
        seats = [item for item in self.site.placed if item.thing.kind in _SEATS and item.thing.name not in taken]
        if not seats:
            raise ValueError("no seat for a person")
        order = sorted(seats, key=lambda item: (_SEATS.index(item.thing.kind), item.thing.name))
        seat = order[0] if self.random.random() < 0.6 else self.random.choice(order)
        surface = seat.thing.surfaces[0]
        x, y, z = surface.centre
        pose = within(seat.pose, Pose((x, round(y + 0.06, 3), 0.0)))
        feet = within(seat.pose, Pose((x, round(y - 0.4, 3), 0.0))).position
        self.site.blocks.append(Block("person", feet[0] - 0.2, feet[1] - 0.2, feet[0] + 0.2, feet[1] + 0.2, 0.0, 0.9))
        return Guest("sit", pose, z, seat.thing.name)

    def _lies(self) -> Guest:
        beds = [item for item in self.site.placed if item.thing.kind == "bed"]
        if not beds:
            raise ValueError("no bed for a person")
        bed = self.random.choice(beds)
        aside = round(bed.thing.size[0] / 4.0 * self.random.choice((-1, 1)), 3)
        return Guest("lie", within(bed.pose, Pose((aside, -0.08, 0.0))), 0.53, bed.thing.name)

    def _target(self, guest: Guest, there: Sequence[Placed]) -> tuple[Placed, Pose]:
        """The thing that somebody points at, far from everything else, and the pose of the person."""
        x, y, _ = guest.pose.position
        room = next(
            room
            for room in self.rooms
            if room.corners[0] <= x <= room.corners[2] and room.corners[1] <= y <= room.corners[3]
        )
        near = [
            item
            for item in there
            if room.corners[0] - 0.1 <= item.pose.position[0] <= room.corners[2] + 0.1
            and room.corners[1] - 0.1 <= item.pose.position[1] <= room.corners[3] + 0.1
            and item.thing.size[2] > 0.03
            and item.thing.kind not in ("row_of_books", "rug", "door", "doorway", "window")
        ]
        fitting = []
        for item in near:
            at = middle(item)
            if not _FAR[0] <= hypot(at[0] - x, at[1] - y) <= _FAR[1] or item.thing.name in self._seated():
                continue
            pose = Pose(guest.pose.position, about("z", round(atan2(at[1] - y, at[0] - x) + _ASIDE, 3)))
            start = spot(pose, shoulder("point"))
            off = min((_angle(start, at, middle(other)) for other in near if other is not item), default=pi)
            if off >= APART:
                fitting.append((item.thing.movable, item, pose))
        if not fitting:
            raise ValueError("nothing stands by itself for a person to point at")
        _, item, pose = self.random.choice(fitting)
        return item, pose

    def _seated(self) -> set[str]:
        return {guest.seat for guest in self.found}


def middle(placed: Placed) -> Vector:
    """The middle of a thing."""
    x, y, z = placed.pose.position
    return x, y, round(z + placed.thing.size[2] / 2.0, 4)


def _angle(start: Vector, a: Vector, b: Vector) -> float:
    """The angle between two directions from a point."""
    one, two = (tuple(p - q for p, q in zip(end, start, strict=True)) for end in (a, b))
    lengths = sqrt(sum(value * value for value in one)) * sqrt(sum(value * value for value in two))
    return acos(max(-1.0, min(1.0, sum(p * q for p, q in zip(one, two, strict=True)) / max(lengths, 1e-9))))
