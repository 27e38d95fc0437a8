"""A comparison of runs, as by `python -m evals.compare`, on a page of the viewer.

Runs that are not comparable are compared only on request, as with `--force`. The figures come from results and traces
on disk; no model is asked.
"""

from __future__ import annotations

import shlex
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from urllib.parse import quote, urlencode

from evals.pages.markup import Child, el
from evals.pages.wording import plural
from evals.view.frame import page
from evals.view.shown import Shown

KEPT = 4
"""How many comparisons are cached, since reading every trace is slow."""


@dataclass
class Compared:
    """A cache of recent comparisons."""

    _kept: OrderedDict[tuple[bool, tuple[str, ...]], tuple[object, str]] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def page(self, runs: Sequence[Shown], token: str, *, force: bool = False) -> str:
        """The page of a comparison; recomputed if one of the runs has changed."""
        key, state = (force, tuple(run.key for run in runs)), [run.state() for run in runs]
        with self._lock:  # one at a time: they are CPU-bound
            kept = self._kept.pop(key, None)
            if kept is None or kept[0] != state:
                kept = (state, _page(runs, token, force=force))
            self._kept[key] = kept
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return kept[1]


def _page(runs: Sequence[Shown], token: str, *, force: bool) -> str:
    from evals.compare.arms import Unlike, Unusable

    depth = 2 if force else 1
    nav = el("nav", el("a", "All runs", href=f"{'../' * depth}index.html"))
    try:
        title, body = _compared(runs, force=force)
    except Unusable as error:
        title = f"Comparison of {plural(len(runs), 'run')}"
        body = [el("header", el("h1", title)), el("p", str(error), class_="notice")]
        if isinstance(error, Unlike):
            names = ",".join(quote(run.key, safe="") for run in runs)
            body.append(el("p", el("a", "Compare them all the same", href=f"forced/{names}.html")))
    again = [el("h2", "The same in a terminal"), el("pre", _command(runs, force=force), class_="command")]
    return page(
        title, nav, *body, el("section", *again), depth=depth, styles=("compare.css",), token=token, class_="comparison"
    )


def _compared(runs: Sequence[Shown], *, force: bool) -> tuple[str, list[Child]]:
    """Title and contents of the page; `Unusable` if the runs cannot be compared."""
    from evals.compare.arms import Unusable, arms_of
    from evals.compare.drawings import drawings_of
    from evals.compare.figures import compare
    from evals.compare.listing import tables_of
    from evals.compare.page import contents, title
    from evals.compare.reading import read

    for run in runs:
        if strange := run.strange_file():
            raise Unusable(f"{run.key}/{strange} is no file, or a link that leads out of the run, and is not read")
    parts, skipped = read([run.path for run in runs])
    arms = arms_of(parts)
    if len(arms) < 2:
        raise Unusable(
            "There is nothing to compare: it takes two runs with finished episodes. Runs that differ only in seed, "
            "domain or split count as one."
        )
    comparison = compare(arms, baseline=arms[0], skipped=skipped, force=force)
    up = "../../" if force else "../"
    keys = {run.path.resolve(): run.key for run in runs}

    def link(episode: Path, other: Path | None) -> str | None:
        own = f"{quote(_key(episode, keys))}/episodes/{quote(episode.name)}"
        return up + (_beside(episode, other, keys) if other else own)

    tables, drawings = list(tables_of(comparison)), list(drawings_of(comparison))
    return title(comparison), contents(comparison, tables, drawings, link)


def _beside(left: Path, right: Path, keys: dict[Path, str]) -> str:
    sides = {"left": f"{_key(left, keys)}/{left.stem}", "right": f"{_key(right, keys)}/{right.stem}"}
    return f"beside.html?{urlencode(sides)}"


def _key(episode: Path, keys: dict[Path, str]) -> str:
    return keys[episode.parent.parent.resolve()]


def _command(runs: Sequence[Shown], *, force: bool) -> str:
    words = ["python", "-m", "evals.compare", *(str(run.path) for run in runs)]
    return shlex.join([*words, "--force"] if force else words)
