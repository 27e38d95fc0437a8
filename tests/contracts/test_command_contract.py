"""What every command of `evals/` must do: help at once, and one line about whatever is wrong."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

HEAVY = ("langgraph", "langchain_core", "unified_planning", "openai", "anthropic", "torch", "numpy", "PIL")
RUN = """
import json, runpy, sys
name, *words = sys.argv[1:]
sys.argv = [name, *words]
code = 0
try:
    runpy.run_module(name, run_name="__main__", alter_sys=True)
except SystemExit as end:
    code = end.code
print(json.dumps([code, sorted(set(sys.modules))]), file=open(3, "w"))
"""


def commands() -> list[str]:
    """The modules and packages of `evals/` that can be run."""
    files = [path for path in (ROOT / "evals").glob("*.py") if 'if __name__ == "__main__"' in path.read_text()]
    packages = [path.parent for path in (ROOT / "evals").glob("*/__main__.py")]
    return sorted(f"evals.{path.stem}" for path in (*files, *packages))


def source(command: str) -> Path:
    """The file that is run."""
    path = ROOT / command.replace(".", "/")
    return path / "__main__.py" if path.is_dir() else path.with_suffix(".py")


def run(command: str, *words: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", command, *words], cwd=cwd, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("command", commands())
def test_help_comes_without_loading_anything_heavy(command: str, tmp_path: Path) -> None:
    told = tmp_path / "told"
    script = RUN.replace('open(3, "w")', f"open({str(told)!r}, 'w')")
    ran = subprocess.run(
        [sys.executable, "-c", script, command, "--help"], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    code, modules = json.loads(told.read_text())
    assert code == 0, ran.stderr
    assert f"usage: python -m {command}" in ran.stdout
    assert "exit code" in ran.stdout
    assert [name for name in HEAVY if name in modules] == []


@pytest.mark.parametrize("command", commands())
def test_an_option_that_does_not_exist_ends_with_two(command: str) -> None:
    ran = run(command, "--no-such-option")
    assert ran.returncode == 2
    assert "Traceback" not in ran.stderr
    assert "--no-such-option" in ran.stderr or "required" in ran.stderr


@pytest.mark.parametrize("command", commands())
def test_its_docstring_has_the_exact_command(command: str) -> None:
    docstring = ast.get_docstring(ast.parse(source(command).read_text()), clean=False) or ""
    assert f"    python -m {command}" in docstring


def test_the_commands_are_found() -> None:
    assert {"evals.viplan", "evals.viplan_recorded"} <= set(commands())
