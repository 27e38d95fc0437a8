"""Rooms for chores: three marked objects, a container that opens and a piece of furniture, in many states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import atan2, degrees, hypot
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from envs.render.marks import Mark, Point, placed
from envs.shots.actions import Action, Hold, Open, Put, Settle
from envs.shots.cameras import HEIGHT, WIDTH
from evals.families import rules
from evals.families.chores import CONTAINER, FURNITURE, HAND, OBJECTS, State, random_state
from evals.families.scenes import scene

if TYPE_CHECKING:
    from envs.household.home.model import Pose
    from envs.household.home.simulation import Simulation
    from envs.shots.cameras import Eye
    from envs.shots.moment import Moment
    from envs.shots.situation import Situation
    from envs.shots.view import View

_BOXES: Mapping[str, tuple[str, ...]] = {
    "kitchen": ("electric_refrigerator", "cabinet", "carton"),
    "living room": ("cabinet", "carton"),
    "bedroom": ("cabinet", "carton"),
    "study": ("cabinet", "carton"),
    "garage": ("cabinet", "carton"),
}
"""Containers by kind of room, whose opening is clearly visible."""
_STANDS: Mapping[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "kitchen": (("table", ()), ("counter", ()), ("table", ("round",))),
    "living room": (("table", ("coffee",)), ("table", ())),
    "bedroom": (("table", ("desk",)), ("table", ("round",))),
    "study": (("table", ("desk",)), ("table", ())),
    "garage": (("table", ()), ("table", ("desk",))),
}
"""Furniture with a single surface by kind of room."""
FLAT = ("box", "box", "box", "hardback", "hardback", "folder")
"""Kinds that other things can lie on."""
TOPS = ("cup", "bowl", "kettle", "saucepan", "gym_shoe", "piece_of_cloth", "sandwich", "snack_food")
"""Kinds for the top of a stack."""
_TRIES = 40
_WIDER = 1.5
"""The largest ratio of a thing's size to that of its support."""
_FRONT = 0.6
"""The least distance of the camera in front of a container, as a share of its total distance."""
_LARGE = 2500
"""The least pixels of a container, so that its opening is visible."""
_SMALL = 300
"""The least pixels of other things, so that their supports are visible."""
_WHOLE = 0.5
"""The least visible share of an object that carries nothing, so that nothing seems to lie on it."""
_PLATE = (7, 9)
"""The offset from the corner of a mark's plate to its centre."""
_CLEAR = 10.0
"""The least distance in pixels of the line between a plate and its point from other points."""
_IN_HAND = 0.2
"""The largest distance of a held thing from the fingertips."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A state of a home seen by a robot, with numbers on all relevant things."""

    situation: Situation
    actions: tuple[Action, ...]
    eye: Eye
    marks: tuple[Mark, ...]
    state: State


def pictures(dice: Random, number: int) -> Iterator[Picture]:
    """Pictures of one room in several states."""
    from envs.shots.moment import open_moment

    room = dice.choice(tuple(_BOXES))
    container, furniture = (dice.choice(_BOXES[room]), ()), dice.choice(_STANDS[room])
    kinds = dice.sample(FLAT, 3) if dice.random() < 0.4 else [*dice.sample(FLAT, 2), dice.choice(TOPS)]
    made = scene(room, (furniture, container), {0: rules.shuffled(kinds, dice)}, dice)
    stand, box = (need.name for need in made.situation.needs[:2])
    if len(made.places.get(stand, ())) < 3:
        return
    things = {**dict(zip(OBJECTS, made.movables, strict=True)), CONTAINER: box, FURNITURE: stand}
    moment = open_moment(made.situation)
    eyes = _eyes(moment, room, things, dice)
    spare = made.situation.after(Open(box)).simulate()
    found: set[tuple[object, ...]] = set()
    for _ in range(4 * number if eyes else 0):
        state = random_state(dice)
        if state.key in found:
            continue
        actions = _actions(spare, things, state, dice)
        picture = actions and _picture(made.situation, actions, things, state, eyes)
        if picture:
            found.add(state.key)
            yield picture
        if len(found) == number:
            return


