"""Prepare a run from the user's input; every error is one clear message."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from agents.base import Agent
from agents.registry import all_agents, find_agent
from envs.base import Task
from envs.pictures import PictureStore
from evals.run.batches import batched, episodes_at_once
from evals.run.benchmark import Benchmark, Supplies
from evals.run.benchmarks import code_of, program_of, source_of
from evals.run.controls import Control
from evals.run.directory import FORMAT, LONGEST_NAME, RunDirectory, RunError
from evals.run.episodes import Episode
from evals.run.equipment import Equipment, log_to
from evals.run.judging import Judge
from evals.run.options import chosen
from evals.run.results import EpisodeResult
from evals.run.resuming import check_unchanged, played_settings, played_shard
from evals.run.runner import Setup, model_for
from evals.run.settings import Asking, Engine, Running, Settings, default_directory, describe, explain, fingerprint
from evals.run.shards import Shard
from evals.run.toolboxes import Rules, kind_of
from evals.run.trace import DamagedTrace
from evals.run.watching import Watch
from models.base import CannotKeep, Model
from models.budget import Budget
from models.cache import AnswerCache, DamagedCache
from models.conduct import Terms
from models.gateway.caps import Caps
from models.gateway.http import Gateways
from models.limiter import Limits
from models.prices import read_prices
from models.registry import file_of

if TYPE_CHECKING:
    from evals.run.cluster.connecting import Cluster


class BadInput(Exception):
    """The user's input cannot be used; the message says why."""


@contextmanager
def as_bad_input() -> Iterator[None]:
    """Turns the errors of a user's input into `BadInput`."""
    try:
        yield
    except ValidationError as error:
        raise BadInput(explain(error)) from error
    except (ValueError, FileNotFoundError, NotADirectoryError, PermissionError, RunError) as error:
        raise BadInput(str(error)) from error
    except (DamagedCache, DamagedTrace, CannotKeep) as error:
        raise BadInput(str(error)) from error
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        where = f"{error.filename}: " if error.filename else ""
        raise BadInput(f"{where}{error.strerror or error}") from error


@dataclass(frozen=True)
class Prepared:
    """A run that is ready to be played. `again` are the options to resume it in the same way.

    Closing it ends the planners and releases the directory.
    """

    settings: Settings
    run: RunDirectory
    setup: Setup
    terms: Terms
    episodes: Sequence[Episode]
    done: Sequence[EpisodeResult]
    cache: AnswerCache | None
    closing: ExitStack
    cluster: Cluster | None = None
    again: tuple[str, ...] = ()


def prepare(
    benchmark: Benchmark[Any],
    arguments: Mapping[str, Any],
    equipment: Equipment | None = None,
    watching: Callable[[ExitStack], tuple[Watch, ...]] = lambda closing: (),
) -> Prepared:
    """Create settings, run directory and setup, all checked before the first request.

    A given `equipment` is shared with other runs, and so are its terms; the caller closes it.
    """
    running = Running(**chosen(Running, arguments))
    if running.out and running.resume:
        raise ValueError("--out and --resume do not go together: a resumed run stays where it is")
    given, terms = given_settings(benchmark, arguments), (equipment and equipment.terms) or terms_of(running)
    with ExitStack() as closing:
        resumed = RunDirectory.open(running.resume, hold=True) if running.resume else None
        if resumed:
            closing.callback(resumed.close)
        settings, kept = played_settings(benchmark, given, resumed)
        running, cluster = _placed(benchmark, settings, running), None
        if running.engine is Engine.RAY:
            cluster = _cluster(running, terms, equipment, closing)
            terms = cluster.shown
        shared = equipment or Equipment(terms)
        if equipment is None:
            closing.callback(shared.close)
        shard = played_shard(running.shard, resumed)
        setup = make_setup(benchmark, settings, running, shared)
        setup = replace(setup, watches=watching(closing))
        episodes = list_episodes(benchmark, settings, setup.agent, shard)
        _rehearse(setup, episodes)
        if setup.model.looks or setup.rules.draw_all:
            benchmark.check_pictures(settings)
        if resumed:
            check_unchanged(resumed, _described(benchmark, kept, setup, ()))
            resumed.mend()
        description = _described(benchmark, settings, setup, episodes)
        if shard:
            description["shard"] = shard
        if resumed and settings != kept:
            resumed.update(description)
        run = resumed or RunDirectory.create(_folder(running), description)
        closing.callback(run.close)
        log_to(setup.model, run.path)
        done = [result for result in run.results() if result.settled]
        if cluster is not None:
            cluster.order = cluster.order_of(source_of(benchmark) or benchmark.name, settings)
            again = _again(running)
            return Prepared(settings, run, setup, terms, episodes, done, None, closing.pop_all(), cluster, again)
        cache = _cache(run, setup.model, running)
        if cache is not None:
            closing.callback(cache.close)
        setup = batched(setup, running, cache, closing)
        again = _again(running)
        return Prepared(settings, run, setup, terms, episodes, done, cache, closing.pop_all(), again=again)


