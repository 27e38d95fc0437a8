"""Pictures made from pictures: of a size that can be seen, of the right part, the same bytes each time."""

from __future__ import annotations

import hashlib
import io
import subprocess
import sys

import numpy as np
import pytest
from PIL import Image

from tests.conftest import ROOT
from tools.drawing import LEAST, MOST, Part, enlarged, grid, gridded, numbered

PINK = (255, 130, 200)


def quarters(width: int = 200, height: int = 120) -> bytes:
    """Red, green, blue and white quarters."""
    image = Image.new("RGB", (width, height), "white")
    for colour, box in (("red", (0, 0)), ("green", (width // 2, 0)), ("blue", (0, height // 2))):
        image.paste(Image.new("RGB", (width // 2, height // 2), colour), box)
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def opened(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png))


def pink(png: bytes) -> int:
    return int((np.asarray(opened(png)) == PINK).all(axis=2).sum())


def test_the_cells_of_a_grid_cover_the_picture() -> None:
    cells = grid(3)
    assert len(cells) == 9
    assert cells[0] == (0.0, 0.0, 0.3333, 0.3333)
    assert cells[-1] == (0.6667, 0.6667, 1.0, 1.0)
    assert [(cell.left, cell.right) for cell in grid(2)] == [(0.0, 0.5), (0.5, 1.0)] * 2


@pytest.mark.parametrize(("cell", "colour"), [(0, (255, 0, 0)), (1, (0, 128, 0)), (3, (255, 255, 255))])
def test_a_part_is_enlarged_with_a_margin(cell: int, colour: tuple[int, int, int]) -> None:
    made = opened(enlarged(quarters(), grid(2)[cell]))
    assert max(made.size) == LEAST
    assert made.size[0] / made.size[1] == pytest.approx(200 / 120, abs=0.02)
    assert made.getpixel((made.width // 2, made.height // 2)) == colour
    colours = {pixel for _, pixel in made.getcolors(10**6)}  # type: ignore[union-attr]
    assert len(colours) > 1  # of the quarters beside it


def test_a_frame_is_drawn_where_the_part_ends() -> None:
    part = Part(0.25, 0.25, 0.75, 0.75)
    assert pink(enlarged(quarters(), part)) == 0
    made = opened(enlarged(quarters(), part, framed=True))
    columns = [x for x in range(made.width) if made.getpixel((x, made.height // 2)) == PINK]
    # The margin is 15 % of the part on either side, so the frame stands at .115 and .885 of what is shown.
    assert columns[0] / made.width == pytest.approx(0.115, abs=0.01)
    assert columns[-1] / made.width == pytest.approx(0.885, abs=0.01)


@pytest.mark.parametrize("size", [(20, 12), (200, 120), (3000, 1000)])
def test_pictures_have_a_size_that_can_be_seen(size: tuple[int, int]) -> None:
    for made in (
        gridded(quarters(*size), 3),
        numbered(quarters(*size), [(1, 0.5, 0.5)]),
        enlarged(quarters(*size), grid(3)[4]),
    ):
        assert LEAST <= max(opened(made).size) <= MOST


@pytest.mark.parametrize("part", [Part(0.0, 0.0, 0.001, 0.001), Part(0.999, 0.999, 1.0, 1.0), Part(0.0, 0.0, 1.0, 1.0)])
def test_the_smallest_and_the_largest_part_are_pictures(part: Part) -> None:
    assert max(opened(enlarged(quarters(20, 12), part, framed=True)).size) == LEAST


def test_numbers_stand_where_they_belong_and_also_at_the_edge() -> None:
    plain, marked = numbered(quarters(480, 480), []), numbered(quarters(480, 480), [(1, 0.5, 0.25), (12, 1.0, 1.0)])
    assert pink(plain) == 0
    made = opened(marked)
    assert made.getpixel((240, 120)) == PINK
    assert made.getpixel((479, 479)) == PINK


def test_the_same_bytes_come_in_another_process() -> None:
    script = (
        "import hashlib\nfrom tests.tools.test_drawing import made\n"
        "print(hashlib.sha256(made()).hexdigest())\n"
    )  # fmt: skip
    ran = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == hashlib.sha256(made()).hexdigest()


def made() -> bytes:
    return gridded(quarters(), 3) + enlarged(quarters(), grid(3)[4]) + numbered(quarters(), [(1, 0.3, 0.3)])
