"""Pictures are drawn when someone looks, once, and found again after a restart."""

from __future__ import annotations

import hashlib
import json
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from envs.pictures import PictureStore


class Artist:
    """Draws what it is told to, slowly, and counts."""

    def __init__(self) -> None:
        self.drawn: list[str] = []

    def __call__(self, what: str) -> Callable[[], bytes]:
        def draw() -> bytes:
            self.drawn.append(what)
            time.sleep(0.005)
            return f"png of {what}".encode()

        return draw


@pytest.fixture
def artist() -> Artist:
    return Artist()


@pytest.fixture(params=["in a folder", "in memory"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> PictureStore:
    return PictureStore(tmp_path / "pictures" if request.param == "in a folder" else None)


def test_nothing_is_drawn_until_it_is_wanted(store: PictureStore, artist: Artist) -> None:
    picture = store.picture("scene", artist("scene"))
    assert picture.key == "scene"
    assert store.known("scene") is None
    assert artist.drawn == []
    assert picture.png() == b"png of scene"
    assert picture.sha256 == hashlib.sha256(b"png of scene").hexdigest() == store.known("scene")
    assert artist.drawn == ["scene"]


def test_a_scene_is_drawn_once_for_all_who_look(store: PictureStore, artist: Artist) -> None:
    pictures = [store.picture("scene", artist("scene")) for _ in range(3)]
    assert {picture.png() for picture in pictures} == {b"png of scene"}
    assert artist.drawn == ["scene"]


def test_many_threads_draw_each_scene_once(store: PictureStore, artist: Artist) -> None:
    start = threading.Barrier(8)

    def look(_: int) -> list[bytes]:
        start.wait()
        return [store.picture(f"scene {number}", artist(f"scene {number}")).png() for number in range(5)]

    with ThreadPoolExecutor(8) as threads:
        seen = list(threads.map(look, range(8)))
    assert seen == [[f"png of scene {number}".encode() for number in range(5)]] * 8
    assert sorted(artist.drawn) == [f"scene {number}" for number in range(5)]


def test_equal_pictures_of_two_scenes_are_kept_once(tmp_path: Path) -> None:
    store = PictureStore(tmp_path)
    assert store.picture("one", lambda: b"png").sha256 == store.picture("other", lambda: b"png").sha256
    assert len(list(tmp_path.glob("*.png"))) == 1


def test_a_drawing_that_fails_can_be_tried_again(store: PictureStore, artist: Artist) -> None:
    def fail() -> bytes:
        raise OSError("no paint")

    with pytest.raises(OSError, match="no paint"):
        _ = store.picture("scene", fail).sha256
    assert store.picture("scene", artist("scene")).png() == b"png of scene"


def test_after_a_restart_nothing_is_drawn_again(tmp_path: Path, artist: Artist) -> None:
    first = PictureStore(tmp_path).picture("scene", artist("scene")).sha256
    again = PictureStore(tmp_path).picture("scene", artist("scene"))
    assert (again.sha256, again.png()) == (first, b"png of scene")
    assert artist.drawn == ["scene"]


@pytest.mark.parametrize("line", ['["other", "abc', "[", '["other"]', '{"other": 1}', "7", "null", '["a", "b", "c"]'])
def test_a_line_of_the_index_that_cannot_be_read_is_left_out(tmp_path: Path, artist: Artist, line: str) -> None:
    store = PictureStore(tmp_path)
    for scene in ("one", "two"):
        _ = store.picture(scene, artist(scene)).sha256
    with (tmp_path / "index.jsonl").open("a") as index:
        index.write(line)
    again = PictureStore(tmp_path)
    assert again.known("one") is not None
    assert again.known("two") is not None
    assert again.known("other") is None


def test_what_is_drawn_after_a_half_written_line_is_found_again(tmp_path: Path, artist: Artist) -> None:
    _ = PictureStore(tmp_path).picture("one", artist("one")).sha256
    with (tmp_path / "index.jsonl").open("a") as index:
        index.write('["two", "ab')
    _ = PictureStore(tmp_path).picture("two", artist("two")).sha256
    assert PictureStore(tmp_path).known("two") is not None


def test_a_picture_whose_file_is_gone_is_drawn_again(tmp_path: Path, artist: Artist) -> None:
    first = PictureStore(tmp_path).picture("scene", artist("scene")).sha256
    (tmp_path / f"{first}.png").unlink()
    assert PictureStore(tmp_path).picture("scene", artist("scene")).png() == b"png of scene"
    assert artist.drawn == ["scene", "scene"]


def test_no_half_picture_is_left_behind(tmp_path: Path, artist: Artist) -> None:
    sha256 = PictureStore(tmp_path).picture("scene", artist("scene")).sha256
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([f"{sha256}.png", "index.jsonl"])
    assert json.loads((tmp_path / "index.jsonl").read_text()) == ["scene", sha256]


def test_no_more_pictures_are_drawn_at_once_than_there_are_processors(store: PictureStore) -> None:
    drawing: list[int] = []
    most: list[int] = []

    def draw(name: str) -> bytes:
        drawing.append(1)
        most.append(len(drawing))
        time.sleep(0.02)
        drawing.pop()
        return name.encode()

    with ThreadPoolExecutor(16) as pool:
        pictures = [store.picture(name, partial(draw, name)) for name in "abcdefghijklmnop"]
        list(pool.map(lambda picture: picture.sha256, pictures))
    assert max(most) <= (os.cpu_count() or 1)


def test_pictures_made_from_the_same_one_wait_for_each_other_without_end(store: PictureStore) -> None:
    base = store.picture("base", Artist()("base"))
    made = [store.picture(name, lambda name=name: base.png() + name.encode()) for name in "abcdefgh"]
    with ThreadPoolExecutor(9) as pool:
        pool.submit(lambda: base.sha256)
        found = [pool.submit(picture.png) for picture in made]
        assert [future.result(timeout=60) for future in found] == [
            b"png of base" + name.encode() for name in "abcdefgh"
        ]
