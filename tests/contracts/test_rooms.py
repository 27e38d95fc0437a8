"""The house: a room imports only from the rooms below it, and an intruder of the same name is named."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from evals.guard import ROOMS, ForeignPackage, check_rooms
from tests.conftest import ROOT
from tests.console_scripts import Environment

FILES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))


@cache
def tree(path: Path) -> ast.Module:
    """A file, parsed once for all tests that read it."""
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


@cache
def imported(path: Path) -> tuple[tuple[int, str], ...]:
    """Every module a file imports, wherever in the file it does so."""
    return tuple(_imported(path))


def _imported(path: Path) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: rooms are named in full"
            yield node.lineno, node.module or ""


def test_the_rooms_are_in_their_order() -> None:
    assert ROOMS == ("planners", "models", "envs", "memory", "tools", "agents", "evals")
    assert all((ROOT / room / "__init__.py").is_file() for room in ROOMS)


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_from_those_before_it(room: str) -> None:
    forbidden = {*ROOMS[ROOMS.index(room) + 1 :], "tests", "examples", "benchmarks"}
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in FILES
        if path.relative_to(ROOT).parts[0] == room
        for line, name in imported(path)
        if name.partition(".")[0] in forbidden
    ]
    assert wrong == []


def test_every_module_says_what_it_is_for() -> None:
    silent = [str(path.relative_to(ROOT)) for path in FILES if not ast.get_docstring(tree(path))]
    assert silent == []


def test_all_rooms_are_ours() -> None:
    check_rooms()


def test_a_room_that_is_nowhere_is_named(tmp_path: Path) -> None:
    with pytest.raises(ForeignPackage, match="'cellar' is found at nowhere"):
        check_rooms(("cellar",))
    with pytest.raises(ForeignPackage, match="'planners' is found at"):
        check_rooms(("planners",), tmp_path)


def run_beside_intruder(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)])},
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.mark.parametrize("room", [room for room in ROOMS if room != "evals"])
def test_an_intruder_is_named(tmp_path: Path, room: str) -> None:
    (tmp_path / room).mkdir()
    (tmp_path / room / "__init__.py").write_text("")
    ran = run_beside_intruder(tmp_path, "-c", "import evals")
    assert ran.returncode == 1
    assert f"ForeignPackage: the package '{room}' is found at {tmp_path.resolve() / room}" in ran.stderr
    assert "uninstall it" in ran.stderr


def test_a_command_names_an_intruder_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "agents.py").write_text("")
    ran = run_beside_intruder(tmp_path, "-m", "evals.viplan", "--help")
    assert ran.returncode == 2
    assert ran.stderr.startswith(f"error: the package 'agents' is found at {tmp_path.resolve() / 'agents.py'}, not in")
    assert "rename it" in ran.stderr
    assert ran.stderr.count("\n") == 1


def test_a_folder_without_code_is_an_intruder_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cellar").mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ForeignPackage, match=f"'cellar' is found at {tmp_path.resolve() / 'cellar'}, not in"):
        check_rooms(("cellar",))


IN_FRONT = "import sys; sys.path.append({root!r}); {first}import evals; import models; print(models.__file__)"


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return Environment(tmp_path_factory.mktemp("environment"))


@pytest.mark.parametrize("first", ["", "import models; "], ids=["not yet imported", "imported before ours"])
def test_models_beside_console_scripts_are_passed_over_by_a_script(
    first: str, environment: Environment, tmp_path: Path
) -> None:
    script = environment.script("some-command", IN_FRONT.format(root=str(ROOT), first=first))
    ran = environment.run(script, folder=tmp_path)
    assert ran.stdout.strip() == str(ROOT / "models" / "__init__.py"), ran.stderr


@pytest.mark.parametrize("ahead", [False, True], ids=["as installed", "their folder in PYTHONPATH"])
def test_models_beside_console_scripts_do_no_harm_to_a_command(
    ahead: bool, environment: Environment, tmp_path: Path
) -> None:
    paths = os.pathsep.join([str(environment.scripts), str(ROOT)])
    where = {"folder": tmp_path, "PYTHONPATH": paths} if ahead else {"folder": ROOT}
    ran = environment.run("-m", "evals.viplan", "--help", **where)
    assert ran.returncode == 0, ran.stderr
    assert "--fail-probability" in ran.stdout


def test_an_intruder_elsewhere_is_still_named_under_a_console_script(environment: Environment, tmp_path: Path) -> None:
    (tmp_path / "agents.py").write_text("")
    script = environment.script("some-command", IN_FRONT.format(root=str(ROOT), first=""))
    ran = environment.run(script, folder=ROOT, PYTHONPATH=str(tmp_path))
    assert ran.returncode == 1
    assert f"ForeignPackage: the package 'agents' is found at {tmp_path.resolve() / 'agents.py'}" in ran.stderr
