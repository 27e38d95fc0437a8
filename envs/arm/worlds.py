"""The scene of a question: pictures, cameras, masks and states of the start and of the four outcomes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Literal, TypeAlias

from envs.arm.arms import ARM_OF, GRIPPER
from envs.arm.cameras import Pinhole, pinhole
from envs.arm.pictures import beside, draw, segments, wrist
from envs.arm.recipes import Moment, Recipe
from envs.arm.scenes import SIZES, VIEWS, Table, table
from envs.arm.states import State
from envs.render.arrays import Bools, Bytes
from envs.render.png import png
from planners.names import unknown

When: TypeAlias = Literal["before"] | int
"""The start, or the number of an option."""
DRAWN = 2
"""The version of the pictures, part of their keys: increase it when pictures change."""


class World:
    """The scene of a recipe. Pictures are drawn on demand and not kept."""

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe
        self.views = VIEWS[recipe.source]
        self.size = SIZES[recipe.source]
        self.arm = recipe.arm or ARM_OF[recipe.source]

    @cached_property
    def table(self) -> Table:
        """The scene."""
        return table(self.recipe.source, self.recipe.scene, self.recipe.setting, self.recipe.arm)

    def moment(self, when: When) -> Moment:
        """The arm and the things at the start or after an option."""
        return self.recipe.before if when == "before" else self.recipe.outcomes[when].after

    def state(self, when: When) -> State:
        """The state of the gripper."""
        return self.moment(when).state

    def key(self, views: Iterable[str], when: When) -> str:
        """A name for a picture that does not reveal the answer: equal for equal pictures."""
        recipe = self.recipe
        content = (DRAWN, recipe.source, recipe.scene, recipe.setting, recipe.arm, self.moment(when), tuple(views))
        return f"arm/{hashlib.sha256(repr(content).encode()).hexdigest()}"

    def rgb(self, view: str, when: When) -> Bytes:
        """The picture of one camera, as an array of its pixels."""
        if view not in self.views:
            raise unknown("view", view, self.views)
        return draw(self.table, self.moment(when), view)

    def picture(self, view: str, when: When) -> bytes:
        """The picture of one camera as a PNG file."""
        return png(self.rgb(view, when))

    def strip(self, views: Sequence[str], when: When) -> bytes:
        """The pictures of some cameras side by side in one PNG file."""
        return png(beside(self.rgb(view, when) for view in views))

    def camera(self, view: str, when: When) -> Pinhole:
        """The matrices of a camera; the one at the wrist moves with the gripper."""
        if view == "ego":
            return pinhole(wrist(self.table, self.table.arm.tip(self.moment(when).joints)), *self.size)
        return pinhole(self.table.cameras[view], *self.size)

    def mask(self, view: str, when: When) -> Bools:
        """The pixels that show the gripper."""
        return segments(self.table, self.moment(when), view).mask(GRIPPER)
