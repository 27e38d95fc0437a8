"""The changes of a rerun: those that the judge offers, another model, another agent."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from evals.judges.changes import PROTOCOL
from evals.run.judging import Judging
from planners.names import unknown

PATIENCE = 3
"""The factor on the step limit under the change `protocol`."""
EXAMPLES = {"model": "model:sim:gpt-4.1", "agent": "agent:ground"}


@dataclass(frozen=True)
class Change:
    """The changes of the judge, by name, and another model or agent."""

    names: frozenset[str] = frozenset()
    model: str | None = None
    agent: str | None = None
    judging: Judging = field(default_factory=Judging, compare=False, repr=False)

    @classmethod
    def of(cls, words: Iterable[str], judging: Judging) -> Change:
        """The change named by the words of `--with`; `ValueError` if they are invalid."""
        names: frozenset[str] = frozenset()
        others: dict[str, str] = {}
        for word in words:
            kind, colon, rest = word.partition(":")
            if colon and kind in EXAMPLES:
                if not rest or kind in others:
                    raise ValueError(f"--with {word}: name one {kind}, such as {EXAMPLES[kind]}")
                others[kind] = rest
            elif word in judging.changes:
                names |= set(judging.together.get(word, (word,)))
            else:
                raise unknown("change", word, (*judging.changes, "model:SPEC", "agent:NAME"))
        if not names and not others:
            example = next(iter(judging.changes), "model:SPEC")
            raise ValueError(f"--with: name a change, such as {example}")
        return cls(names, others.get("model"), others.get("agent"), judging)

    @property
    def words(self) -> list[str]:
        """The words of `--with` for this change."""
        remaining, words = set(self.names), []
        for name in self.judging.changes:
            parts = set(self.judging.together.get(name, (name,)))
            if parts <= remaining:
                words.append(name)
                remaining -= parts
        others = (f"model:{self.model}" if self.model else "", f"agent:{self.agent}" if self.agent else "")
        return [*words, *filter(None, others)]

    @property
    def patience(self) -> int:
        """The factor on the step limit."""
        return PATIENCE if PROTOCOL in self.names else 1

    @property
    def truthful(self) -> bool:
        """Whether replies come from the truth instead of the model."""
        return bool(self.names & set(self.judging.truthful))

    def __str__(self) -> str:
        return "+".join(self.words)
