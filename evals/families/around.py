"""What is round a frame of reference: the room with a second robot, the cameras, and what can be marked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import atan2, degrees, hypot
from random import Random
from typing import TYPE_CHECKING

from evals.families import rules
from evals.families.facing import OTHER, SEATS, Frame, robot_frame, seat_frame, stands, wrapped
from evals.families.scenes import SUPPORTS, Scene, scene
from evals.families.words import unlike

if TYPE_CHECKING:
    from envs.render.scene import Vector
    from envs.shots.cameras import Eye
    from envs.shots.moment import Moment
    from envs.shots.situation import Place
    from envs.shots.view import View

KINDS = unlike(
    ("cup", "bottle", "bowl", "kettle", "vase", "saucepan", "plate", "apple", "orange", "banana", "hardback", "box",
     "laptop", "toolbox", "bucket", "basket", "ball", "gym_shoe", "pillow", "snack_food")
)  # fmt: skip
FURNITURE = ("stool", "trash_can", "nightstand", "plant", "carton")
"""Small furniture that can be marked, too."""
NEAR, FAR, WIDEST = 0.7, 4.0, 16.0
"""How near and how far things are, in metres, and to how many degrees on each side one reaches at most."""
TURNED = 40.0
"""How many degrees a frame is turned against the camera at least, or the viewer's left is its left."""
LARGE, SHOWN = 3500, 0.6
"""Pixels and part of its shape that a frame shows in: its front must be plain to see."""
UNHIDDEN = 0.5
"""How much of a thing is seen that is asked about: a robot hides what is behind it."""
_TRIES = 16


@dataclass(frozen=True, slots=True)
class Around:
    """Things round a frame by their bearings, and what they would be for one who looks as the camera does."""

    view: View
    frame: Frame
    bearings: Mapping[str, float]
    viewers: Mapping[str, float]

    @property
    def who(self) -> Who:
        """How questions speak of the frame."""
        return SEATED if self.frame.seat else ROBOT_WHO


@dataclass(frozen=True, slots=True)
class Who:
    """How questions speak of a frame."""

    intro: str
    to: str
    """After `to the left`."""
    subject: str
    side: str
    own: str = ""


ROBOT_WHO = Who("", "of the robot", "the robot", "the robot's", ", from the robot's own point of view")
SEATED = Who("Imagine that you sit on the chair in the blue box and lean against its back. ", "of you", "you", "your")


def room_with(dice: Random) -> Scene:
    """A room with movables on one piece of furniture, and more of them all over the floor."""
    room = dice.choice(tuple(SUPPORTS))
    kinds = dice.sample(KINDS, dice.randint(11, 13))
    return scene(room, [dice.choice(SUPPORTS[room])], {0: kinds[:4]}, dice, kinds[4:])


def stand(moment: Moment, scene: Scene, dice: Random) -> Place | None:
    """Where the second robot stands: with the most things about it, on all sides."""
    room = next(room.name for room in moment.home.rooms if room.kind == scene.room)
    spots = [moment.middle(name)[:2] for name in scene.movables if moment.room_of(name) == room]

    def about(place: Place) -> int:
        frame = Frame(OTHER, "", *place)
        return len({round(frame.bearing(*spot) / 30.0) for spot in spots if NEAR < frame.far(*spot) < FAR})

    found = list(stands(moment, room, dice, _TRIES))
    return max(found, key=about, default=None)


def eyes(moment: Moment, scene: Scene, place: Place, dice: Random) -> Iterator[Eye]:
    """Two cameras that show the robot and most things."""
    from envs.shots.viewpoints import best, free_eyes

    room = next(room.name for room in moment.home.rooms if room.kind == scene.room)
    aims = [(place[0], place[1], 0.55)]
    found = list(free_eyes(moment, room, aims, dice, 2 * _TRIES, away=(1.7, 3.6), height=(1.4, 1.9), field=65.0))
    yield from best(moment, found, (*scene.movables, OTHER), 5)[:2]


def frames(moment: Moment, view: View) -> Iterator[Frame]:
    """The robot and the seats whose front is plain to see, and is not the camera's."""
    found = [robot_frame(moment)] if OTHER in view.seen else []
    for item in moment.home.placed:
        if item.thing.kind in SEATS and view.pixels(item.thing.name) >= LARGE:
            found.append(seat_frame(moment, item.thing.name))
    for frame in found:
        turn = abs(wrapped(degrees(frame.yaw - frame.turned_to(view).yaw)))
        if turn >= TURNED and view.clear(frame.name, LARGE, SHOWN):
            yield frame


def look_around(moment: Moment, view: View, frame: Frame) -> Around:
    """What can be marked and lies plainly in one direction, in the picture as in the home."""
    small = [item.thing.name for item in moment.home.placed if item.thing.kind in FURNITURE]
    names = [name for name in (*moment.movables, *small) if name in view.seen and name != frame.name]
    bearings, viewers, camera = {}, {}, frame.turned_to(view)
    for name in rules.markable(view, names):
        x, y, _ = moment.middle(name)
        seen = seen_middle(view, name)
        if view.share(name) < UNHIDDEN or not NEAR <= frame.far(x, y) <= FAR or _half(moment, name, frame) > WIDEST:
            continue
        if abs(wrapped(frame.bearing(x, y) - frame.bearing(*seen[:2]))) < rules.DEGREES / 4.0:
            bearings[name], viewers[name] = frame.bearing(x, y), camera.bearing(x, y)
    return Around(view, frame, bearings, viewers)


def _half(moment: Moment, name: str, frame: Frame) -> float:
    (a, b, _), (x, y, _) = moment.box(name)
    return degrees(atan2(hypot(x - a, y - b) / 2.0, frame.far((a + x) / 2.0, (b + y) / 2.0)))


def seen_middle(view: View, name: str) -> Vector:
    """The middle of the box round all points of a thing that the picture shows."""
    points = view.points()[:, view.mask(name)]
    x, y, z = ((points.min(axis=1) + points.max(axis=1)) / 2.0).tolist()
    return x, y, z
