"""Fixtures that several rooms share."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from planners import get_planner
from planners.outcome import Planner

ROOT = Path(__file__).resolve().parent.parent


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Files that make something for all their tests are left to one process each: there it is made once."""
    if config.getoption("dist") != "load":
        return None
    from xdist.scheduler import LoadScopeScheduling

    @cache
    def shares(file: str) -> bool:
        return 'scope="module"' in (ROOT / file).read_text(encoding="utf-8")

    class FilesOrTests(LoadScopeScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.partition("::")[0]
            if "test_hf" in file or "[hf" in nodeid:
                return "torch, which takes seconds to import"
            return file if shares(file) else nodeid

    return FilesOrTests(config, log)


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
