"""The process that draws with Blender, in whose place other programs stand here."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from envs.blocksworld.scene import compose
from envs.render.cycles import Blender, BlenderUnavailable

SCENE = compose((("r",), (), ()), 1)
READS = "import pickle, sys; from envs.render.cycles import receive, send; wait = lambda: receive(sys.stdin.buffer); "
DRAWS = READS + "[send(sys.stdout.buffer, pickle.dumps(('picture', b'png'))) for _ in iter(wait, 0)]"
COMPLAINS = READS + "wait(); send(sys.stdout.buffer, pickle.dumps(('error', 'no light')))"
DIES = READS + "wait(); sys.exit(7)"
HANGS = "import time; time.sleep(600)"


@contextmanager
def blender(program: str, patience: float = 60.0) -> Iterator[Blender]:
    drawing = Blender((sys.executable, "-c", program), patience)
    try:
        yield drawing
    finally:
        drawing.close()


def test_one_process_draws_all() -> None:
    with blender(DRAWS) as drawing:
        assert drawing.draw(SCENE) == b"png"
        first = drawing._process
        assert drawing.draw(SCENE) == b"png"
        assert drawing._process is first


def test_what_it_complains_about_is_told() -> None:
    with blender(COMPLAINS) as drawing, pytest.raises(BlenderUnavailable, match="could not draw: no light"):
        drawing.draw(SCENE)


def test_one_that_dies_is_told_and_started_again() -> None:
    with blender(DIES) as drawing:
        for _ in range(2):
            with pytest.raises(BlenderUnavailable, match="ended with code 7 while drawing"):
                drawing.draw(SCENE)


def test_one_that_hangs_is_ended() -> None:
    with blender(HANGS, patience=0.3) as drawing:
        process = drawing._running()
        with pytest.raises(BlenderUnavailable, match=r"took more than 0\.3 s while drawing"):
            drawing.draw(SCENE)
        assert process.returncode is not None


def test_one_that_died_between_pictures_is_started_again() -> None:
    with blender(COMPLAINS) as drawing:
        for _ in range(2):
            with pytest.raises(BlenderUnavailable, match="could not draw: no light"):
                drawing.draw(SCENE)
            assert drawing._process is not None
            drawing._process.wait(timeout=60)