def _again(running: Running) -> tuple[str, ...]:
    """The options that are needed again to resume the run in the same way."""
    if running.engine is Engine.RAY:
        return "--engine", "ray", *(("--ray-address", running.ray_address) if running.ray_address else ())
    return ("--gateway", running.gateway) if running.gateway else ()


def _placed(benchmark: Benchmark[Any], settings: Settings, running: Running) -> Running:
    """The options with a directory for the run."""
    if running.out or running.resume:
        return running
    out = default_directory(benchmark.name, settings, Path("runs"), running.shard)
    return running.model_copy(update={"out": out})


def _cluster(running: Running, terms: Terms, equipment: Equipment | None, closing: ExitStack) -> Cluster:
    """The cluster that plays the run."""
    from evals.run.cluster.connecting import connected

    if equipment is not None:
        raise ValueError("--engine ray plays single runs; for a sweep, run its cells one by one or use --gateway")
    for name in ("gateway", "otel", "no_cache", "batch"):
        if getattr(running, name):
            raise ValueError(f"--{name.replace('_', '-')} does not go with --engine ray")
    return closing.enter_context(connected(running, _folder(running), terms))


def _described(
    benchmark: Benchmark[Any], settings: Settings, setup: Setup, episodes: Sequence[Episode]
) -> dict[str, Any]:
    return {
        **describe_run(benchmark, settings, setup),
        "splits": list(benchmark.splits(settings)),
        "episodes": dict(Counter(episode.split for episode in episodes)),
    }


def describe_run(benchmark: Benchmark[Any], settings: Settings, setup: Setup) -> dict[str, Any]:
    """The part of `run.json` that does not depend on the episodes."""
    source = source_of(benchmark)
    files = {"benchmark": code_of(source)[0] if source else None, "model": file_of(settings.model)}
    code = {what: fingerprint(file.read_bytes()) for what, file in files.items() if file is not None}
    fingerprints = {**benchmark.fingerprints(settings), **code}
    return {
        **describe(benchmark.name, program_of(benchmark), settings, setup, fingerprints),
        **({"source": source} if source else {}),
        "format": FORMAT,
        "judging": benchmark.judging(settings).as_json(),
    }


def list_episodes(
    benchmark: Benchmark[Any], settings: Settings, agent: Agent, shard: str | None = None
) -> list[Episode]:
    """The episodes of a run, or of a shard of it: each with its repeats and the agent's step limit."""
    listed = list(benchmark.episodes(settings))
    twice = [name for name, count in Counter(episode.id for episode in listed).items() if count > 1]
    if twice:
        raise ValueError(f"two problems have the same name: {twice[0]}")
    long = next((episode.id for episode in listed if len(episode.id.encode()) > LONGEST_NAME), None)
    if long is not None:
        raise ValueError(f"the name of a problem is longer than {LONGEST_NAME} bytes, too long for a file: {long}")
    played = [
        _as_played(episode, settings.steps or benchmark.step_limit(episode, settings, agent.family), repeat)
        for episode in listed
        for repeat in range(settings.repeats)
    ]
    part = Shard.parse(shard).of(played) if shard else played
    if not part:
        raise ValueError(f"--shard {shard}: there are only {len(played)} episodes, so this part of them is empty")
    return part


