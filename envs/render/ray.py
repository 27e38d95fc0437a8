"""The `ray` renderer: a scene in, a frame out, the same bits every time.

What does not move is traced and shaded once and kept (`Backdrop`). A frame then only looks again at the pixels
that its moving solids cover, darken, or come close to. Both go through the same steps: find the surface behind
each pixel, find shadows (coarsely, and finely only where neighbours disagree), find how open corners are on a
coarse grid, shade, and smooth the edges with more rays.
"""

from __future__ import annotations

from collections import OrderedDict
from concurrent.futures import Future
from dataclasses import dataclass, replace
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from envs.render.arrays import Bytes
from envs.render.backdrop import Backdrop
from envs.render.overlay import Overlay
from envs.render.scene import Scene


@dataclass(frozen=True)
class Frame:
    """A picture, which solid each of its pixels shows (an index into `names`, -1 for none) and how far off."""

    rgb: Bytes
    segmentation: NDArray[np.int16]
    depth: NDArray[np.float32]
    names: tuple[str, ...]

    def pixels(self, name: str) -> int:
        """How many pixels show the solid."""
        return int((self.segmentation == self.names.index(name)).sum())


def render(scene: Scene, width: int = 480, height: int = 480, *, threads: int = 2) -> Frame:
    """Draw the scene. May be called from several threads at once; `threads` changes the time, not the picture."""
    still = tuple(solid for solid in scene.solids if not solid.moving)
    moving = tuple(solid for solid in scene.solids if solid.moving)
    backdrop = _backdrop(replace(scene, solids=still), width, height, threads)
    overlay = Overlay(backdrop, moving, threads)
    depth = backdrop.depth.astype(np.float32)
    depth[overlay.covered] = overlay.samples.depth
    lens, shown = backdrop.lens, (slice(height), slice(width))
    return Frame(
        np.ascontiguousarray(overlay.paint().reshape(lens.height, lens.width, 3)[shown]),
        overlay.owner.reshape(lens.height, lens.width)[shown],
        depth.reshape(lens.height, lens.width)[shown],
        tuple(solid.name for solid in overlay.solids),
    )


_KEPT = 12
"""Backdrops to keep, of some 17 MB each at 480x480: one for each episode that runs at the same time."""
_kept: OrderedDict[tuple[Scene, int, int], Future[Backdrop]] = OrderedDict()
_shelf = Lock()


def _backdrop(scene: Scene, width: int, height: int, threads: int) -> Backdrop:
    """The backdrop, made once: whoever asks first makes it, others that want the same one wait for it."""
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
