"""From what a user typed to what a run plays with; whatever is wrong with it is one clear message."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from agents.registry import find_agent
from evals.benchmark import Benchmark
from evals.run_directory import RunDirectory, RunError
from evals.runner import Setup
from evals.settings import Settings, changed, default_directory, describe, explain
from models.cache import DamagedCache
from models.registry import load_model
from planners import get_planner
from planners.cache import CachedPlanner


class BadInput(Exception):
    """What the user gave cannot be used; the message says why."""


@contextmanager
def as_bad_input() -> Iterator[None]:
    """Turns the errors that a user's input leads to into `BadInput`."""
    try:
        yield
    except ValidationError as error:
        raise BadInput(explain(error)) from error
    except (ValueError, FileNotFoundError, NotADirectoryError, PermissionError, RunError, DamagedCache) as error:
        raise BadInput(str(error)) from error


@dataclass(frozen=True)
class Prepared:
    """A run that is ready to be played. Closing it ends the planners and lets others at the directory."""

    settings: Settings
    run: RunDirectory
    setup: Setup
    closing: ExitStack


def prepare(benchmark: Benchmark[Any], arguments: Mapping[str, Any]) -> Prepared:
    """Settings, run directory and everything to play with, all checked before the first question."""
    fields = benchmark.settings.model_fields
    given = {name: arguments[name] for name in fields if arguments.get(name) is not None}
    with ExitStack() as closing:
        resumed = RunDirectory.open(arguments["resume"], hold=True) if arguments["resume"] else None
        if resumed:
            closing.callback(resumed.close)
        settings = _settings(benchmark, given, resumed)
        setup = _setup(benchmark, settings, arguments, closing)
        description = describe(benchmark.name, settings, setup.model, setup.prompts, setup.planner.engine)
        if resumed:
            _check_unchanged(resumed, description)
            resumed.mend()
        out = arguments["out"] or default_directory(benchmark.name, settings, Path("runs"))
        run = resumed or RunDirectory.create(out, description)
        closing.callback(run.close)
        return Prepared(settings, run, setup, closing.pop_all())


def _settings(benchmark: Benchmark[Any], given: dict[str, Any], resumed: RunDirectory | None) -> Settings:
    if resumed is None:
        return benchmark.settings(**given)
    if resumed.config.get("benchmark") != benchmark.name:
        raise RunError(f"{resumed.path} is a run of {resumed.config.get('benchmark')!r}, not of {benchmark.name!r}")
    try:
        kept = benchmark.settings(**resumed.config["settings"])
    except (TypeError, ValidationError) as error:
        reason = explain(error) if isinstance(error, ValidationError) else error
        raise RunError(f"{resumed.path / 'run.json'} has settings that cannot be used: {reason}") from None
    other = {name: value for name, value in given.items() if getattr(kept, name) != value}
    if other:
        name, value = next(iter(other.items()))
        raise RunError(
            f"{resumed.path} was started with --{name.replace('_', '-')} {getattr(kept, name)}, not {value}; "
            "leave it out to go on, or start a new run"
        )
    return kept


def _setup(benchmark: Benchmark[Any], settings: Settings, arguments: Mapping[str, Any], closing: ExitStack) -> Setup:
    agent, model = find_agent(settings.agent), load_model(settings.model)
    prompts = benchmark.prompts(settings)
    planner, stand_in = CachedPlanner(get_planner(settings.planner)), CachedPlanner(get_planner("fd-opt"))
    closing.callback(planner.close)
    closing.callback(stand_in.close)
    benchmark.check(settings, planner)
    setup = Setup(
        agent=agent,
        model=model,
        planner=planner,
        stand_in_planner=stand_in,
        prompts=prompts,
        conduct=benchmark.conduct(settings),
        concurrency=arguments["concurrency"],
        requests=arguments["requests"],
        draw_all=arguments["pictures"],
    )
    _ = setup.graph  # a user's agent that cannot be built is found out now
    return setup


def _check_unchanged(resumed: RunDirectory, description: dict[str, Any]) -> None:
    differences = changed(resumed.config, description)
    if differences:
        raise RunError(f"{resumed.path} cannot be gone on with: {'; '.join(differences)}. Start a new run.")
