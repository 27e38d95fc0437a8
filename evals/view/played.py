"""An episode read from its trace: turns, scenes, replies, and where belief and truth diverged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from evals.judges.divergence import BeliefCourse, Verdict, belief_course, judge_divergence
from evals.judges.failures import Failure
from evals.judges.turns import Turn, turns_of
from evals.run.episodes import Episode
from evals.run.judging import Score
from evals.run.results import EpisodeResult, result_of
from evals.run.trace import Record
from evals.view.prompts import Prompts
from evals.view.questions import Questions
from evals.view.replies import Replies
from evals.view.scenes import Scene, Sketch, listed, scenes_of, sketcher
from evals.view.shown import Shown, read_leniently
from tools.events import Acted, Asked, Began, CalledOff, Ended, Reason


@dataclass(frozen=True)
class Played:
    """One episode. `finished` is False if it has no result: it is running, or was killed.

    `damage` says what is wrong with unreadable lines, `missing` what is missing beyond them.
    """

    result: EpisodeResult
    finished: bool
    records: list[Record]
    damage: list[str]
    missing: str = ""
    kept: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    meanings: Mapping[str, str] = field(default_factory=dict)
    ends: Mapping[str, str] = field(default_factory=dict)
    sketch: Sketch = listed

    @cached_property
    def turns(self) -> list[Turn]:
        """The turns of the trace."""
        return turns_of(self.records)

    @cached_property
    def course(self) -> BeliefCourse:
        """The course of belief and truth."""
        return belief_course(self.turns)

    @cached_property
    def verdict(self) -> Verdict:
        """The verdict on the first divergence."""
        return judge_divergence(self.failure, self.turns, self.course)

    @property
    def failure(self) -> Failure | None:
        """The failure class, if it is one of symbolic worlds."""
        return Failure(self.result.failure) if self.result.failure in set(Failure) else None

    @cached_property
    def scenes(self) -> tuple[list[Scene], dict[int, int]]:
        """The scenes, and the number of each record's scene."""
        return scenes_of(self.turns)

    @cached_property
    def replies(self) -> Replies:
        """The replies of models; filled by `data` and `questions`."""
        return Replies()

    @cached_property
    def questions(self) -> Questions:
        """All questions, in order."""
        asked = [record for turn in self.turns for record in turn.records if about_fact(record)]
        return Questions(asked, self.replies, self.prompts)

    @cached_property
    def prompts(self) -> Prompts:
        """The prompts; filled by `data` and `questions`."""
        return Prompts(self.kept)

    @cached_property
    def data(self) -> dict[str, Any]:
        """The data of the episode's page."""
        from evals.view.episode_data import episode_data

        return episode_data(self)

    @property
    def began(self) -> Began | None:
        """The event of the start."""
        event = self.records[0].event if self.records else None
        return event if isinstance(event, Began) else None


def about_fact(record: Record) -> bool:
    """Whether a record is a yes/no question about a fact of the world."""
    return isinstance(record.event, Asked) and record.event.of_fact and bool(record.event.about)


def read_played(run: Shown, episode: str) -> Played | None:
    """An episode of a run; None if there is no such episode."""
    played = _read(run, episode)
    if played is None:
        return None
    contents = run.contents()
    sketch = sketcher(contents.config.get("benchmark"))
    judging = contents.judging
    return replace(played, kept=run.prompts(), meanings=judging.meanings, ends=judging.ends, sketch=sketch)


def _read(run: Shown, episode: str) -> Played | None:
    result = next((result for result in run.contents().results if result.id == episode), None)
    item = run.item(episode)
    if item is not None and result is not None:
        records, damage = item
        return Played(result, True, records, damage)
    path = run.trace(episode)
    if path is None:
        missing = f"The trace, episodes/{episode}.jsonl, is missing, or is a link that leads out of the run."
        return Played(result, True, [], [], missing) if result else None
    try:
        records, damage = read_leniently(path)
    except OSError as error:
        records, damage = [], [f"episodes/{episode}.jsonl: {error.strerror or error}"]
    whole = result is None or result.reason == Reason.CRASHED or (records and isinstance(records[-1].event, Ended))
    missing = "" if whole else "The trace breaks off before the end of the episode."
    if result is None:
        steps = sum(isinstance(record.event, Acted | CalledOff) for record in records)
        unknown = result_of(Episode(episode, ""), Score(0.0, False, measures={"steps": steps}), records)
        return Played(unknown, False, records, damage)
    return Played(result, True, records, damage, missing)