def _eyes(moment: Moment, room: str, things: Mapping[str, str], dice: Random) -> list[Eye]:
    """Robot heads that see everything, and the container from its front."""
    from envs.shots.viewpoints import best, heads

    name = next(one.name for one in moment.home.rooms if one.kind == room)
    stand, box = moment.middle(things[FURNITURE]), moment.middle(things[CONTAINER])
    x, y, z = ((a + b) / 2.0 for a, b in zip(stand, box, strict=True))
    aims = [(x, y, min(z, 0.7)), (x, y, 0.4)]
    seeing = [eye for eye in heads(moment, name, aims, dice, _TRIES) if _before(moment, things[CONTAINER], eye)]
    return best(moment, seeing, tuple(things.values()), 5)[:3]


def _before(moment: Moment, box: str, eye: Eye) -> bool:
    """Whether a camera sees the front of a container; for a carton always, because it opens at its top."""
    from envs.household.home.frames import inverse, spot

    if moment.thing(box).kind == "carton":
        return True
    x, y, _ = spot(inverse(moment.sim.pose(box)), eye.camera.position)
    return -y >= _FRONT * hypot(x, y)


def _actions(spare: Simulation, things: Mapping[str, str], state: State, dice: Random) -> tuple[Action, ...] | None:
    """The actions that lead to a state from the one with all objects on the furniture and the container shut."""
    from envs.household.home.spots import inside

    actions: list[Action] = [Open(things[CONTAINER])] if state.opened else []
    tops = {thing: spare.box(name)[1][2] for thing, name in things.items() if thing in OBJECTS}
    for thing in _upwards(state):
        name, place = things[thing], state.places[thing]
        if place in OBJECTS:
            if not _lies_on(spare, name, things[place]):
                return None
            low = _moved(spare, things, state, place)
            height = spare.thing(name).size[2]
            actions.append(Put(name, (low[0], low[1], round(tops[place] + 0.004, 4)), _yaw(spare.pose(things[place]))))
            tops[thing] = tops[place] + 0.004 + height
        elif place == CONTAINER:
            box = spare.thing(things[CONTAINER])
            poses = inside(spare.thing(name), box, spare.pose(box.name), 1.0, dice)
            pose = next((pose for pose in poses if not spare.collides(name, pose)), None)
            if pose is None:
                return None
            actions.append(Put(name, pose.position, _yaw(pose)))
    actions.append(Settle())
    actions += [Hold(things[thing]) for thing, place in state.places.items() if place == HAND]
    return tuple(actions)


def _upwards(state: State) -> list[str]:
    """The objects sorted so that each follows its support."""

    def height(thing: str) -> int:
        place = state.places[thing]
        return 1 + height(place) if place in OBJECTS else 0

    return sorted(OBJECTS, key=height)


def _moved(spare: Simulation, things: Mapping[str, str], state: State, thing: str) -> tuple[float, float]:
    """The position of the foot of a stack on the floor plan."""
    while state.places[thing] in OBJECTS:
        thing = state.places[thing]
    x, y, _ = spare.pose(things[thing]).position
    return x, y


def _lies_on(sim: Simulation, name: str, other: str) -> bool:
    """Whether a thing would lie stably on another one."""
    mine, under = sim.thing(name), sim.thing(other)
    return under.kind in FLAT and mine.size[0] * mine.size[1] <= _WIDER * under.size[0] * under.size[1]


def _yaw(pose: Pose) -> float:
    return round(degrees(atan2(pose.rotation[3], pose.rotation[0])), 1)


def _picture(
    situation: Situation, actions: tuple[Action, ...], things: Mapping[str, str], state: State, eyes: list[Eye]
) -> Picture | None:
    """The picture from the first camera that shows everything, if the state was reached."""
    from envs.shots.moment import open_moment

    moment = open_moment(situation.after(*actions))
    if any(not _is(moment, things, thing, place) for thing, place in state.places.items()):
        return None
    for eye in eyes:
        view = moment.view(eye)
        if _legible(view, things, state) and not _tangled(marks := _marks(view, things)):
            return Picture(situation, actions, eye, marks, state)
    return None


