"""Labels, thresholds and the published rules for distractors."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envs.arm.labels import DIMENSIONS, low_label, mid_label
from envs.arm.reading import kinds_of_text, mid_of, read_low, read_mid, signs_of
from envs.arm.states import Motion, State, motion_between
from evals.actioneqa.distractors import (
    NoDistractors,
    dominant,
    low_distractors,
    mid_distractors,
    other_instructions,
    read_high_distractors,
)

STILL = Motion(*[0.0] * 7)


def moved(**changes: float) -> Motion:
    return STILL._replace(**changes)


def test_an_angle_that_passes_180_is_a_small_motion() -> None:
    before, after = State(0, 0, 0, 179, 0, -179, 0), State(0, 0, 0, -179, 0, 179, 1)
    assert motion_between(before, after) == Motion(0, 0, 0, 2, 0, -2, 1)


@given(st.dictionaries(st.integers(0, 6), st.sampled_from((1, -1)), min_size=1))
def test_texts_of_labels_are_read_back(signs: dict[int, int]) -> None:
    assert read_mid(mid_of(signs)) == signs
    motion = Motion(*(signs.get(number, 0) * (30.0 if 3 <= number < 6 else 0.5) for number in range(7)))
    assert signs_of(motion, "bridge") == signs
    assert read_mid(mid_label(motion, sorted(signs), amounts=True)) == signs
    assert read_mid(mid_label(motion, sorted(signs))) == signs
    assert read_low(low_label(motion, 4)) == motion


def test_other_texts_are_neither() -> None:
    for text in ("Put the carrot in the sink", "[1, 2, 3]", "[a, b]", "Open gripper, Close gripper"):
        assert read_mid(text) is None
        assert read_low(text) is None
        assert kinds_of_text(text, "bridge") == ()


def test_kinds_are_read_from_texts_of_both_levels() -> None:
    assert kinds_of_text("Move along positive X direction, Tilt upward around Y-axis", "droid") == (
        "translation", "rotation",
    )  # fmt: skip
    assert kinds_of_text("[0.010, 0.000, 0.000, 0.000, 0.000, 20.000, -0.500]", "droid") == ("rotation", "gripper")


def test_distractors_of_the_middle_level_have_the_same_dimensions() -> None:
    signs = {0: 1, 5: -1, 6: 1}
    found = mid_distractors(signs, Random(1))
    assert len({mid_of(one) for one in [signs, *found]}) == 4
    assert all(one.keys() == signs.keys() for one in found)
    assert {mid_of(one) for one in mid_distractors({0: 1, 1: 1}, Random(0))} == {
        mid_of({0: a, 1: b}) for a, b in ((1, -1), (-1, 1), (-1, -1))
    }
    with pytest.raises(NoDistractors):
        mid_distractors({0: 1}, Random(0))


def test_distractors_of_the_low_level_take_the_largest_number_as_dominant() -> None:
    motion = Motion(0.3, 0.01, -0.2, 11.9, 1.0, -2.0, 0.5)
    assert DIMENSIONS[dominant(motion)] == "roll"
    opposite, removed, wrong = low_distractors(motion, Random(3))
    assert opposite == motion._replace(roll=-11.9)
    assert removed == motion._replace(roll=0.0)
    assert sorted(wrong[:6]) == sorted(motion[:6])
    assert wrong.roll != motion.roll
    with pytest.raises(NoDistractors):
        low_distractors(STILL, Random(0))
    with pytest.raises(NoDistractors):
        low_distractors(Motion(*[1.0] * 7), Random(0))


def test_a_models_distractors_are_read_and_checked() -> None:
    action = "Put the pot on the stove"
    reply = 'Here: ["Put the pan on the stove", "Take the pot off the stove.", "put the pot on the stove", "Turn it"]'
    assert read_high_distractors(reply, action) == [
        "Put the pan on the stove",
        "Take the pot off the stove.",
        "Turn it",
    ]
    for bad in ("none", "[1, 2, 3]", '["a", "A."]', '["a", "b", "c"'):
        with pytest.raises(NoDistractors):
            read_high_distractors(bad, action)


def test_instructions_of_other_episodes_share_words_first() -> None:
    pool = [
        "Open the drawer",
        "Move the spoon",
        "Put the pot in the sink",
        "Wipe the table",
        "PUT the pot on the stove.",
    ]
    found = other_instructions("Put the pot on the stove", pool, Random(0))
    assert found[0] == "Put the pot in the sink"
    assert "PUT the pot on the stove." not in found
    with pytest.raises(NoDistractors):
        other_instructions("a", ["b", "c", "B."], Random(0))
