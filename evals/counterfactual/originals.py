"""A finished run as something to play again: its benchmark, its settings, its episodes and their records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from agents.registry import find_agent
from evals.benchmark import Benchmark
from evals.benchmarks import find_benchmark
from evals.counterfactual.changes import Change
from evals.episodes import Episode
from evals.results import EpisodeResult
from evals.run_directory import RunDirectory, RunError
from evals.runner import Setup
from evals.settings import Settings, changed, describe, explain, fingerprint
from evals.trace import DamagedTrace, Record, read_trace, read_whole
from models.registry import load_model


@dataclass(frozen=True)
class Original:
    """A run that is played again."""

    run: RunDirectory
    benchmark: Benchmark[Any]
    settings: Settings

    @classmethod
    def open(cls, path: Path) -> Original:
        """The run in a directory; `RunError` if it cannot be played again."""
        run = RunDirectory.open(path)
        if "rerun" in run.config:
            raise RunError(f"{path} is a rerun itself; play again what it comes from: {run.config['rerun'].get('of')}")
        benchmark = find_benchmark(str(run.config.get("benchmark")))
        try:
            settings = benchmark.settings(**run.config["settings"])
        except (TypeError, ValidationError) as error:
            reason = explain(error) if isinstance(error, ValidationError) else error
            raise RunError(f"{path / 'run.json'} has settings that cannot be used: {reason}") from None
        return cls(run, benchmark, settings)

    @cached_property
    def results(self) -> Mapping[str, EpisodeResult]:
        """The finished episodes by name."""
        return {result.id: result for result in self.run.results()}

    @property
    def mark(self) -> str:
        """A fingerprint of what came of the run."""
        return fingerprint((self.run.path / "results.jsonl").read_bytes()) if self.results else ""

    def result(self, episode: str) -> EpisodeResult:
        """What came of an episode; `ValueError` if it is not finished."""
        if episode in self.results:
            return self.results[episode]
        near = get_close_matches(episode, self.results, n=3, cutoff=0.3) or list(self.results)[:3]
        told = f"finished are {len(self.results)}, such as {', '.join(near)}" if near else "none is finished"
        raise ValueError(f"no finished episode {episode!r} in {self.run.path}; {told}")

    def records(self, episode: str) -> list[Record]:
        """What happened in an episode; `RunError` if not all of it can be read."""
        # What broke down on our side may have no end; whatever was scored had one.
        read = read_whole if self.result(episode).scored else read_trace
        try:
            return read(self.run.trace(episode))
        except (OSError, DamagedTrace) as error:
            raise RunError(f"the trace of {episode} cannot be played again: {error}") from None

    def changed_to(self, change: Change) -> Settings:
        """The settings with the agent and the model of a change."""
        named = {"agent": change.agent, "model": change.model}
        others = {name: value for name, value in named.items() if value}
        return self.benchmark.settings(**{**self.settings.model_dump(), **others})

    def episodes(self, setup: Setup, change: Change) -> dict[str, Episode]:
        """The episodes of the run as they were opened then, by name."""
        agent = find_agent(self.settings.agent)
        # A recorded run of the original decides what chance did too; other models decide nothing of the world.
        replayed = change.model and self.settings.model.startswith("replay:")
        model = load_model(self.settings.model) if replayed else setup.model
        return {episode.id: episode for episode in self.benchmark.episodes(self.settings, agent, model)}

    def since_then(self, setup: Setup) -> list[str]:
        """What has changed since the run was made: why a record may not come out again."""
        now = describe(self.benchmark.name, self.settings, setup, self.benchmark.fingerprints(self.settings))
        return changed(self.run.config, now)
