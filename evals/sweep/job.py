"""Play the cells of a sweep, with shared models and planners, and one cap over all."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

from agents.base import Agent
from agents.registry import find_agent
from envs.base import Task
from envs.pictures import PictureStore
from evals.otel.sending import endpoint
from evals.otel.watching import watches
from evals.report import write_report
from evals.run.benchmark import Benchmark, Supplies
from evals.run.equipment import Equipment
from evals.run.judging import AGENT_ERROR
from evals.run.options import options_of
from evals.run.playing import play
from evals.run.prepare import BadInput, as_bad_input, check_fit, list_episodes, make_setup, prepare
from evals.run.results import EpisodeResult
from evals.run.settings import Running, Settings
from evals.run.watching import Watch
from evals.sweep.config import BadConfig, Cell, Plan
from evals.sweep.directory import Outcome, State, SweepDirectory
from evals.sweep.display import SweepProgress
from models.base import CannotKeep, CapReached, RunMustStop

HEAVY = ("hf:",)
"""Models that are too heavy to load for a check."""


def check(plan: Plan, equipment: Equipment) -> None:
    """Raise `BadConfig` if a cell cannot be played, before the first one."""
    if plan.running.otel:
        with _blaming("[run] otel"):
            endpoint()
    seen: set[str] = set()
    tasks: dict[str, Task | None] = {}
    for cell in plan.cells:
        key = cell.settings.model_dump_json(exclude={"seed"})
        if key in seen:
            continue
        seen.add(key)
        with _blaming(cell.name):
            agent = find_agent(cell.settings.agent)
            if not cell.settings.model.startswith(HEAVY):
                make_setup(plan.benchmark, cell.settings, plan.running, equipment)
            # Tasks do not depend on the agent or model: each set is opened once.
            place = _without_players(cell.settings)
            if place not in tasks:
                tasks[place] = _first_task(plan.benchmark, cell.settings, agent, equipment)
            task = tasks[place]
            if task is not None:
                check_fit(agent, task)


@contextmanager
def _blaming(name: str) -> Iterator[None]:
    """Turns errors of a user's input into `BadConfig` that names the place."""
    try:
        with as_bad_input():
            yield
    except BadInput as error:
        raise BadConfig(f"{name}: {error}") from None


def _first_task(benchmark: Benchmark[Any], settings: Settings, agent: Agent, equipment: Equipment) -> Task | None:
    episodes = list_episodes(benchmark, settings, agent)
    supplies = Supplies(PictureStore(), lambda: equipment.planner("fd-opt"))
    return benchmark.open(episodes[0], settings, supplies)[0] if episodes else None


def _without_players(settings: Settings) -> str:
    """The settings that decide the problems: all but agent, model and seed."""
    return settings.model_dump_json(exclude={"agent", "model", "seed"})


class Episodes:
    """How many episodes cells have, each set of problems counted once."""

    def __init__(self, benchmark: Benchmark[Any]) -> None:
        self._benchmark = benchmark
        self._known: dict[str, int] = {}

    def __call__(self, settings: Settings) -> int:
        """The number of episodes with these settings."""
        key = _without_players(settings)
        if key not in self._known:
            self._known[key] = len(list_episodes(self._benchmark, settings, find_agent(settings.agent)))
        return self._known[key]


class Job:
    """Plays the cells of a sweep in order, or a few concurrently. Their outcomes go to `outcomes`."""

    def __init__(
        self,
        sweep: SweepDirectory,
        plan: Plan,
        equipment: Equipment,
        progress: SweepProgress,
        outcomes: list[Outcome],
    ) -> None:
        self._sweep, self._plan, self._equipment, self._progress = sweep, plan, equipment, progress
        self._room = asyncio.Semaphore(plan.running.cells)
        self._left = Counter(cell.settings.model for cell in sweep.cells)
        self._broken: dict[str, str] = {}
        self._outcomes = outcomes

    async def play(self) -> None:
        """Play every cell that is not complete.

        `CapReached` and `CannotKeep` stop it; any other error affects its cell only.
        """
        tasks = [asyncio.create_task(self._in_turn(cell)) for cell in self._sweep.cells]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self._equipment.release_all()

    async def _in_turn(self, cell: Cell) -> None:
        async with self._room:
            outcome = await self._outcome(cell)
            self._outcomes.append(outcome)
            self._sweep.note(outcome)
            self._progress.end(outcome)
            await self._done_with(cell.settings.model)

    async def _done_with(self, model: str) -> None:
        self._left[model] -= 1
        if not self._left[model]:
            await self._equipment.release(model)

    async def _outcome(self, cell: Cell) -> Outcome:
        try:
            with as_bad_input():
                run = self._sweep.complete(cell)
            if run is not None:
                results = run.results()
                self._progress.begin(cell.name, len(results), results)
                return outcome_of(cell, results)
            if cell.settings.model in self._broken:
                return Outcome(cell.name, State.FAILED, self._broken[cell.settings.model])
            return await self._played(cell)
        except BadInput as error:
            return Outcome(cell.name, State.FAILED, str(error))
        except (CapReached, CannotKeep, asyncio.CancelledError) as reason:
            with suppress(CannotKeep):
                self._sweep.note(Outcome(cell.name, State.STOPPED, str(reason)))
            raise
        except RunMustStop as reason:
            # The model is unavailable: skip its other cells, since finding out again may take an hour.
            self._broken[cell.settings.model] = str(reason)
            return Outcome(cell.name, State.FAILED, str(reason))
        except Exception as error:
            return Outcome(cell.name, State.FAILED, f"{type(error).__name__}: {error}")

    async def _played(self, cell: Cell) -> Outcome:
        with as_bad_input():
            prepared = prepare(self._plan.benchmark, self._options(cell), self._equipment, self._watches)
        with prepared.closing:
            if prepared.settings != cell.settings:
                reason = f"{prepared.run.path} is a run with other settings; choose another --out"
                return Outcome(cell.name, State.FAILED, reason)
            self._progress.begin(cell.name, len(prepared.episodes), prepared.done)
            try:
                await play(prepared, self._progress.finished, keep_model=True)
            finally:
                if prepared.run.results():
                    write_report(prepared.run)
        return outcome_of(cell, prepared.run.results())

    def _watches(self, closing: ExitStack) -> tuple[Watch, ...]:
        return watches(closing, otel=self._plan.running.otel)

    def _options(self, cell: Cell) -> Mapping[str, Any]:
        """The options of a single run, which also confirm code and addresses when it is resumed."""
        folder = self._sweep.folder(cell)
        where = {"resume" if self._sweep.begun(cell) else "out": folder}
        how = self._plan.running.model_dump(exclude_unset=True, exclude={"cells"})
        return options_of({**cell.settings.model_dump(), **how, **where}, self._plan.benchmark.settings, Running)


def outcome_of(cell: Cell, results: Sequence[EpisodeResult]) -> Outcome:
    """The outcome of a cell whose episodes have been played."""
    scored = [result for result in results if result.scored]
    solved = sum(result.success for result in scored)
    lost = [result for result in results if not result.settled]
    broken = [result for result in results if result.failure == AGENT_ERROR]
    state, reason = State.PLAYED, ""
    if lost:
        state = State.INCOMPLETE
        reason = f"{len(lost)} of {len(results)} episodes could not be played, the first because: {lost[0].detail}"
    elif broken:
        state = State.BROKEN
        reason = f"{len(broken)} of {len(results)} episodes ended by an error of the agent: {broken[0].detail}"
    return Outcome(cell.name, state, reason, len(scored), solved)
