"""Split a trace into turns: the events before an attempt, the attempt, and the questions about its effects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from evals.run.trace import Record
from tools.events import Acted, Asked, Believed, Called, CalledOff, Ended, Entered, Observed, Phase


@dataclass
class Turn:
    """One attempt with the events around it. `before` and `after` are records whose truth has a state."""

    number: int
    before: Record | None = None
    lead_up: list[Record] = field(default_factory=list)
    attempt: Record | None = None
    follow_up: list[Record] = field(default_factory=list)
    after: Record | None = None

    @property
    def records(self) -> list[Record]:
        """All records of the turn but looks, in order."""
        return [*self.lead_up, *([self.attempt] if self.attempt else []), *self.follow_up]

    @property
    def action(self) -> str:
        """What was attempted or called off; empty if the episode ended before."""
        event = self.attempt.event if self.attempt else None
        return event.action if isinstance(event, Acted | CalledOff) else ""


def turns_of(records: Sequence[Record]) -> list[Turn]:
    """The turns of an episode. The last one may have no attempt."""
    cutter = _Cutter()
    for record in records:
        cutter.take(record)
    return cutter.end()


class _Cutter:
    """Assigns records to turns. The turn of a node is known only by its first event."""

    def __init__(self) -> None:
        self.turns = [Turn(1)]
        self.scene: Record | None = None
        self.entered: list[Record] = []
        self.home = self.turns[0]
        """The turn of the last node's first event: the belief it returns belongs there."""

    def take(self, record: Record) -> None:
        """Assign a record to a turn."""
        turn, event = self.turns[-1], record.event
        if isinstance(event, Observed):
            self._look(record)
        elif isinstance(event, Entered):
            self.entered.append(record)
        elif isinstance(event, Believed):
            self._settle(turn if self.entered else self.home, record)
        elif isinstance(event, Ended):
            if turn.attempt is not None and turn.after is None and isinstance(turn.attempt.event, Acted):
                turn.after = record
        elif turn.attempt is not None and _belongs(record, turn):
            self._settle(turn, record)
        else:
            self._settle(self._next() if turn.attempt is not None else turn, record)

    def end(self) -> list[Turn]:
        """All turns; none if there were no events."""
        self._settle(self.turns[-1])
        first = self.turns[0]
        return self.turns if first.records or first.before else []

    def _look(self, record: Record) -> None:
        turn, self.scene = self.turns[-1], record
        if turn.attempt is not None and turn.after is None:
            turn.after = record
        elif turn.before is None or not isinstance(turn.before.event, Observed):
            turn.before = record

    def _next(self) -> Turn:
        """A new turn. Without a look after the last attempt, the attempt itself has the state."""
        last = self.turns[-1]
        known = self.scene.truth.state if self.scene else None
        if last.after is None and last.attempt and last.attempt.truth.state not in (None, known):
            last.after = self.scene = last.attempt
        self.turns.append(Turn(last.number + 1, before=self.scene))
        return self.turns[-1]

    def _settle(self, turn: Turn, record: Record | None = None) -> None:
        """Add a record to a turn, after the nodes entered before it."""
        if self.entered:
            self.home = turn
        for one in [*self.entered, *([record] if record else [])]:
            if isinstance(one.event, Acted | CalledOff):
                turn.attempt = one
            elif turn.attempt is not None:
                turn.follow_up.append(one)
            else:
                turn.lead_up.append(one)
        self.entered = []


def _belongs(record: Record, turn: Turn) -> bool:
    """Whether an event after an attempt belongs to it: a question about its effects, or the model's feedback."""
    event = record.event
    since = any(isinstance(one.event, Asked | Called) for one in turn.follow_up)
    feedback = isinstance(event, Called) and turn.after is None and not since
    return feedback or (isinstance(event, Asked) and event.of_fact and event.phase == Phase.EFFECT)


def slipped(record: Record) -> bool:
    """Whether the world did something other than it reported."""
    event, happened = record.event, record.truth.happened
    if not isinstance(event, Acted) or not record.truth.legal:
        return False
    return happened not in (None, "success", event.outcome)


def outcome_of(attempt: Record) -> tuple[str, str | None]:
    """The outcome of an attempt in a word or two, and the tone to show it in."""
    event, truth = attempt.event, attempt.truth
    if isinstance(event, CalledOff):
        return ("called off wrongly", "bad") if truth.legal else ("called off rightly", "good")
    if not truth.legal:
        return "not legal", "bad"
    if slipped(attempt):
        return f"slipped: {truth.happened}", "warn"
    return ("goal reached", "good") if truth.goal else ("done", "quiet")
