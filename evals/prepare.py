"""From what a user typed to what a run plays with; whatever is wrong with it is one clear message."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from agents.registry import find_agent
from envs.pictures import PictureStore
from evals.benchmark import Benchmark
from evals.controls import control_of
from evals.episodes import Episode
from evals.equipment import Equipment
from evals.equipment import agree as agree
from evals.results import EpisodeResult
from evals.run_directory import RunDirectory, RunError
from evals.runner import Setup
from evals.settings import Settings, changed, default_directory, describe, explain
from evals.telemetry.watching import watches
from evals.trace import DamagedTrace
from models.base import Model
from models.budget import Budget
from models.cache import AnswerCache, DamagedCache
from models.conduct import Terms
from models.limiter import Limits
from models.prices import read_prices
from planners.outcome import Status
from planners.task import Task


class BadInput(Exception):
    """What the user gave cannot be used; the message says why."""


@contextmanager
def as_bad_input() -> Iterator[None]:
    """Turns the errors that a user's input leads to into `BadInput`."""
    try:
        yield
    except ValidationError as error:
        raise BadInput(explain(error)) from error
    except (ValueError, FileNotFoundError, NotADirectoryError, PermissionError, RunError) as error:
        raise BadInput(str(error)) from error
    except (DamagedCache, DamagedTrace) as error:
        raise BadInput(str(error)) from error


@dataclass(frozen=True)
class Prepared:
    """A run that is ready to be played. Closing it ends the planners and lets others at the directory."""

    settings: Settings
    run: RunDirectory
    setup: Setup
    terms: Terms
    episodes: Sequence[Episode]
    done: Sequence[EpisodeResult]
    cache: AnswerCache | None
    closing: ExitStack


def prepare(benchmark: Benchmark[Any], arguments: Mapping[str, Any], equipment: Equipment | None = None) -> Prepared:
    """Settings, run directory and everything to play with, all checked before the first question.

    Equipment that is given is shared with other runs, and so are its terms; who gives it closes it.
    """
    if arguments["out"] and arguments["resume"]:
        raise ValueError("--out and --resume do not go together: a resumed run stays where it is")
    given, terms = given_settings(benchmark, arguments), (equipment and equipment.terms) or terms_of(arguments)
    with ExitStack() as closing:
        shared = equipment or Equipment(terms)
        if equipment is None:
            closing.callback(shared.close)
        resumed = RunDirectory.open(arguments["resume"], hold=True) if arguments["resume"] else None
        if resumed:
            closing.callback(resumed.close)
        settings = _settings(benchmark, given, resumed)
        setup = make_setup(benchmark, settings, arguments, closing, shared)
        episodes = _episodes(benchmark, settings, setup)
        _try_planner(setup, episodes)
        description = {
            **describe(benchmark.name, settings, setup, benchmark.fingerprints(settings)),
            "episodes": dict(Counter(episode.split for episode in episodes)),
        }
        if resumed:
            _check_unchanged(resumed, description)
            resumed.mend()
        run = resumed or _new_run(benchmark, settings, description, arguments["out"])
        closing.callback(run.close)
        done = [result for result in run.results() if result.scored]
        cache = _cache(run, setup.model, arguments)
        if cache is not None:
            closing.callback(cache.close)
        return Prepared(settings, run, setup, terms, episodes, done, cache, closing.pop_all())


def _episodes(benchmark: Benchmark[Any], settings: Settings, setup: Setup) -> Sequence[Episode]:
    episodes = benchmark.episodes(settings, setup.agent, setup.model)
    twice = [name for name, count in Counter(episode.id for episode in episodes).items() if count > 1]
    if twice:
        raise ValueError(f"two problems have the same name: {twice[0]}")
    return episodes


def _try_planner(setup: Setup, episodes: Sequence[Episode]) -> None:
    """One plan, so that an engine that does not work is found out before anyone is asked anything."""
    if episodes:
        world = episodes[0].open(PictureStore())
        outcome = setup.planner.solve(Task(world.domain, world.objects, world.truth(), world.goal))
        if outcome.status is Status.ERROR:
            raise ValueError(f"the planner does not work: {outcome.engine}: {outcome.message}")


def _new_run(
    benchmark: Benchmark[Any], settings: Settings, description: dict[str, Any], out: Path | None
) -> RunDirectory:
    return RunDirectory.create(out or default_directory(benchmark.name, settings, Path("runs")), description)


def _cache(run: RunDirectory, model: Model, arguments: Mapping[str, Any]) -> AnswerCache | None:
    if arguments["no_cache"] or not model.cacheable:
        return None
    return AnswerCache(arguments["cache"] or run.path / "answers.sqlite")


