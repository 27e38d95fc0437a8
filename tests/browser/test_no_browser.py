"""Where Chromium is installed but does not start, its tests are skipped with the reason; in CI they fail."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

pytest.importorskip("playwright", reason="pip install -e '.[dev]'")


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A folder with a Chromium that ends at once."""
    chromium = tmp_path / "bin" / "chromium"
    chromium.parent.mkdir()
    chromium.write_text("#!/bin/sh\necho 'no libraries here' >&2\nexit 1\n")
    chromium.chmod(0o755)
    return chromium.parent


def browser_tests(folder: Path, **variables: str) -> tuple[int, str]:
    """The browser tests in a process of their own; the exit code and what they print."""
    left_out = ("CI", "PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER")
    inherited = {name: value for name, value in os.environ.items() if name not in left_out}
    ran = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "--tb=line",
            "-n",
            "0",
            "-p",
            "no:cacheprovider",
            "tests/browser/test_viewer.py",
        ],
        cwd=ROOT,
        env={**inherited, "PATH": os.pathsep.join([str(folder), os.environ["PATH"]]), **variables},
        capture_output=True,
        text=True,
        timeout=300,
    )
    return ran.returncode, ran.stdout


@pytest.mark.slow
def test_tests_are_skipped_where_chromium_does_not_start(broken: Path) -> None:
    code, printed = browser_tests(broken)
    assert code == 0, printed
    reason = f"no browser tests: {broken / 'chromium'} does not start: no libraries here"
    assert re.search(rf"^SKIPPED .*{re.escape(reason)}$", printed, re.MULTILINE), printed
    assert re.search(r"^\d+ skipped in", printed.splitlines()[-1]), printed


@pytest.mark.slow
def test_tests_fail_in_ci_where_chromium_does_not_start(broken: Path) -> None:
    code, printed = browser_tests(broken, CI="true")
    assert code == 1, printed
    assert "does not start: no libraries here" in printed
    assert re.search(r"^\d+ errors? in", printed.splitlines()[-1]), printed
