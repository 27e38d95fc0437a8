"""The five stages: what each keeps and drops, on episodes in RLDS files."""

from __future__ import annotations

import io
import json
import random
from pathlib import Path

import pytest
from PIL import Image, ImageFilter

from envs.arm.recording import Frame, Recording
from envs.arm.states import State
from evals.actioneqa import pipeline
from evals.actioneqa.__main__ import main
from evals.actioneqa.entries import CONFIGURATIONS
from evals.actioneqa.hub import read_hub
from evals.actioneqa.pipeline import Log
from tests.evals.rlds_files import bridge, damaged, write


def noise(seed: int, side: int = 48, *, blur: float = 0, light: int = 128) -> bytes:
    """A picture with many edges."""
    dice = random.Random(seed)
    image = Image.frombytes(
        "L", (side, side), bytes(dice.randrange(light - 60, light + 60) for _ in range(side * side))
    )
    if blur:
        image = image.filter(ImageFilter.GaussianBlur(blur))
    out = io.BytesIO()
    image.convert("RGB").save(out, "PNG")
    return out.getvalue()


def recording(states: list[State], pictures: list[bytes], instruction: str = "put the pot on the stove") -> Recording:
    frames = [Frame(state, ("exo_1",), lambda view, png=png: png) for state, png in zip(states, pictures, strict=True)]
    return Recording("episode", "bridge", instruction, frames)


def at(x: float = 0.0, y: float = 0.0, yaw: float = 0.0, opening: float = 1.0) -> State:
    return State(0.3 + x, y, 0.1, 0, 0, yaw, opening)


PATH = [at(0.03 * n, 0.02 * n, 6.0 * n) for n in range(13)]


def test_pairs_are_as_short_as_the_thresholds_allow() -> None:
    log = Log()
    found = list(pipeline.pairs(recording(PATH, [noise(n) for n in range(13)]), log))
    assert [(pair.before, pair.after) for pair in found] == [(0, 4), (4, 8), (8, 12)]
    assert (log.taken["pairs"], log.kept["pairs"]) == (3, 3)


@pytest.mark.parametrize(
    ("picture", "reason"), [
        (noise(1, blur=3), "blurred"), (noise(1, light=125), ""), (noise(1, light=160), "light changes"),
    ],
)  # fmt: skip
def test_frames_that_are_blurred_or_lit_otherwise_are_dropped(picture: bytes, reason: str) -> None:
    pictures = [noise(n, light=120) for n in range(5)]
    if reason:
        pictures[4] = picture
    log = Log()
    assert len(list(pipeline.pairs(recording(PATH[:5], pictures), log))) == (0 if reason else 1)
    assert dict(log.dropped["pairs"]) == ({reason: 1} if reason else {})


def test_dark_frames_and_arms_that_stand_still_are_dropped() -> None:
    log = Log()
    dark = Image.new("RGB", (48, 48), (10, 10, 10))
    dark.putpixel((5, 5), (60, 60, 60))
    out = io.BytesIO()
    dark.save(out, "PNG")
    assert list(pipeline.pairs(recording(PATH[:5], [out.getvalue()] * 5), log)) == []
    assert dict(log.dropped["pairs"]) == {"bad light": 1}
    assert list(pipeline.pairs(recording([PATH[0]] * 3, [noise(1)] * 3), log)) == []
    assert log.dropped["pairs"]["little motion"] == 1


def test_actions_are_named_and_unclear_ones_dropped() -> None:
    log = Log()
    moved = recording([at(), at(0.114, 0.0669, -20.16)], [noise(1), noise(2)])
    mid, low = pipeline.actions(pipeline.Pair(moved, 0, 1), log)
    assert mid.text == (
        "Move along positive X direction, Move along positive Y direction, Rotate clockwise around Z-axis"
    )
    assert mid.given.endswith("Rotate clockwise around Z-axis by 20.16 degrees")
    assert (low.text, low.given[:16]) == ("[0.114, 0.067, 0.000, 0.000, 0.000, -20.160, 0.000]", "[0.1140, 0.0669,")
    unsure = recording([at(), at(0.114, 0.04, -20.16)], [noise(1), noise(2)])
    assert list(pipeline.actions(pipeline.Pair(unsure, 0, 1), log)) == []
    assert dict(log.dropped["actions"]) == {"a dimension may be named or not": 1}


def test_goals_need_a_verb_that_is_asked_about() -> None:
    log = Log()
    for text, kept in (("Put it down", True), ("wipe the table", False), ("", False)):
        pair = pipeline.Pair(recording(PATH[:2], [noise(1), noise(2)], text), 0, 1)
        assert (pipeline.goal(pair, log) is not None) is kept
    assert dict(log.dropped["actions"]) == {"another verb": 1, "no instruction": 1}


def test_questions_have_four_options_and_one_truth() -> None:
    log = Log()
    one = recording(PATH, [noise(n) for n in range(13)])
    found = [action for pair in pipeline.pairs(one, log) for action in pipeline.actions(pair, log)]
    entries = list(pipeline.questions(found, 0, log))
    assert {entry.configuration.name for entry in entries} >= {"bridge_mid_inverse", "bridge_low_inverse"}
    for entry in entries:
        assert pipeline.fault_of(entry) == ""
        if not entry.forward:
            assert entry.true_action in {action.text for action in found}
    assert len({entry.id for entry in entries}) == len(entries)
    again = list(pipeline.questions(found, 0, Log()))
    assert [(entry.id, entry.right, entry.options) for entry in again] == [
        (entry.id, entry.right, entry.options) for entry in entries
    ]


def test_the_command_writes_questions_and_names_damaged_episodes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pictures = iter([noise(n) for n in range(1000)])
    monkeypatch.setattr("tests.evals.rlds_files.pictures", lambda count: [next(pictures) for _ in range(count)])
    texts = ("put the pot on the stove", "put the pan on the stove", "pick the pot", "move the cup", "fold the towel")
    made = [bridge([tuple(state) for state in PATH], text, views=1) for text in texts]
    path = write(tmp_path / "bridge.tfrecord", made)
    path.write_bytes(damaged(path.read_bytes(), made, 2))
    out = tmp_path / "out"
    assert main(["curate", str(path), "--out", str(out)]) == 1
    told = capsys.readouterr()
    assert "wrong checksum of the record" in told.err
    assert "PARTIAL: 1 episodes could not be read" in told.out
    stages = json.loads((out / "stages.json").read_text())
    assert stages["episodes"] == {"taken": 4, "kept": 4, "dropped": {}}
    read = read_hub(out, tuple(CONFIGURATIONS.values()))
    assert len(read.entries) == stages["questions"]["kept"] > 20
    assert not any(entry.fault for entry in read.entries)


def test_a_file_without_usable_pairs_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path / "bridge.tfrecord", [bridge([tuple(PATH[0])] * 3)])
    assert main(["curate", str(path), "--out", str(tmp_path / "out")]) == 2
    assert "no pair of frames passed all stages" in capsys.readouterr().err
