"""From what a user typed to what a run plays with; whatever is wrong with it is one clear message."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from agents.registry import find_agent
from evals.run_directory import RunDirectory, RunError
from evals.runner import Setup
from evals.settings import Settings, changed, default_directory, describe, explain
from evals.viplan_episodes import check_solvable, problem_folder, problems_of
from models.cache import DamagedCache
from models.registry import load_model
from planners import get_planner
from planners.cache import CachedPlanner
from planners.outcome import Planner
from tools.prompts import PromptSet


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


def prepare(arguments: Mapping[str, Any]) -> tuple[Settings, RunDirectory, Setup]:
    """Settings, run directory and everything to play with, all checked before the first question."""
    given = {name: arguments[name] for name in Settings.model_fields if arguments.get(name) is not None}
    resumed = RunDirectory.open(arguments["resume"], hold=True) if arguments["resume"] else None
    try:
        settings = _settings(given, resumed)
        setup, description = _setup(settings, arguments)
        run = resumed or _new_run(settings, description, arguments["out"])
        if resumed:
            _check_unchanged(resumed, description)
            resumed.mend()
    except BaseException:
        if resumed:
            resumed.close()
        raise
    return settings, run, setup


def _settings(given: dict[str, Any], resumed: RunDirectory | None) -> Settings:
    if resumed is None:
        return Settings(**given)
    try:
        kept = Settings(**resumed.config["settings"])
    except ValidationError as error:
        raise RunError(f"{resumed.path / 'run.json'} has settings that cannot be used: {explain(error)}") from None
    other = {name: value for name, value in given.items() if getattr(kept, name) != value}
    if other:
        name, value = next(iter(other.items()))
        raise RunError(
            f"{resumed.path} was started with --{name.replace('_', '-')} {getattr(kept, name)}, not {value}; "
            "leave it out to go on, or start a new run"
        )
    return kept


def _setup(settings: Settings, arguments: Mapping[str, Any]) -> tuple[Setup, dict[str, Any]]:
    agent, model = find_agent(settings.agent), load_model(settings.model)
    root = Path(settings.viplan_root) if settings.viplan_root else None
    if root and not root.is_dir():
        raise FileNotFoundError(f"--viplan-root: there is no folder {root}")
    prompts = PromptSet.of_original(root, settings.domain) if root else PromptSet.ours()
    planner, stand_in = CachedPlanner(get_planner(settings.planner)), CachedPlanner(get_planner("fd-opt"))
    try:
        _check_problems(settings, planner)
    except BaseException:
        planner.close()
        raise
    setup = Setup(
        agent=agent,
        model=model,
        planner=planner,
        stand_in_planner=stand_in,
        prompts=prompts,
        conduct=settings.rules,
        concurrency=arguments["concurrency"],
        requests=arguments["requests"],
        draw_all=arguments["pictures"],
    )
    description = describe(
        settings, simulated=model.simulated, identity=model.identity, prompts=prompts, engine=planner.engine
    )
    return setup, description


def _check_problems(settings: Settings, planner: Planner) -> None:
    """Ours are known to be good; a user's are tried before anyone is asked anything."""
    problems = problems_of(settings)
    if problem_folder(settings) is not None:
        check_solvable(problems, planner)


def _new_run(settings: Settings, description: dict[str, Any], out: Path | None) -> RunDirectory:
    return RunDirectory.create(out or default_directory(settings, Path("runs")), description)


def _check_unchanged(resumed: RunDirectory, description: dict[str, Any]) -> None:
    differences = changed(resumed.config, description)
    if differences:
        raise RunError(f"{resumed.path} cannot be gone on with: {'; '.join(differences)}. Start a new run.")
