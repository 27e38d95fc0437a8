"""An episode as it was played, read from its trace: turns, scenes, replies, and where belief and truth parted."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from evals.divergence import Course, Verdict, course, judge
from evals.report.turns import Turn, turns_of
from evals.results import EpisodeResult, score_episode
from evals.trace import Record
from evals.viewer.questions import Questions
from evals.viewer.replies import Replies
from evals.viewer.scenes import Scene, scenes_of
from evals.viewer.shown import Shown, read_leniently
from tools.events import Asked, Began, Ended, Reason


@dataclass(frozen=True)
class Played:
    """One episode. `finished` is False where the run has no result of it: it is going on, or was killed.

    `damage` is what is wrong with lines that cannot be read, `gone` what is missing beyond them.
    """

    result: EpisodeResult
    finished: bool
    records: list[Record]
    damage: list[str]
    gone: str = ""

    @cached_property
    def turns(self) -> list[Turn]:
        """The trace in turns."""
        return turns_of(self.records)

    @cached_property
    def course(self) -> Course:
        """How belief and truth went."""
        return course(self.turns)

    @cached_property
    def verdict(self) -> Verdict:
        """What the first divergence cost."""
        return judge(self.result.failure, self.turns, self.course)

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
        asked = [record for turn in self.turns for record in turn.records if isinstance(record.event, Asked)]
        return Questions(asked, self.replies)

    @cached_property
    def data(self) -> dict[str, Any]:
        """What the page of the episode is made from."""
        from evals.viewer.episode_data import episode_data

        return episode_data(self)

    @property
    def began(self) -> Began | None:
        """How it began."""
        event = self.records[0].event if self.records else None
        return event if isinstance(event, Began) else None


def read_played(run: Shown, episode: str) -> Played | None:
    """An episode of a run; None if the run has none of that name."""
    result = next((result for result in run.contents().results if result.id == episode), None)
    path = run.trace(episode)
    if path is None:
        gone = f"The trace, episodes/{episode}.jsonl, is missing, or is a link that leads out of the run."
        return Played(result, True, [], [], gone) if result else None
    try:
        records, damage = read_leniently(path)
    except OSError as error:
        records, damage = [], [f"episodes/{episode}.jsonl: {error.strerror or error}"]
    whole = result is None or result.reason == Reason.CRASHED or (records and isinstance(records[-1].event, Ended))
    gone = "" if whole else "The trace breaks off before the end of the episode."
    if result is None:
        began = records[0].event if records else None
        problem = began.problem if isinstance(began, Began) else episode
        return Played(score_episode(episode, problem, "", 0, records), False, records, damage)
    return Played(result, True, records, damage, gone)
