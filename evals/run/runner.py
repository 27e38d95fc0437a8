"""Plays episodes: several at a time, every event on disk as it happens, resumable at any moment."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

from agents.base import Agent, Graph
from envs.base import Question, Task, WorldUnavailable
from envs.pictures import PictureStore
from evals.guard import ROOMS, ROOT
from evals.run.controls import Control
from evals.run.directory import RunDirectory
from evals.run.episodes import Episode
from evals.run.following import follow
from evals.run.judging import Judge
from evals.run.prompts import NAME as PROMPTS
from evals.run.prompts import PromptStore
from evals.run.results import EpisodeResult, score_episode, unplayed
from evals.run.syncing import Syncing
from evals.run.toolboxes import Rules, toolbox_for
from evals.run.trace import Record, Recorder
from evals.run.watching import Watch, watched
from models.base import (
    Kind,
    Model,
    ModelUnavailable,
    RecordEnded,
    Request,
    RunMustStop,
    Witnessing,
)
from models.batching import Batched
from models.cache import AnswerCache, CachedModel
from models.limited import LimitedModel
from models.wrapped import Wrapped
from planners.outcome import Planner, PlannerUnavailable
from tools.base import StepsSpent
from tools.events import Began, Ended, Event, Reason
from tools.prompts import PromptSet
from tools.questions import Draw

NODES_PER_STEP = 60
"""More than any of our graphs visits per attempt: the recursion limit guards against graphs that never end."""
OWN_FAULT = frozenset({"planners", "models", "envs", "judges"})
"""The rooms in which an exception is not the fault of the agent's code."""

Opener: TypeAlias = Callable[[Episode, PictureStore], tuple[Task, Judge]]


def _nothing_to_open(episode: Episode, pictures: PictureStore) -> tuple[Task, Judge]:
    raise ValueError(f"{episode.id} cannot be opened: the run has no benchmark")


@dataclass(frozen=True)
class Setup:
    """Everything a run uses. `open` creates the task and the judge of an episode."""

    agent: Agent
    model: Model
    planner: Planner | None = None
    open: Opener = _nothing_to_open
    prompts: PromptSet = field(default_factory=PromptSet.ours)
    rules: Rules = field(default_factory=Rules)
    concurrency: int = 8
    requests: int = 256
    watches: tuple[Watch, ...] = ()
    control: Control | None = None

    @cached_property
    def graph(self) -> Graph:
        """The agent's graph, built once for all episodes."""
        return self.agent.build()

    @cached_property
    def witness(self) -> Witnessing | None:
        """The model if it must be bound to each episode. The check is slow, so it is made once."""
        return self.model if isinstance(self.model, Witnessing) else None


class Runner:
    """One run: the episodes of a benchmark, played by one agent with one model.

    Pictures and prompts are stored in the run, unless there are other `stores` for them; `requests` limits the
    concurrent ones together with other runners.
    """

    def __init__(
        self,
        setup: Setup,
        run: RunDirectory,
        cache: AnswerCache | None = None,
        stores: tuple[PictureStore, PromptStore] | None = None,
        requests: asyncio.Semaphore | None = None,
    ) -> None:
        self.setup = setup
        self.run = run
        self._pictures, self._prompts = stores or stores_of(run)
        self._cache = cache
        self._requests = requests or asyncio.Semaphore(setup.requests)
        self._syncing = Syncing(run.sync)

    async def play_all(self, episodes: Sequence[Episode], callback: Callable[[EpisodeResult], None]) -> None:
        """Play the episodes, a few at a time. Each result is written, then passed to the callback."""
        waiting = iter(episodes)
        players = [
            asyncio.create_task(self._play_in_turn(waiting, callback))
            for _ in range(min(self.setup.concurrency, len(episodes)))
        ]
        try:
            await asyncio.gather(*players)
        finally:
            for player in players:
                player.cancel()
            await asyncio.gather(*players, return_exceptions=True)
            await self._syncing.finish()

    async def close(self, *, keep_model: bool = False) -> None:
        """Close files and, unless `keep_model`, the model; pending requests are abandoned."""
        self._prompts.close()
        if self._cache is not None:
            self._cache.give_up()
        model = self.setup.model
        if isinstance(model, Batched):
            await model.stop()
        closing = getattr(model, "close", None)
        if closing is not None and not keep_model:
            await closing()

    async def _play_in_turn(self, waiting: Iterator[Episode], callback: Callable[[EpisodeResult], None]) -> None:
        for episode in waiting:
            result = await self.play(episode)
            self.run.append(result)
            self._syncing.soon()
            callback(result)

    async def play(self, episode: Episode) -> EpisodeResult:
        """Play one episode. An error of the infrastructure affects this episode only."""
        try:
            judge, records = await self.played(episode)
            result = score_episode(episode, judge, records)
        except RunMustStop:
            raise
        except Exception as error:
            result = unplayed(episode, f"{type(error).__name__}: {error}")
        control = self.setup.control.name if self.setup.control else None
        return result.model_copy(update={"control": control}) if control else result

    async def played(self, episode: Episode) -> tuple[Judge, list[Record]]:
        """Play an episode; its judge and records, which are also written to the run."""
        task, judge = self.setup.open(episode, self._pictures)
        limited = LimitedModel(model_for(self.setup, episode, judge), self._requests, kinds_of(self.setup), self._cache)
        model: Model = limited
        if self._cache is not None:
            model = CachedModel(model, self._cache)
        short = isinstance(task, Question)
        recorder = Recorder(None if short else self.run.trace(episode.id), judge)
        model, record = watched(self.setup.watches, self.run, episode, model, recorder)
        try:
            keeper, pictures = self._keeper(model), self._pictures
            # A plain function, so that an agent cannot reach the other pictures of the run.
            draw: Draw = lambda key, drawing: pictures.picture(key, drawing)  # noqa: E731
            await play_episode(self.setup, episode, task, judge, model, record, keep=keeper, draw=draw)
        finally:
            recorder.close()
        if short:
            self.run.add_item(episode.id, recorder.records)
        return judge, recorder.records

    def _keeper(self, model: Model) -> Callable[[Request], str]:
        return self._prompts.keeper(looks=model.looks or self.setup.rules.draw_all)


