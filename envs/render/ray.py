"""The `ray` renderer: draws scenes by ray casting, with bit-identical results.

`render` is for a fixed camera, `snapshot` for a moving one. `segment` finds which solid each pixel shows,
`measure` also its depth, and `count` the visible pixels of a few things.

For a fixed camera, static solids are traced and shaded once and cached (`Backdrop`). A frame then only recomputes
the pixels that its moving solids cover, shade, or come close to (`Overlay`). For a moving camera, only the triangles
are cached (`Snapshot`). The steps are always the same: find the surface behind each pixel, find shadows
(coarsely first, and finely only where neighbours disagree), compute ambient occlusion on a coarse grid, shade, and
antialias edges with more rays.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import partial
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from envs.render.arrays import Bools, Bytes, Floats
from envs.render.backdrop import Backdrop
from envs.render.overlay import Overlay
from envs.render.samples import Lens
from envs.render.scene import Scene
from envs.render.snapshot import Snapshot, Stage
from envs.render.windows import windows
from planners.names import unknown


@dataclass(frozen=True)
class Segments:
    """Which solid each pixel of a picture shows: an index into `names`, -1 for none. Solids may share a name."""

    segmentation: NDArray[np.int16]
    names: tuple[str, ...]

    def mask(self, name: str) -> Bools:
        """The pixels that show solids of that name."""
        if name not in self.names:
            raise unknown("solid", name, set(self.names))
        numbers = [number for number, other in enumerate(self.names) if other == name]
        return np.isin(self.segmentation, numbers)

    def pixels(self, name: str) -> int:
        """How many pixels show solids of that name."""
        return int(self.mask(name).sum())

    def counts(self) -> dict[str, int]:
        """How many pixels show each name, 0 for what is out of view."""
        numbers = np.bincount(self.segmentation.ravel() + 1, minlength=len(self.names) + 1)[1:].tolist()
        found = dict.fromkeys(self.names, 0)
        for name, number in zip(self.names, numbers, strict=True):
            found[name] += number
        return found


@dataclass(frozen=True)
class Measured(Segments):
    """The solid and the depth of each pixel: in metres along the camera's axis, infinite for nothing."""

    depth: Floats


@dataclass(frozen=True)
class Frame(Segments):
    """A picture with the solid and the depth of each pixel."""

    rgb: Bytes
    depth: NDArray[np.float32]


def render(scene: Scene, width: int = 480, height: int = 480, *, threads: int = 2) -> Frame:
    """Draw a scene for a fixed camera: everything static is cached for the next frame.

    May be called from several threads at once; `threads` changes the time, not the picture.
    """
    still = tuple(solid for solid in scene.solids if not solid.moving)
    moving = tuple(solid for solid in scene.solids if solid.moving)
    backdrop = _backdrop(replace(scene, solids=still), width, height, threads)
    overlay = Overlay(backdrop, moving, threads)
    depth = backdrop.depth.astype(np.float32)
    depth[overlay.covered] = overlay.samples.depth
    shown = partial(_shown, backdrop.lens, width, height)
    names = tuple(solid.name for solid in overlay.solids)
    return Frame(shown(overlay.owner), names, shown(overlay.paint()), shown(depth))


def snapshot(scene: Scene, width: int = 480, height: int = 480, *, threads: int = 2) -> Frame:
    """Draw a scene for a moving camera: only the triangles of the solids are cached.

    The result looks like that of `render` but is not bit-identical. May be called from several threads at once.
    """
    made = Snapshot(scene, width, height, threads)
    shown = partial(_shown, made.lens, width, height)
    names = tuple(solid.name for solid in made.stage.solids)
    return Frame(shown(made.owner.astype(np.int16)), names, shown(made.rgb), shown(made.depth))


def segment(scene: Scene, width: int = 480, height: int = 480, *, threads: int = 2) -> Segments:
    """Find only which solid each pixel shows, several times faster than drawing."""
    stage = Stage(scene, width, height, shadows=False)
    names = tuple(solid.name for solid in stage.solids)
    return Segments(_shown(stage.lens, width, height, stage.owners(threads)), names)


def measure(scene: Scene, width: int = 480, height: int = 480, *, threads: int = 2) -> Measured:
    """Like `segment`, with the depth of each pixel in double precision."""
    stage = Stage(scene, width, height, shadows=False)
    names = tuple(solid.name for solid in stage.solids)
    owner, depth = (_shown(stage.lens, width, height, found) for found in stage.surfaces(threads))
    return Measured(owner, names, depth)


def count(
    scene: Scene, names: Collection[str], width: int = 480, height: int = 480, *, threads: int = 2
) -> dict[str, int]:
    """Count the pixels that show each name, like `segment` but faster: only pixels that may show one are traced."""
    found = dict.fromkeys(names, 0)
    stage = Stage(scene, width, height, shadows=False)
    wanted = [number for number, solid in enumerate(stage.solids) if solid.name in found]
    window = windows(stage.lens, [stage.solids[number] for number in wanted])
    window = window.reshape(stage.lens.height, stage.lens.width)
    # Ignore what is outside the picture.
    window[height:], window[:, width:] = False, False
    row, column = np.nonzero(window)
    owners = stage.owners_at(row, column, threads)
    numbers = np.bincount(owners[owners >= 0], minlength=len(stage.solids))
    for number in wanted:
        found[stage.solids[number].name] += int(numbers[number])
    return found


def _shown(lens: Lens, width: int, height: int, pixels: NDArray[Any]) -> NDArray[Any]:
    """The requested part of a picture, which is computed in whole tiles."""
    whole = pixels.reshape(lens.height, lens.width, *pixels.shape[1:])
    return np.ascontiguousarray(whole[:height, :width])


_KEPT = 12
"""Cached backdrops, of about 17 MB each at 480x480: one for each concurrent episode."""
_kept: OrderedDict[tuple[Scene, int, int], Future[Backdrop]] = OrderedDict()
_shelf = Lock()


def _backdrop(scene: Scene, width: int, height: int, threads: int) -> Backdrop:
    """The cached backdrop. The first caller creates it, and others wait for it."""
    key = (scene, width, height)
    with _shelf:
        made = _kept.get(key)
        mine = made is None
        if made is None:
            made = _kept[key] = Future()
            while len(_kept) > _KEPT:
                _kept.popitem(last=False)
        else:
            _kept.move_to_end(key)
    if mine:
        try:
            made.set_result(Backdrop(scene, width, height, threads))
        except BaseException as error:
            with _shelf:
                _kept.pop(key, None)
            made.set_exception(error)
    return made.result()
