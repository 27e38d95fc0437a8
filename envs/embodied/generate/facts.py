"""The facts of a scene for tasks: its things, their places, and expressions that refer to one of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import hypot

from envs.embodied.model import Person, Place, Scene, Traits
from envs.embodied.scenes import SEATS
from envs.embodied.view import PITCH, Eye, Viewer
from envs.household.home.frames import spot, within
from envs.household.home.model import Pose
from envs.household.home.walls import sides
from envs.render.scene import Vector

ALIKE: Sequence[frozenset[str]] = tuple(
    frozenset(kinds.split())
    for kinds in (
        "cup mug", "book hardback notebook magazine", "sofa booth", "picture painting", "clock alarm_clock", "bucket trash_can",
        "document envelope newspaper magazine", "apple tomato plum orange lemon ball", "chair stool pouffe", "knife fork spoon",
        "bed bunk_bed", "phone tablet card calculator wallet", "table workbench school_desk", "sink washbasin",
        "cabinet counter nightstand wardrobe", "bowl plate", "laptop computer television tablet", "box packet gift carton",
        "floor_lamp desk_lamp", "jar can candle", "speaker radio", "shelf shop_shelf", "vase plant", "towel piece_of_cloth scarf",
        "handbag backpack", "bottle soap_dispenser spray_bottle", "marker pencil toothbrush", "kettle teapot watering_can",
        "trophy statue", "toy_robot plaything", "basket hamper", "locker wardrobe", "bar_counter counter reception checkout",
        "bench booth sofa", "armchair sofa booth",
    )
)  # fmt: skip
"""Kinds that can be mistaken for each other."""
_STILL = ("row_of_books", "rug", "yoga_mat", "doorway")


@dataclass(frozen=True, slots=True)
class Item:
    """A thing of a scene."""

    name: str
    kind: str
    traits: Traits
    room: str
    at: Vector
    size: Vector
    movable: bool
    on: str = ""

    @property
    def noun(self) -> str:
        """Its noun."""
        return self.traits.noun

    @property
    def colour(self) -> str:
        """Its colour; empty if it has no main colour."""
        return self.traits.colour

    @property
    def groups(self) -> frozenset[str]:
        """The groups it belongs to."""
        return frozenset(self.traits.group.split())

    @property
    def middle(self) -> Vector:
        """Its centre."""
        return self.at[0], self.at[1], self.at[2] + self.size[2] / 2.0


def the(noun: str) -> str:
    """The noun with the definite article."""
    return f"the {noun}"


def a(noun: str) -> str:
    """The noun with the indefinite article."""
    return f"{'an' if noun[0] in 'aeiou' and not noun.startswith('one') else 'a'} {noun}"


class Facts:
    """The facts of one scene, for templates."""

    def __init__(self, scene: Scene, viewer: Viewer) -> None:
        self.scene, self.viewer = scene, viewer
        self.items = [self._item(name) for name in scene.placed]
        self.by = {item.name: item for item in self.items}
        self.rooms = {room.name: room for room in scene.home.rooms}
        self._best: dict[str, float] = {}

    def _item(self, name: str) -> Item:
        placed, traits = self.scene.placed[name], self.scene.traits[name]
        on = ""
        if placed.thing.movable or placed.pose.position[2] > 0.2:
            on = self._support(name)
        room = self.scene.room_of(placed.pose.position)
        return Item(
            name, placed.thing.kind, traits, room, placed.pose.position, placed.thing.size, placed.thing.movable, on
        )

    def _support(self, name: str) -> str:
        x, y, z = self.scene.placed[name].pose.position
        for other, placed in self.scene.placed.items():
            for surface in placed.thing.surfaces if other != name else ():
                at = spot(placed.pose, surface.centre)
                reach = max(surface.size) / 2.0 + 0.02
                if abs(at[2] - z) < 0.02 and abs(at[0] - x) <= reach and abs(at[1] - y) <= reach:
                    return other
        return ""

    @cached_property
    def people(self) -> dict[str, Person]:
        """The people by name."""
        return {person.name: person for person in self.scene.people}

    @cached_property
    def movables(self) -> list[Item]:
        """The things that can be carried."""
        return [item for item in self.items if item.movable]

    @cached_property
    def fixed(self) -> list[Item]:
        """Furniture, devices and what hangs on walls."""
        return [
            item
            for item in self.items
            if not item.movable and item.kind not in (*_STILL, "door", "window", "person") and item.room
        ]

    def of(self, *kinds: str, room: str = "") -> list[Item]:
        """All things of some kinds, in a room or anywhere."""
        return [item for item in self.items if item.kind in kinds and room in ("", item.room)]

    def group(self, group: str, room: str = "") -> list[Item]:
        """All things of a group."""
        return [item for item in self.items if group in item.groups and room in ("", item.room)]

    def upon(self, support: str) -> list[Item]:
        """The things that lie on a thing."""
        return [item for item in self.items if item.on == support and item.kind != "row_of_books"]

    def like(self, item: Item) -> list[Item]:
        """The things that can be mistaken for a thing, itself included."""
        kinds = {item.kind}.union(*(alike for alike in ALIKE if item.kind in alike))
        return [other for other in self.items if other.kind in kinds or other.noun == item.noun]

    def called(self, item: Item, *, room: bool = True, colour: bool = True) -> str | None:
        """The shortest expression that refers to this thing and to no other; None if there is none."""
        others = [other for other in self.like(item) if other.name != item.name]
        if item.kind == "person":
            return the(f"{item.noun} in the {self.people[item.name].shirt} shirt")
        if not others:
            return the(item.noun)
        if colour and item.colour and all(other.colour and other.colour != item.colour for other in others):
            return the(f"{item.colour} {item.noun}")
        if room and item.room and len(self.rooms) > 1 and all(other.room != item.room for other in others):
            return the(f"{item.noun} in the {item.room}")
        if item.on and all(not other.on or self.by[other.on].kind != self.by[item.on].kind for other in others):
            support = self.by[item.on]
            if len(self.of(support.kind)) == 1:
                return the(f"{item.noun} on the {support.noun}")
        return None

    def states(self) -> Iterable[Eye]:
        """Every eye (point, heading and pitch) that an agent can have."""
        for point in self.scene.graph.points:
            for heading in point.headings:
                for pitch in (0, -1, 1):
                    yield Eye(point.x, point.y, heading.yaw, pitch * PITCH)

    def seen(self, item: Item) -> float:
        """The most pixels that show a thing from near by, with little of it outside the picture."""
        if item.name not in self._best:
            best = 0.0
            near = sorted(self.scene.graph.points, key=lambda point: hypot(point.x - item.at[0], point.y - item.at[1]))
            for point in near[:6]:
                for heading in point.headings:
                    for pitch in (0, -1):
                        eye = Eye(point.x, point.y, heading.yaw, pitch * PITCH)
                        pixels = self.viewer.pixels(eye, item.name)
                        if pixels > best and self.viewer.share(eye, item.name) >= 0.6:
                            best = pixels
                if best >= 400.0:
                    break
            self._best[item.name] = best
        return self._best[item.name]

    def shows(self, *items: Item) -> bool:
        """Whether all things can be seen well from somewhere."""
        return all(self.seen(item) >= 170.0 for item in items)

    def node(self, item: Item, reach: float = 1.6) -> int | None:
        """The point in front of a thing, if one is near and in the same room."""
        placed = self.scene.placed[item.name]
        x, y = item.at[:2]
        if not item.movable:
            front = spot(placed.pose, (0.0, -placed.thing.size[1] / 2.0, 0.0))
            x, y = front[:2]
        points = self.scene.graph.points
        number = self.scene.graph.by(x, y)
        point = points[number]
        if hypot(point.x - x, point.y - y) > reach or self.scene.room_of((point.x, point.y, 0.0)) != item.room:
            return None
        return number

    def place(self, name: str, number: int) -> Place:
        """A point of the graph as a place to be."""
        point = self.scene.graph.points[number]
        return Place(name, (point.x, point.y, 0.0))

    def free_place(self, name: str, support: Item, near: float = 0.95) -> Place | None:
        """A free place on a thing within reach from a point of the graph."""
        placed = self.scene.placed[support.name]
        best: tuple[float, Vector] | None = None
        for surface in placed.thing.surfaces:
            if not 0.35 <= surface.centre[2] <= 1.3:
                continue
            for across in (0.0, -0.3, 0.3, -0.15, 0.15):
                for deep in (-0.22, 0.0):
                    x, y, z = surface.centre
                    local = (x + across * surface.size[0], y + deep * surface.size[1], z)
                    at = within(placed.pose, Pose(local)).position
                    others = [item for item in self.items if item.movable or item.on == support.name]
                    apart = min(
                        (
                            hypot(at[0] - item.at[0], at[1] - item.at[1]) - max(item.size[:2]) / 2.0
                            for item in others
                            if abs(item.at[2] - at[2]) < 0.3
                        ),
                        default=9.0,
                    )
                    away = min(hypot(at[0] - point.x, at[1] - point.y) for point in self.scene.graph.points)
                    if apart > 0.1 and away < near and (best is None or away < best[0]):
                        best = (away, at)
        if best is None:
            return None
        x, y, z = (round(value, 4) for value in best[1])
        return Place(name, (x, y, z), support.name)

    def area(self, room: str) -> float:
        """The area of a room's floor."""
        x0, y0, x1, y1 = self.rooms[room].corners
        return (x1 - x0) * (y1 - y0)

    def apart(self, one: Item, other: Item) -> float:
        """The distance between two things on the floor plan, from centre to centre."""
        return hypot(one.at[0] - other.at[0], one.at[1] - other.at[1])

    def doors_of(self, room: str) -> list[Item]:
        """Doors and doorways in the walls of a room."""
        found = []
        for item in self.of("door", "doorway"):
            for side in sides(room, self.rooms[room].corners):
                along, across = (item.at[0], item.at[1]) if side.along_x else (item.at[1], item.at[0])
                if abs(across - side.level) < 0.15 and side.start < along < side.end:
                    found.append(item)
        return found

    def seats(self, room: str) -> list[Item]:
        """The seats in a room."""
        return [item for item in self.items if item.kind in SEATS and item.room == room]
