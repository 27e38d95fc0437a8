"""Where a mark goes on a thing: as far from the edge of what is seen of it as can be."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from envs.render.arrays import Bools
from envs.shots.masks import frame, inmost


def picture(*rows: str) -> Bools:
    return np.array([[char == "#" for char in row] for row in rows])


def room_at(mask: Bools, x: int, y: int) -> int:
    """How many pixels all round belong to the mask, counted one ring after the other."""
    padded = np.pad(mask, 20)
    room = 0
    while padded[y + 20 - room - 1 : y + 22 + room, x + 20 - room - 1 : x + 22 + room].all():
        room += 1
    return room


def test_the_spot_is_the_middle_of_the_widest_part() -> None:
    shown = picture("..........", "#########.", "...######.", "...######.", "...######.", "...######.", "..........")
    spot = inmost(shown)
    assert spot is not None
    assert (spot.y, spot.room) == (3, 2)
    assert spot.x in (5, 6)


def test_the_edge_of_the_picture_is_an_edge() -> None:
    spot = inmost(np.ones((5, 9), dtype=np.bool_))
    assert spot == (4, 2, 2)


@settings(max_examples=40)
@given(st.lists(st.lists(st.booleans(), min_size=9, max_size=9), min_size=7, max_size=7))
def test_no_other_pixel_has_more_room(rows: list[list[bool]]) -> None:
    mask = np.array(rows)
    spot = inmost(mask)
    if not mask.any():
        assert spot is None
        return
    assert spot is not None
    assert mask[spot.y, spot.x]
    ys, xs = np.nonzero(mask)
    assert (
        spot.room
        == max(room_at(mask, x, y) for x, y in zip(xs.tolist(), ys.tolist(), strict=True))
        == room_at(mask, spot.x, spot.y)
    )


def test_a_frame_is_round_the_pixels_as_far_as_the_picture_goes() -> None:
    shown = picture("......", "..##..", "......", "......")
    assert frame(shown, room=0) == (2, 1, 4, 2)
    assert frame(shown, room=1) == (1, 0, 5, 3)
    assert frame(shown, room=9) == (0, 0, 6, 4)
    assert frame(picture("...")) is None
