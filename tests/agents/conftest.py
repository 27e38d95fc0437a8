"""One pair of planners for all tests of this room."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from planners import get_planner
from planners.cache import CachedPlanner
from planners.outcome import Planner


@pytest.fixture(scope="session")
def planners() -> Iterator[tuple[Planner, Planner]]:
    """The planner of the agents, and the optimal one of stand-in models."""
    pair = CachedPlanner(get_planner("fd")), CachedPlanner(get_planner("fd-opt"))
    yield pair
    for planner in pair:
        planner.close()