def _as_played(episode: Episode, steps: int, repeat: int) -> Episode:
    if not repeat:
        return replace(episode, step_limit=steps)
    tags = {**episode.tags, "problem": episode.problem, "repeat": str(repeat)}
    return replace(episode, id=f"{episode.id}.repeat{repeat}", step_limit=steps, tags=tags)


def _rehearse(setup: Setup, episodes: Sequence[Episode]) -> None:
    """Open the first episode, to find an unfit agent or a broken planner before anything is asked."""
    if not episodes:
        return
    task, judge = setup.open(episodes[0], PictureStore())
    check_fit(setup.agent, task)
    if setup.control is not None:
        model_for(setup, episodes[0], judge)  # a control may not fit the world
    wrong = judge.rehearse(setup.planner) if setup.planner else ""
    if wrong:
        raise ValueError(f"the planner does not work: {wrong}")


def check_fit(agent: Agent, task: Task) -> None:
    """`ValueError` if the agent is for another kind of task."""
    kind = kind_of(task)
    if not agent.fits(kind):
        fitting = [other.name for other in all_agents().values() if other.fits(kind)]
        words = {"symbolic": "symbolic worlds", "options": "worlds of options", "question": "questions"}
        raise ValueError(
            f"agent {agent.name!r} is for {words[agent.needs]}, and this benchmark has {words[kind]}. "
            f"Agents for it: {', '.join(sorted(fitting))}"
        )


def _folder(running: Running) -> Path:
    """The directory of the run."""
    folder = running.resume or running.out
    assert folder is not None
    return folder


def _cache(run: RunDirectory, model: Model, running: Running) -> AnswerCache | None:
    if running.no_cache or not model.cacheable:
        return None
    return AnswerCache.shared(running.cache) if running.cache else AnswerCache(run.path / "answers.sqlite")


