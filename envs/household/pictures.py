"""The robot's picture of a home, with labelled boxes around things of the same kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from envs.household.home.simulation import Simulation
    from envs.render.scene import Scene

VERSION = "household 1"
"""Part of every picture's key."""
SIZE = 480


def alike(seen: Collection[str], sim: Simulation) -> tuple[str, ...]:
    """The visible things that are not the only visible one of their kind."""
    kinds = Counter(sim.thing(name).kind for name in seen)
    return tuple(sorted(name for name in seen if kinds[sim.thing(name).kind] > 1))


def draw(scene: Scene, labelled: Collection[str]) -> bytes:
    """The picture as a PNG file."""
    from envs.render.png import png
    from envs.render.ray import snapshot
    from envs.render.tags import label

    frame = snapshot(scene, SIZE, SIZE)
    return png(label(frame.rgb, frame, labelled))
