"""Playing the cells of a sweep: models and planners shared, one cap over all, and no cell in another's way."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from contextlib import ExitStack
from functools import partial
from typing import Any

from agents.registry import find_agent
from evals.benchmark import Benchmark
from evals.equipment import Equipment
from evals.playing import options_of, play
from evals.prepare import BadInput, Prepared, as_bad_input, make_setup, prepare
from evals.report import write_report
from evals.settings import Settings
from evals.sweeping.config import BadConfig, Cell, Plan
from evals.sweeping.directory import Outcome, State, SweepDirectory
from evals.sweeping.display import SweepProgress
from models.base import CapReached, RunMustStop
from models.registry import load_model

HEAVY = ("hf:",)
"""Models that are not loaded just to see whether they can be."""


def check(plan: Plan, equipment: Equipment) -> None:
    """Raise `BadConfig` if a cell cannot be played, before any is."""
    options = options_of(plan.benchmark, plan.how.options())
    seen: set[str] = set()
    for cell in plan.cells:
        key = cell.settings.model_dump_json(exclude={"seed"})
        if key in seen:
            continue
        seen.add(key)
        try:
            with as_bad_input(), ExitStack() as closing:
                if cell.settings.model.startswith(HEAVY):
                    find_agent(cell.settings.agent)
                else:
                    make_setup(plan.benchmark, cell.settings, options, closing, equipment)
        except BadInput as error:
            raise BadConfig(f"{cell.name}: {error}") from None


class Episodes:
    """How many episodes cells have, each set of problems counted once."""

    def __init__(self, benchmark: Benchmark[Any]) -> None:
        self._benchmark = benchmark
        self._known: dict[str, int] = {}

    def __call__(self, settings: Settings) -> int:
        """The number of episodes under some settings."""
        key = settings.model_dump_json(exclude={"agent", "model", "seed"})
        if key not in self._known:
            # Which problems there are does not depend on who plays them.
            agent, model = find_agent(settings.agent), load_model("oracle")
            self._known[key] = len(self._benchmark.episodes(settings, agent, model))
        return self._known[key]


class Job:
    """The cells of a sweep, played in order; a few at a time if asked to. What becomes of each goes to `outcomes`."""

    def __init__(
        self,
        sweep: SweepDirectory,
        plan: Plan,
        equipment: Equipment,
        progress: SweepProgress,
        outcomes: list[Outcome],
    ) -> None:
        self._sweep, self._plan, self._equipment, self._progress = sweep, plan, equipment, progress
        self._room = asyncio.Semaphore(plan.how.cells)
        self._left = Counter(cell.settings.model for cell in sweep.cells)
        self._broken: dict[str, str] = {}
        self._outcomes = outcomes

    async def play(self) -> None:
        """Play every cell that is not complete. `CapReached` ends it; whatever else goes wrong costs its cell only."""
        tasks = [asyncio.create_task(self._in_turn(cell)) for cell in self._sweep.cells]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self._equipment.let_all_go()

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
            await self._equipment.let_go(model)

    async def _outcome(self, cell: Cell) -> Outcome:
        try:
            with as_bad_input():
                run = self._sweep.complete(cell)
            if run is not None:
                results = run.results()
                self._progress.begin(cell.name, len(results), results)
                return Outcome(cell.name, State.PLAYED, "", len(results), sum(result.success for result in results))
            if cell.settings.model in self._broken:
                return Outcome(cell.name, State.FAILED, self._broken[cell.settings.model])
            return await self._played(cell)
        except BadInput as error:
            return Outcome(cell.name, State.FAILED, str(error))
        except (CapReached, asyncio.CancelledError) as reason:
            self._sweep.note(Outcome(cell.name, State.STOPPED, str(reason)))
            raise
        except RunMustStop as reason:
            # The model cannot be asked: neither can it in the cells to come, and some take an hour to find out.
            self._broken[cell.settings.model] = str(reason)
            return Outcome(cell.name, State.FAILED, str(reason))
        except Exception as error:
            return Outcome(cell.name, State.FAILED, f"{type(error).__name__}: {error}")

    async def _played(self, cell: Cell) -> Outcome:
        with as_bad_input():
            prepared = prepare(self._plan.benchmark, self._options(cell), self._equipment)
        with prepared.closing:
            if prepared.settings != cell.settings:
                reason = f"{prepared.run.path} is a run with other settings; choose another --out"
                return Outcome(cell.name, State.FAILED, reason)
            self._progress.begin(cell.name, len(prepared.episodes), prepared.done)
            try:
                await play(prepared, partial(self._progress.finished, cell.name), keep_model=True)
            finally:
                if prepared.run.results():
                    write_report(prepared.run)
        return _outcome_of(cell, prepared)

    def _options(self, cell: Cell) -> Mapping[str, Any]:
        """The options of a single run. One that was begun knows its settings itself."""
        folder = self._sweep.folder(cell)
        if self._sweep.begun(cell):
            chosen: dict[str, Any] = {"resume": folder}
        else:
            chosen = {**cell.settings.model_dump(), "out": folder}
        return options_of(self._plan.benchmark, {**self._plan.how.options(), **chosen})


def _outcome_of(cell: Cell, prepared: Prepared) -> Outcome:
    results = prepared.run.results()
    lost = [result for result in results if not result.scored]
    solved = sum(result.success for result in results if result.scored)
    if not lost:
        return Outcome(cell.name, State.PLAYED, "", len(results), solved)
    reason = f"{len(lost)} of {len(results)} episodes could not be played, the first because: {lost[0].detail}"
    return Outcome(cell.name, State.INCOMPLETE, reason, len(results) - len(lost), solved)
