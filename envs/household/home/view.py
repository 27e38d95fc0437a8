"""The robot's view of a home, as a scene for the renderer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

import numpy as np

from envs.household.home import robot
from envs.household.home.frames import opened, within
from envs.household.home.model import Home, Part, Pose, Thing
from envs.household.home.physics import ROBOT, SHELL
from envs.household.home.robot import Stance
from envs.render.scene import Light, Scene, Sky, Solid

SIZE = 480
"""Pixels of a picture, both ways."""
_QUICK = 160
"""Pixels of the quick picture that things are counted in."""


class Seer:
    """Makes scenes of one home."""

    def __init__(self, home: Home, seed: int) -> None:
        self._home = home
        self._placed = {placed.thing.name: placed for placed in home.placed}
        self._shell = tuple(_solids(SHELL, home.shell, Pose(), moving=False))
        self._fixed = tuple(
            solid
            for name, placed in self._placed.items()
            if not placed.thing.movable
            for solid in _solids(name, placed.thing.parts, placed.pose, moving=False)
        )

    def scene(
        self, stance: Stance, poses: Mapping[str, Pose], openings: Mapping[str, float], held: str | None
    ) -> Scene:
        """What the robot sees from there, with movables in these poses and leaves open so far."""
        solids = [*self._shell, *self._fixed]
        for name, opening in openings.items():
            solids += self._leaves(self._placed[name].thing, opening)
        for name, pose in poses.items():
            solids += _solids(name, self._placed[name].thing.parts, pose, moving=True)
        for link, pose in robot.links(stance).items():
            parts = robot.PARTS[link] if link != "hand" or held is None else robot.CLOSED_HAND
            solids += _solids(ROBOT, parts, pose, moving=True)
        lamp = Light((stance.x, stance.y, 2.4), radius=0.3, strength=0.8)
        return Scene(tuple(solids), robot.camera(stance), (lamp,), Sky())

    def _leaves(self, thing: Thing, opening: float) -> Iterator[Solid]:
        for leaf in thing.leaves:
            frame = within(self._placed[thing.name].pose, opened(leaf, opening))
            yield from _solids(thing.name, leaf.parts, frame, moving=True)

    def count(self, scene: Scene) -> Mapping[str, int]:
        """How many pixels of a picture show each thing."""
        from envs.render.ray import render

        frame = render(scene, _QUICK, _QUICK)
        counts = np.bincount(frame.segmentation[frame.segmentation >= 0], minlength=len(frame.names))
        found: Counter[str] = Counter()
        for name, number in zip(frame.names, counts.tolist(), strict=True):
            if number and name != SHELL:
                found[name] += number * (SIZE // _QUICK) ** 2
        return dict(found)


def _solids(name: str, parts: tuple[Part, ...], frame: Pose, *, moving: bool) -> Iterator[Solid]:
    for part in parts:
        if part.seen:
            pose = within(frame, part.pose)
            x, y, z = (round(value, 6) for value in pose.position)
            yield Solid(name, part.shape, part.material, (x, y, z), pose.rotation, moving)
