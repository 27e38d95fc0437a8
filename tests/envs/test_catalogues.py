"""Worlds by name, by file and by entry point; whatever is wrong with one is a line."""

from __future__ import annotations

from pathlib import Path

import pytest

from envs.catalogues import GROUP, find_catalogue, installed, names
from envs.rest.wire import Reset
from envs.serve import main
from planners.names import UnknownName

OWN = """
from envs.blocksworld import catalogue
from envs.rest.wire import Reset

TASK = Reset(task="mine", scene_id="table", instance_id=0)

def tasks():
    return [TASK]

def open_task(wanted, seed):
    return catalogue.open_task(catalogue.tasks()[0], seed)

class Other:
    tasks, open_task = staticmethod(tasks), staticmethod(open_task)

NONE = 3
"""
MINE = [Reset(task="mine", scene_id="table", instance_id=0)]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "own_world.py"
    path.write_text(OWN)
    return path


@pytest.mark.parametrize("name", ["", ":Other"])
def test_one_in_a_file_is_found_by_its_path(name: str, file: Path) -> None:
    found = find_catalogue(f"{file}{name}")
    assert found.tasks() == MINE
    assert found.open_task(MINE[0], 0).objects


def test_ours_are_found_by_name() -> None:
    assert names() == ["blocksworld", "household"]
    assert len(find_catalogue("blocksworld").tasks()) == 75


@pytest.mark.parametrize(
    ("content", "name", "message"),
    [
        (None, "", r"no world '.*own_world\.py': there is no file"),
        ("1 / 0", "", r"own_world\.py cannot be imported: ZeroDivisionError"),
        (OWN, ":Missing", r"own_world\.py has no 'Missing'"),
        (OWN, ":NONE", r"NONE is no catalogue of a world: it has no function 'tasks'"),
    ],
)
def test_what_is_wrong_with_a_file_is_one_line(
    content: str | None, name: str, message: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.unlink()
    if content is not None:
        file.write_text(content)
    with pytest.raises(ValueError, match=message):
        find_catalogue(f"{file}{name}")
    with pytest.raises(SystemExit):
        main([f"{file}{name}"])
    assert "envs.serve: error: " in capsys.readouterr().err.splitlines()[-1]


def test_installed_ones_are_found_by_their_entry_points(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "offered_world.py").write_text(OWN)
    info = tmp_path / "offered-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: offered\nVersion: 1.0\n")
    lines = [f"[{GROUP}]", "mine = offered_world", "household = offered_world", "gone = no_such_module_at_all", ""]
    (info / "entry_points.txt").write_text("\n".join(lines))
    monkeypatch.syspath_prepend(tmp_path)
    assert sorted(installed()) == ["gone", "mine"]
    assert find_catalogue("mine").tasks() == MINE
    assert find_catalogue("household").tasks() != MINE, "ours goes before"
    with pytest.raises(UnknownName, match=r"Did you mean 'mine'\?"):
        find_catalogue("mined")
    with pytest.raises(ValueError, match="world 'gone' cannot be loaded: ModuleNotFoundError"):
        find_catalogue("gone")
