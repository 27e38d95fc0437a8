"""Replay recorded episodes of the original with our agents, and compare them with their record."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from agents.registry import find_agent
from evals.run.benchmark import Supplies
from evals.run.episodes import Episode
from evals.run.prepare import list_episodes
from evals.run.runner import Setup, model_for, play_episode
from evals.run.toolboxes import Rules
from evals.run.trace import Record, Recorder
from evals.viplan.benchmark import ViPlan
from evals.viplan.settings import ViPlanSettings
from models.recorded.records import GrounderEpisode, PlannerEpisode, RecordedRun
from models.replay import Replay
from planners.formula import Atom
from planners.outcome import Planner
from planners.task import Step, Task
from tools.base import Conduct
from tools.events import INFRASTRUCTURE, Acted, Asked, CalledOff, Ended, Planned, Reason

UNKNOWN = "unknown action"
"""What the original writes for an action or parameters that do not exist."""


class Cause(StrEnum):
    """Why a replay diverges from its record."""

    OTHER_PLAN = "our planner plans otherwise"
    IMPOSSIBLE_PLAN = "the recorded plan cannot be done"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Replayed:
    """The replay of one recorded episode; `cause` is None if it agrees.

    `cut` means that the record breaks off where our agent would continue: they agree up to there.
    """

    run: str
    problem: str
    cause: Cause | None = None
    detail: str = ""
    cut: bool = False

    @property
    def alike(self) -> bool:
        """Whether actions, questions, answers and outcome are the same."""
        return self.cause is None


class Replayer:
    """Replays recorded runs."""

    def __init__(self, planner: Planner, problems: Path) -> None:
        self._planner = planner
        self._problems = problems

    def name(self, run: RecordedRun) -> str:
        """The run's setting in short."""
        setting = run.setting
        slips = f" slips {setting.fail:g}" if setting.fail else ""
        return f"{setting.method}{'_cot' if setting.cot else ''} {setting.split}{slips} {setting.model}"

    async def replay(self, run: RecordedRun) -> list[Replayed]:
        """Replay all recorded episodes of the run whose problems we have."""
        setting = run.setting
        agent = find_agent(f"{setting.method}_cot" if setting.cot else setting.method)
        model = Replay({episode.problem: episode for episode in run.episodes}, run.path.name)
        benchmark = ViPlan(model)
        setup = Setup(agent, model, self._planner, rules=Rules(conduct=Conduct.OFFICIAL))
        settings = ViPlanSettings.model_validate(
            {"split": setting.split, "problems": str(self._problems), "rules": Conduct.OFFICIAL}
        )
        replayed = []
        for episode in list_episodes(benchmark, settings, agent):
            if episode.problem not in model.episodes:
                continue
            view, judge = benchmark.open(episode, settings, Supplies(planner=lambda: self._planner))
            task, recorder = judge.problem(), Recorder(None, judge)
            await play_episode(setup, episode, view, judge, model_for(setup, episode, judge), recorder)
            replayed.append(self._compared(run, model, episode, recorder.records, task))
        return replayed

    def _compared(
        self, run: RecordedRun, model: Replay, episode: Episode, records: list[Record], task: Task
    ) -> Replayed:
        recorded = model.episode(episode.problem)
        solved = bool(records[-1].truth.goal)
        if isinstance(recorded, GrounderEpisode):
            cause, detail = _part_of_grounder(recorded, records, task)
        else:
            cause, detail = _part_of_planner(recorded, records)
        if cause is None and solved != recorded.solved:
            cause, detail = Cause.OTHER, f"solved: {solved}, recorded: {recorded.solved}"
        last = records[-1].event
        cut = isinstance(last, Ended) and last.reason is Reason.RECORD_ENDED
        if cause is None and isinstance(last, Ended) and last.reason in INFRASTRUCTURE:
            cause, detail = Cause.OTHER, f"our agent asked on: {last.detail}"
        return Replayed(self.name(run), episode.problem, cause, detail, cut)


def _part_of_planner(recorded: PlannerEpisode, records: list[Record]) -> tuple[Cause | None, str]:
    """Where a replayed planner episode diverges: by its actions and outcomes."""
    ours = [record.event for record in records if isinstance(record.event, Acted)]
    theirs = [step for step in recorded.steps if step.fed_back is not None]
    if len(ours) != len(theirs):
        return Cause.OTHER, f"{len(ours)} attempts, recorded: {len(theirs)}"
    for number, (acted, step) in enumerate(zip(ours, theirs, strict=True), 1):
        if (acted.outcome == "executed") != step.success or step.action not in (acted.action, UNKNOWN):
            description = f"{acted.action}: {acted.outcome}, recorded: {step.action}: {step.fed_back}"
            return Cause.OTHER, f"attempt {number} was {description}"
    return None, ""


def _part_of_grounder(recorded: GrounderEpisode, records: list[Record], task: Task) -> tuple[Cause | None, str]:
    """Where a replayed grounder episode diverges: by plans first, then actions, then questions."""
    ours = [record.event.action for record in records if isinstance(record.event, Acted | CalledOff)]
    theirs = [attempt.action for attempt in recorded.attempts]
    plans = [record.event for record in records if isinstance(record.event, Planned)]
    for number, (planned, plan) in enumerate(zip(plans, _recorded_plans(recorded), strict=False)):
        mine = tuple(planned.plan)
        if plan is not None and mine[: len(plan)] != plan:
            return _over_plans(planned, plan, task, number)
    if ours != theirs:
        return Cause.OTHER, f"attempted {', '.join(ours)}; recorded: {', '.join(theirs)}"
    asked = Counter(
        (event.phase, event.about, event.value if isinstance(event.value, bool) else None)
        for event in (record.event for record in records)
        if isinstance(event, Asked) and event.of_fact
    )
    differing = asked - _questions(recorded), _questions(recorded) - asked
    if any(differing):
        return Cause.OTHER, f"asked {sorted(map(str, differing[0]))}; recorded: {sorted(map(str, differing[1]))}"
    return None, ""


def _questions(recorded: GrounderEpisode) -> Counter[tuple[str, str, bool | None]]:
    return Counter((str(answer.phase), answer.atom, answer.value) for answer in recorded.answers())


def _recorded_plans(recorded: GrounderEpisode) -> list[tuple[str, ...] | None]:
    """The recorded plans; of the first only the attempted steps, None if there was none."""
    until = recorded.replans[0].step if recorded.replans else len(recorded.attempts)
    first = tuple(attempt.action for attempt in recorded.attempts[:until])
    if not recorded.replans:
        first += recorded.remaining
    return [first if recorded.started else None, *(replan.plan for replan in recorded.replans)]


def _over_plans(planned: Planned, plan: tuple[str, ...], task: Task, number: int) -> tuple[Cause, str]:
    belief = frozenset(map(Atom.parse, planned.belief))
    steps = tuple(map(Step.parse, plan))
    description = f"plan {number} is {' '.join(plan)}; ours: {' '.join(planned.plan) or planned.status}"
    try:
        Task(task.domain, task.objects, belief, task.goal).states(steps)
    except ValueError as error:
        return Cause.IMPOSSIBLE_PLAN, f"{error}. The {description}"
    return Cause.OTHER_PLAN, f"The {description}"
