"""The questions of an episode in columns, so that ten thousand take a few hundred kilobytes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from evals.run.trace import Record
from evals.view.prompts import Prompts
from evals.view.replies import Replies
from tools.events import Asked, Phase, Value

PHASES = tuple(map(str, Phase))


class Questions:
    """Questions by number, in the order of the trace's turns."""

    def __init__(self, records: Sequence[Record], replies: Replies, prompts: Prompts) -> None:
        self.prompts = prompts
        self.records = records
        self.events = [record.event for record in records if isinstance(record.event, Asked)]
        self.numbers = {id(record): number for number, record in enumerate(records)}
        self.replies = replies

    @cached_property
    def wordings(self) -> dict[str, str]:
        """The last wording of each fact's question."""
        return {event.about: event.question for event in self.events}

    def columns(self, atoms: dict[str, int]) -> dict[str, Any]:
        """One list per field of a question; lists with default values only are omitted."""
        faults: dict[str, int] = {}
        found: dict[str, list[Any]] = {
            "atom": [atoms[event.about] for event in self.events],
            "phase": self._each(lambda event: _phase(event.phase)),
            "answer": self._each(lambda event: _three(event.value)),
            "truth": [_three(record.truth.value) for record in self.records],
            "reply": self._each(lambda event: self.replies.add(event.reply)),
            "prompt": self._each(lambda event: self.prompts.add(event.prompt)),
        }
        usual: dict[str, tuple[Callable[[Asked], Any], Any]] = {
            "expected": (lambda event: _three(event.expected), -1),
            "yes": (lambda event: _rounded(event.yes), None),
            "no": (lambda event: _rounded(event.no), None),
            "seconds": (lambda event: _rounded(event.seconds), 0),
            "cost": (lambda event: event.cost, 0),
            "prompt_tokens": (lambda event: event.prompt_tokens, 0),
            "completion_tokens": (lambda event: event.completion_tokens, 0),
            "cached": (lambda event: int(event.cached), 0),
            "reminded": (lambda event: int(event.reminded), 0),
            "truncated": (lambda event: int(event.truncated), 0),
            "fault": (lambda event: faults.setdefault(event.fault, len(faults)) if event.fault else -1, -1),
        }
        for name, (of, default) in usual.items():
            values = self._each(of)
            if any(value != default for value in values):
                found[name] = values
        return {**found, "faults": list(faults), "count": len(self.events)}

    def _each(self, of: Callable[[Asked], Any]) -> list[Any]:
        return [of(event) for event in self.events]


def _three(value: Value) -> int:
    """Yes, no or unknown."""
    return int(value) if isinstance(value, bool) else -1


def _phase(name: str) -> int:
    return PHASES.index(name) if name in PHASES else PHASES.index(Phase.FREE)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
