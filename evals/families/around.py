"""The surroundings of a frame of reference: a room with a second robot, cameras, and things that can be marked."""

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
"""Small furniture that can also be marked."""
NEAR, FAR, WIDEST = 0.7, 4.0, 16.0
"""The least and the largest distance of things in metres, and the largest angular extent to each side."""
TURNED = 40.0
"""The least angle between a frame and the camera, so that their lefts differ."""
LARGE, SHOWN = 3500, 0.6
"""The least pixels and visible share of a frame, whose front must be clearly visible."""
UNHIDDEN = 0.5
"""The least visible share of a thing in a question, because a robot hides what is behind it."""
_TRIES = 16


@dataclass(frozen=True, slots=True)
class Around:
    """Things around a frame by their bearings, and their bearings in the direction of the camera."""

    view: View
    frame: Frame
    bearings: Mapping[str, float]
    viewers: Mapping[str, float]

    @property
    def who(self) -> Who:
        """The wording of the frame in questions."""
        return SEATED if self.frame.seat else ROBOT_WHO


@dataclass(frozen=True, slots=True)
class Who:
    """The wording of a frame in questions."""

    intro: str
    to: str
    """The words after `to the left`."""
    subject: str
    side: str
    own: str = ""


ROBOT_WHO = Who("", "of the robot", "the robot", "the robot's", ", from the robot's own point of view")
SEATED = Who("Imagine that you sit on the chair in the blue box and lean against its back. ", "of you", "you", "your")


def room_with(dice: Random) -> Scene:
    """A room with movables on one piece of furniture and all over the floor."""
    room = dice.choice(tuple(SUPPORTS))
    kinds = dice.sample(KINDS, dice.randint(11, 13))
    return scene(room, [dice.choice(SUPPORTS[room])], {0: kinds[:4]}, dice, kinds[4:])


def stand(moment: Moment, scene: Scene, dice: Random) -> Place | None:
    """The place of the second robot: the one with most things around it, on all sides."""
    room = next(room.name for room in moment.home.rooms if room.kind == scene.room)
    spots = [moment.middle(name)[:2] for name in scene.movables if moment.room_of(name) == room]

    def about(place: Place) -> int:
        frame = Frame(OTHER, "", *place)
        return len({round(frame.bearing(*spot) / 30.0) for spot in spots if NEAR < frame.far(*spot) < FAR})

    found = list(stands(moment, room, dice, _TRIES))
    return max(found, key=about, default=None)


def eyes(moment: Moment, scene: Scene, place: Place, dice: Random) -> Iterator[Eye]:
    """Two cameras that show the robot and as many things as possible."""
    from envs.shots.viewpoints import best, free_eyes

    room = next(room.name for room in moment.home.rooms if room.kind == scene.room)
    aims = [(place[0], place[1], 0.55)]
    found = list(free_eyes(moment, room, aims, dice, 2 * _TRIES, away=(1.7, 3.6), height=(1.4, 1.9), field=65.0))
    yield from best(moment, found, (*scene.movables, OTHER), 5)[:2]


def frames(moment: Moment, view: View) -> Iterator[Frame]:
    """The robot and the seats whose front is clearly visible and differs from the camera's direction."""
    found = [robot_frame(moment)] if OTHER in view.seen else []
    for item in moment.home.placed:
        if item.thing.kind in SEATS and view.pixels(item.thing.name) >= LARGE:
            found.append(seat_frame(moment, item.thing.name))
    for frame in found:
        turn = abs(wrapped(degrees(frame.yaw - frame.turned_to(view).yaw)))
        if turn >= TURNED and view.clear(frame.name, LARGE, SHOWN):
            yield frame


def look_around(moment: Moment, view: View, frame: Frame) -> Around:
    """The markable things that are clearly in one direction, both by the picture and by their poses."""
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
    """The centre of the bounding box of a thing's visible points."""
    points = view.points()[:, view.mask(name)]
    x, y, z = ((points.min(axis=1) + points.max(axis=1)) / 2.0).tolist()
    return x, y, z
