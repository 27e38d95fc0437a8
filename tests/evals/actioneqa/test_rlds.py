"""Episodes are read from RLDS files; damaged ones are named, and the others are read."""

from __future__ import annotations

from pathlib import Path

import pytest

from evals.actioneqa.rlds import recordings
from evals.questions.readers.rows import BadData
from tests.evals.published_files import example, record
from tests.evals.rlds_files import bridge, damaged, droid, rt1, write

STATES = [(0.2, 0.0, 0.1, 0.0, 0.0, 0.0, 1.0), (0.35, 0.01, 0.1, 0.0, 0.0, -25.0, 0.9)]


def test_an_episode_of_bridge_is_read(tmp_path: Path) -> None:
    (found,) = recordings(write(tmp_path / "bridge-train.tfrecord-00000-of-00001", [bridge(STATES, views=3)]))
    assert found.source == "bridge"
    assert found.instruction == "put the pot on the stove"
    assert found.frames[1].state == pytest.approx(STATES[1], abs=1e-5)
    assert found.frames[0].views == ("exo_1", "exo_2", "exo_3")
    assert found.frames[1].picture("exo_2").startswith(b"\x89PNG")
    with pytest.raises(ValueError, match="no view 'ego'"):
        found.frames[0].picture("ego")


def test_droid_has_the_gripper_the_other_way_and_the_first_instruction_that_is_not_empty(tmp_path: Path) -> None:
    (found,) = recordings(write(tmp_path / "droid.tfrecord", [droid(STATES)]))
    assert (found.source, found.instruction) == ("droid", "pick the cup")
    assert [frame.state.opening for frame in found.frames] == pytest.approx([1.0, 0.9], abs=1e-6)
    assert found.frames[0].views == ("exo_1", "exo_2", "ego")


def test_rt1_has_a_quaternion(tmp_path: Path) -> None:
    (found,) = recordings(write(tmp_path / "rt1.tfrecord", [rt1(2)]))
    assert found.frames[0].state == pytest.approx((0.5, 0.1, 0.8, 0, 0, 90, 1), abs=1e-4)
    assert found.instruction.startswith("move the can")


def test_a_damaged_episode_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    episodes = [bridge(STATES), bridge(STATES, "open the drawer"), bridge(STATES, "close the drawer")]
    path = write(tmp_path / "b.tfrecord", episodes)
    path.write_bytes(damaged(path.read_bytes(), episodes, 1))
    with pytest.raises(BadData, match=r"b\.tfrecord: wrong checksum of the record at byte"):
        list(recordings(path))
    faults: list[BadData] = []
    found = [one.instruction for one in recordings(path, on_damage=faults.append)]
    assert found == ["put the pot on the stove", "close the drawer"]
    assert len(faults) == 1
    assert str(path) in str(faults[0])


def test_a_file_that_is_cut_off_gives_what_is_whole(tmp_path: Path) -> None:
    path = write(tmp_path / "b.tfrecord", [bridge(STATES), bridge(STATES)])
    path.write_bytes(path.read_bytes()[:-50])
    faults: list[BadData] = []
    assert len(list(recordings(path, on_damage=faults.append))) == 1
    assert "is cut off" in str(faults[0])


def test_an_episode_that_is_no_example_or_of_another_schema_is_named(tmp_path: Path) -> None:
    other = example({"steps/observation/image_9": [b"x"]})
    path = tmp_path / "b.tfrecord"
    path.write_bytes(record(b"\x0f\x01") + record(other) + record(bridge(STATES)))
    faults: list[BadData] = []
    assert len(list(recordings(path, on_damage=faults.append))) == 1
    assert "is no Example" in str(faults[0])
    assert "none of the known schemas" in str(faults[1])
    with pytest.raises(ValueError, match="no source of RLDS files 'brigde'"):
        list(recordings(path, "brigde"))


def test_states_that_do_not_fit_the_pictures_are_refused(tmp_path: Path) -> None:
    short = bridge(STATES).replace(b"steps/observation/state", b"steps/observation/other")
    with pytest.raises(BadData, match=r"the episode at byte 0: steps/observation/state has 0 numbers"):
        list(recordings(write(tmp_path / "b.tfrecord", [short])))
    nan = bridge([(float("nan"), *STATES[0][1:]), STATES[1]])
    with pytest.raises(BadData, match="not finite"):
        list(recordings(write(tmp_path / "n.tfrecord", [nan])))
