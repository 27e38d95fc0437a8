"""Names in pictures: framed, legible, apart from each other, and off the things they name."""

from __future__ import annotations

import numpy as np
import pytest

from envs.render.arrays import Bytes
from envs.render.ray import Segments, segment
from envs.render.tags import PALETTE, label, letters
from tests.envs.render.rooms import furnished

GREY: Bytes = np.full((200, 240, 3), 128, dtype=np.uint8)


def scene_of(*boxes: tuple[int, int, int, int]) -> Segments:
    """Things named thing_1, thing_2, … that fill boxes of the picture: left, top, right, bottom."""
    shown = np.full(GREY.shape[:2], -1, dtype=np.int16)
    for number, (left, top, right, bottom) in enumerate(boxes):
        shown[top:bottom, left:right] = number
    return Segments(shown, tuple(f"thing_{number + 1}" for number in range(len(boxes))))


def found(picture: Bytes, number: int) -> tuple[int, int]:
    """Where the tag of a thing is: the place whose dark pixels are just its letters."""
    ink = letters(f"thing_{number + 1}")
    colour = np.round(np.array(PALETTE[number % len(PALETTE)]) * 255).astype(int)
    card = colour * (255 - ink[:, :, None].astype(int)) // 255
    height, width = ink.shape
    windows = np.lib.stride_tricks.sliding_window_view(picture, (height, width), axis=(0, 1))
    same = (windows == np.moveaxis(card, 2, 0)).all(axis=(2, 3, 4))
    places = np.argwhere(same)
    assert len(places) == 1
    return int(places[0][0]), int(places[0][1])


def test_frames_are_drawn_round_things_and_leave_them_alone() -> None:
    drawn = label(GREY, scene_of((100, 80, 140, 120)), ["thing_1"])
    yellow = np.round(np.array(PALETTE[0]) * 255).astype(np.uint8)
    assert (drawn[77, 97:143] == yellow).all()
    assert (drawn[122, 97:143] == yellow).all()
    assert (drawn[77:123, 97] == yellow).all()
    assert (drawn[77:123, 142] == yellow).all()
    assert (drawn[80:120, 100:140] == 128).all()
    assert (GREY == 128).all()


def test_tags_are_legible_and_beside_their_things() -> None:
    boxes = ((100, 80, 140, 120), (20, 150, 60, 190))
    drawn = label(GREY, scene_of(*boxes), ["thing_1", "thing_2"])
    for number, (left, top, _, _) in enumerate(boxes):
        row, column = found(drawn, number)
        assert 0 <= top - (row + letters("thing_1").shape[0]) <= 6
        assert abs(column - left) <= 6


@pytest.mark.parametrize(
    "box", [(0, 0, 30, 20), (210, 0, 240, 30), (0, 170, 40, 200), (215, 180, 240, 200), (2, 2, 238, 198)]
)
def test_tags_stay_in_the_picture(box: tuple[int, int, int, int]) -> None:
    row, column = found(label(GREY, scene_of(box), ["thing_1"]), 0)
    assert 0 <= row <= GREY.shape[0] - letters("thing_1").shape[0]
    assert 0 <= column <= GREY.shape[1] - letters("thing_1").shape[1]


def test_crowded_tags_do_not_lie_on_each_other_nor_on_things() -> None:
    boxes = [(80 + 22 * (n % 3), 80 + 16 * (n // 3), 100 + 22 * (n % 3), 94 + 16 * (n // 3)) for n in range(8)]
    segments = scene_of(*boxes)
    drawn = label(GREY, segments, segments.names)
    places = [found(drawn, number) for number in range(8)]
    height, width = letters("thing_1").shape
    for one, (row, column) in enumerate(places):
        assert not (segments.segmentation[row : row + height, column : column + width] >= 0).any()
        for other_row, other_column in places[:one]:
            assert abs(row - other_row) >= height or abs(column - other_column) >= width


def test_solids_of_one_name_get_one_frame_and_what_is_not_seen_none() -> None:
    seen = segment(furnished(), 240, 200)
    rows, columns = np.nonzero(seen.mask("table"))
    drawn = label(GREY, seen, {"table": (0.0, 0.0, 0.4)})
    blue = (drawn == (0, 0, 102)).all(axis=2)
    assert blue[:, columns.min() - 3].sum() >= rows.max() - rows.min()
    assert (drawn == 255).all(axis=2).any()
    hidden = Segments(np.full((200, 240), -1, dtype=np.int16), ("cat",))
    assert (label(GREY, hidden, ["cat"]) == GREY).all()


def test_pictures_smaller_than_a_tag_take_what_fits() -> None:
    tiny = Segments(np.zeros((9, 12), dtype=np.int16), ("refrigerator",))
    assert label(np.zeros((9, 12, 3), dtype=np.uint8), tiny, ["refrigerator"]).shape == (9, 12, 3)
