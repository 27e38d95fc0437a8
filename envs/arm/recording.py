"""Recordings of a robot arm, from our own simulator or from readers of other people's data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from envs.arm.states import State


@dataclass(frozen=True, slots=True)
class Frame:
    """One time step: the state of the gripper, and the picture of each camera."""

    state: State
    views: tuple[str, ...]
    """The names of the cameras: "exo_1" to "exo_4" outside, "ego" at the wrist."""
    picture: Callable[[str], bytes]
    """The encoded picture (PNG or JPEG) of a camera by its name; drawn or read when it is called."""
    tag: str = ""
    """The phase of the skill; empty where the data has none."""


@dataclass(frozen=True, slots=True)
class Recording:
    """An episode: an instruction and its frames."""

    id: str
    source: str
    """The source: "bridge", "droid", "rt1", or the name of one of our arms."""
    instruction: str
    frames: Sequence[Frame]
