import json
from dataclasses import replace
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import pytest
from PIL import Image

from envs.arm.episodes import episode, film, save
from envs.arm.record import VERBS, main
from envs.arm.signs import CHANGES, sheet
from envs.arm.skills import SKILLS


def test_an_episode_goes_from_start_to_retreat_with_a_state_at_every_step(tmp_path: Path) -> None:
    made = episode("rt1", "close", 1, frames=1)
    assert made.instruction.startswith("close the ")
    tags = [frame.tag for frame in made.frames]
    assert tags[0] == "start"
    assert tags[-1] == "retreat"
    assert {"approach", "grasp", "act", "released"} <= set(tags)
    folder = save(replace(made, frames=made.frames[:4]), tmp_path)
    steps = [json.loads(line) for line in (folder / "steps.jsonl").read_text().splitlines()]
    assert [step["is_first"] for step in steps] == [True, False, False, False]
    for step, after in pairwise(steps):
        state, action = step["observation"]["state"], step["action"]
        assert state[2] + action[2] == pytest.approx(after["observation"]["state"][2])
    saved = (folder / steps[3]["observation"]["image_exo_1"]).read_bytes()
    assert Image.open(BytesIO(saved)).size == (320, 256)
    assert saved == made.frames[3].picture("exo_1")
    assert Image.open(BytesIO(film(made, "exo_1", 3))).size == (960, 256)


def test_record_is_a_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert tuple(SKILLS) == ("pick", "put", "stack", "take out", "push", "open", "close", "turn", "flip", "fold")
    assert set(VERBS) == set(SKILLS)
    assert main(["--skill", "turn", "--frames", "0", "--film", str(tmp_path / "turn.jpg")]) == 0
    assert "turn the knob of the stove" in capsys.readouterr().out
    assert (tmp_path / "turn.jpg").read_bytes()[:2] == b"\xff\xd8"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "--film"),
        (["--skill", "juggle", "--film", "x"], "invalid choice"),
        (["--view", "exo_9", "--film", "x"], "exo_9"),
        (["--frames", "-1", "--film", "x"], "0 or more"),
        (["--arm", "nowhere.xml", "--film", "x"], "nowhere.xml"),
    ],
)
def test_record_refuses_in_one_line(arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    assert complaint in capsys.readouterr().err


@pytest.mark.slow
def test_the_sheet_of_signs_has_a_picture_of_every_dimension() -> None:
    made = Image.open(BytesIO(sheet()))
    assert len(CHANGES) == 8
    assert made.size == (8 * 200, 4 * 216)
