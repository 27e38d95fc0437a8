"""A session of reruns: models, planners, cached answers and run directories."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from envs.base import Task
from envs.pictures import PictureStore
from evals.command import need_no_keys
from evals.judges.changes import Changeable
from evals.rerun.changes import Change
from evals.rerun.estimating import Estimating
from evals.rerun.options import Rerunning
from evals.rerun.originals import Original
from evals.rerun.places import writable
from evals.rerun.rerunner import Rerun, Rerunner
from evals.rerun.situations import changeable
from evals.run.benchmark import Supplies
from evals.run.directory import RunDirectory, RunError
from evals.run.dry_run import RunCost
from evals.run.episodes import Episode
from evals.run.equipment import Equipment
from evals.run.files import no_link
from evals.run.judging import Judge
from evals.run.prepare import describe_run, make_setup, terms_of
from evals.run.results import EpisodeResult
from evals.run.runner import Setup
from evals.run.settings import Settings, changed
from models.base import RunMustStop
from models.cache import AnswerCache, copy_answers
from models.conduct import Conducted, Terms


@dataclass(frozen=True)
class RerunSession:
    """Everything that reruns of one run need. `needs` counts requests in a dry run."""

    original: Original
    settings: Settings
    setup: Setup
    terms: Terms
    episodes: Mapping[str, Episode]
    ask: bool
    needs: RunCost | None = None
    cache: AnswerCache | None = None

    @classmethod
    def open(cls, original: Original, change: Change, options: Rerunning, end: ExitStack) -> RerunSession:
        """Load and check everything before the first request."""
        asking = bool(options.ask or change.model)
        original.confirm(change, options, ask=asking and not options.dry_run)
        if not asking or options.dry_run:
            need_no_keys()
        settings, terms = original.changed_to(change), terms_of(options, in_flight=options.requests)
        equipment = Equipment(terms)
        end.callback(equipment.close)
        setup = make_setup(original.benchmark, settings, options.running, equipment)
        if change.model:
            setup = replace(setup, open=_as_then(original, equipment))
        episodes = original.episodes(setup.agent)
        needs = RunCost() if options.dry_run else None
        if needs is not None:
            setup = replace(setup, model=Estimating(setup.model, needs, terms))
        ask = asking or needs is not None or not isinstance(setup.model, Conducted)
        return cls(original, settings, setup, terms, episodes, ask, needs)

    def with_answers(self, folder: Path, shared: Path | None, end: ExitStack) -> RerunSession:
        """The session with a cache of answers: a copy of the run's, or a file of the user's."""
        if not self.setup.model.cacheable:
            return self
        cache = AnswerCache.shared(shared) if shared else AnswerCache(_copied(self.original.run.path, folder))
        end.callback(cache.close)
        return replace(self, cache=cache)

    def episode(self, name: str) -> Episode:
        """An episode of the benchmark; `ValueError` if it has none of that name."""
        if name not in self.episodes:
            raise ValueError(f"the benchmark has no episode {name!r} any more; were its problems changed?")
        return self.episodes[name]

    def judge(self, name: str) -> Changeable:
        """The judge of an episode at its start."""
        return changeable(self.setup.open(self.episode(name), PictureStore())[1])

    def directory(
        self, path: Path, change: Change, command: str, splits: Iterable[str] = (), **facts: Any
    ) -> RunDirectory:
        """The run directory of reruns, new or to be continued; `facts` identify them."""
        writable(path, self.original.run.path)
        config = self._describe(path, change, command, splits, facts)
        if not (path / "run.json").exists():
            return RunDirectory.create(path, config)
        run = RunDirectory.open(path, hold=True)
        if run.config.get("rerun") != config["rerun"]:
            run.close()
            raise RunError(f"{path} holds something else, or the run has new results since; choose another --out")
        differences = changed(run.config, config)
        if differences:
            run.close()
            raise RunError(f"{path} cannot be continued: {'; '.join(differences)}. Choose another --out.")
        run.mend()
        return run

    async def play(self, run: RunDirectory, reruns: Sequence[Rerun], finished: Callable[[EpisodeResult], None]) -> None:
        """Play the remaining reruns."""
        done = {result.id for result in run.results() if result.settled}
        remaining = [rerun for rerun in reruns if rerun.played.id not in done]
        if remaining:
            runner = Rerunner(self.setup, run, self.cache, remaining, ask=self.ask, others=self._others)
            try:
                await runner.play_all([rerun.played for rerun in remaining], finished)
            finally:
                await runner.close(keep_model=True)

    async def close(self) -> None:
        """Close connections; pending requests are abandoned."""
        if self.cache is not None:
            self.cache.give_up()
        closing = getattr(self.setup.model, "close", None)
        if closing is not None:
            await closing()

    @cached_property
    def _others(self) -> dict[str, Episode]:
        """For each episode, another one of its split with another problem, picture or scene."""
        cluster, splits = self.original.judging.cluster, dict[str, dict[str, Episode]]()
        for episode in self.episodes.values():
            splits.setdefault(episode.split, {}).setdefault(episode.tags.get(cluster, episode.problem), episode)
        after = {
            (split, key): other
            for split, group in splits.items()
            for key, other in zip(group, [*group.values()][1:] + [*group.values()][:1], strict=True)
            if len(group) > 1
        }
        places = {id: (one.split, one.tags.get(cluster, one.problem)) for id, one in self.episodes.items()}
        return {id: after[place] for id, place in places.items() if place in after}

    @cached_property
    def _described(self) -> dict[str, Any]:
        return describe_run(self.original.benchmark, self.settings, self.setup)

    def _describe(
        self, path: Path, change: Change, command: str, splits: Iterable[str], facts: Mapping[str, Any]
    ) -> dict[str, Any]:
        original = self.original.run
        rerun = {
            "of": original.path.resolve().name,
            "path": os.path.relpath(original.path.resolve(), path.resolve()),
            "mark": self.original.results_hash,
            "with": str(change),
            **facts,
        }
        identity = self.setup.model.identity
        model = f"oracle answers in place of {identity}" if change.truthful else identity
        wanted = set(splits) or set(original.splits)
        listed = [split for split in original.splits if split in wanted]
        return {**self._described, "splits": listed, "model": model, "command": command, "rerun": rerun}


def _as_then(original: Original, equipment: Equipment) -> Callable[[Episode, PictureStore], tuple[Task, Judge]]:
    """Opens episodes with the original settings: in a recorded run, the model also decides what chance does."""

    def opened(episode: Episode, pictures: PictureStore) -> tuple[Task, Judge]:
        supplies = Supplies(pictures, lambda: equipment.planner("fd-opt"))
        return original.benchmark.open(episode, original.settings, supplies)

    return opened


def _copied(run: Path, folder: Path) -> Path:
    """A copy of the run's answers; the original file stays unchanged."""
    own, kept = folder / "answers.sqlite", run / "answers.sqlite"
    no_link(kept)
    if kept.exists() and not own.exists():
        copy_answers(kept, own)
    return own


def run_to_end(session: RerunSession, playing: Callable[[], Coroutine[Any, Any, None]]) -> int:
    """Run the coroutine in a new event loop; the exit code if it was stopped, else 0."""

    async def play() -> None:
        try:
            await playing()
        finally:
            await session.close()

    try:
        asyncio.run(play())
    except RunMustStop as reason:
        stopped, code = str(reason), 3
    except KeyboardInterrupt:
        stopped, code = "Ctrl-C", 130
    else:
        return 0
    print(f"stopped: {stopped}\nrepeat the command to continue", file=sys.stderr)
    return code


def print_cost(needs: RunCost, model: str, *, as_json: bool) -> int:
    """Print the estimate; the exit code."""
    if as_json:
        print(json.dumps({"model": model, **asdict(needs)}))
        return 0
    cost = "price not known" if needs.cost is None and needs.requests else f"${needs.cost or 0.0:.2f}"
    tokens = f"{needs.prompt_tokens:,} + {needs.completion_tokens:,} tokens"
    print(f"about {needs.requests:,} requests to {model}, {tokens}, {cost}; nothing was asked")
    print("estimated with GPT-4.1's error rates; answers that are cached are not counted")
    return 0
