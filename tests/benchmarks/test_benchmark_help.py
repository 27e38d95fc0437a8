"""Asked for help, a benchmark helps and measures nothing."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.conftest import ROOT

NOT_COMMANDS = ("__init__", "options", "playing", "room")
COMMANDS = sorted(path.stem for path in (ROOT / "benchmarks").glob("*.py") if path.stem not in NOT_COMMANDS)


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", *words], cwd=ROOT, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("name", COMMANDS)
def test_help_is_help(name: str) -> None:
    ran = run(f"benchmarks.{name}", "--help")
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith(f"usage: python -m benchmarks.{name}")
    assert " ms" not in ran.stdout.replace("200 ms", "")


@pytest.mark.parametrize(("name", "word"), [("planning", "many"), ("episodes", "0")])
def test_what_is_no_number_is_refused(name: str, word: str) -> None:
    ran = run(f"benchmarks.{name}", word)
    assert ran.returncode == 2
    assert "Traceback" not in ran.stderr
    assert word in ran.stderr
