"""What a player needs to play a run's episodes, as data that pickles."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from evals.run.benchmarks import find_benchmark
from evals.run.equipment import Equipment
from evals.run.prepare import make_setup
from evals.run.runner import Setup
from evals.run.settings import Running
from models.base import Model
from models.conduct import Terms
from models.gateway.remote import Door, Remote, RemoteModel


@dataclass(frozen=True)
class Order:
    """A run, and the models that are asked through its gateway, by their specs, with what to know of them."""

    benchmark: str
    settings: Mapping[str, Any]
    running: Mapping[str, Any]
    remote: Mapping[str, Mapping[str, Any]]
    gateway: str
    folder: str

    def setup(self, door: Door, equipment: Equipment) -> Setup:
        """The setup of the run in this process."""
        benchmark = find_benchmark(self.benchmark)
        settings, running = benchmark.settings(**self.settings), Running(**self.running)
        equipment.terms = replace(Terms(), route=self._route(door, running))
        return make_setup(benchmark, settings, running, equipment)

    def _route(self, door: Door, running: Running) -> Callable[[str], Model | None]:
        def route(spec: str) -> Model | None:
            traits = self.remote.get(spec)
            if traits is None:
                return None
            terms = Terms(replace(Terms().limits, in_flight=running.requests, patience=running.patience))
            return RemoteModel(Remote(spec, traits, [door]), terms)

        return route


def working_folder() -> str:
    """The folder that relative paths of the settings start from."""
    return str(Path.cwd())
