"""What every command of `evals/` must do: help at once, and one line about whatever is wrong."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from tests.conftest import ROOT

HEAVY = ("langgraph", "langchain_core", "unified_planning", "openai", "anthropic", "torch", "numpy", "PIL")
RUN = """
import contextlib, io, json, runpy, sys
_, name, *words = sys.argv
ran = []
for word in words:
    sys.argv, code, out, err = [name, word], 0, io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            runpy.run_module(name, run_name="__main__", alter_sys=True)
        except SystemExit as end:
            code = end.code
    ran.append([code, out.getvalue(), err.getvalue(), sorted(sys.modules)])
print(json.dumps(ran))
"""


@dataclass(frozen=True)
class Ran:
    """What came of a command."""

    code: object
    out: str
    err: str
    modules: list[str]


def commands() -> list[str]:
    """The modules and packages of `evals/` that can be run."""
    files = [path for path in (ROOT / "evals").glob("*.py") if 'if __name__ == "__main__"' in path.read_text()]
    packages = [path.parent for path in (ROOT / "evals").glob("*/__main__.py")]
    return sorted(f"evals.{path.stem}" for path in (*files, *packages))


def source(command: str) -> Path:
    """The file that is run."""
    path = ROOT / command.replace(".", "/")
    return path / "__main__.py" if path.is_dir() else path.with_suffix(".py")


@cache
def run(command: str, *words: str) -> list[Ran]:
    """The command with one word after the other, in one new process: to start one takes longer than to run it."""
    ran = subprocess.run(
        [sys.executable, "-c", RUN, command, *words], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert ran.returncode == 0, ran.stderr
    return [Ran(*one) for one in json.loads(ran.stdout)]


@pytest.mark.parametrize("command", commands())
def test_help_comes_without_loading_anything_heavy(command: str) -> None:
    ran, _ = run(command, "--help", "--no-such-option")
    assert ran.code == 0, ran.err
    assert f"usage: python -m {command}" in ran.out
    assert "exit code" in ran.out
    assert [name for name in HEAVY if name in ran.modules] == []


@pytest.mark.parametrize("command", commands())
def test_an_option_that_does_not_exist_ends_with_two(command: str) -> None:
    _, ran = run(command, "--help", "--no-such-option")
    assert ran.code == 2
    assert "Traceback" not in ran.err
    assert "--no-such-option" in ran.err or "required" in ran.err


@pytest.mark.parametrize("command", commands())
def test_its_docstring_has_the_exact_command(command: str) -> None:
    docstring = ast.get_docstring(ast.parse(source(command).read_text()), clean=False) or ""
    assert f"    python -m {command}" in docstring


def test_the_commands_are_found() -> None:
    assert {"evals.viplan", "evals.viplan_recorded"} <= set(commands())
