"""Plays episodes: several at a time, every event on disk as it happens, resumable at any moment."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from agents.base import Agent, Graph
from envs.base import View, World, WorldUnavailable
from envs.pictures import PictureStore
from evals.controls import Controlled
from evals.episodes import Episode
from evals.following import follow
from evals.results import EpisodeResult, score_episode
from evals.run_directory import RunDirectory
from evals.telemetry.watching import Watch, watched
from evals.trace import Record, Recorder
from models.base import Model, ModelUnavailable, RecordEnded, Reply, Request, RunMustStop, Witness, Witnessing
from models.cache import AnswerCache, CachedModel
from models.parsing import Profile
from models.wrapped import Wrapped
from planners.outcome import Planner, PlannerUnavailable
from tools.events import Began, Ended, Event, Reason
from tools.prompts import PromptSet
from tools.toolbox import Conduct, StepsSpent, Toolbox

NODES_PER_STEP = 6
"""More than any graph of ours visits per attempt: the recursion limit is a guard, not a rule of the game."""


class Crowded(Wrapped):
    """A model with a limit on how many questions are under way at once."""

    def __init__(self, model: Model, room: asyncio.Semaphore) -> None:
        super().__init__(model)
        self._room = room

    async def ask(self, request: Request) -> Reply:
        """The model's reply, when there is room."""
        async with self._room:
            return await self._model.ask(request)


@dataclass(frozen=True)
class Setup:
    """Everything a run plays with."""

    agent: Agent
    model: Model
    planner: Planner
    stand_in_planner: Planner
    prompts: PromptSet = field(default_factory=PromptSet.ours)
    conduct: Conduct = Conduct.MENDED
    concurrency: int = 8
    requests: int = 256
    planning_seconds: float = 60.0
    draw_all: bool = False
    parsing: Profile | None = None
    watches: tuple[Watch, ...] = ()
    control: Controlled | None = None

    @property
    def profile(self) -> Profile:
        """How replies are read: as the rules have it, unless something else is wanted."""
        return self.parsing or (Profile.OFFICIAL if self.conduct is Conduct.OFFICIAL else Profile.ROBUST)

    @cached_property
    def graph(self) -> Graph:
        """The agent's graph, built once for all episodes."""
        return self.agent.build()


class Runner:
    """One run: the episodes of a benchmark, played by one agent with one model."""

    def __init__(self, setup: Setup, run: RunDirectory, cache: AnswerCache | None = None) -> None:
        self.setup = setup
        self.run = run
        self._pictures = PictureStore(run.path / "pictures")
        self._cache = cache
        self._episodes = asyncio.Semaphore(setup.concurrency)
        self._requests = asyncio.Semaphore(setup.requests)

    async def play_all(self, episodes: Sequence[Episode], told: Callable[[EpisodeResult], None]) -> None:
        """Play the episodes, a few at a time. Each is written down, then told, when it ends."""
        tasks = [asyncio.create_task(self._play_in_turn(episode, told)) for episode in episodes]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def close(self, *, keep_model: bool = False) -> None:
        """Let go of connections, unless another run needs the model; what is still being asked is given up."""
        if self._cache is not None:
            self._cache.give_up()
        closing = getattr(self.setup.model, "close", None)
        if closing is not None and not keep_model:
            await closing()

    async def _play_in_turn(self, episode: Episode, told: Callable[[EpisodeResult], None]) -> None:
        async with self._episodes:
            result = await self.play(episode)
            self.run.append(result)
            told(result)

    async def play(self, episode: Episode) -> EpisodeResult:
        """One episode from start to end. Whatever goes wrong on our side costs this episode only."""
        records: list[Record] = []
        detail = ""
        try:
            records = await self.played(episode)
        except RunMustStop:
            raise
        except Exception as error:
            detail = f"{type(error).__name__}: {error}"
        try:
            result = score_episode(episode.id, episode.problem, episode.split, episode.seed, records)
        except Exception as error:
            detail = f"{type(error).__name__}: {error}"
            result = score_episode(episode.id, episode.problem, episode.split, episode.seed, [])
        control = self.setup.control.kind if self.setup.control else None
        return result.model_copy(update={"detail": detail or result.detail, "control": control})

    async def played(self, episode: Episode) -> list[Record]:
        """What happens in an episode, as it is written down."""
        world = episode.open(self._pictures)
        model: Model = Crowded(model_for(self.setup, episode, world), self._requests)
        if self._cache is not None:
            model = CachedModel(model, self._cache)
        recorder = Recorder(self.run.trace(episode.id), world)
        model, record = watched(self.setup.watches, self.run, episode, model, recorder)
        try:
            await play_episode(self.setup, episode, world, model, record)
        finally:
            recorder.close()
        return recorder.records


async def play_episode(
    setup: Setup, episode: Episode, world: World, model: Model, record: Callable[[Event], None]
) -> None:
    """Let the agent's graph act in the world. However it goes, the record ends with why it ended."""
    from langgraph.errors import GraphRecursionError

    ended: list[Ended] = []

    # A plain function: an agent must not find the records, and with them the truth, behind it.
    def emit(event: Event) -> None:
        if isinstance(event, Ended):
            ended.append(event)  # what the last node believes is told when it is left, and comes before
        else:
            record(event)

    toolbox = Toolbox(
        View(world),
        model,
        setup.control.planner(setup.planner, world) if setup.control else setup.planner,
        prompts=setup.prompts,
        emit=emit,
        step_limit=episode.step_limit,
        conduct=setup.conduct,
        parsing=setup.profile,
        planning_seconds=setup.planning_seconds,
        draw_all=setup.draw_all,
    )
    record(Began(problem=episode.problem, goal=world.goal_text, step_limit=episode.step_limit))
    reason, detail = Reason.FINISHED, "the graph ended without saying why"
    try:
        limit = NODES_PER_STEP * toolbox.step_limit + 10
        await follow(setup.graph, toolbox, record, limit=limit, name=f"{setup.agent.name} {episode.id}")
    except RunMustStop:
        raise
    except (StepsSpent, GraphRecursionError) as error:
        reason, detail = Reason.STEP_LIMIT, str(error).partition("\n")[0]
    except RecordEnded as error:
        reason, detail = Reason.RECORD_ENDED, str(error)
    except ModelUnavailable as error:
        reason, detail = Reason.MODEL_UNAVAILABLE, str(error)
    except PlannerUnavailable as error:
        reason, detail = Reason.PLANNER_ERROR, str(error)
    except WorldUnavailable as error:
        reason, detail = Reason.WORLD_UNAVAILABLE, str(error)
    except Exception as error:
        # A crash of an agent or a tool is ours, not the model's: it is written down and not scored.
        reason, detail = Reason.CRASHED, f"{type(error).__name__}: {error}"
    record(ended[0] if ended else Ended(step=toolbox.attempts, reason=reason, detail=detail))


def model_for(setup: Setup, episode: Episode, world: World) -> Model:
    """The model of the run, told of the episode if it has to be."""
    model, witness = setup.model, _witness(episode, world, setup.stand_in_planner)
    if setup.control is not None:
        return setup.control.model(model, episode, witness)
    return model.for_episode(witness) if isinstance(model, Witnessing) else model


def _witness(episode: Episode, world: World, planner: Planner) -> Witness:
    return Witness(
        problem=episode.problem,
        split=episode.level or episode.split,
        world=world.name,
        domain=world.domain,
        objects=world.objects,
        goal=world.goal,
        signatures=world.signatures,
        truth=world.truth,
        planner=planner,
        visible=lambda: world.observe().visible,
    )
