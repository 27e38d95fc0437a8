"""Photorealistic pictures of Blocksworld by Blender, from the scenes of `envs.blocksworld.scene`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from envs.blocksworld.scene import compose
from envs.render.cycles import Blender

VERSION = "1"
"""Part of every picture's key."""


@cache
def _blender() -> Blender:
    return Blender()


def draw(columns: Sequence[Sequence[str]], seed: int, *, width: int = 480, height: int = 480) -> bytes:
    """The state as a PNG file: block names bottom to top for each column, left to right."""
    return _blender().draw(compose(columns, seed), width, height)
