"""A trace cut into turns: what led to an attempt, the attempt, and what was asked about its effects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from evals.trace import Record
from tools.events import Acted, Asked, Called, CalledOff, Ended, Observed, Phase


@dataclass
class Turn:
    """One attempt with its surroundings. The scenes are records whose truth has a state: looks, or the end."""

    number: int
    before: Record | None = None
    led: list[Record] = field(default_factory=list)
    attempt: Record | None = None
    checked: list[Record] = field(default_factory=list)
    after: Record | None = None

    @property
    def records(self) -> list[Record]:
        """Everything of the turn but looking, in order."""
        return [*self.led, *([self.attempt] if self.attempt else []), *self.checked]

    @property
    def action(self) -> str:
        """What was attempted or called off; empty if the episode ended before."""
        event = self.attempt.event if self.attempt else None
        return event.action if isinstance(event, Acted | CalledOff) else ""


def turns_of(records: Sequence[Record]) -> list[Turn]:
    """The turns of an episode. The last one may lack an attempt."""
    turns = [Turn(1)]
    scene: Record | None = None
    for record in records:
        turn, event = turns[-1], record.event
        if isinstance(event, Observed):
            scene = record
            if turn.attempt is not None and turn.after is None:
                turn.after = scene
            elif turn.before is None:
                turn.before = scene
        elif isinstance(event, Ended):
            if turn.attempt is not None and turn.after is None and isinstance(turn.attempt.event, Acted):
                turn.after = record
        elif turn.attempt is not None and _belongs(record, turn):
            turn.checked.append(record)
        else:
            if turn.attempt is not None:
                turn = Turn(turn.number + 1, before=scene)
                turns.append(turn)
            if isinstance(event, Acted | CalledOff):
                turn.attempt = record
            else:
                turn.led.append(record)
    return turns if turns[0].records or turns[0].before else []


def _belongs(record: Record, turn: Turn) -> bool:
    """Whether an event after an attempt is about it: a question about its effects, or what the model is told of it."""
    event = record.event
    told = isinstance(event, Called) and turn.after is None and not turn.checked
    return told or (isinstance(event, Asked) and event.phase is Phase.EFFECT)