def stores_of(run: RunDirectory) -> tuple[PictureStore, PromptStore]:
    """The pictures and the prompts of a run."""
    return PictureStore(run.path / "pictures"), PromptStore(run.path / PROMPTS)


async def play_episode(
    setup: Setup,
    episode: Episode,
    task: Task,
    judge: Judge,
    model: Model,
    record: Callable[[Event], None],
    keep: Callable[[Request], str | None] = lambda request: None,
    draw: Draw | None = None,
) -> None:
    """Run the agent's graph on the task. The record always ends with the reason of the end."""
    ended: list[Ended] = []

    # A plain function, so that an agent cannot reach the records, and with them the truth.
    def emit(event: Event) -> None:
        if isinstance(event, Ended):
            ended.append(event)  # written last: the belief of the last node is recorded when the node returns
        else:
            record(event)

    control = setup.control.name if setup.control else None
    planner = judge.planner(control, setup.planner) if setup.planner else None
    toolbox = toolbox_for(
        task, model, planner, setup.rules, episode, prompts=setup.prompts, emit=emit, keep=keep, draw=draw
    )
    record(_began(episode, task))
    reason, detail, trace = Reason.NO_END, "the graph ended without calling toolbox.end", ""
    try:
        limit = NODES_PER_STEP * toolbox.step_limit + 10
        await follow(setup.graph, toolbox, record, limit=limit, name=f"{setup.agent.name} {episode.id}")
    except RunMustStop:
        raise
    except Exception as error:
        reason, detail, trace = why(error, setup.agent)
    record(ended[0] if ended else Ended(step=toolbox.attempts, reason=reason, detail=detail, traceback=trace))


def _began(episode: Episode, task: Task) -> Began:
    began = Began(problem=episode.problem, goal=task.goal_text, step_limit=episode.step_limit)
    if not isinstance(task, Question):
        return began
    pictures = tuple(picture.key for picture in task.pictures)
    parts = {"options": task.options, "items": task.items, "pictures": pictures, "kind": task.kind}
    return began.model_copy(update=parts)


def why(error: Exception, agent: Agent) -> tuple[Reason, str, str]:
    """Why an episode ended by an exception: the reason, a line of detail, and the traceback if it helps."""
    from langgraph.errors import GraphRecursionError

    match error:
        case StepsSpent():
            return Reason.STEP_LIMIT, str(error), ""
        case GraphRecursionError():
            return Reason.ENDLESS, "the graph went on and on without ending the episode", ""
        case RecordEnded():
            return Reason.RECORD_ENDED, str(error), ""
        case ModelUnavailable():
            return Reason.MODEL_UNAVAILABLE, str(error), ""
        case PlannerUnavailable():
            return Reason.PLANNER_ERROR, str(error), ""
        case WorldUnavailable():
            return Reason.WORLD_UNAVAILABLE, str(error), ""
    reason = Reason.CRASHED if _room(error) in OWN_FAULT else Reason.AGENT_ERROR
    return reason, f"{type(error).__name__}: {error}", agent_traceback(error)


def _room(error: Exception) -> str:
    """The innermost room in the traceback of an exception; empty for code outside our rooms."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        path = Path(frame.filename)
        if path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] in ROOMS:
            room, part, *_ = path.relative_to(ROOT).parts
            return part if (room, part) == ("evals", "judges") else room
    return ""


def agent_traceback(error: Exception) -> str:
    """The traceback from the agent's code on, without folders of this machine."""
    frames = traceback.extract_tb(error.__traceback__)
    first = next((place for place, frame in enumerate(frames) if "langgraph" in frame.filename), 0)
    own = [frame for frame in frames[first:] if "site-packages" not in frame.filename] or frames
    lines = [f"{_short(Path(frame.filename))}:{frame.lineno} in {frame.name}\n    {frame.line}" for frame in own]
    return "\n".join([*lines, "".join(traceback.format_exception_only(error)).rstrip()])


def _short(path: Path) -> str:
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else path.name


def kinds_of(setup: Setup) -> frozenset[Kind] | None:
    """The kinds of reply that the model supports; None if it does not say, or if others reply in its place."""
    if setup.control is not None or setup.agent.calls_tools:
        return None
    return getattr(setup.model, "kinds", None)


def model_for(setup: Setup, episode: Episode, judge: Judge) -> Model:
    """The model of the run, bound to the episode if needed, and under the run's control."""
    if setup.control is not None:
        return setup.control.model(setup.model, episode, judge)
    if setup.witness is None:
        return setup.model
    own = setup.witness.for_episode(judge)
    # Its answers depend on the episode, so cached answers must not serve another one.
    return Wrapped(own, f"{own.identity}, {episode.problem}")
