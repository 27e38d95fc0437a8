"""What can be otherwise when an episode is played again: faculties made perfect, another model, another agent."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from planners.names import unknown


class Faculty(StrEnum):
    """What an agent needs to succeed, and what a failure can be blamed on."""

    PERCEPTION = "perception"
    PARSING = "parsing"
    PLANNING = "planning"
    KNOWLEDGE = "knowledge"
    DECIDING = "deciding"
    ACTIONS = "actions"
    PROTOCOL = "protocol"


MEANING: dict[Faculty, str] = {
    Faculty.PERCEPTION: "every question about a fact is answered truthfully",
    Faculty.PARSING: "a reply that cannot be read is replaced by a right one; all others stay",
    Faculty.PLANNING: "plans are good for what is believed: none is missing, impossible or needlessly too long",
    Faculty.KNOWLEDGE: "plans are made from the true state, even where nobody can see it",
    Faculty.DECIDING: "what the model proposes is what a perfect planner would do: perception and planning in one",
    Faculty.ACTIONS: "actions that are legal do what they should, if there is any way they can",
    Faculty.PROTOCOL: "three times the steps, and no end for repeating an action",
}

WITH: dict[str, frozenset[Faculty]] = {
    "oracle-answers": frozenset({Faculty.PERCEPTION, Faculty.PARSING}),
    "oracle-plan": frozenset({Faculty.PLANNING, Faculty.KNOWLEDGE, Faculty.DECIDING}),
    **{str(faculty): frozenset({faculty}) for faculty in Faculty},
}
"""What `--with` takes beside `model:SPEC` and `agent:NAME`."""

PATIENCE = 3
"""How many times the steps an episode gets when the protocol is not to be its end."""


@dataclass(frozen=True)
class Change:
    """What is otherwise."""

    perfect: frozenset[Faculty] = frozenset()
    model: str | None = None
    agent: str | None = None

    @classmethod
    def of(cls, words: Iterable[str]) -> Change:
        """What the words of `--with` say; `ValueError` if they make no sense."""
        perfect: frozenset[Faculty] = frozenset()
        named: dict[str, str] = {}
        for word in words:
            kind, colon, rest = word.partition(":")
            if colon and kind in ("model", "agent"):
                if not rest or kind in named:
                    raise ValueError(f"--with {word}: name one {kind}, such as {EXAMPLES[kind]}")
                named[kind] = rest
            elif word in WITH:
                perfect |= WITH[word]
            else:
                raise unknown("change", word, (*WITH, "model:SPEC", "agent:NAME"))
        if not perfect and not named:
            raise ValueError("--with: say what is to be otherwise, such as oracle-answers")
        return cls(perfect, named.get("model"), named.get("agent"))

    @property
    def words(self) -> list[str]:
        """The words of `--with` that say it."""
        left, words = set(self.perfect), []
        for name, faculties in WITH.items():
            if faculties <= left:
                words.append(name)
                left -= faculties
        named = (f"model:{self.model}" if self.model else "", f"agent:{self.agent}" if self.agent else "")
        return [*words, *filter(None, named)]

    def __str__(self) -> str:
        return "+".join(self.words)


EXAMPLES = {"model": "model:sim:gpt-4.1", "agent": "agent:ground"}
