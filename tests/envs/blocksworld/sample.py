"""A Blocksworld for the contract of environments."""

from __future__ import annotations

from envs.base import World
from envs.blocksworld.problems import files, load
from envs.blocksworld.world import Blocksworld
from envs.pictures import PictureStore


def open_world(seed: int, pictures: PictureStore) -> World:
    return Blocksworld(load(files("simple")[0], "simple"), seed=seed, pictures=pictures)
