"""Fixtures that several rooms share."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from planners import get_planner
from planners.outcome import Planner

ROOT = Path(__file__).resolve().parent.parent


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
