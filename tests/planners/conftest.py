"""Planners to share, since starting one costs more than most tests do, and a look at what processes there are."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from planners.fast_downward import FastDownward
from planners.unified import UnifiedPlanning


@pytest.fixture(scope="session")
def fd() -> Iterator[FastDownward]:
    planner = FastDownward()
    yield planner
    planner.close()


@pytest.fixture(scope="session")
def optimal() -> Iterator[FastDownward]:
    planner = FastDownward("optimal")
    yield planner
    planner.close()


@pytest.fixture(scope="session")
def unified() -> Iterator[UnifiedPlanning]:
    planner = UnifiedPlanning()
    yield planner
    planner.close()


@pytest.fixture
def group() -> Callable[..., list[str]]:
    """The names of the processes in a process group, with or without those that only wait to be cleared away."""
    if not Path("/proc/self/stat").exists():
        pytest.skip("needs /proc to see processes")

    def members(number: int, *, zombies: bool = True) -> list[str]:
        names = []
        for entry in Path("/proc").glob("[0-9]*/stat"):
            try:
                name, _, rest = entry.read_text().partition("(")[2].rpartition(")")
            except OSError:
                continue
            state, _, its_group, *_ = rest.split()
            if int(its_group) == number and (zombies or state != "Z"):
                names.append(name)
        return names

    return members


@pytest.fixture
def until() -> Callable[[Callable[[], bool]], None]:
    """Wait for something to become true, and fail if it does not."""

    def wait(true: Callable[[], bool], seconds: float = 60.0) -> None:
        end = time.monotonic() + seconds
        while not true():
            assert time.monotonic() < end, "waited in vain"
            time.sleep(0.01)

    return wait
