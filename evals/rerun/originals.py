"""The original run of a rerun: its benchmark, settings, episodes and records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any

from agents.base import Agent
from evals.rerun.changes import Change
from evals.rerun.options import Rerunning
from evals.run.benchmark import Benchmark
from evals.run.benchmarks import find_benchmark
from evals.run.directory import ITEMS, RunDirectory, RunError
from evals.run.episodes import Episode
from evals.run.files import no_link, no_links
from evals.run.judging import Judging
from evals.run.prepare import describe_run, list_episodes
from evals.run.results import EpisodeResult
from evals.run.resuming import check_unaltered, confirm, foreign, is_address, settings_of
from evals.run.runner import Setup
from evals.run.settings import Settings, changed, fingerprint
from evals.run.trace import DamagedTrace, Record, whole
from models.registry import loads_safely
from tools.events import Began


@dataclass(frozen=True)
class Original:
    """A run whose episodes are played again."""

    run: RunDirectory
    benchmark: Benchmark[Any]
    settings: Settings

    @classmethod
    def open(cls, path: Path, options: Rerunning | None = None) -> Original:
        """The run in a directory; `RunError` if it cannot be rerun.

        A benchmark in a user's file is code, so it is loaded only if the options confirm the file.
        """
        run = RunDirectory.open(path)
        if "rerun" in run.config:
            raise RunError(f"{path} is a rerun itself; play again what it comes from: {run.config['rerun'].get('of')}")
        no_link(path / "episodes")
        no_links(path / "episodes")
        for name in ("results.jsonl", ITEMS, "answers.sqlite", "answers.sqlite-wal", "answers.sqlite-shm"):
            no_link(path / name)
        benchmark = _benchmark(run, options or Rerunning())
        return cls(run, benchmark, settings_of(benchmark, run))

    @cached_property
    def judging(self) -> Judging:
        """What the judges of the benchmark have in common, such as their changes."""
        return self.benchmark.judging(self.settings)

    @cached_property
    def results(self) -> Mapping[str, EpisodeResult]:
        """The finished episodes by name; `RunError` if a name would point outside the run."""
        found = {result.id: result for result in self.run.results()}
        for name in found:
            if name.startswith("/") or {"", ".", ".."} & set(name.replace("\\", "/").split("/")) or "\0" in name:
                raise RunError(f"{self.run.path} has an episode named {name!r}, which would lead out of the run")
        return found

    @property
    def results_hash(self) -> str:
        """A fingerprint of the run's results."""
        return fingerprint((self.run.path / "results.jsonl").read_bytes()) if self.results else ""

    def result(self, episode: str) -> EpisodeResult:
        """The result of an episode; `ValueError` if it is not finished."""
        if episode in self.results:
            return self.results[episode]
        near = get_close_matches(episode, self.results, n=3, cutoff=0.3) or list(self.results)[:3]
        known = f"{len(self.results)} are finished, such as {', '.join(near)}" if near else "none is finished"
        raise ValueError(f"no finished episode {episode!r} in {self.run.path}; {known}")

    def records(self, episode: str) -> list[Record]:
        """The records of an episode; `RunError` if they cannot be read completely."""
        try:
            records = self.run.records(episode)
            # Episodes cut short by the infrastructure may have no end; scored ones have.
            return whole(records, str(self._file(episode))) if self.result(episode).scored else records
        except (OSError, DamagedTrace) as error:
            raise RunError(f"the trace of {episode} cannot be played again: {error}") from None

    def confirm(self, change: Change, options: Rerunning, *, ask: bool) -> None:
        """Refuse code, addresses and files that only the run names, unless the options confirm them.

        An agent or model that a change replaces needs no confirmation, nor does the address of a silent model.
        """
        kept = self.settings
        for name, value in (("agent", options.agent), ("model", options.model)):
            if value is not None and value != getattr(kept, name):
                raise ValueError(
                    f"--{name} {value}: it confirms what the run was made with, {getattr(kept, name)}. For another "
                    f"{name} use --with {name}:{value}"
                )
        confirmed = (options.address, options.reads)
        given: dict[str, Any] = {name: value for name, value in foreign(kept).items() if value in confirmed}
        given |= {"agent": kept.agent if options.trust_agent else options.agent, "model": options.model}
        unused = {"agent": bool(change.agent), "model": bool(change.model) or (not ask and loads_safely(kept.model))}
        used = kept.model_copy(update={name: "" for name, without in unused.items() if without})
        confirm(self.run, used, given, _option)

    def changed_to(self, change: Change) -> Settings:
        """The settings with the agent and the model of a change."""
        named = {"agent": change.agent, "model": change.model}
        others = {name: value for name, value in named.items() if value}
        return self.benchmark.settings(**{**self.settings.model_dump(), **others})

    def episodes(self, agent: Agent) -> dict[str, Episode]:
        """The episodes of the run by name."""
        return {episode.id: episode for episode in list_episodes(self.benchmark, self.settings, agent)}

    def changes_since(self, setup: Setup) -> list[str]:
        """What has changed since the run was made, which may explain a mismatch."""
        return changed(self.run.config, describe_run(self.benchmark, self.settings, setup))

    def _file(self, episode: str) -> Path:
        path = self.run.path / ITEMS
        return path if path.exists() else self.run.trace(episode)


def _option(name: str, value: str) -> str:
    """The option of these commands that confirms the value of a setting."""
    if name in ("agent", "model"):
        return f"--{name}"
    return "--address" if is_address(value) else "--reads"


def as_recorded(episode: Episode, records: Sequence[Record]) -> Episode:
    """The episode with its recorded step limit, which may differ from that of another agent."""
    began = next((record.event for record in records if isinstance(record.event, Began)), None)
    return replace(episode, step_limit=began.step_limit) if began else episode


def _benchmark(run: RunDirectory, options: Rerunning) -> Benchmark[Any]:
    source = run.config.get("source")
    if not source:
        name = str(run.config.get("benchmark"))
        if ".py" in name:
            raise RunError(f"{run.path / 'run.json'} names a file as its benchmark: {name}")
        return find_benchmark(name)
    if options.benchmark != source and not options.trust_agent:
        known = run.config.get("fingerprints", {}).get("benchmark", "unknown")
        raise RunError(
            f"{run.path} names code to run: the benchmark {source} (fingerprint {known}). If you trust that file, "
            f"confirm it with --benchmark {source}"
        )
    check_unaltered(run, "benchmark", str(source))
    return find_benchmark(str(source))
