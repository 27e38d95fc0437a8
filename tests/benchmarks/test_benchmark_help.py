"""Asked for help, a benchmark helps and measures nothing."""

from __future__ import annotations

import runpy

import pytest

from tests.conftest import ROOT

NOT_COMMANDS = ("__init__", "options", "playing", "room")
COMMANDS = sorted(path.stem for path in (ROOT / "benchmarks").glob("*.py") if path.stem not in NOT_COMMANDS)


def run(name: str, word: str, monkeypatch: pytest.MonkeyPatch) -> object:
    """Run a benchmark with one word, as a command would; its exit code."""
    monkeypatch.setattr("sys.argv", [f"benchmarks.{name}", word])
    with pytest.raises(SystemExit) as end:
        runpy.run_path(str(ROOT / "benchmarks" / f"{name}.py"), run_name="__main__")
    return end.value.code


@pytest.mark.parametrize("name", COMMANDS)
def test_help_is_help(name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(name, "--help", monkeypatch) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"usage: python -m benchmarks.{name}")
    assert " ms" not in out.replace("200 ms", "")


@pytest.mark.parametrize(("name", "word"), [("planning", "many"), ("episodes", "0")])
def test_what_is_no_number_is_refused(
    name: str, word: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(name, word, monkeypatch) == 2
    assert word in capsys.readouterr().err
