"""Builds homes from a floor plan, a seed and the needs of a task.

    home = build("row", 0, [Need("table_1", "table"), Need("apple_1", "apple", on="table_1")])

The same arguments give the same home. Needed things are placed first, then scenery that cannot be mistaken for them.
The result is free of collisions, and the robot can reach everything.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from envs.household.home import plans
from envs.household.home.draft import Draft, Need, NoRoom
from envs.household.home.model import Home
from envs.household.home.stock import stocked
from envs.household.home.things import KINDS
from planners.names import unknown

__all__ = ["LAYOUTS", "Need", "NoRoom", "build"]

LAYOUTS: tuple[str, ...] = tuple(plans.PLANS)
"""The names of the floor plans."""

_ATTEMPTS = 24


def build(layout: str, seed: int, needs: Sequence[Need] = ()) -> Home:
    """A home with this floor plan and all needed things, at rest."""
    plan = plans.plan(layout)
    _check(needs)
    for attempt in range(_ATTEMPTS):
        try:
            return stocked(Draft(plan, seed, needs, Random(f"{layout}/{seed}/{attempt}")), f"{layout}/{seed}")
        except NoRoom as error:
            reason = error
    raise NoRoom(
        f"layout {layout!r} with seed {seed}: {reason}, in {_ATTEMPTS} tries. Need less, or take another layout"
    )


def _check(needs: Sequence[Need]) -> None:
    names = [need.name for need in needs]
    for need in needs:
        if names.count(need.name) > 1:
            raise ValueError(f"{need.name} is needed twice")
        if need.kind not in KINDS:
            raise unknown("kind of thing", need.kind, KINDS)
        if need.room is not None and need.room not in plans.KINDS:
            raise unknown("kind of room", need.room, plans.KINDS)
        for support in (need.on, need.inside):
            if support is not None and support not in names:
                raise unknown("need", support, names)
