"""The result of one episode: what its trace comes to, in one line of `results.jsonl`.

Nothing in it depends on the clock or on what else was running: the same run gives the same lines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict

from evals.failures import Failure, classify, misjudgements
from evals.trace import Record
from tools.events import Acted, Asked, CalledOff, Decided, Ended, Phase, Proposed, Replanned


class Tally(BaseModel):
    """Questions of one phase about one predicate with one true value: how many, how many answered right."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    phase: Phase
    predicate: str
    truth: bool
    right: int
    total: int


class EpisodeResult(BaseModel):
    """What one episode comes to."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    problem: str
    split: str
    seed: int
    success: bool
    reason: str
    detail: str = ""
    failure: Failure | None
    steps: int
    replans: int
    questions: int
    proposals: int
    unreadable: int
    tallies: tuple[Tally, ...]
    misjudged: dict[str, int]
    attempts: dict[str, int]
    prompt_tokens: int
    completion_tokens: int
    cost: float
    control: str | None = None

    @property
    def scored(self) -> bool:
        """Whether the episode says something about the agent."""
        return self.failure is not Failure.INFRASTRUCTURE


def score_episode(id: str, problem: str, split: str, seed: int, records: Sequence[Record]) -> EpisodeResult:
    """The result of an episode from its trace."""
    events = [record.event for record in records]
    asked = [event for event in events if isinstance(event, Asked)]
    proposed = [event for event in events if isinstance(event, Proposed)]
    last = events[-1] if events else None
    ended = last if isinstance(last, Ended) else None
    failure = classify(records)
    decided = [event for event in events if isinstance(event, Decided)]
    replies: list[Asked | Proposed | Decided] = [*asked, *proposed, *decided]
    return EpisodeResult(
        id=id,
        problem=problem,
        split=split,
        seed=seed,
        success=failure is None,
        reason=ended.reason if ended else "crashed",
        detail=ended.detail if ended else "",
        failure=failure,
        steps=sum(isinstance(event, Acted | CalledOff) for event in events),
        replans=sum(isinstance(event, Replanned) for event in events),
        questions=len(asked),
        proposals=len(proposed),
        unreadable=sum(reply.fault is not None for reply in replies),
        tallies=_tallies(records),
        misjudged={str(kind): count for kind, count in sorted(misjudgements(records).items())},
        attempts=_attempts(records),
        prompt_tokens=sum(reply.prompt_tokens for reply in replies),
        completion_tokens=sum(reply.completion_tokens for reply in replies),
        cost=round(sum(reply.cost for reply in replies), 6),
    )


def _tallies(records: Sequence[Record]) -> tuple[Tally, ...]:
    right: Counter[tuple[Phase, str, bool]] = Counter()
    total: Counter[tuple[Phase, str, bool]] = Counter()
    for record in records:
        event = record.event
        if isinstance(event, Asked):
            key = (event.phase, event.atom.partition(" ")[0], bool(record.truth.value))
            total[key] += 1
            right[key] += event.answer == record.truth.value
    return tuple(
        Tally(phase=phase, predicate=predicate, truth=truth, right=right[phase, predicate, truth], total=count)
        for (phase, predicate, truth), count in sorted(total.items())
    )


def _attempts(records: Sequence[Record]) -> dict[str, int]:
    counts = Counter(str(record.event.outcome) for record in records if isinstance(record.event, Acted))
    called_off = sum(isinstance(record.event, CalledOff) for record in records)
    return dict(sorted({**counts, **({"called off": called_off} if called_off else {})}.items()))
