"""All it takes to play episodes of a run again: the models, the planners, the answers kept, and where it all goes."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import sys
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from evals.command import need_no_keys
from evals.counterfactual.changes import Change, Faculty
from evals.counterfactual.estimating import Estimating
from evals.counterfactual.originals import Original
from evals.counterfactual.rerunner import Rerun, Rerunner
from evals.dry_run import Needs
from evals.episodes import Episode
from evals.prepare import agree, make_setup, terms_of
from evals.results import EpisodeResult
from evals.run_directory import RunDirectory, RunError
from evals.runner import Setup
from evals.settings import Settings, changed, describe
from models.base import RunMustStop
from models.cache import AnswerCache
from models.conduct import Conducted, Terms


@dataclass(frozen=True)
class Stage:
    """What reruns are played with. `needs` is what they would ask for, in a dry run."""

    original: Original
    settings: Settings
    setup: Setup
    terms: Terms
    episodes: Mapping[str, Episode]
    ask: bool
    needs: Needs | None = None
    cache: AnswerCache | None = None

    @classmethod
    def open(cls, original: Original, change: Change, arguments: Mapping[str, Any], end: ExitStack) -> Stage:
        """Everything found and checked, before anyone is asked anything."""
        asking = bool(arguments["ask"] or change.model)
        if not asking or arguments["dry_run"]:
            need_no_keys()
        settings, terms = original.changed_to(change), terms_of(arguments)
        setup = make_setup(original.benchmark, settings, arguments, end)
        agree(setup.model, terms)
        episodes = original.episodes(setup, change)
        needs = Needs() if arguments["dry_run"] else None
        if needs is not None:
            setup = replace(setup, model=Estimating(setup.model, needs, terms))
        ask = asking or needs is not None or not isinstance(setup.model, Conducted)
        return cls(original, settings, setup, terms, episodes, ask, needs)

    def remembering(self, folder: Path, shared: Path | None, end: ExitStack) -> Stage:
        """The stage with answers kept in a folder, at first those of the run itself; or in a file of the user's."""
        if not self.setup.model.cacheable:
            return self
        cache = AnswerCache(shared or _copied(self.original.run.path, folder))
        end.callback(cache.close)
        return replace(self, cache=cache)

    def directory(self, path: Path, change: Change, command: str, **facts: Any) -> RunDirectory:
        """The run directory of some reruns, new or to be gone on with; `facts` say which they are."""
        config = self._describe(path, change, command, facts)
        if not (path / "run.json").exists():
            return RunDirectory.create(path, config)
        run = RunDirectory.open(path, hold=True)
        if run.config.get("rerun") != config["rerun"]:
            run.close()
            raise RunError(f"{path} holds something else, or the run has gone on since; choose another --out")
        differences = changed(run.config, config)
        if differences:
            run.close()
            raise RunError(f"{path} cannot be gone on with: {'; '.join(differences)}. Choose another --out.")
        run.mend()
        return run

    async def play(self, run: RunDirectory, reruns: Sequence[Rerun], finished: Callable[[EpisodeResult], None]) -> None:
        """Play what has not been played yet."""
        done = {result.id for result in run.results() if result.scored}
        left = [rerun for rerun in reruns if rerun.played.id not in done]
        if left:
            runner = Rerunner(self.setup, run, self.cache, left, ask=self.ask)
            await runner.play_all([rerun.played for rerun in left], finished)

    async def close(self) -> None:
        """Let go of connections; what is still being asked is given up."""
        if self.cache is not None:
            self.cache.give_up()
        closing = getattr(self.setup.model, "close", None)
        if closing is not None:
            await closing()

    @cached_property
    def _described(self) -> dict[str, Any]:
        benchmark = self.original.benchmark
        return describe(benchmark.name, self.settings, self.setup, benchmark.fingerprints(self.settings))

    def _describe(self, path: Path, change: Change, command: str, facts: Mapping[str, Any]) -> dict[str, Any]:
        original = self.original.run
        rerun = {
            "of": original.path.resolve().name,
            "path": os.path.relpath(original.path.resolve(), path.resolve()),
            "mark": self.original.mark,
            "with": str(change),
            **facts,
        }
        truthful = Faculty.PERCEPTION in change.perfect
        model = f"oracle answers in place of {self.setup.model.identity}" if truthful else self.setup.model.identity
        return {**self._described, "model": model, "command": command, "rerun": rerun}


def _copied(run: Path, folder: Path) -> Path:
    """A copy of the answers of a run, which is itself left as it is."""
    own, kept = folder / "answers.sqlite", run / "answers.sqlite"
    if kept.exists() and not own.exists():
        part = own.with_name("answers.sqlite.part")
        # Only a run that was killed has answers beside the file; else nothing may be left there by reading it.
        how = "mode=ro" if kept.with_name("answers.sqlite-wal").exists() else "immutable=1"
        source = f"{kept.resolve().as_uri()}?{how}"
        with closing(sqlite3.connect(source, uri=True)) as old, closing(sqlite3.connect(part)) as new:
            old.backup(new)
        part.rename(own)
    return own


def run_to_end(stage: Stage, playing: Callable[[], Coroutine[Any, Any, None]]) -> int:
    """Run what plays in an event loop of its own; the exit code if it was stopped, else 0. Nothing is lost by that."""

    async def play() -> None:
        try:
            await playing()
        finally:
            await stage.close()

    try:
        asyncio.run(play())
    except RunMustStop as reason:
        stopped, code = str(reason), 3
    except KeyboardInterrupt:
        stopped, code = "Ctrl-C", 130
    else:
        return 0
    print(f"stopped: {stopped}\nthe same command goes on", file=sys.stderr)
    return code


def tell_needs(needs: Needs, model: str, *, as_json: bool) -> int:
    """Say what would be asked; the exit code."""
    if as_json:
        print(json.dumps({"model": model, **asdict(needs)}))
        return 0
    cost = "price not known" if needs.cost is None and needs.requests else f"${needs.cost or 0.0:.2f}"
    tokens = f"{needs.prompt_tokens:,} + {needs.completion_tokens:,} tokens"
    print(f"about {needs.requests:,} requests to {model}, {tokens}, {cost}; nothing was asked")
    print("estimated with answers that are wrong as often as GPT-4.1's; what was answered before is not counted")
    return 0
