"""The Household problems as a server's catalogue."""

from __future__ import annotations

from functools import cache

from envs.base import World
from envs.household.problems import SPLITS, HouseholdProblem, files, load
from envs.household.remote import address
from envs.household.world import Household
from envs.rest.wire import Reset


@cache
def _problems() -> dict[str, HouseholdProblem]:
    known = [load(file, split) for split in SPLITS for file in files(split)]
    return {str(address(problem)): problem for problem in known}


def tasks() -> list[Reset]:
    """All problems."""
    return [address(problem) for problem in _problems().values()]


def open_task(wanted: Reset, seed: int) -> World:
    """The home at the start of a problem."""
    return Household(_problems()[str(wanted)], seed=seed)
