"""The result of one episode, computed from its trace: one line of `results.jsonl`.

It does not depend on the clock or on concurrency: the same run gives the same lines.
"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict

from evals.run.episodes import Episode
from evals.run.judging import AGENT_ERROR, UNPLAYED, Judge, Score, Tally, cut_short
from evals.run.trace import Record
from tools.events import Acted, Asked, CalledOff, Ended


class EpisodeResult(BaseModel):
    """The result of one episode."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    id: str
    split: str
    seed: int
    tags: dict[str, str] = {}
    value: float
    success: bool
    reason: str
    detail: str = ""
    failure: str | None = None
    end: str | None = None
    steps: int
    asked: int
    unreadable: int
    measures: dict[str, float] = {}
    tallies: tuple[Tally, ...] = ()
    prompt_tokens: int
    completion_tokens: int
    cost: float
    control: str | None = None

    @property
    def problem(self) -> str:
        """The problem that was played."""
        return self.tags.get("problem", self.id)

    @property
    def scored(self) -> bool:
        """Whether the episode counts in the scores."""
        return self.failure not in (UNPLAYED, AGENT_ERROR)

    @property
    def settled(self) -> bool:
        """Whether the result is final: a failure of the infrastructure is not, and is played again on resume."""
        return self.failure != UNPLAYED

    def count(self, name: str) -> int:
        """A measure that counts something."""
        return int(self.measures.get(name, 0))

    def counts(self, group: str) -> dict[str, int]:
        """All counts of a group: `attempts` has those named `attempts/…`."""
        start = f"{group}/"
        return {name[len(start) :]: int(value) for name, value in self.measures.items() if name.startswith(start)}


def score_episode(episode: Episode, judge: Judge, records: Sequence[Record]) -> EpisodeResult:
    """The result of an episode from its trace."""
    failure = cut_short(records)
    score = judge.score(records)
    if failure is not None:
        score = Score(0.0, False, failure, score.measures, score.tallies)
    return result_of(episode, score, records)


def result_of(episode: Episode, score: Score, records: Sequence[Record]) -> EpisodeResult:
    """The result of an episode with this score."""
    events = [record.event for record in records]
    last = events[-1] if events else None
    ended = last if isinstance(last, Ended) else None
    asked = [event for event in events if isinstance(event, Asked)]
    return EpisodeResult(
        id=episode.id,
        split=episode.split,
        seed=episode.seed,
        tags=dict(episode.tags),
        value=score.value,
        success=score.success,
        reason=ended.reason if ended else "crashed",
        detail=ended.detail if ended else "",
        failure=score.failure,
        end=score.end,
        steps=sum(isinstance(event, Acted | CalledOff) for event in events),
        asked=len(asked),
        unreadable=sum(event.fault is not None for event in asked),
        measures=dict(score.measures),
        tallies=score.tallies,
        prompt_tokens=sum(event.prompt_tokens for event in asked),
        completion_tokens=sum(event.completion_tokens for event in asked),
        cost=round(sum(event.cost for event in asked), 6),
    )


def unplayed(episode: Episode, detail: str) -> EpisodeResult:
    """The result of an episode that could not be played."""
    return result_of(episode, Score(0.0, False, UNPLAYED), ()).model_copy(update={"detail": detail})
