"""Questions about the motion of the camera between two pictures, and about the order of pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import cos, dist, hypot, radians, sin
from random import Random
from typing import TYPE_CHECKING

from envs.shots.actions import Remove
from envs.shots.cameras import Head
from evals.families import rules
from evals.families.base import Answer, Recipe, Shot, view_of
from evals.families.places import (
    Place,
    carries,
    recipe_at,
    seen_middle,
)
from models.base import Kind

if TYPE_CHECKING:
    from envs.shots.view import View

FRAMES = 5
MOTIONS: Mapping[str, Callable[[Head, float], Head]] = {
    "it moved forwards": lambda eye, much: gone(eye, 0.9 * much, 0.0),
    "it moved backwards": lambda eye, much: gone(eye, -0.9 * much, 0.0),
    "it moved to its left": lambda eye, much: gone(eye, 0.0, 0.55 * much),
    "it moved to its right": lambda eye, much: gone(eye, 0.0, -0.55 * much),
    "it turned to the left": lambda eye, much: replace(eye, yaw=round(eye.yaw + radians(26.0) * much, 3)),
    "it turned to the right": lambda eye, much: replace(eye, yaw=round(eye.yaw - radians(26.0) * much, 3)),
    "it tilted upwards": lambda eye, much: replace(eye, tilt=round(eye.tilt - radians(17.0) * much, 3)),
    "it tilted downwards": lambda eye, much: replace(eye, tilt=round(eye.tilt + radians(17.0) * much, 3)),
}
"""The motions of a camera at full amount; the actual amount is from half of it to all."""
_CAMERA = "How did the camera move from the first picture to the second?"
_ORDER = "Sort the pictures in the order in which they were taken, the first one first."
_TAKEN = f"One object after another was taken away, and nothing was put back. {_ORDER}"
_AHEAD = f"The robot drove straight ahead. {_ORDER}"
_BACK = f"The robot drove straight back. {_ORDER}"


def gone(eye: Head, ahead: float, aside: float) -> Head:
    """The head moved, looking in the same direction."""
    x = eye.x + ahead * cos(eye.yaw) - aside * sin(eye.yaw)
    y = eye.y + ahead * sin(eye.yaw) + aside * cos(eye.yaw)
    return replace(eye, x=round(x, 3), y=round(y, 3))


def cameras(place: Place, dice: Random) -> Iterator[Recipe]:
    """Questions about one of eight camera motions."""
    for name in rules.shuffled(MOTIONS, dice):
        other = MOTIONS[name](place.eye, dice.uniform(0.6, 1.0))
        if not place.moment.sim.robot_fits(other.x, other.y, other.yaw, other.tilt) or other.stance.tilt != other.tilt:
            continue
        second = place.moment.view(other)
        if sum(second.clear(thing) for thing in place.seen) < 3 or motion_of(place.view, second) != name:
            continue
        options = tuple(MOTIONS)
        shots = (Shot(place.eye), Shot(other))
        yield recipe_at(
            place, Kind.CHOICE, _CAMERA, (options.index(name),), shots, options, event="camera", motion=name
        )
        return


def motion_of(first: View, second: View) -> str:
    """The motion that maps the things in the first picture to their positions in the second."""
    from envs.shots.view import View

    assert isinstance(first.eye, Head)
    shared = [name for name in first.seen if first.clear(name) and second.clear(name)]
    found = {name: second.spot(name) for name in shared}
    points = {name: seen_middle(first, name) for name in shared}
    errors: dict[str, float] = {}
    for motion, moved in MOTIONS.items():
        for much in (0.6, 0.7, 0.8, 0.9, 1.0):
            eye = moved(first.eye, much)
            guess = View(eye, replace(first.scene, camera=eye.camera))
            error = 0.0
            for name, point in points.items():
                at, spot = guess.project(point), found[name]
                assert spot is not None
                error += 400.0 if at is None else min(hypot(at[0] - spot.x, at[1] - spot.y), 400.0)
            errors[motion] = min(errors.get(motion, error), error)
    return min(errors, key=lambda motion: errors[motion])


def frames(place: Place, dice: Random) -> Iterator[Recipe]:
    """Questions about the order of pictures: things disappear one by one, or the robot drives ahead."""
    taken = rules.shuffled([name for name in place.seen if not carries(place.moment, name)], dice)[: FRAMES - 1]
    if len(taken) == FRAMES - 1:
        shots = [Shot(place.eye, (), tuple(map(Remove, taken[:number]))) for number in range(FRAMES)]
        yield _shuffled(place, _TAKEN, shots, dice)
    step = dice.uniform(0.18, 0.26)
    eyes = [gone(place.eye, step * number, 0.0) for number in range(FRAMES)]
    if all(place.moment.sim.robot_fits(eye.x, eye.y, eye.yaw, eye.tilt) for eye in eyes):
        back = dice.random() < 0.5
        last = place.moment.view(eyes[-1])
        if sum(last.clear(name) for name in place.seen) >= 2:
            shots = [Shot(eye) for eye in (eyes[::-1] if back else eyes)]
            yield _shuffled(place, _BACK if back else _AHEAD, shots, dice)


def _shuffled(place: Place, text: str, shots: Sequence[Shot], dice: Random) -> Recipe:
    """A question to sort shuffled pictures."""
    order = rules.shuffled(range(len(shots)), dice)
    if order == sorted(order):
        order = order[::-1]
    options = tuple(f"picture {number}" for number in range(1, len(shots) + 1))
    answer = tuple(order.index(number) for number in range(len(shots)))
    return recipe_at(place, Kind.ORDER, text, answer, [shots[k] for k in order], options, event="frames")


def by_time(recipe: Recipe) -> Answer:
    """The order by the number of visible things, or by the depth of the things in all pictures."""
    from envs.shots.moment import open_moment

    views = [view_of(recipe, number) for number in range(len(recipe.shots))]
    if recipe.text == _TAKEN:
        movables = open_moment(recipe.situation).movables
        ranks = [-float(sum(view.pixels(name) > 0 for name in movables)) for view in views]
    else:
        shared = set.intersection(*(set(view.seen) for view in views))
        names = sorted(name for name in shared if all(view.pixels(name) >= 100 for view in views))
        far = [sum(dist(seen_middle(view, name), view.scene.camera.position) for name in names) for view in views]
        ranks = far if recipe.text == _BACK else [-value for value in far]
    order = sorted(range(len(views)), key=lambda number: ranks[number])
    places = [recipe.options.index(f"picture {number + 1}") for number in order]
    if len(set(ranks)) < len(ranks):
        raise ValueError("two pictures rank the same")
    return tuple(places)
