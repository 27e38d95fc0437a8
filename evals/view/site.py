"""All addresses of the viewer, for its server and for export.

    index.html                          the runs
    live.json                           whether one of them is running, and a stamp of what they hold
    beside.html                         two episodes side by side, named by the query
    compare/<run>,<run>….html           a comparison of runs; server only
    compare/forced/<run>,<run>….html    the same for runs that are not comparable
    assets/<name>                       style and scripts
    <run>/index.html, episodes.js       one run, and the rows of its table
    <run>/live.json                     whether it is running, and its stamp; server only
    <run>/episodes/<id>.html            one episode
    <run>/data/<id>/episode.js          its events
    <run>/data/<id>/live.json           whether it is running, and its stamp; server only
    <run>/data/<id>/run.js              the run's data for its page, and labels
    <run>/data/<id>/replies-<n>.js      long replies
    <run>/data/<id>/prompts-<n>.js      prompts
    <run>/data/<id>/sketches-<n>.js     sketches of states
    <run>/data/<id>/drawing.js          why pictures cannot be drawn again, if they cannot; server only
    <run>/data/<id>/drawn-<n>.png       a picture that the model never asked for, drawn again from the world
    <run>/pictures/<sha256>.png         pictures as the model saw them

Addresses are looked up, never joined to paths: a run and an episode must be known, a picture's name is a hash.
"""

from __future__ import annotations

import gc
import json
import re
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from threading import Lock
from typing import Any
from urllib.parse import quote, unquote

from evals.labels import LabelSet, label_sets
from evals.pages.serving import HTML, PICTURE, SCRIPT, STATE, Response, read_assets, shared_assets
from evals.view.beside_page import beside_page
from evals.view.compared import Compared
from evals.view.episode_page import episode_page, run_data
from evals.view.frame import ASSETS, COMPARE_STYLE, data_script
from evals.view.listing import Listing
from evals.view.live import State, episode_state, run_state, runs_state
from evals.view.played import Played, read_played
from evals.view.question_data import answer_of, pictures_of, question_data, scored_twice
from evals.view.question_page import question_page
from evals.view.redrawing import ReplayedWorlds
from evals.view.run_page import episodes_data, run_page
from evals.view.runs_page import runs_page
from evals.view.scenes import CHUNK, sketches
from evals.view.shown import Shown

KEPT = 6
"""How many episodes are cached."""


