"""The evidence for the failure class of an episode: sentences with links to turns and replies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from evals.judges.failures import Failure
from evals.judges.turns import Turn
from evals.pages.wording import plural
from evals.run.trace import Record
from tools.events import Acted, Asked, CalledOff, Phase, Planned

MOST = 12
"""How many turns are listed."""


@dataclass(frozen=True, slots=True)
class TurnLink:
    """A link to a turn."""

    turn: int
    text: str


@dataclass(frozen=True, slots=True)
class Quote:
    """A model's reply."""

    reply: str
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class BeliefDifference:
    """The difference between a belief and the truth."""

    belief: tuple[str, ...]
    wrong: tuple[str, ...]


Part: TypeAlias = str | TurnLink | Quote | BeliefDifference
Sentence: TypeAlias = tuple[Part, ...]


def evidence(failure: str, turns: Sequence[Turn]) -> Iterator[Sentence]:
    """The sentences that support the class."""
    records = [record for turn in turns for record in turn.records]
    match failure:
        case Failure.PARSING | Failure.TOKEN_BUDGET:
            yield from _unreadable(records)
        case Failure.NO_PLAN_WRONG_BELIEF | Failure.GOAL_MISJUDGED:
            yield from _last_belief(records)
        case Failure.EFFECT_MISJUDGED:
            yield _turns("An effect was judged wrongly after", turns, _misjudged)
            yield from _last_belief(records)
        case Failure.CALLED_OFF_WRONGLY:
            yield _turns("A legal action was called off in", turns, _called_off)
        case (
            Failure.ATTEMPTED_WRONGLY
            | Failure.REPEATED_ACTION
            | Failure.OSCILLATION
            | Failure.ILLEGAL_ACTIONS
            | Failure.STEP_LIMIT
        ):
            yield _turns("An action that was not legal was attempted in", turns, _illegal)
        case _:
            return


def _turns(text: str, turns: Sequence[Turn], wanted: Callable[[Turn], bool]) -> Sentence:
    found = [turn for turn in turns if wanted(turn)]
    if not found:
        return (f"{text} no turn.",)
    parts: list[Part] = [f"{text} {plural(len(found), 'turn')}: "]
    for place, turn in enumerate(found[:MOST]):
        if place:
            parts.append(", ")
        parts.append(TurnLink(turn.number, f"{turn.number} {turn.action}"))
    more = f" and {len(found) - MOST:,} more." if len(found) > MOST else "."
    return (*parts, more)


def _called_off(turn: Turn) -> bool:
    return turn.attempt is not None and isinstance(turn.attempt.event, CalledOff) and bool(turn.attempt.truth.legal)


def _illegal(turn: Turn) -> bool:
    return turn.attempt is not None and isinstance(turn.attempt.event, Acted) and not turn.attempt.truth.legal


def _misjudged(turn: Turn) -> bool:
    return any(
        isinstance(record.event, Asked)
        and record.event.of_fact
        and record.event.phase == Phase.EFFECT
        and record.event.value != record.truth.value
        for record in turn.records
    )


def _last_belief(records: Sequence[Record]) -> Iterator[Sentence]:
    for record in reversed(records):
        if isinstance(record.event, Planned):
            yield "When it last planned: ", BeliefDifference(record.event.belief, record.truth.wrong or ())
            return


def _unreadable(records: Sequence[Record]) -> Iterator[Sentence]:
    for record in reversed(records):
        event = record.event
        if isinstance(event, Asked) and event.fault is not None:
            text = f"Asked “{event.question}”: " if event.of_fact else "Asked what to do: "
            yield text, event.fault, Quote(event.reply, event.truncated)
            return
