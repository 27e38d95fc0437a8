"""An episode as it was played, read from its trace: turns, scenes, replies, and where belief and truth parted."""

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
    """One episode. `finished` is False where the run has no result of it: it is going on, or was killed.

    `damage` says what is wrong with unreadable lines, `missing` what is missing beyond them.
    """

    result: EpisodeResult
    finished: bool
    records: list[Record]
    damage: list[str]
    missing: str = ""
    kept: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    meanings: Mapping[str, str] = field(default_factory=dict)
    sketch: Sketch = listed

    @cached_property
    def turns(self) -> list[Turn]:
        """The trace in turns."""
        return turns_of(self.records)

    @cached_property
    def course(self) -> BeliefCourse:
        """How belief and truth went."""
        return belief_course(self.turns)

    @cached_property
    def verdict(self) -> Verdict:
        """What the first divergence cost."""
        return judge_divergence(self.failure, self.turns, self.course)

    @property
    def failure(self) -> Failure | None:
        """The failure class, if it is one of symbolic worlds."""
        return Failure(self.result.failure) if self.result.failure in set(Failure) else None

    @cached_property
    def scenes(self) -> tuple[list[Scene], dict[int, int]]:
        """What there was to see, and the number of each record's scene."""
        return scenes_of(self.turns)

    @cached_property
    def replies(self) -> Replies:
        """What models said; filled by `data` and `questions`."""
        return Replies()

    @cached_property
    def questions(self) -> Questions:
        """Everything that was asked, in order."""
        asked = [record for turn in self.turns for record in turn.records if about_fact(record)]
        return Questions(asked, self.replies, self.prompts)

    @cached_property
    def prompts(self) -> Prompts:
        """What models were told; filled by `data` and `questions`."""
        return Prompts(self.kept)

    @cached_property
    def data(self) -> dict[str, Any]:
        """What the page of the episode is made from."""
        from evals.view.episode_data import episode_data

        return episode_data(self, self.meanings)

    @property
    def began(self) -> Began | None:
        """How it began."""
        event = self.records[0].event if self.records else None
        return event if isinstance(event, Began) else None


def about_fact(record: Record) -> bool:
    """Whether a record is a yes/no question about a fact of the world."""
    return isinstance(record.event, Asked) and record.event.of_fact and bool(record.event.about)


def read_played(run: Shown, episode: str) -> Played | None:
    """An episode of a run; None if the run has none of that name."""
    played = _read(run, episode)
    if played is None:
        return None
    contents = run.contents()
    sketch = sketcher(contents.config.get("benchmark"))
    return replace(played, kept=run.prompts(), meanings=contents.judging.meanings, sketch=sketch)


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
