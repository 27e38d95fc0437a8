from pathlib import Path

import pytest

from envs.arm import recipes
from envs.arm.labels import in_thresholds, low_label, mid_label, named, selected, unclear
from envs.arm.recipes import CONFIGURATIONS, PUBLISHED, Factor, Moment, Moved, Outcome, Recipe
from envs.arm.states import Motion, State
from planners.files import Unreadable

STILL = Motion(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def test_labels_name_directions_with_amounts_where_wanted() -> None:
    motion = Motion(0.114, -0.1, 0.0, 20.16, -20.0, 25.5, -0.3)
    assert mid_label(motion, (0, 1, 3, 4, 5, 6)) == (
        "Move along positive X direction, Move along negative Y direction, Tilt clockwise around X-axis, "
        "Tilt upward around Y-axis, Rotate counterclockwise around Z-axis, Close gripper"
    )
    assert mid_label(motion, (0, 3, 6), amounts=True) == (
        "Move along positive X direction by 11.4 cm, Tilt clockwise around X-axis by 20.16 degrees, "
        "Close gripper by 0.3"
    )
    assert low_label(motion, 3) == "[0.114, -0.100, 0.000, 20.160, -20.000, 25.500, -0.300]"
    assert low_label(Motion(-0.00001, 0, 0, 0, 0, 0, 0), 4).startswith("[0.0000, ")


@pytest.mark.parametrize("source", ["bridge", "droid", "rt1"])
def test_a_pair_is_selected_from_two_dimensions_at_their_thresholds_and_named_from_half(source: str) -> None:
    units = in_thresholds(Motion(0.18, 0.18, 0.18, 18.0, 18.0, 18.0, 0.2), source)
    one = Motion(0.18 / units.x, 0, 0, 0, 0, 18.0, 0)
    assert selected(one, source)
    assert not selected(one._replace(yaw=17.99), source)
    assert named(STILL._replace(yaw=9.0), source) == (5,)
    assert named(STILL._replace(yaw=8.99), source) == ()
    assert unclear(STILL._replace(yaw=-8.99), source)
    assert unclear(STILL._replace(yaw=6.31), source)
    assert not unclear(STILL._replace(yaw=6.29), source)
    assert not unclear(STILL._replace(yaw=9.0), source)


def test_the_published_counts_add_up() -> None:
    assert len(CONFIGURATIONS) == 14
    assert sum(PUBLISHED.values()) == 8795
    assert sum(count for (_, _, way), count in PUBLISHED.items() if way == "sp") == 3785


def test_a_recipe_is_read_as_it_was_written(tmp_path: Path) -> None:
    state = State(0.1, 0.2, 0.3, 1.0, 2.0, 3.0, 1.0)
    there = Moment((0.1,), state, (Moved("cup_1", (0.1, 0.2, 0.3)), Moved("cabinet_1", opening=0.5)), "ball_1")
    outcomes = tuple(Outcome(there, (i // 2, i % 2), f"words {i}") for i in range(4))
    factors = (Factor("object", ("cup", "bowl")), Factor("verb", ("put in", "take out")))
    recipe = Recipe("rt1-high-ai-007", "rt1", "high", "ai", 9, Moment((0.0,), state), factors, outcomes, 2)
    path = tmp_path / "recipes.jsonl.gz"
    path.write_bytes(recipes.written([recipe]))
    assert recipes.load(path) == (recipe,)
    assert (recipe.answer, recipe.text(1), recipe.configuration) == ("C", "words 1", "rt1-high-ai")
    path.write_bytes(b"nothing")
    with pytest.raises(Unreadable, match=r"envs\.arm\.generate"):
        recipes.load(path)
