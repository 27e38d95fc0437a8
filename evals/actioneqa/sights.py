"""The data of the model `geometry`: cameras, the state before, the shape of the gripper, and the gripper's pixels.

The pixels that show the gripper come from the renderer's segmentation. A picture that is not one of the question's own,
such as a grey one, shows no gripper. Everything else is geometry.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from envs.arm import solvers
from envs.arm.labels import SELECTION
from envs.arm.reading import read_low, read_mid
from envs.arm.states import Motion, State, wrapped
from envs.base import Arrow
from evals.actioneqa.data import world_of

if TYPE_CHECKING:
    from envs.arm.cameras import Pinhole
    from envs.arm.recipes import Recipe
    from envs.arm.worlds import When, World
    from envs.render.arrays import Bools

ARROW = 0.1
"""The length of drawn axes, in metres."""


class Sights:
    """The cameras of one question, in the views that it is asked in."""

    def __init__(self, recipe: Recipe, views: Sequence[str], pictures: Mapping[str, When]) -> None:
        self._recipe, self._views = recipe, tuple(view for view in views if view != "ego")
        self._moments = pictures

    def choose(self, pictures: Sequence[str], options: Sequence[str]) -> int:
        """The place of the option that explains the pictures best; `ValueError` where geometry cannot tell."""
        if not self._views:
            raise ValueError("the camera at the wrist moves with the gripper, which hides its motion from the boxes")
        if self._recipe.level == "high":
            raise ValueError("questions of the high level are about things, not about the gripper's pose")
        if self._recipe.direction == "ai":
            return self._inferred(self._masks(pictures[1]), options)
        return self._predicted(pictures, options)

    def _inferred(self, masks: Sequence[Bools], options: Sequence[str]) -> int:
        """Which action leads to these pixels."""
        scores = [self._score(option, masks) for option in options]
        return max(range(len(scores)), key=lambda place: scores[place])

    def _predicted(self, pictures: Sequence[str], options: Sequence[str]) -> int:
        """Which picture shows what the action leads to."""
        motion = self._recipe.motion(self._recipe.truth)
        shown = [self._masks(picture) for picture in pictures[1 : 1 + len(options)]]
        state = _moved(self._recipe.before.state, motion)
        scores = [solvers.score(self._arm, state, self._cameras, masks) for masks in shown]
        return max(range(len(scores)), key=lambda place: scores[place])

    def _score(self, option: str, masks: Sequence[Bools]) -> float:
        """How well an action explains pixels. Labels are tried with the amounts that explain them best."""
        start = self._recipe.before.state
        motion = read_low(option)
        if motion is not None:
            return solvers.score(self._arm, _moved(start, motion), self._cameras, masks)
        signs = read_mid(option)
        if signs is None:
            raise ValueError(f"{option!r} is not a motion")
        signed = [float(signs.get(number, 0)) for number in range(len(start))]
        return solvers.fit(self._arm, start, signs=signed, units=SELECTION[self._recipe.source],
                           cameras=self._cameras, masks=masks)[0]  # fmt: skip

    def _masks(self, picture: str) -> Sequence[Bools]:
        when = self._moments.get(picture)
        if when is None:
            import numpy as np

            return [np.zeros((camera.height, camera.width), dtype=np.bool_) for camera in self._cameras]
        return [self._world.mask(view, when) for view in self._views]

    @cached_property
    def _cameras(self) -> Sequence[Pinhole]:
        return [self._world.camera(view, "before") for view in self._views]

    @property
    def _arm(self) -> str:
        return self._world.arm

    @property
    def _world(self) -> World:
        return world_of(self._recipe)


def _moved(start: State, motion: Motion) -> State:
    """The state that a motion leads to."""
    x, y, z, roll, pitch, yaw, opening = (a + b for a, b in zip(start, motion, strict=True))
    return State(x, y, z, wrapped(roll), wrapped(pitch), wrapped(yaw), min(max(opening, 0.0), 1.0))


def arrows_of(recipe: Recipe, views: Sequence[str]) -> tuple[Arrow, ...]:
    """The axes of the base as the outer cameras see them: 10 cm long, from where the gripper is before the action.

    Shares of the whole picture, in which the views stand side by side.
    """
    import numpy as np

    world, count = world_of(recipe), len(views)
    start = np.array(recipe.before.state[:3])
    ends = np.concatenate([start[None], start + ARROW * np.eye(3)])
    found = []
    for place, view in enumerate(views):
        if view == "ego":
            continue
        camera = world.camera(view, "before")
        pixels, _ = camera.project(ends)
        shares = [((place + x / camera.width) / count, y / camera.height) for x, y in pixels.tolist()]
        found += [Arrow(name, *shares[0], *end) for name, end in zip(("+X", "+Y", "+Z"), shares[1:], strict=True)]
    return tuple(found)