def given_settings(benchmark: Benchmark[Any], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The settings given by the user; options of hf models become part of the model's spec."""
    given = chosen(benchmark.settings, arguments)
    if arguments.get("hf_args"):
        if not given.get("model", "").startswith("hf:"):
            raise ValueError("--hf-args needs --model hf:…")
        given["model"] = _with_options(given["model"], arguments["hf_args"])
    # A resumed run names its control. Code of an agent is imported only after its fingerprint has been compared.
    return given if arguments.get("resume") else with_control(given)


def with_control(given: Mapping[str, Any]) -> dict[str, Any]:
    """The settings, with the control that the agent needs; `ValueError` if another one is given."""
    needed = find_agent(given["agent"]).control if "agent" in given else ""
    if needed and given.get("control") not in (None, needed):
        raise ValueError(
            f"agent {given['agent']!r} needs the control {needed!r} and cannot be run under {given['control']!r}: "
            "leave out --control"
        )
    return {**given, "control": needed} if needed else dict(given)


def _with_options(spec: str, text: str) -> str:
    """A model's spec with options from `a=1,b=2` or a JSON object."""
    try:
        options = (
            json.loads(text) if text.lstrip().startswith("{") else dict(pair.split("=") for pair in text.split(","))
        )
    except ValueError:
        raise ValueError(f"--hf-args must be like device=cpu,dtype=float32 or a JSON object, not {text!r}") from None
    joined = "&".join(f"{name}={value}" for name, value in options.items())
    return f"{spec}{'&' if '?' in spec else '?'}{joined}"


def terms_of(asking: Asking, *, in_flight: int | None = None) -> Terms:
    """The terms for requests to endpoints."""
    limits = Limits(
        in_flight=in_flight or (asking.requests if isinstance(asking, Running) else Running().requests),
        per_minute=asking.per_minute,
        tokens_per_minute=asking.tokens_per_minute,
        patience=asking.patience,
    )
    if asking.gateway is not None and asking.prices is not None and not asking.dry_run:
        raise ValueError("--prices: a gateway has its own prices; give the file to python -m models.gateway")
    if asking.gateway is not None and getattr(asking, "batch", False):
        raise ValueError("--batch does not go with --gateway: a gateway asks one question at a time")
    budget = Budget(max_cost=asking.max_cost, max_tokens=asking.max_tokens)
    terms = Terms(limits, deadline=asking.deadline, budget=budget, prices=read_prices(asking.prices))
    if asking.gateway is None or asking.dry_run:
        return terms
    gateways = Gateways.read(asking.gateway, Caps.of(terms))
    # The caps hold in the gateway, for all who ask through it; here the cost is only counted.
    shown = replace(terms, budget=Budget())
    shown.route = gateways.route(shown)
    return shown


def make_setup(benchmark: Benchmark[Any], settings: Settings, running: Running, equipment: Equipment) -> Setup:
    """Agent, model, planner and prompts; `ValueError` if one cannot be used."""
    if re.search(r"://[^/]*@", settings.model):
        # The spec is written to run.json and shown in reports.
        raise ValueError("--model: remove user and password from the address; keys come from the environment")
    agent, model = find_agent(settings.agent), equipment.model(settings.model)
    check_kinds(agent, model, settings.model)
    prompts = benchmark.prompts(settings)
    for name in agent.prompts:
        _ = prompts[name]  # a checkout may lack one: fail now, not in every episode
    benchmark.check(settings)

    def opened(episode: Episode, pictures: PictureStore) -> tuple[Task, Judge]:
        return benchmark.open(episode, settings, Supplies(pictures, lambda: equipment.planner("fd-opt")))

    at_once = episodes_at_once(running, questions=benchmark.judging(settings).of_questions)
    setup = Setup(
        agent=agent,
        model=model,
        planner=equipment.planner(settings.planner) if _plans(agent, benchmark, settings) else None,
        open=opened,
        prompts=prompts,
        rules=rules_of(benchmark, settings, draw_all=running.pictures),
        concurrency=min(at_once, benchmark.at_once(settings) or at_once),
        requests=running.requests,
    )
    _ = setup.graph  # fail now if a user's agent cannot be built
    if settings.control is None:
        return setup
    control = Control(
        settings.control,
        lambda: list_episodes(benchmark, settings, agent),
        lambda episode: opened(episode, PictureStore())[1],
    )
    control.check(model, benchmark.judging(settings).controls)
    return replace(setup, control=control)


def _plans(agent: Agent, benchmark: Benchmark[Any], settings: Settings) -> bool:
    """Whether a planner is used: never for questions, even if the agent can plan."""
    return agent.plans and not benchmark.judging(settings).of_questions


def rules_of(benchmark: Benchmark[Any], settings: Settings, *, draw_all: bool = False) -> Rules:
    """The rules for all episodes, from the settings."""
    return Rules(
        conduct=benchmark.conduct(settings),
        parsing=getattr(settings, "parsing", None),
        temperature=settings.temperature,
        reask=settings.reask,
        window=settings.window,
        frames=settings.frames,
        feedback=settings.history,
        draw_all=draw_all,
    )


def check_kinds(agent: Agent, model: Model, spec: str) -> None:
    """`ValueError` if the model does not support the kinds of reply that the agent requests."""
    if agent.calls_tools and not getattr(model, "calls_tools", False):
        raise ValueError(
            f"agent {agent.name!r} needs a model that can call tools, such as openai:MODEL, anthropic:MODEL or "
            f"langchain:MODULE:CLASS; {spec} cannot"
        )
    kinds = getattr(model, "kinds", None)
    missing = sorted(agent.kinds - kinds) if kinds is not None and not agent.calls_tools else ()
    if missing:
        raise ValueError(
            f"{spec} answers {', '.join(sorted(kinds or ()))} only, and agent {agent.name!r} asks for "
            f"{', '.join(missing)}"
        )
