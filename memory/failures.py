"""The memory of the last grounding failure: an action that was called off or failed, and the answers about it.

It is part of the prompts of the next replanning cycle, and is cleared when an action succeeds.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from planners.task import Step


class Mishap(StrEnum):
    """How the action failed."""

    NOT_EXECUTABLE = "not_executable"
    CALLED_OFF = "called_off"
    UNOBSERVED = "unobserved"
    FAILED = "failed"


_OUTCOMES = {
    Mishap.NOT_EXECUTABLE: (
        "Going by these answers the action {action} was tried, and it turned out not to be possible. "
        "So at least one of the answers is probably wrong."
    ),
    Mishap.CALLED_OFF: (
        "Going by these answers the action {action} was not tried, because one of its conditions seemed not to hold. "
        "That may have been right, or one of the answers may have been wrong."
    ),
    Mishap.UNOBSERVED: (
        "Going by these answers the action {action} was tried and did not work. "
        "Perhaps a condition that cannot be seen in the picture does not hold."
    ),
    Mishap.FAILED: (
        "Going by these answers the action {action} was tried. It was possible, but it did not succeed. "
        "Perhaps something was in the way that cannot be seen; things may lie elsewhere since."
    ),
}


_HIDDEN = (
    "Earlier the action {action} was tried and did not work. "
    "Perhaps a condition that cannot be seen in the picture does not hold."
)
_UNASKED = {
    Mishap.NOT_EXECUTABLE: _HIDDEN,
    Mishap.CALLED_OFF: "Earlier the action {action} was not tried, because one of its conditions seemed not to hold.",
    Mishap.UNOBSERVED: _HIDDEN,
    Mishap.FAILED: (
        "Earlier the action {action} was tried. It was possible, but it did not succeed. "
        "Perhaps something was in the way that cannot be seen; things may lie elsewhere since."
    ),
}
"""The same, if no question was asked about the action."""
LAST = "Bear this in mind when you answer."


@dataclass(frozen=True, slots=True)
class FailureNote:
    """One failed action with the questions about its preconditions and the answers given."""

    step: Step
    mishap: Mishap
    answers: tuple[tuple[str, bool], ...]

    def text(self, *, official: bool = False) -> str:
        """The note for a model's prompt. The original mentions answers even if there were none."""
        if not self.answers and not official:
            return f"{_UNASKED[self.mishap].format(action=self.step)} {LAST}"
        asked = [f"- {question} You answered: {'Yes' if answer else 'No'}." for question, answer in self.answers]
        outcome = _OUTCOMES[self.mishap].format(action=self.step)
        # An attempt in the world may have changed the picture.
        failed = self.mishap is Mishap.FAILED
        head = f"Earlier you were asked about {'the picture before this one' if failed else 'this very picture'}:"
        return "\n".join([head, *asked, outcome, LAST])
