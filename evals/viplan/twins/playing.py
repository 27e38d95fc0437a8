"""Play agents on simulated models, in this process and without a run directory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
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
from evals.viplan.twins.records import STATIC
from models.registry import load_model
from planners.outcome import Planner
from tools.base import Conduct
from tools.events import Asked, Phase


@dataclass(frozen=True, slots=True)
class Played:
    """An episode: whether it was solved, and its errors in facts that actions change.

    `errors` are those of the first enumeration, None if there was none; `enumerated` counts, for each predicate, the
    wrong answers and the questions of all enumerations.
    """

    level: str
    problem: str
    solved: bool
    errors: int | None
    enumerated: Mapping[str, tuple[int, int]]


class Table:
    """Plays the problems of a folder by the original's rules. `planners` are the agent's and the stand-in's."""

    def __init__(self, problems: Path, planners: tuple[Planner, Planner], limit: int | None = None) -> None:
        self._planners = planners
        self._settings = ViPlanSettings.model_validate(
            {"problems": str(problems), "rules": Conduct.OFFICIAL, "limit": limit}
        )
        self._benchmark = ViPlan()

    async def play(self, agent: str, spec: str) -> list[Played]:
        """All episodes of an agent on a model."""
        found = find_agent(agent)
        setup = Setup(found, load_model(spec), self._planners[0], rules=Rules(conduct=Conduct.OFFICIAL))
        episodes = list_episodes(self._benchmark, self._settings, found)
        return [await self._played(setup, episode) for episode in episodes]

    async def _played(self, setup: Setup, episode: Episode) -> Played:
        view, judge = self._benchmark.open(episode, self._settings, Supplies(planner=lambda: self._planners[1]))
        recorder = Recorder(None, judge)
        await play_episode(setup, episode, view, judge, model_for(setup, episode, judge), recorder)
        return summary(episode, recorder.records)


def summary(episode: Episode, records: Sequence[Record]) -> Played:
    """What a trace says about success and enumerations."""
    asked = list(_enumerated(records))
    first = [right for attempts, _, right in asked if not attempts]
    counts: dict[str, tuple[int, int]] = {}
    for _, predicate, right in asked:
        wrong, total = counts.get(predicate, (0, 0))
        counts[predicate] = wrong + (not right), total + 1
    return Played(
        level=episode.tags["level"],
        problem=episode.tags["problem"],
        solved=bool(records[-1].truth.goal),
        errors=first.count(False) if first else None,
        enumerated=counts,
    )


def _enumerated(records: Sequence[Record]) -> Iterator[tuple[int, str, bool]]:
    """The questions of enumerations about facts that can change: attempts before, predicate, whether it was right."""
    for record in records:
        event = record.event
        if isinstance(event, Asked) and event.phase == Phase.ENUMERATION:
            predicate = event.about.partition(" ")[0]
            if predicate not in STATIC:
                yield event.step, predicate, bool(record.truth.right)
