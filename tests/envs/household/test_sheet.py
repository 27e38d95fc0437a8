"""Contact sheets, and what the robot would make of the things on them."""

from __future__ import annotations

from math import cos, pi, sin
from pathlib import Path

import pytest

from envs.household.home import robot, sheet
from envs.household.home.frames import within
from envs.household.home.model import Pose
from envs.household.home.robot import Stance
from envs.household.home.things import KINDS, make
from envs.household.home.things.turns import about
from envs.render.ray import segment
from envs.render.scene import Scene, Solid

NEAR = 1.4
"""How far before the robot's feet things lie that it may have to tell by sight."""
LEAST = 60
"""Pixels of 480 by 480."""


def test_every_kind_is_on_one_of_the_sheets() -> None:
    shown = {exhibit.thing.kind for exhibit in [*sheet.movables(0), *sheet.furniture(0)]}
    assert shown == set(KINDS)


def test_what_opens_is_shown_shut_and_open() -> None:
    exhibits = sheet.furniture(0)
    opening = {exhibit.title for exhibit in exhibits if exhibit.thing.leaves and exhibit.opening == 0.0}
    assert {f"{title} (open)" for title in opening} == {exhibit.title for exhibit in exhibits if exhibit.opening}
    assert {"door", "window", "carton", "electric_refrigerator", "cabinet drawers", "shelf doors"} <= opening


def test_a_sheet_has_a_picture_and_a_name_for_each() -> None:
    exhibits = sheet.movables(0)[:3]
    drawn = sheet.draw(exhibits, columns=2)
    assert drawn.shape == (2 * (sheet.CELL + sheet.CAPTION), 2 * sheet.CELL, 3)
    names = drawn[sheet.CELL : sheet.CELL + sheet.CAPTION]
    assert (names[:, : sheet.CELL].min(axis=2) < 60).any()
    assert (drawn[-sheet.CELL :, sheet.CELL :] == sheet.PAPER).all(), "the fourth place stays free"


@pytest.mark.parametrize("arguments", [["--columns", "0"], []])
def test_a_sheet_that_cannot_be_made_is_told_in_a_line(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "there" / "things.png" if not arguments else tmp_path / "things.png"
    with pytest.raises(SystemExit) as ended:
        sheet.main(["--out", str(out), *arguments])
    assert ended.value.code == 2
    assert "argument --" in capsys.readouterr().err.splitlines()[-1]


@pytest.mark.slow
def test_sheets_are_written(tmp_path: Path) -> None:
    for options in ([], ["--furniture"]):
        out = tmp_path / "sheet.png"
        assert sheet.main(["--out", str(out), *options]) == 0
        assert out.read_bytes().startswith(b"\x89PNG")
        assert out.stat().st_size < 600_000


def test_the_robot_sees_enough_of_every_movable_on_the_floor() -> None:
    kinds = [kind.name for kind in KINDS.values() if kind.movable]
    camera = robot.camera(Stance(0.0, 0.0, 0.0, 0.6))
    for start in range(0, len(kinds), 5):
        row = kinds[start : start + 5]
        solids = []
        for place, kind in enumerate(row):
            angle = (place - 2) * 0.26
            where = Pose((NEAR * cos(angle), NEAR * sin(angle), 0.0), about("z", pi / 3))
            for part in make(kind, f"{kind}_1", 1).parts:
                if part.seen:
                    pose = within(where, part.pose)
                    solids.append(Solid(kind, part.shape, part.material, pose.position, pose.rotation))
        counts = segment(Scene(tuple(solids), camera, ())).counts()
        assert {kind: counts.get(kind, 0) for kind in row if counts.get(kind, 0) < LEAST} == {}
