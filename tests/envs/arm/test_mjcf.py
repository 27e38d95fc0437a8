from pathlib import Path

import mujoco
import numpy as np
import pytest

from envs.arm import sets
from envs.arm.arms import arm_named
from envs.arm.generate import main
from envs.arm.recipes import load
from envs.arm.worlds import World
from planners.files import Unreadable

ARM = """\
<mujoco><compiler angle="radian" autolimits="true"/><worldbody>
<geom type="cylinder" size="0.06 0.03" pos="0 0 0.03" rgba="0.2 0.4 0.7 1"/>
<body pos="0 0 0.1"><joint axis="0 0 1" range="-3 3"/><geom type="capsule" size="0.04 0.03"/>
<body pos="0 0 0.05" euler="0 0 0.2"><joint axis="0 1 0" range="-1.9 1.9"/>
<geom type="box" size="0.03 0.03 0.13" pos="0 0 0.13"/>
<body pos="0 0 0.26"><joint axis="0 1 0" pos="0 0 0.01" range="-2.4 2.4"/>
<geom type="capsule" size="0.03" fromto="0 0 0 0.2 0 0"/>
<body pos="0.2 0 0"><joint axis="1 0 0" range="-3 3"/><geom type="sphere" size="0.03"/>
<body pos="0.06 0 0"><joint axis="0 1 0" range="-2 2"/><geom type="capsule" size="0.025" fromto="0 0 0 0.06 0 0"/>
<body pos="0.07 0 0"><joint axis="1 0 0" range="-3 3"/><geom type="box" size="0.01 0.02 0.02"/>
<body pos="0.03 0 0"><geom type="box" size="0.012 0.05 0.02" rgba="0.2 0.2 0.2 1"/>
<geom type="box" size="0.02 0.025 0.015" pos="0.01 0 0.035" rgba="0.8 0.8 0.2 1"/>
<body pos="0.03 0.006 0"><joint type="slide" axis="0 1 0" range="0 0.035"/><geom type="box" size="0.03 0.006 0.01"/>
</body>
<body pos="0.03 -0.006 0"><joint type="slide" axis="0 -1 0" range="0 0.035"/><geom type="box" size="0.03 0.006 0.01"/>
</body>
<site name="grasp" pos="0.055 0 0" zaxis="1 0 0"/>
</body></body></body></body></body></body></body></worldbody>
<keyframe><key qpos="0 -0.3 0.4 0 1.4 0 0 0"/></keyframe></mujoco>"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "six.xml"
    path.write_text(ARM)
    return path


def test_the_frames_of_a_model_are_those_of_mujoco(file: Path) -> None:
    arm = arm_named(str(file))
    model = mujoco.MjModel.from_xml_path(str(file))
    data = mujoco.MjData(model)
    data.qpos[:] = (0.3, -0.5, 0.7, 0.4, 1.0, -0.6, 0.0, 0.0)
    mujoco.mj_kinematics(model, data)
    tip = arm.tip(data.qpos[:6])
    assert np.abs(tip[:3, 3] - data.site("grasp").xpos).max() < 1e-5
    assert np.abs(tip[:3, 2] + data.site("grasp").xmat.reshape(3, 3)[:, 2]).max() < 1e-5
    assert arm.rest == (0.0, -0.3, 0.4, 0.0, 1.4, 0.0)
    assert len(arm.joints) == 6
    assert [len(finger.parts) for finger in arm.fingers] == [1, 1]
    places = [sorted(part.pose.position[1] for part in arm.gripper(opening)[2:]) for opening in (0.0, 1.0)]
    assert places[1][1] - places[0][1] == pytest.approx(0.035, abs=1e-4)


def test_a_set_is_made_with_an_arm_of_ones_own(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--arm", str(file), "--only", "bridge-low-sp", "--counts", "1", "--out", str(tmp_path / "mine")]
    assert main(arguments) == 0
    assert "bridge-low-sp: 1 questions" in capsys.readouterr().err
    (recipe,) = load(tmp_path / "mine" / "recipes.jsonl.gz")
    assert recipe.arm == str(file)
    assert World(recipe).mask("exo_1", 0).sum() > 150
    before = (tmp_path / "mine" / "recipes.jsonl.gz").read_bytes()
    assert main(arguments) == 0
    assert (tmp_path / "mine" / "recipes.jsonl.gz").read_bytes() == before
    assert sets.refusal(recipe) == ""


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("<mujoco", "no MuJoCo model"),
        ("<mujoco/>", "no site for its gripper"),
        ('<mujoco><worldbody><body><geom size="1"/><site name="tip"/></body></worldbody></mujoco>', "0 hinges"),
    ],
)
def test_what_is_no_arm_is_refused_in_one_line(
    text: str, complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.xml"
    path.write_text(text)
    with pytest.raises(Unreadable, match=complaint):
        arm_named(str(path))
    with pytest.raises(SystemExit) as stopped:
        main(["--arm", str(path), "--out", str(tmp_path / "mine")])
    assert stopped.value.code == 2
    assert complaint in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--counts", "2"], "--out"),
        (["--out", "x", "--only", "bridge-lo-"], "bridge-low-sp"),
        (["--out", "x", "--counts", "none"], "published"),
        (["--out", "x", "--counts", "0"], "above 0"),
    ],
)
def test_wrong_options_are_refused(arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    assert complaint in capsys.readouterr().err
