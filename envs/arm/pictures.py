"""Pictures and segmentations of a table at a moment, from a camera outside or at the wrist."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from math import radians, tan

import numpy as np

from envs.arm.arms import ARM, GRIPPER
from envs.arm.recipes import Moment
from envs.arm.scenes import SIZES, Table
from envs.household.home.frames import opened, rotation, within
from envs.household.home.model import Part, Placed, Pose
from envs.render.arrays import Bytes, Floats
from envs.render.ray import Segments, segment, snapshot
from envs.render.scene import Camera, Rotation, Scene, Solid

_EGO = round(2.0 * tan(radians(74.0) / 2.0), 6)


def scene(table: Table, moment: Moment, view: str, *, alone: bool = False) -> Scene:
    """The scene of a picture; with `alone` only the gripper."""
    frames = table.arm.frames(moment.joints)
    camera = wrist(table, frames[-1]) if view == "ego" else table.cameras[view]
    gripper = tuple(_solids(GRIPPER, table.arm.gripper(moment.state.opening), pose_of(frames[-1]), moving=True))
    if alone:
        return Scene(gripper, camera, table.lights, table.sky)
    links = (
        solid
        for parts, frame in zip(table.arm.links, frames[:-1], strict=True)
        for solid in _solids(ARM, parts, pose_of(frame), moving=True)
    )
    return Scene((*_things(table, moment), *links, *gripper), camera, table.lights, table.sky)


def _things(table: Table, moment: Moment) -> Iterator[Solid]:
    moved = {one.thing: one for one in moment.moved}
    yield from _still(table, frozenset(moved))
    for placed in table.home.placed:
        one = moved.get(placed.thing.name)
        if one is not None and one.opening is not None:
            yield from _fixed(placed, one.opening, moving=True)
        elif one is not None:
            pose = Pose(one.position, rotation(one.turn))
            yield from _solids(placed.thing.name, placed.thing.parts, pose, moving=True)


@lru_cache(maxsize=32)
def _still(table: Table, but: frozenset[str]) -> tuple[Solid, ...]:
    found = [*_solids("room", table.home.shell, Pose(), moving=False)]
    for placed in table.home.placed:
        if placed.thing.name not in but:
            found += _fixed(placed, placed.opening, moving=False)
    return tuple(found)


def _fixed(placed: Placed, opening: float, *, moving: bool) -> Iterator[Solid]:
    yield from _solids(placed.thing.name, placed.thing.parts, placed.pose, moving=moving)
    for leaf in placed.thing.leaves:
        yield from _solids(placed.thing.name, leaf.parts, within(placed.pose, opened(leaf, opening)), moving=moving)


def _solids(name: str, parts: Iterable[Part], frame: Pose, *, moving: bool) -> Iterator[Solid]:
    for part in parts:
        if part.seen:
            pose = within(frame, part.pose)
            x, y, z = (round(value, 6) for value in pose.position)
            yield Solid(name, part.shape, part.material, (x, y, z), _short(pose.rotation), moving)


def _short(turn: Rotation) -> Rotation:
    return tuple(round(value, 7) + 0.0 for value in turn)  # type: ignore[return-value]


def pose_of(frame: Floats) -> Pose:
    """A 4 x 4 matrix as a pose, rounded so that it is the same on every machine."""
    x, y, z = (round(float(value), 6) for value in frame[:3, 3])
    return Pose((x, y, z), _short(tuple(frame[:3, :3].ravel().tolist())))  # type: ignore[arg-type]


def wrist(table: Table, tip: Floats) -> Camera:
    """The camera at the wrist of a gripper with this frame: it turns with the gripper."""

    def place(point: tuple[float, float, float]) -> tuple[float, float, float]:
        x, y, z = (round(float(value), 6) for value in tip[:3, :3] @ np.array(point) + tip[:3, 3])
        return x, y, z

    ahead = tuple(round(float(value), 6) for value in tip[:3, 0])
    return Camera(place(table.arm.eye), place(table.arm.gaze), _EGO, up=(ahead[0], ahead[1], ahead[2]))


def draw(table: Table, moment: Moment, view: str, *, part: int = 1) -> Bytes:
    """The picture, as an array of its pixels; `part` is the factor by which it is smaller."""
    width, height = SIZES[table.source]
    return snapshot(scene(table, moment, view), width // part, height // part, threads=1).rgb


def segments(table: Table, moment: Moment, view: str, *, alone: bool = False, part: int = 1) -> Segments:
    """The thing that each pixel shows; `part` is the factor by which the picture is smaller."""
    width, height = SIZES[table.source]
    return segment(scene(table, moment, view, alone=alone), width // part, height // part, threads=1)


def beside(pictures: Iterable[Bytes]) -> Bytes:
    """Pictures of one height side by side."""
    return np.concatenate(list(pictures), axis=1)


def without(moment: Moment, opening: float) -> Moment:
    """The moment with another opening of the gripper."""
    return replace(moment, state=moment.state._replace(opening=opening))
