"""Recordings of a robot arm: what our own simulator and readers of other people's data both produce."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from envs.arm.states import State


@dataclass(frozen=True, slots=True)
class Frame:
    """One time step: the state of the gripper, and what each camera saw."""

    state: State
    views: tuple[str, ...]
    """The names of the cameras: "exo_1" to "exo_4" outside, "ego" at the wrist."""
    picture: Callable[[str], bytes]
    """The encoded picture (PNG or JPEG) of a camera by its name; drawn or read when it is called."""
    tag: str = ""
    """The part of the skill that is being carried out; empty where the data does not say."""


@dataclass(frozen=True, slots=True)
class Recording:
    """An episode: an instruction and the frames in which it was carried out."""

    id: str
    source: str
    """Where it is from: "bridge", "droid", "rt1", or the name of an arm of ours."""
    instruction: str
    frames: Sequence[Frame]
