"""Draw pictures that no model asked for during the run, from the same worlds.

The episode's world is opened again and the recorded actions are repeated. Where the agent looked, a picture is shown
only if its key is the recorded one: then it is, to the pixel, what a model would have seen. Elsewhere the state has to
be the recorded one.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Any

from evals.run.trace import Record
from evals.view.played import Played
from evals.view.shown import Shown
from tools.events import Acted, Observed, Value

if TYPE_CHECKING:
    from envs.base import Task
    from evals.run.judging import Judge

KEPT = 3
"""How many worlds are kept open."""


class CannotDraw(Exception):
    """A picture that cannot be drawn again; the message says why."""


@dataclass
class ReplayedWorld:
    """One episode's world, at some moment of it. `reads` are the files and folders that it may be read from."""

    run: Shown
    played: Played
    reads: Collection[str] = ()
    world: Any = None
    done: int = 0
    drawn: dict[str, bytes] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)

    def png(self, scene: Record) -> bytes:
        """The picture of a scene."""
        key = scene.event.picture if isinstance(scene.event, Observed) else ""
        with self.lock:
            known = self.drawn.get(key) if key else None
            found = known or self._draw(scene, key)
            if key:
                self.drawn[key] = found
        return found

    def _draw(self, scene: Record, key: str) -> bytes:
        place = next(number for number, record in enumerate(self.played.records) if record is scene)
        place += isinstance(scene.event, Acted)  # its outcome is to be seen
        if self.world is None or place < self.done:
            judge = _opened(self.run, self.played.result.id, self.reads)[1]
            self.world, self.done = getattr(judge, "world", None), 0
            if self.world is None:
                raise CannotDraw("a question has no world to draw")
        for record in self.played.records[self.done : place]:
            self._repeat(record)
        self.done = place
        picture = self.world.observe().picture
        if key and picture.key != key:
            raise CannotDraw("the world looks different by now than when the run was played")
        if not key and not self._as_recorded(scene):
            raise CannotDraw("the world does not go as it did when the run was played")
        return bytes(picture.png())

    def _as_recorded(self, scene: Record) -> bool:
        world = self.world
        now = world.truth() if hasattr(world, "truth") else world.state()
        return sorted(map(str, now)) == sorted(scene.truth.state or ())

    def _repeat(self, record: Record) -> None:
        from planners.steps import Step

        if isinstance(record.event, Acted) and not record.event.refused and self.world is not None:
            action = record.event.action
            self.world.step(Step.parse(action) if hasattr(self.world, "domain") else action)


@dataclass
class ReplayedWorlds:
    """The worlds that are open, and the files and folders that runs may read."""

    reads: Collection[str] = ()
    _open: OrderedDict[tuple[str, str], ReplayedWorld] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def why_not(self, run: Shown, played: Played) -> str:
        """Why pictures of an episode cannot be drawn; empty if they can."""
        try:
            looked = next(record for record in played.records if isinstance(record.event, Observed))
            self.png(run, played, looked)
        except StopIteration:
            return "the agent never looked in this episode"
        except CannotDraw as error:
            return str(error)[:500] or "for no reason that is known"
        return ""

    def question(self, run: Shown, played: Played, number: int) -> bytes:
        """A picture of a question; `CannotDraw` if there is none."""
        try:
            pictures = getattr(_opened(run, played.result.id, self.reads)[0], "pictures", ())
            return bytes(pictures[number].png())
        except CannotDraw:
            raise
        except Exception as error:
            raise CannotDraw(f"{type(error).__name__}: {error}") from error

    def readings(self, run: Shown, played: Played, text: str, value: Value) -> dict[str, str]:
        """What each scoring profile reads in an answer; empty if the question is not available any more."""
        try:
            mark = getattr(_opened(run, played.result.id, self.reads)[1], "mark", None)
            return dict(mark(text, value).read) if mark else {}
        except Exception:  # a foreign run must not break the page
            return {}

    def png(self, run: Shown, played: Played, scene: Record) -> bytes:
        """The picture of a scene; `CannotDraw` if it cannot be drawn."""
        key = (run.key, played.result.id)
        with self._lock:
            opened = self._open.get(key)
            if opened is None or opened.played is not played:
                opened = self._open[key] = ReplayedWorld(run, played, self.reads)
            self._open.move_to_end(key)
            while len(self._open) > KEPT:
                self._open.popitem(last=False)
        try:
            return opened.png(scene)
        except CannotDraw:
            raise
        except Exception as error:  # a foreign run must not break the page
            raise CannotDraw(f"{type(error).__name__}: {error}") from error


def _opened(run: Shown, episode: str, reads: Collection[str]) -> tuple[Task, Judge]:
    from evals.run.benchmark import Supplies
    from evals.run.benchmarks import find_benchmark, names
    from evals.run.resuming import foreign, is_address

    config = run.contents().config
    name = str(config.get("benchmark"))
    if name not in names():
        raise CannotDraw(f"there is no benchmark {name!r} here")  # a benchmark file of the run is not loaded
    benchmark = find_benchmark(name)
    settings = benchmark.settings(**config["settings"])
    for setting, value in foreign(settings).items():
        # These come from the run: viewing it must not send requests, nor read files outside it.
        if setting not in ("agent", "model") and is_address(value):
            raise CannotDraw("its world is behind a server, which is not asked for the sake of a picture")
        if setting not in ("agent", "model") and value not in reads:
            raise CannotDraw(f"only the run says to read {value}; start the viewer with --reads {value} to allow it")
    then, now = config.get("fingerprints", {}), benchmark.fingerprints(settings)
    if any(then.get(part) != now[part] for part in ("problems", "questions") if part in now):
        raise CannotDraw("the problems are not those of the run any more")
    for one in benchmark.episodes(settings):
        if one.id == episode.partition(".repeat")[0]:
            return benchmark.open(one, settings, Supplies())
    raise CannotDraw(f"the benchmark has no episode {episode!r}")
