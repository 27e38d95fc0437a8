"""A small household for the contract of environments."""

from __future__ import annotations

from envs.base import World
from envs.pictures import PictureStore
from tests.envs.household.small_world import small_world


def open_world(seed: int, pictures: PictureStore) -> World:
    return small_world(seed=seed, pictures=pictures)
