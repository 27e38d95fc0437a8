"""What a run does with agents that do not keep to the rules, and with what breaks on our side."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from agents.base import Agent
from envs.base import View
from envs.blocksworld.problems import files, load
from envs.blocksworld.world import Blocksworld
from envs.pictures import PictureStore
from evals.judges.failures import Failure
from evals.judges.symbolic import SymbolicJudge
from evals.run.directory import RunDirectory
from evals.run.episodes import Episode
from evals.run.judging import AGENT_ERROR
from evals.run.results import EpisodeResult
from evals.run.runner import Runner, Setup
from evals.run.trace import Record, Recorder, read_trace
from models.scripted import Scripted, always
from planners.outcome import Planner, PlanOutcome, Status
from planners.task import Step, Task
from tools.events import Reason
from tools.toolbox import Toolbox


class Graph:
    """A graph that is one function."""

    def __init__(self, behave: Any) -> None:
        self.behave = behave

    async def astream(
        self, state: object, *, context: Toolbox, config: object, stream_mode: str
    ) -> AsyncIterator[dict[str, object]]:
        yield {"name": "behave", "input": state}
        await self.behave(context)


class NoPlanner:
    """A planner that is broken."""

    engine = "broken"

    async def plan(self, task: Task, *, timeout: float = 60.0) -> PlanOutcome:
        return PlanOutcome(Status.ERROR, engine=self.engine, message="it fell over")

    def solve(self, task: Task, *, timeout: float = 60.0) -> PlanOutcome:
        return PlanOutcome(Status.ERROR)

    def close(self) -> None:
        pass


def opened_first(episode: Episode, pictures: PictureStore) -> tuple[View, SymbolicJudge]:
    world = Blocksworld(load(files("simple")[0], "simple"))
    return View(world), SymbolicJudge(world, episode.tags, NoPlanner)


def played(
    tmp_path: Path, behave: Any, *, limit: int = 5, opened: Any = opened_first
) -> tuple[EpisodeResult, RunDirectory]:
    planner: Planner = NoPlanner()
    agent = Agent("odd", "does odd things", lambda: Graph(behave))
    setup = Setup(agent, Scripted(always("Yes")), planner, opened)
    run = RunDirectory.create(tmp_path / "run", {"settings": {}})
    runner = Runner(setup, run)
    result = asyncio.run(runner.play(Episode("one", "simple", 0, limit)))
    asyncio.run(runner.close())
    run.close()
    return result, run


def test_an_agent_cannot_take_more_steps_than_there_are(tmp_path: Path) -> None:
    async def behave(tools: Toolbox) -> None:
        for _ in range(50):
            tools.act(Step("moveblock", ("z", "z")))

    result, _ = played(tmp_path, behave)
    assert (result.steps, result.reason, result.failure) == (5, "step_limit", Failure.REPEATED_ACTION)


def test_an_agent_cannot_act_after_it_has_ended(tmp_path: Path) -> None:
    async def behave(tools: Toolbox) -> None:
        tools.end(Reason.FINISHED)
        tools.act(Step("moveblock", ("z", "z")))

    result, _ = played(tmp_path, behave)
    assert (result.steps, result.reason) == (0, "finished")


@pytest.mark.parametrize("reason", [Reason.CRASHED, Reason.MODEL_UNAVAILABLE, Reason.PLANNER_ERROR])
def test_an_agent_cannot_excuse_itself(tmp_path: Path, reason: Reason) -> None:
    """It may try, and the attempt is an error of its own: seen, and in the way of a clean run."""

    async def behave(tools: Toolbox) -> None:
        tools.end(reason)

    result, _ = played(tmp_path, behave)
    assert (result.reason, result.failure) == ("agent_error", AGENT_ERROR)
    assert "cannot end an episode as" in result.detail


def test_giving_up_without_a_plan_has_a_class_of_its_own(tmp_path: Path) -> None:
    async def behave(tools: Toolbox) -> None:
        tools.end(Reason.NO_PLAN)

    assert played(tmp_path, behave)[0].failure == Failure.GAVE_UP


def test_a_planner_that_breaks_is_nobodys_failure(tmp_path: Path) -> None:
    async def behave(tools: Toolbox) -> None:
        await tools.plan(frozenset())

    result, _ = played(tmp_path, behave)
    assert (result.reason, result.failure) == ("planner_error", Failure.INFRASTRUCTURE)
    assert "it fell over" in result.detail


def test_a_world_that_cannot_be_opened_costs_its_episode_only(tmp_path: Path) -> None:
    def opened(episode: Episode, pictures: PictureStore) -> tuple[View, SymbolicJudge]:
        raise OSError("the door is stuck")

    async def behave(tools: Toolbox) -> None:
        raise AssertionError

    result, _ = played(tmp_path, behave, opened=opened)
    assert (result.failure, result.detail) == (Failure.INFRASTRUCTURE, "OSError: the door is stuck")


def test_what_the_world_was_not_asked_it_did_not_do(tmp_path: Path) -> None:
    """A proposal without sense leaves the last thing that happened as it was, and is not taken for it."""

    async def behave(tools: Toolbox) -> None:
        block, column = "nobody", "nowhere"
        tools.act(Step("moveblock", (block, column)))
        from models.parsing import Proposal

        tools.refuse(Proposal("moveblock", "(r, c2)", None))

    _, run = played(tmp_path, behave)
    acted = [record for record in read_trace(run.trace("one")) if record.event.type == "acted"]
    assert acted[1].truth.legal is False
    assert acted[1].truth.happened == "parameters incorrectly specified"


def test_a_trace_written_is_a_trace_read(tmp_path: Path) -> None:
    world = Blocksworld(load(files("simple")[0], "simple"))
    kept: list[list[Record]] = []

    async def behave(tools: Toolbox) -> None:
        await tools.query(list(world.domain.atoms(world.objects))[:9])
        tools.act(Step("moveblock", (next(iter(world.objects)), "c1")))

    original = Recorder.close

    def close(self: Recorder) -> None:
        kept.append(self.records)
        original(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Recorder, "close", close)
        _, run = played(tmp_path, behave)
    assert read_trace(run.trace("one")) == kept[0]
    assert len(kept[0]) >= 12


def test_the_truth_is_not_behind_what_an_agent_holds(tmp_path: Path) -> None:
    found = []

    async def behave(tools: Toolbox) -> None:
        holders = [tools.emit, tools.env.observe, tools.env.step, tools.env.question, tools.env]
        found.extend(getattr(thing, "__self__", None) for thing in holders)
        found.extend(hasattr(thing, name) or None for thing in holders for name in ("truth", "records", "happened"))

    played(tmp_path, behave)
    assert set(found) == {None}


def test_other_line_separators_do_not_damage_results(tmp_path: Path) -> None:
    async def behave(tools: Toolbox) -> None:
        raise RuntimeError("one\u2028two\u0085three\nfour")

    result, run = played(tmp_path, behave)
    run.append(result)
    run.close()
    assert [kept.detail for kept in run.results()] == [result.detail]
