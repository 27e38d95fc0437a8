"""Sets of four outcomes that passed every gate, and the questions that are made of them.

A draft is a function of a seed and a number. Gates run in order of their cost, and what they drop is counted. One of
the four outcomes is drawn to be the truth only after all four have passed every gate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count as numbers
from itertools import islice, pairwise
from random import Random

import numpy as np

from envs.arm import gates, goals, motions
from envs.arm.arms import GRIPPER, boxes_of, matrix_of
from envs.arm.cameras import pinhole
from envs.arm.motions import CELLS, Refused
from envs.arm.pictures import draw, segments
from envs.arm.recipes import LETTERS, Configuration, Factor, Level, Moment, Outcome, Recipe, Source
from envs.arm.scenes import SIZES, VIEWS, Table, table
from envs.arm.solvers import score
from envs.household.home.frames import inverse, rotation, spot
from envs.household.home.model import Pose
from envs.render.arrays import Floats
from envs.render.ray import Segments

_LEAST_THING = 90
"""The fewest visible pixels of the manipulated thing at the start, and the share of them that shows at the end."""
_CLEAR = 0.012
"""The least height of links above the table."""


@dataclass(frozen=True, slots=True)
class Options:
    """A set that passed: its scene, start, factors and final moments, cell by cell."""

    scene: int
    setting: str
    before: Moment
    factors: tuple[Factor, Factor]
    after: tuple[Moment, ...]
    words: tuple[str, ...] = ("", "", "", "")
    dimensions: tuple[int, ...] = ()
    arm: str = ""


def attempt(
    source: Source, level: Level, seed: int, number: int, *, arm: str = "", pictures: bool = True
) -> Options | str:
    """The set of this number, or the gate that dropped it. Without `pictures`, gates that need them are left out."""
    random = Random(f"{seed}/{source}/{level}/{number}")
    try:
        found = _goals(source, random, arm) if level == "high" else _motions(source, level, random, arm)
        _pass(source, level, found, pictures=pictures)
    except Refused as refused:
        return str(refused)
    return found


def _pass(source: Source, level: Level, found: Options, *, pictures: bool = True) -> None:
    """Apply all gates except those of skills and of inverse kinematics; `Refused` names the one that failed."""
    made = table(source, found.scene, found.setting, found.arm)
    if level == "high":
        if pictures:
            _seen(made, found)
        return
    if any(touches(made, moment) for moment in (found.before, *found.after)):
        raise Refused("penetration")
    if pictures:
        _check_distinct(made, found)


def refusal(recipe: Recipe) -> str:
    """The gate that the set of a question does not pass; empty if it passes all."""
    outcomes = sorted(recipe.outcomes, key=lambda outcome: outcome.bits)
    after = tuple(outcome.after for outcome in outcomes)
    found = Options(recipe.scene, recipe.setting, recipe.before, recipe.factors, after, arm=recipe.arm)
    try:
        _pass(recipe.source, recipe.level, found)
    except Refused as refused:
        return str(refused)
    return ""


def _goals(source: Source, random: Random, arm: str) -> Options:
    found = goals.draft(source, random, arm)
    return Options(found.table.seed, found.setting, found.before, found.factors, found.after, found.words, arm=arm)


def _motions(source: Source, level: Level, random: Random, arm: str) -> Options:
    found = motions.draft(source, level, random, arm)
    return Options(
        random.randrange(1_000_000), "", found.before, found.factors, found.after, dimensions=found.dimensions, arm=arm
    )


_EDGES = np.array([[x, y, z] for x in (-0.5, 0.0, 0.5) for y in (-0.5, 0.0, 0.5) for z in (-0.5, 0.0, 0.5)])


def touches(made: Table, moment: Moment) -> bool:
    """Whether the arm is in the table or in a thing, by points of gripper and links and by boxes round things."""
    frame = matrix_of(moment.state)
    points = [
        (np.array(centre) + _EDGES * np.array(size)) @ frame[:3, :3].T + frame[:3, 3]
        for centre, size in boxes_of(made.arm.name, moment.state.opening)
    ]
    gripper = np.concatenate(points)
    if float(gripper[:, 2].min()) < gates.PENETRATION:
        return True
    links = _links(made, moment)
    if float(links[:, 2].min()) < _CLEAR:
        return True
    moved = {one.thing: one for one in moment.moved if one.opening is None}
    for placed in made.home.placed:
        one = moved.get(placed.thing.name)
        pose = placed.pose if one is None else Pose(one.position, rotation(one.turn))
        if _within(gripper, pose, placed.thing.size, 0.0) or _within(links, pose, placed.thing.size, 0.04):
            return True
    return False


def _links(made: Table, moment: Moment) -> Floats:
    """Points along the arm from its elbow to its last joint."""
    places = [frame[:3, 3] for frame in made.arm.frames(moment.joints)[3:-1]]
    steps = np.linspace(0.0, 1.0, 6)[:, None]
    return np.concatenate([a + (b - a) * steps for a, b in pairwise(places)])


def _within(points: Floats, pose: Pose, size: Sequence[float], margin: float) -> bool:
    """Whether any point is in the box round a thing. A cheap test of distances comes first."""
    x, y, z = pose.position
    reach = float(np.hypot(size[0], size[1])) / 2 + size[2] + margin
    near = points[(np.abs(points - np.array([x, y, z])) < reach).all(axis=1)]
    back = inverse(pose)
    for point in near.tolist():
        a, b, c = spot(back, (point[0], point[1], point[2]))
        if abs(a) < size[0] / 2 + margin and abs(b) < size[1] / 2 + margin and -margin < c < size[2] + margin:
            return True
    return False


def _check_distinct(made: Table, found: Options) -> None:
    """The gates of sets of motions that need pictures."""
    view, height = VIEWS[made.source][0], SIZES[made.source][1]
    moments = (found.before, *found.after)
    masks = []
    for moment in moments:
        mask = segments(made, moment, view).mask(GRIPPER)
        free = segments(made, moment, view, alone=True).pixels(GRIPPER)
        if gates.gripper_hidden(int(mask.sum()), free, height):
            raise Refused("gripper hidden")
        masks.append(mask)
    if gates.alike(masks):
        raise Refused("options alike")
    if made.source == "droid":
        seen = [_numbers(segments(made, moment, "ego")) for moment in moments]
        if gates.alike(seen):
            raise Refused("options alike at the wrist")
    _lit(made, moments, view)
    _geometry(made, found, masks[1:])


def _numbers(found: Segments) -> np.ndarray[tuple[int, ...], np.dtype[np.int16]]:
    """Things as numbers that do not depend on the number of their parts."""
    names = sorted(set(found.names))
    table_of = np.array([*(names.index(name) for name in found.names), -1], dtype=np.int16)
    made: np.ndarray[tuple[int, ...], np.dtype[np.int16]] = table_of[found.segmentation]
    return made


def _lit(made: Table, moments: Sequence[Moment], view: str) -> None:
    # Smaller pictures are enough for light and blur, and take a third of the time.
    pictures = [draw(made, moment, view, part=2) for moment in moments]
    if any(gates.badly_lit(picture) for picture in pictures):
        raise Refused("light")
    if any(gates.light_changes(pictures[0], picture) for picture in pictures[1:]):
        raise Refused("light changes")
    sharp = [gates.sharpness(picture) for picture in pictures]
    if any(gates.blurred(value, sharp) for value in sharp):
        raise Refused("blur")


def _geometry(made: Table, found: Options, first: Sequence[np.ndarray[tuple[int, ...], np.dtype[np.bool_]]]) -> None:
    """The gate that a solver without a renderer finds each of the four in its own pictures, in all views."""
    outside = [view for view in VIEWS[made.source] if view != "ego"]
    size = SIZES[made.source]
    cameras = [pinhole(made.cameras[view], *size) for view in outside]
    for number, moment in enumerate(found.after):
        masks = [first[number], *(segments(made, moment, view).mask(GRIPPER) for view in outside[1:])]
        scores = [score(made.arm.name, other.state, cameras, masks) for other in found.after]
        if int(np.argmax(scores)) != number:
            raise Refused("geometry fails")


def _seen(made: Table, found: Options) -> None:
    """The gates of sets of actions that need pictures."""
    view, height = VIEWS[made.source][0], SIZES[made.source][1]
    moments = (found.before, *found.after)
    shown = [segments(made, moment, view) for moment in moments]
    for picture, moment in zip(shown, moments, strict=True):
        free = segments(made, moment, view, alone=True).pixels(GRIPPER)
        if gates.gripper_hidden(picture.pixels(GRIPPER), free, height):
            raise Refused("gripper hidden")
    changed = {one.thing for after in found.after for one in after.moved if one not in found.before.moved}
    there = {name for name in changed if not name.startswith("folded")}
    inside = {one.thing for one in found.before.moved}
    for name in there:
        least = _LEAST_THING // 2 if name in inside else _LEAST_THING
        if shown[0].counts().get(name, 0) < least:
            raise Refused("thing hidden")
    for picture, after in zip(shown[1:], found.after, strict=True):
        moved = {one.thing for one in after.moved if one not in found.before.moved}
        counts = picture.counts()
        if sum(counts.get(name, 0) for name in moved) < _LEAST_THING // 2:
            raise Refused("thing hidden")
    if gates.alike([_numbers(picture) for picture in shown]):
        raise Refused("options alike")
    if made.source == "droid" and gates.alike([_numbers(segments(made, moment, "ego")) for moment in moments]):
        raise Refused("options alike at the wrist")
    _lit(made, moments, view)


def questions(configuration: Configuration, seed: int, options: Sequence[Options]) -> list[Recipe]:
    """One question of each set: letters and factor cells of the truths in equal numbers, otherwise at random."""
    source, level, direction = configuration
    name = "-".join(configuration)
    random = Random(f"{seed}/{name}/truths")
    cells, letters = (_balanced(len(options), random) for _ in range(2))
    made = []
    for number, (found, cell, letter) in enumerate(zip(options, cells, letters, strict=True)):
        others = [other for other in range(4) if other != cell]
        random.shuffle(others)
        order = [*others[:letter], cell, *others[letter:]]
        outcomes = tuple(Outcome(found.after[k], CELLS[k], found.words[k]) for k in order)
        identity = f"{name}-{number + 1:04d}"
        made.append(
            Recipe(
                identity, source, level, direction, found.scene, found.before, found.factors, outcomes, letter,
                found.dimensions, found.setting, found.arm,
            )
        )  # fmt: skip
    return made


def _balanced(count: int, random: Random) -> list[int]:
    found = [number % len(LETTERS) for number in range(count)]
    if count % len(LETTERS):
        random.shuffle(extra := list(range(len(LETTERS))))
        found = [*found[: count - count % 4], *extra[: count % 4]]
    random.shuffle(found)
    return found


def fresh(configuration: Configuration, seed: int, count: int, *, pictures: bool = False) -> list[Recipe]:
    """New questions of one configuration; by default without the gates that need pictures, for studies of texts."""
    source, level, _ = configuration
    results = (attempt(source, level, seed, number, pictures=pictures) for number in numbers())
    found = (one for one in results if isinstance(one, Options))
    return questions(configuration, seed, list(islice(found, count)))
