"""Filter steps. Each decides which questions stay, and why others are dropped.

Steps that ask a model get a function `answers(question, model)`: whether the model answers the question correctly. The
benchmark defines what the model is shown.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from evals.pages.wording import plural
from evals.questions.known import Known
from evals.questions.shortcuts import panel
from models.base import Kind

Answers: TypeAlias = Callable[[Known, str], bool]
"""Whether a model answers a question correctly."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether a question stays, and why."""

    id: str
    kept: bool
    why: str


class Step(Protocol):
    """A filter. Its decisions depend only on `settings` and the questions.

    A step that decides each question independently (`alone`) is only given undecided ones. A step that compares
    questions is given all of them and is deterministic.
    """

    @property
    def name(self) -> str: ...

    @property
    def alone(self) -> bool: ...

    @property
    def settings(self) -> str: ...

    def decide(self, questions: Sequence[Known]) -> Iterator[Decision]:
        """A decision for every question, in their order."""
        ...


@dataclass(frozen=True, slots=True)
class RightOut:
    """Drops questions that a model answers correctly with less information than a question should require."""

    name: str
    model: str
    answers: Answers = field(repr=False)
    given: str = ""
    alone: bool = True

    @property
    def settings(self) -> str:
        """The model."""
        return self.model

    def decide(self, questions: Sequence[Known]) -> Iterator[Decision]:
        """Ask the model each question."""
        for question in questions:
            right = self.answers(question, self.model)
            yield Decision(question.id, not right, f"{self.model} is {'right' if right else 'wrong'} {self.given}")


def text_only(model: str, answers: Answers) -> RightOut:
    """Drop questions that a model answers correctly from the text alone. `answers` shows it no picture."""
    return RightOut("text only", model, answers, "without the pictures")


def captions(model: str, answers: Answers) -> RightOut:
    """Drop questions that a model answers correctly from captions, which `answers` shows instead of pictures."""
    return RightOut("captions only", model, answers, "from captions in place of the pictures")


@dataclass(frozen=True, slots=True)
class TrivialCounts:
    """Drops counting questions with trivial answers, except for a share of all counting questions."""

    trivial: tuple[float, ...] = (0.0, 1.0)
    share: float = 0.0
    seed: int = 0
    name: str = "trivial counts"
    alone: bool = False

    @property
    def settings(self) -> str:
        """The trivial counts, and the share that may stay."""
        return f"{self.trivial} {self.share} {self.seed}"

    def decide(self, questions: Sequence[Known]) -> Iterator[Decision]:
        """Keep the trivial ones that come first in a random order from the seed."""
        counts = [question for question in questions if question.kind is Kind.NUMBER]
        trivial = sorted(
            (one for one in counts if one.answer in self.trivial), key=lambda one: _place(self.seed, one.id)
        )
        others = len(counts) - len(trivial)
        allowed = int(self.share * others / (1 - self.share)) if self.share < 1 else len(trivial)
        out = {question.id for question in trivial[allowed:]}
        for question in questions:
            if question.id in out:
                yield Decision(question.id, False, f"the answer is {question.answer:g}")
            else:
                yield Decision(question.id, True, "")


Members: TypeAlias = Mapping[str, Callable[[Known], bool]]
"""For each weak answerer, by name, a function that says whether it answers a question correctly."""


@dataclass(frozen=True, slots=True)
class WeakPanel:
    """Drops questions that fewer than `wrong` members of a panel of weak programs or models get wrong."""

    members: Members = field(repr=False)
    wrong: int = 2
    name: str = "weak panel"
    alone: bool = True

    def __post_init__(self) -> None:
        if not 1 <= self.wrong <= len(self.members):
            raise ValueError(f"{self.wrong} of a panel of {len(self.members)} cannot be wrong")

    @property
    def settings(self) -> str:
        """The members of the panel."""
        return f"{self.wrong} of {', '.join(self.members)}"

    def decide(self, questions: Sequence[Known]) -> Iterator[Decision]:
        """Ask the panel each question, until enough members are wrong."""
        for question in questions:
            right: list[str] = []
            wrong: list[str] = []
            for name, member in self.members.items():
                (right if member(question) else wrong).append(name)
                if len(wrong) == self.wrong:
                    break
            kept = len(wrong) == self.wrong
            why = f"wrong: {', '.join(wrong) or 'none'}" if kept else f"right: {', '.join(right)}"
            yield Decision(question.id, kept, why)


def programs_of(questions: Sequence[Known]) -> dict[str, Callable[[Known], bool]]:
    """The eight shortcut programs as members of a panel."""
    programs = panel(questions)
    return {name: lambda question, name=name: question.right(programs[name](question)) for name in programs}  # type: ignore[misc]


def members_of(models: Sequence[str], answers: Answers) -> dict[str, Callable[[Known], bool]]:
    """Models as members of a panel."""
    return {model: lambda question, model=model: answers(question, model) for model in models}  # type: ignore[misc]


@dataclass(frozen=True, slots=True)
class Quotas:
    """Samples at most a quota of questions for each value of a tag; values without a quota are kept."""

    tag: str
    quotas: Mapping[str, int]
    seed: int = 0
    name: str = "down-sampling"
    alone: bool = False

    @property
    def settings(self) -> str:
        """The quotas."""
        return f"{self.tag} {sorted(self.quotas.items())} {self.seed}"

    def decide(self, questions: Sequence[Known]) -> Iterator[Decision]:
        """Keep the questions that come first in a random order from the seed."""
        counts = Counter(question.tags.get(self.tag, "") for question in questions)
        kept: Counter[str] = Counter()
        out: set[str] = set()
        for question in sorted(questions, key=lambda one: _place(self.seed, one.id)):
            value = question.tags.get(self.tag, "")
            if kept[value] >= self.quotas.get(value, len(questions)):
                out.add(question.id)
            kept[value] += 1
        for question in questions:
            value = question.tags.get(self.tag, "")
            why = f"{self.quotas.get(value)} of {plural(counts[value], 'question')} are wanted of {value!r}"
            yield Decision(question.id, question.id not in out, why if question.id in out else "")


def _place(seed: int, name: str) -> str:
    """The position of a question in a random order that does not depend on the other questions."""
    return hashlib.sha256(f"{seed} {name}".encode()).hexdigest()