@dataclass
class Site:
    """The runs of the viewer. Labels need a `token`; `drawn` are the scenes that an export has drawn."""

    runs: Mapping[str, Shown]
    token: str | None = None
    stages: ReplayedWorlds = field(default_factory=ReplayedWorlds)
    compared: Compared = field(default_factory=Compared)
    drawn: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    _episodes: OrderedDict[tuple[str, str], tuple[object, Played]] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    @classmethod
    def of(cls, runs: Sequence[Shown], token: str | None = None) -> Site:
        """A site of runs."""
        return cls({run.key: run for run in runs}, token)

    def get(self, address: str) -> Response | None:
        """The response for an address; None if there is none."""
        parts = [unquote(part, errors="replace") for part in address.removeprefix("/").split("/")]
        match parts:
            case [""] | ["index.html"]:
                return _html(runs_page(self._listed(), self.token))
            case ["live.json"] if self.token:
                return _state(runs_state(self._listed()))
            case ["beside.html"]:
                return _html(beside_page(self.token))
            case ["compare", *forced, name] if self.token and name.endswith(".html") and forced in ([], ["forced"]):
                return self._comparison(name.removesuffix(".html").split(","), self.token, force=bool(forced))
            case ["assets", name] if name in assets():
                return assets()[name]
            case [key, *rest] if run := self._run(key):
                return self._of_run(run, rest)
            case _:
                return None

    def _listed(self) -> list[Shown]:
        """The current runs."""
        if isinstance(self.runs, Listing):
            self.runs.refresh()
        return list(self.runs.values())

    def _run(self, key: str) -> Shown | None:
        """A run by its key; refreshes the list if it is unknown."""
        found = self.runs.get(key)
        if found is None and isinstance(self.runs, Listing):
            self.runs.refresh()
            found = self.runs.get(key)
        return found

    def _comparison(self, keys: Sequence[str], token: str, *, force: bool) -> Response | None:
        runs = [self._run(key) for key in dict.fromkeys(keys)]
        known = [run for run in runs if run is not None]
        return _html(self.compared.page(known, token, force=force)) if len(known) == len(runs) else None

    def addresses(self) -> Iterator[str]:
        """The addresses of an export: all but those of the server only."""
        yield from ("index.html", "beside.html")
        yield from (f"assets/{name}" for name in assets())
        for run in self.runs.values():
            yield from (f"{quote(run.key)}/{rest}" for rest in self._addresses(run))

    def played(self, run: Shown, episode: str) -> Played | None:
        """An episode, read again if its trace or the run's results have changed."""
        path = run.trace(episode)
        stat = path.stat() if path else None
        state = (run.contents().results, stat and (stat.st_mtime_ns, stat.st_size))
        with self._lock:
            kept = self._episodes.get((run.key, episode))
            if kept is not None and kept[0] == state:
                self._episodes.move_to_end((run.key, episode))
                return kept[1]
        with _uncollected():
            played = read_played(run, episode)
            if played is None:
                return None
            _ = played.data  # assigns the numbers of replies, which other addresses need
        with self._lock:
            self._episodes[run.key, episode] = (state, played)
            while len(self._episodes) > KEPT:
                self._episodes.popitem(last=False)
        return played

    def _of_run(self, run: Shown, parts: list[str]) -> Response | None:
        match parts:
            case ["index.html"] | [""]:
                return _html(run_page(run, sets_of(run), self.token))
            case ["live.json"] if self.token:
                return _state(run_state(run))
            case ["data", id, "live.json"] if self.token:
                state = episode_state(run, id)
                return _state(state) if state else None
            case ["episodes.js"]:
                return _script("episodes", episodes_data(run.contents()))
            case ["pictures", name] if re.fullmatch(r"[0-9a-f]{64}\.png", name):
                path = run.file("pictures", name)
                return Response(PICTURE, path.read_bytes(), fixed=True) if path else None
            case ["episodes", name] if name.endswith(".html"):
                played = self.played(run, name.removesuffix(".html"))
                made = question_page if run.contents().judging.of_questions else episode_page
                return _html(made(run, played, self.token)) if played else None
            case ["data", id, name]:
                played = self.played(run, id)
                return self._data(run, played, name) if played else None
            case _:
                return None

    def _data(self, run: Shown, played: Played, name: str) -> Response | None:
        kind, number = name, 0
        if numbered := re.fullmatch(r"(replies-|prompts-|sketches-|drawn-|question-)(\d{1,7})(\.js|\.png)", name):
            kind, number = f"{numbered[1]}n{numbered[3]}", int(numbered[2])
        scenes = played.scenes[0]
        match kind:
            case "episode.js":
                return _script("episode", self._page_data(run, played))
            case "run.js":
                drawn = self.drawn.get((run.key, played.result.id), [])
                run_fields = run_data(run, played, sets_of(run), self.runs.values(), named=self.token is not None)
                return _script("run", {**run_fields, "drawn": drawn})
            case "replies-n.js" if number < played.replies.chunks:
                return _script(f"replies-{number}", played.replies.chunk(number))
            case "prompts-n.js" if number < played.prompts.chunks:
                return _script(f"prompts-{number}", played.prompts.chunk(number))
            case "question-n.png":
                return Response(PICTURE, self.stages.question(run, played, number))
            case "sketches-n.js" if number * CHUNK < len(scenes):
                return _script(f"sketches-{number}", sketches(scenes, number, played.sketch))
            case "drawing.js" if self.token:
                return _script("drawing", self.stages.why_not(run, played))
            case "drawn-n.png" if number < len(scenes):
                return Response(PICTURE, self.stages.png(run, played, scenes[number].record))
            case _:
                return None

    def _page_data(self, run: Shown, played: Played) -> dict[str, Any]:
        """The data of an episode or a question."""
        if not run.contents().judging.of_questions:
            return played.data
        given, readings = answer_of(played), {}
        if given and scored_twice(played):
            readings = self.stages.readings(run, played, given.text, given.value)
        return {**played.data, "question": question_data(run, played, readings)}

    def _addresses(self, run: Shown) -> Iterator[str]:
        contents = run.contents()
        yield from ("index.html", "episodes.js")
        shown: set[str] = set()
        for id in (*(result.id for result in contents.results), *contents.unfinished):
            played = self.played(run, id)
            if played is None:
                continue
            scenes, data = played.scenes[0], f"data/{quote(id)}"
            yield from (f"episodes/{quote(id)}.html", f"{data}/episode.js", f"{data}/run.js")
            yield from (f"{data}/replies-{number}.js" for number in range(played.replies.chunks))
            yield from (f"{data}/prompts-{number}.js" for number in range(played.prompts.chunks))
            yield from (f"{data}/sketches-{number}.js" for number in range(-(-len(scenes) // CHUNK)))
            shown |= {scene.sha256 for scene in scenes if scene.sha256} | pictures_of(played)
        yield from (f"pictures/{sha256}.png" for sha256 in sorted(shown) if run.file("pictures", f"{sha256}.png"))


def sets_of(run: Shown) -> Mapping[str, LabelSet]:
    """The label sets of a run."""
    return label_sets(run.contents().config)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Disables garbage collection, which would take as long as reading a long trace."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


@cache
def assets() -> dict[str, Response]:
    """Styles and scripts by name."""
    return {**shared_assets(), **read_assets(ASSETS, more={"compare.css": COMPARE_STYLE})}


def _html(page: str) -> Response:
    return Response(HTML, _bytes(page))


def _state(state: State) -> Response:
    return Response(STATE, json.dumps(state).encode())


def _script(name: str, value: object) -> Response:
    return Response(SCRIPT, _bytes(data_script(name, value)))


def _bytes(text: str) -> bytes:
    """Encoded text; lone surrogates become question marks."""
    return text.encode("utf-8", "replace")
