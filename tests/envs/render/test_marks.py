"""Marks can be read on any picture, cover nothing that matters, and are the same bytes each time."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from itertools import combinations
from random import Random

import numpy as np
import pytest

from envs.render.arrays import Bools, Bytes
from envs.render.marks import COLOURS, Arrow, Box, Mark, Note, Point, Segment, draw, from_json, placed, to_json
from tests.conftest import ROOT

WIDTH, HEIGHT = 320, 240
SIZE = (WIDTH, HEIGHT)
GREY = np.full((HEIGHT, WIDTH, 3), 117, dtype=np.uint8)
ALL: tuple[Mark, ...] = (
    Point(40, 50, "1"),
    Box(100, 60, 160, 120, "2", "red"),
    Segment(20, 180, 90, 210, "3", "blue"),
    Arrow(200, 200, 260, 150, "4", "green"),
    Note(220, 20, "12 cm"),
)


def noise(seed: int) -> Bytes:
    return np.random.default_rng(seed).integers(0, 256, (HEIGHT, WIDTH, 3), dtype=np.uint8)


def inked(*marks: Mark) -> Bools:
    """The pixels that marks change on a grey picture."""
    changed: Bools = (draw(GREY, marks) != GREY).any(axis=2)
    return changed


def plate(mark: Mark) -> Bools:
    """The pixels of the plate of a placed mark: a note at the same place with the same text."""
    assert not isinstance(mark, Note)
    assert mark.plate is not None
    return inked(Note(*mark.plate, mark.text, mark.colour))


def bare(mark: Mark) -> Mark:
    """The mark without its text."""
    entry = to_json(mark)
    entry[len(entry) - (2 if mark.plate is None else 3)] = ""  # type: ignore[union-attr]
    return from_json(entry)


def disc(x: int, y: int, radius: int) -> Bools:
    rows, columns = np.mgrid[:HEIGHT, :WIDTH]
    inside: Bools = (columns - x) ** 2 + (rows - y) ** 2 <= radius**2
    return inside


@pytest.mark.parametrize("seed", range(3))
def test_plates_cover_neither_each_other_nor_other_marks(seed: int) -> None:
    dice = Random(seed)
    points = [Point(dice.randint(0, WIDTH - 1), dice.randint(0, HEIGHT - 1), str(number)) for number in range(1, 7)]
    frame = Box(120, 80, 200, 150, "7", "red")
    found = placed((*points, frame), SIZE)
    plates = [plate(mark) for mark in found]
    assert not any((one & other).any() for one, other in combinations(plates, 2))
    lines = [inked(bare(mark)) for mark in found]
    for number, mine in enumerate(plates):
        for other, theirs in enumerate(lines):
            assert other == number or not (mine & theirs).any(), (number, other)


def test_plates_keep_off_what_other_marks_are_on() -> None:
    masks = [disc(100, 120, 24), disc(160, 120, 30)]
    first, second = placed((Point(100, 120, "1"), Point(160, 120, "2")), SIZE, masks)
    assert not (plate(first) & masks[1]).any()
    assert not (plate(second) & masks[0]).any()


def test_a_plate_hides_little_of_its_own_thing() -> None:
    mask = disc(160, 120, 15)
    (mark,) = placed((Point(160, 120, "1"),), SIZE, [mask])
    assert (plate(mark) & mask).sum() < mask.sum() / 10


@pytest.mark.parametrize("corner", [(0, 0), (WIDTH - 1, 0), (0, HEIGHT - 1), (WIDTH - 1, HEIGHT - 1)])
def test_plates_stay_within_the_picture(corner: tuple[int, int]) -> None:
    (mark,) = placed((Point(*corner, "12"),), SIZE)
    (inside,) = placed((Point(160, 120, "12"),), SIZE)
    assert plate(mark).sum() == plate(inside).sum()


def test_a_text_is_the_same_on_every_background() -> None:
    (mark,) = placed((Point(160, 120, "7"),), SIZE)
    where = plate(mark)
    letters = [draw(picture, (mark,))[where] for picture in (GREY, noise(1), np.zeros_like(GREY), 255 - 0 * GREY)]
    assert all((one == letters[0]).all() for one in letters)
    # Black letters and a black edge on a plate of the colour.
    assert (letters[0] == 0).all(axis=1).sum() > 20
    assert (letters[0] == COLOURS["yellow"]).all(axis=1).sum() > 20


@pytest.mark.parametrize("colour", COLOURS)
def test_marks_show_on_their_own_colour(colour: str) -> None:
    alike = np.full_like(GREY, COLOURS[colour])
    for mark in (
        Point(160, 120, "", colour),
        Segment(100, 100, 200, 140, "", colour),
        Box(90, 90, 200, 150, "", colour),
    ):
        drawn = draw(alike, (mark,))
        assert (drawn.astype(int).sum(axis=2) < 60).sum() >= 20, "a dark edge"


def test_a_point_is_on_its_pixel() -> None:
    drawn = draw(noise(2), (Point(33, 44, "", "blue"),))
    assert tuple(drawn[44, 33]) == COLOURS["blue"]
    rows, columns = np.nonzero(inked(Point(33, 44)))
    assert (rows.min() + rows.max(), columns.min() + columns.max()) == (88, 66)


def test_a_box_is_round_its_pixels() -> None:
    drawn = draw(GREY, (Box(100, 60, 160, 120, "", "red"),))
    for x, y in ((100, 60), (159, 119), (100, 119), (159, 60), (130, 60), (159, 90)):
        assert tuple(drawn[y, x]) == COLOURS["red"]
    assert (drawn[66:114, 106:154] == GREY[66:114, 106:154]).all()
    assert (drawn[:, 166:] == GREY[:, 166:]).all()


def test_an_arrow_is_wider_at_its_end() -> None:
    shown = inked(Arrow(60, 100, 200, 100))
    assert shown[:, 190].sum() > shown[:, 70].sum() + 3
    back = inked(Arrow(200, 100, 60, 100))
    assert back[:, 70].sum() > back[:, 190].sum() + 3


def test_the_picture_given_is_left_as_it_was() -> None:
    picture = noise(3)
    before = picture.copy()
    draw(picture, ALL)
    assert (picture == before).all()


def test_placed_marks_stay_where_they_are() -> None:
    found = placed(ALL, SIZE)
    assert placed(found, SIZE) == found
    assert (draw(noise(4), found) == draw(noise(4), ALL)).all()


@pytest.mark.parametrize("mark", [*ALL, *placed(ALL, SIZE), Point(1, 2), Box(1, 2, 30, 40)], ids=str)
def test_a_mark_written_is_a_mark_read(mark: Mark) -> None:
    assert from_json(json.loads(json.dumps(to_json(mark)))) == mark


def test_what_is_no_mark_is_refused() -> None:
    with pytest.raises(ValueError, match=r"'arow'.*Did you mean 'arrow'"):
        from_json(["arow", 1, 2, 3, 4])
    with pytest.raises(ValueError, match=r"'read'.*Did you mean 'red'"):
        draw(GREY, (Point(10, 10, "1", "read"),))


def digest() -> str:
    return hashlib.sha256(draw(noise(5), ALL).tobytes()).hexdigest()


def test_another_process_draws_the_same_bytes() -> None:
    code = "from tests.envs.render.test_marks import digest; print(digest())"
    found = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == digest()
