"""Fixtures that several rooms share."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from planners import get_planner
from planners.outcome import Planner

ROOT = Path(__file__).resolve().parent.parent


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Where several processes share the tests, each starts with its part of the long ones: what is left over at the
    end and taken from one another is short. Tests of a file mostly stay together, for the sake of what they share.
    """
    workers = getattr(config, "workerinput", {}).get("workercount", 1)
    if workers == 1:
        return
    long = {item.path for item in items if item.get_closest_marker("slow")}
    kinds = [[item for item in items if (item.path in long) is slow] for slow in (True, False)]
    items[:] = [
        item
        for worker in range(workers)
        for kind in kinds
        for item in kind[len(kind) * worker // workers : len(kind) * (worker + 1) // workers]
    ]


def pytest_collection_finish() -> None:
    """Leave thousands of test items, which live to the end, out of every later garbage collection."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of recorded data beside the checkout, which a plain clone does not have."""
    folder = ROOT.parent / "shared"
    if folder.is_dir():
        return folder
    message = f"no recorded data: {folder.name}/ is not beside the checkout"
    if os.environ.get("CI"):
        pytest.fail(message)
    pytest.skip(message)


@pytest.fixture(scope="session")
def planner() -> Iterator[Planner]:
    """Fast Downward, for whoever needs a plan: starting it costs more than most tests do."""
    planner = get_planner("fd")
    yield planner
    planner.close()


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Commands that a test starts can be stopped by Ctrl-C, even where a shell runs the tests in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
