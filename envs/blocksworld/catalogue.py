"""The Blocksworld problems as a server's catalogue: a task is a split, an instance one of its problems."""

from __future__ import annotations

from functools import lru_cache

from envs.base import World
from envs.blocksworld.problems import SPLITS, files, load
from envs.blocksworld.world import Blocksworld
from envs.rest.wire import Reset

_SCENE = "table"


@lru_cache(maxsize=1)
def tasks() -> list[Reset]:
    """All problems."""
    return [
        Reset(task=split, scene_id=_SCENE, instance_id=number)
        for split in SPLITS
        for number, _ in enumerate(files(split, None))
    ]


def open_task(wanted: Reset, seed: int) -> World:
    """The world at the start of a problem."""
    return Blocksworld(load(files(wanted.task, None)[wanted.instance_id], wanted.task), seed=seed)