def given_settings(benchmark: Benchmark[Any], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that the user chose; options of hf models become part of the model's name."""
    given = {name: arguments[name] for name in benchmark.settings.model_fields if arguments.get(name) is not None}
    if arguments.get("hf_args"):
        if not given.get("model", "").startswith("hf:"):
            raise ValueError("--hf-args goes with --model hf:…")
        given["model"] = _with_options(given["model"], arguments["hf_args"])
    return given


def _with_options(spec: str, text: str) -> str:
    """A model's spec with options from `a=1,b=2` or a JSON object."""
    try:
        options = (
            json.loads(text) if text.lstrip().startswith("{") else dict(pair.split("=") for pair in text.split(","))
        )
    except ValueError:
        raise ValueError(f"--hf-args is device=cpu,dtype=float32 or a JSON object, not {text!r}") from None
    joined = "&".join(f"{name}={value}" for name, value in options.items())
    return f"{spec}{'&' if '?' in spec else '?'}{joined}"


def terms_of(arguments: Mapping[str, Any]) -> Terms:
    """How endpoints are to be asked."""
    for name in ("concurrency", "requests", "per_minute", "tokens_per_minute", "max_tokens", "max_cost", "deadline"):
        value = arguments.get(name)
        if value is not None and value <= 0:
            raise ValueError(f"--{name.replace('_', '-')} has to be more than 0, not {value}")
    limits = Limits(
        in_flight=arguments["requests"],
        per_minute=arguments["per_minute"],
        tokens_per_minute=arguments["tokens_per_minute"],
        patience=arguments["patience"],
    )
    budget = Budget(max_cost=arguments["max_cost"], max_tokens=arguments["max_tokens"])
    return Terms(limits, deadline=arguments["deadline"], budget=budget, prices=read_prices(arguments["prices"]))


def _settings(benchmark: Benchmark[Any], given: dict[str, Any], resumed: RunDirectory | None) -> Settings:
    if resumed is None:
        return benchmark.settings(**given)
    if resumed.config.get("benchmark") != benchmark.name:
        raise RunError(f"{resumed.path} is a run of {resumed.config.get('benchmark')!r}, not of {benchmark.name!r}")
    if "rerun" in resumed.config:
        raise RunError(f"{resumed.path} is a rerun; go on with it by: {resumed.config.get('command')}")
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


def make_setup(
    benchmark: Benchmark[Any],
    settings: Settings,
    arguments: Mapping[str, Any],
    closing: ExitStack,
    equipment: Equipment | None = None,
) -> Setup:
    """Agent, model, planners and prompts, each found or told why not."""
    shared = equipment or Equipment()
    if equipment is None:
        closing.callback(shared.close)
    if re.search(r"://[^/]*@", settings.model):
        # The spec is written to run.json and shown in reports.
        raise ValueError("--model: leave user and password out of the address; keys come from the environment")
    agent, model = find_agent(settings.agent), shared.model(settings.model)
    if agent.calls_tools and not getattr(model, "calls_tools", False):
        raise ValueError(
            f"agent {agent.name!r} needs a model that can call tools, such as langchain:MODULE:CLASS or google:MODEL; "
            f"{settings.model} cannot"
        )
    kinds = getattr(model, "kinds", None)
    wanted = {name.removesuffix("_cot") for name in agent.prompts}
    if kinds is not None and not wanted <= kinds:
        raise ValueError(
            f"{settings.model} answers {', '.join(kinds)} only, which agent {agent.name!r} does not ask for"
        )
    prompts = benchmark.prompts(settings)
    for name in agent.prompts:
        _ = prompts[name]  # a checkout may lack one; better now than in every episode
    planner, stand_in = shared.planner(settings.planner), shared.planner("fd-opt")
    benchmark.check(settings, planner)
    setup = Setup(
        agent=agent,
        model=model,
        planner=planner,
        stand_in_planner=stand_in,
        prompts=prompts,
        conduct=benchmark.conduct(settings),
        concurrency=min(arguments["concurrency"], benchmark.at_once(settings) or arguments["concurrency"]),
        requests=arguments["requests"],
        draw_all=arguments["pictures"],
        watches=watches(arguments, closing),
        control=control_of(settings.control, lambda: benchmark.episodes(settings, agent, model), model),
    )
    _ = setup.graph  # a user's agent that cannot be built is found out now
    return setup


def _check_unchanged(resumed: RunDirectory, description: dict[str, Any]) -> None:
    differences = changed(resumed.config, description)
    if differences:
        raise RunError(f"{resumed.path} cannot be gone on with: {'; '.join(differences)}. Start a new run.")