def _legible(view: View, things: Mapping[str, str], state: State) -> bool:
    """Whether everything relevant is visible, and no standing thing is cut off by the edge of the picture."""
    names = tuple(things.values())
    if view.pixels(things[CONTAINER]) < _LARGE or len(rules.markable(view, names)) < 5 or rules.crowded(view, names):
        return False
    loaded = set(state.places.values())
    if any(view.pixels(name) < _SMALL for name in names):
        return False
    if any(view.share(things[thing]) < _WHOLE for thing in OBJECTS if thing not in loaded):
        return False
    frames = [view.frame(things[thing]) for thing, place in state.places.items() if place != HAND]
    return all(one is not None and one[0] > 0 and one[1] > 0 and one[2] < WIDTH and one[3] < HEIGHT for one in frames)


def _is(moment: Moment, things: Mapping[str, str], thing: str, place: str) -> bool:
    """Whether an object is at its place in a state."""
    name = things[thing]
    if place == HAND:
        return moment.held == name
    if place == CONTAINER:
        return moment.inside(name) == things[place]
    return moment.support_of(name) == things[place] and moment.inside(name) is None


def _marks(view: View, things: Mapping[str, str]) -> tuple[Mark, ...]:
    marks: list[Mark] = []
    for text, name in things.items():
        spot = view.spot(name)
        assert spot is not None, f"{name} is not in view"
        marks.append(Point(spot.x, spot.y, text))
    return placed(marks, (WIDTH, HEIGHT), [view.mask(name) for name in things.values()])


def _tangled(marks: tuple[Mark, ...]) -> bool:
    """Whether the point of a plate could be confused with another one."""
    points = [mark for mark in marks if isinstance(mark, Point)]
    for mark in points:
        assert mark.plate is not None
        x, y = mark.plate[0] + _PLATE[0], mark.plate[1] + _PLATE[1]
        across, down = mark.x - x, mark.y - y
        for other in points:
            along = ((other.x - x) * across + (other.y - y) * down) / ((across * across + down * down) or 1)
            share = min(max(along, 0.0), 1.0)
            if other is not mark and hypot(other.x - x - share * across, other.y - y - share * down) < _CLEAR:
                return True
    return False


def read_back(moment: Moment, view: View, things: Mapping[str, str]) -> State:
    """The state of marked things from the extents of drawn points and their positions in the picture."""
    box = things[CONTAINER]
    low, high = moment.box(box)
    drawn = (high[0] - low[0]) * (high[1] - low[1]) * (high[2] - low[2])
    width, depth, height = moment.thing(box).size
    # A carton's flaps stand up or hang over; other leaves stand out.
    opened = drawn > 1.15 * width * depth * height
    return State({thing: _place_of(moment, view, things, thing) for thing in OBJECTS}, opened)


def _top(moment: Moment, name: str) -> float:
    """The height of the top of a thing: the highest surface of furniture, else the top of the box."""
    thing = moment.thing(name)
    if thing.movable or not thing.surfaces:
        return moment.box(name)[1][2]
    return moment.sim.pose(name).position[2] + max(surface.centre[2] for surface in thing.surfaces)


def _place_of(moment: Moment, view: View, things: Mapping[str, str], thing: str) -> str:
    """The place of an object: by rays to the hand, by the box of the container, by heights of tops."""
    name = things[thing]
    points = view.points()[:, view.mask(name)]
    if view.hand is not None:
        far = np.sqrt(((points - np.array(view.hand)[:, None]) ** 2).sum(axis=0))
        if float(far.min()) < _IN_HAND:
            return HAND
    (a, b, foot), (x, y, _) = moment.box(name)
    middle = ((a + x) / 2.0, (b + y) / 2.0)
    over = {}
    for other in (*OBJECTS, FURNITURE, CONTAINER):
        low, high = moment.box(things[other]) if other != CONTAINER else moment.sim.box(things[other])
        if other != thing and all(low[axis] <= middle[axis] <= high[axis] for axis in (0, 1)):
            over[other] = _top(moment, things[other])
            if other == CONTAINER and foot < high[2] - 0.02:
                return CONTAINER
    near = [other for other, top in over.items() if abs(foot - top) < 0.03]
    if len(near) != 1:
        raise ValueError(f"object {thing} stands on {len(near)} things")
    return near[0]
