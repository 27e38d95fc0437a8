"""Pictures of Blocksworld: everything is in view, the seed changes only what it may, bytes are the same every time."""

from __future__ import annotations

import importlib.util
import io
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from PIL import Image

from envs.blocksworld.scene import COLOURS, SPACING, compose, draw
from envs.render.ray import Frame, _kept, render

BLOCKS = tuple(COLOURS)
TOWERS = [(count, place) for count in SPACING for place in range(count)]


def tower(count: int, place: int) -> tuple[tuple[str, ...], ...]:
    return tuple(BLOCKS if number == place else () for number in range(count))


def frame_of(columns: tuple[tuple[str, ...], ...], seed: int) -> Frame:
    return render(compose(columns, seed))


def middle(frame: Frame, name: str) -> tuple[float, float]:
    rows, columns = np.nonzero(frame.segmentation == frame.names.index(name))
    return float(rows.mean()), float(columns.mean())


@pytest.mark.parametrize(
    ("count", "place"),
    [TOWERS[0], TOWERS[-1], *(pytest.param(*tower, marks=pytest.mark.slow) for tower in TOWERS[1:-1])],
)
def test_a_tower_of_six_stays_in_view(count: int, place: int) -> None:
    frame = frame_of(tower(count, place), seed=4)
    for block in BLOCKS:
        assert frame.pixels(f"block {block}") > 1500
    border = np.concatenate([frame.segmentation[0], frame.segmentation[:, 0], frame.segmentation[:, -1]])
    assert not {name for name in (frame.names[number] for number in set(border.tolist())) if "block" in name}


@pytest.mark.parametrize("count", SPACING)
def test_cards_and_mats_are_never_hidden(count: int) -> None:
    bare = frame_of(((),) * count, seed=4)
    for place in range(count):
        frame = frame_of(tower(count, place), seed=4)
        for number in range(count):
            assert frame.pixels(f"card c{number + 1}") == bare.pixels(f"card c{number + 1}") > 1000
            if number != place:
                assert frame.pixels(f"mat c{number + 1}") > 0.9 * bare.pixels(f"mat c{number + 1}")


def test_labels_carry_ink() -> None:
    frame = frame_of(((), (), ()), seed=1)
    for name in ("card c1", "card c2", "card c3"):
        shown = frame.rgb[frame.segmentation == frame.names.index(name)].mean(axis=1)
        assert (shown < 100).sum() > 60
        assert (shown > 220).mean() > 0.5


def test_same_bytes_every_time_and_with_any_number_of_threads() -> None:
    columns = (("r", "b"), ("g",), (), ("o", "p", "y"))
    first = draw(columns, 7)
    assert draw(columns, 7) == first
    frames = []
    for threads in (1, 3):
        _kept.clear()
        frames.append(render(compose(columns, 7), threads=threads).rgb)
    assert (frames[0] == frames[1]).all()
    assert (np.asarray(Image.open(io.BytesIO(first))) == frames[0]).all()


def test_same_bytes_in_another_process() -> None:
    draws = "draw((('r',), ('g', 'b'), ()), 3)"
    code = f"import sys; from envs.blocksworld.scene import draw; sys.stdout.buffer.write({draws})"
    other = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True).stdout
    assert other == draw((("r",), ("g", "b"), ()), 3)


@pytest.mark.slow
def test_eight_threads_draw_what_one_does() -> None:
    states = [((("r", "g", "b")[: n % 4]), ("y",), ("p", "o")[: n % 3], ()) for n in range(8)]
    serial = [draw(state, n % 2) for n, state in enumerate(states)]
    _kept.clear()
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(draw, states, [n % 2 for n in range(8)])) == serial


def test_moving_one_block_leaves_the_others_still() -> None:
    before, after = compose((("r", "b"), ("g",), ()), 5), compose((("r",), ("g",), ("b",)), 5)
    moved = {solid.name for solid in set(before.solids) ^ set(after.solids)}
    assert moved == {"block b"}
    assert (before.camera, before.lights) == (after.camera, after.lights)


def test_seeds_differ_but_slightly() -> None:
    one, other = frame_of((("r",), ("g",), ("b",)), 1), frame_of((("r",), ("g",), ("b",)), 2)
    assert (one.rgb != other.rgb).any()
    for block in "rgb":
        (top, left), (other_top, other_left) = (middle(frame, f"block {block}") for frame in (one, other))
        assert abs(top - other_top) < 30
        assert abs(left - other_left) < 30


def test_wrong_states_are_named() -> None:
    with pytest.raises(ValueError, match="2 columns; pictures have 3 to 5"):
        draw(((), ()), 0)
    with pytest.raises(ValueError, match="no block 'x'"):
        draw((("x",), (), ()), 0)


def test_importing_the_scene_loads_nothing_heavy() -> None:
    code = "import sys, envs.blocksworld.scene; sys.exit(bool({'numpy', 'embreex', 'PIL'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.skipif(importlib.util.find_spec("bpy") is not None, reason="Blender is installed")
def test_without_blender_the_error_names_the_cure() -> None:
    from envs.blocksworld import blender

    with pytest.raises(ImportError, match=r"pip install -e '\.\[blender\]'"):
        blender.draw((("r",), (), ()), 0)


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("bpy") is None, reason="needs Blender")
def test_blender_shows_the_same_state() -> None:
    from envs.blocksworld import blender
    from models.pixels import perceive

    columns = (("r", "b", "y"), ("g",), (), ("o", "p"))
    assert perceive(blender.draw(columns, 1)).columns == columns
