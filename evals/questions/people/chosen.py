"""Selects the questions that people are shown, from a set or a run."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any

from envs.base import Question
from envs.pictures import PictureStore
from evals.judges.question import QuestionJudge
from evals.run.benchmark import Benchmark, Supplies
from evals.run.benchmarks import find_benchmark, names, source_of
from evals.run.directory import RunDirectory
from evals.run.episodes import Episode
from evals.run.prepare import BadInput, as_bad_input
from evals.run.settings import Settings
from planners.names import unknown

FEW = 12
"""The most values of a tag that a message lists."""


@contextmanager
def as_value_error() -> Iterator[None]:
    """Turns all errors of a user's input into a `ValueError` with one line."""
    try:
        with as_bad_input():
            yield
    except BadInput as error:
        raise ValueError(str(error)) from None


@dataclass
class Chosen:
    """The selected questions of a set, in its order, with a way to open them."""

    benchmark: Benchmark[Any]
    settings: Settings
    episodes: Sequence[Episode]
    pictures: PictureStore = field(default_factory=PictureStore)
    _opened: dict[str, tuple[Question, QuestionJudge]] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The index of each question."""
        return {episode.id: place for place, episode in enumerate(self.episodes)}

    @property
    def whence(self) -> dict[str, Any]:
        """The data to find the same questions again, with fingerprints to check that they are unchanged."""
        default = type(self.settings)()
        settings = self.settings.model_dump(mode="json", exclude={"agent", "model"})
        changed = {name: value for name, value in settings.items() if value != getattr(default, name)}
        source = source_of(self.benchmark)
        return {
            "set": self.benchmark.name,
            **({"source": source} if source else {}),
            "settings": changed,
            "fingerprints": self.benchmark.fingerprints(self.settings),
        }

    def open(self, id: str) -> tuple[Question, QuestionJudge]:
        """A question, and the judge that knows the answer."""
        with self._lock:
            if id not in self._opened:
                episode = self.episodes[self.numbers[id]]
                task, judge = self.benchmark.open(episode, self.settings, Supplies(self.pictures))
                if not isinstance(task, Question) or not isinstance(judge, QuestionJudge):
                    raise ValueError(f"{self.benchmark.name} has no questions that people could answer")
                self._opened[id] = task, judge
            return self._opened[id]

    def tags(self, id: str) -> dict[str, str]:
        """The tags of the question."""
        return tags_of(self.episodes[self.numbers[id]])


def choose(
    what: str,
    given: Mapping[str, str],
    *,
    only: Sequence[str] = (),
    sample: int | None = None,
    seed: int = 0,
) -> Chosen:
    """Select questions of a set or a run; `ValueError` if there are none."""
    benchmark, settings = _of_run(Path(what), given) if (Path(what) / "run.json").is_file() else _of_set(what, given)
    if not benchmark.judging(settings).of_questions:
        raise ValueError(f"{benchmark.name} has no questions that people could answer")
    benchmark.check(settings)
    episodes = filtered(list(benchmark.episodes(settings)), only)
    if sample is not None and sample < len(episodes):
        places = sorted(random.Random(f"people {seed}").sample(range(len(episodes)), sample))
        episodes = [episodes[place] for place in places]
    chosen = Chosen(benchmark, settings, episodes)
    if episodes:
        chosen.open(episodes[0].id)  # fail now if the set cannot be opened
    return chosen


def found_again(whence: Mapping[str, Any], confirmed: str = "") -> Chosen:
    """The questions described by `whence`; `ValueError` if they have changed.

    A set in a Python file is loaded only if the user confirms the file, because the answers may come from other people.
    """
    source = whence.get("source")
    if source and not confirmed:
        raise ValueError(f"the answers name code to run: {source}. If you trust that file, add --set {source}")
    benchmark = find_benchmark(confirmed or str(whence["set"]))
    if benchmark.name != whence["set"]:
        raise ValueError(f"the answers are to questions of {whence['set']!r}, not of {benchmark.name!r}")
    settings = benchmark.settings(**whence["settings"])
    if benchmark.fingerprints(settings) != whence["fingerprints"]:
        raise ValueError(f"the questions of {benchmark.name} are not those that were shown any more")
    return Chosen(benchmark, settings, list(benchmark.episodes(settings)))


def _of_set(name: str, given: Mapping[str, Any]) -> tuple[Benchmark[Any], Settings]:
    benchmark = find_benchmark(name)
    settings: Settings = benchmark.settings(**given)
    return benchmark, settings


def _of_run(path: Path, given: Mapping[str, str]) -> tuple[Benchmark[Any], Settings]:
    """The questions of a run, with its settings. Code that only the run names is not loaded."""
    if given:
        raise ValueError(f"{path} is a run and has its settings; --setting goes with the name of a set")
    config = RunDirectory.open(path).config
    name = str(config.get("benchmark"))
    if name not in names():
        raise ValueError(f"{path} is a run of {name!r}, which is not here; name the file of the set instead")
    benchmark = find_benchmark(name)
    kept = {key: value for key, value in config["settings"].items() if key not in ("control", "repeats")}
    settings = benchmark.settings(**kept)
    then, now = config.get("fingerprints", {}), benchmark.fingerprints(settings)
    if any(then.get(part) != now[part] for part in now):
        raise ValueError(f"the questions of {name} are not those of {path} any more")
    return benchmark, settings


def tags_of(episode: Episode) -> dict[str, str]:
    """The tags that questions can be filtered by."""
    return {"id": episode.id, "split": episode.split, **episode.tags}


def filtered(episodes: Sequence[Episode], only: Sequence[str]) -> list[Episode]:
    """The questions with, for every given tag, one of the given values."""
    wanted: defaultdict[str, list[str]] = defaultdict(list)
    for one in only:
        name, equals, pattern = one.partition("=")
        if not equals:
            raise ValueError(f"--only is TAG=VALUE, not {one!r}")
        wanted[name].append(pattern.casefold())
    known = list(dict.fromkeys(name for episode in episodes for name in tags_of(episode)))
    for name in wanted:
        if name not in known:
            raise unknown("tag", name, known)
    kept = [episode for episode in episodes if _fits(tags_of(episode), wanted)]
    if wanted and not kept:
        name = next(iter(wanted))
        values = list(dict.fromkeys(tags_of(episode).get(name, "") for episode in episodes))
        more = ", …" if len(values) > FEW else ""
        raise ValueError(f"no question fits --only {' --only '.join(only)}; {name}: {', '.join(values[:FEW])}{more}")
    return kept


def _fits(tags: Mapping[str, str], wanted: Mapping[str, Sequence[str]]) -> bool:
    return all(
        any(fnmatchcase(tags.get(name, "").casefold(), pattern) for pattern in patterns)
        for name, patterns in wanted.items()
    )
