"""The steps. Each decides which questions stay, and why the others go.

Steps that ask a model take `answers(question, model)`: whether the model of that name answers the question right. What
the model is shown, and what a reply costs, is the benchmark's affair.
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
"""Whether a model answers a question right."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether a question stays, and why."""

    id: str
    kept: bool
    why: str


class Step(Protocol):
    """One filter. `settings` is all that its decisions depend on, beside the questions.

    A step that decides each question by itself (`alone`) is only given those it has not decided yet; one that compares
    questions is given all of them, and comes to the same decisions each time.
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
    """Drops what a model answers right with less than a question should need."""

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
        """Ask the model about each."""
        for question in questions:
            right = self.answers(question, self.model)
            yield Decision(question.id, not right, f"{self.model} is {'right' if right else 'wrong'} {self.given}")


def text_only(model: str, answers: Answers) -> RightOut:
    """Drops questions that a model answers right from their text. `answers` shows it no picture."""
    return RightOut("text only", model, answers, "without the pictures")


def captions(model: str, answers: Answers) -> RightOut:
    """Drops questions that a model answers right from captions. `answers` shows it these in place of the pictures."""
    return RightOut("captions only", model, answers, "from captions in place of the pictures")


@dataclass(frozen=True, slots=True)
class TrivialCounts:
    """Drops counting questions with trivial answers, but for a share of all counting questions that stay."""

    trivial: tuple[float, ...] = (0.0, 1.0)
    share: float = 0.0
    seed: int = 0
    name: str = "trivial counts"
    alone: bool = False

    @property
    def settings(self) -> str:
        """Which counts are trivial, and how many may stay."""
        return f"{self.trivial} {self.share} {self.seed}"

    def decide(self, questions: Sequence[Known]) -> Iterator[Decision]:
        """The trivial ones that stay are those that come first in an order from the seed."""
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
"""Weak answerers by name, and whether each is right."""


@dataclass(frozen=True, slots=True)
class WeakPanel:
    """Drops questions that fewer than `wrong` of a panel of weak programs or models get wrong."""

    members: Members = field(repr=False)
    wrong: int = 2
    name: str = "weak panel"
    alone: bool = True

    def __post_init__(self) -> None:
        if not 1 <= self.wrong <= len(self.members):
            raise ValueError(f"{self.wrong} of a panel of {len(self.members)} cannot be wrong")

    @property
    def settings(self) -> str:
        """Who is asked."""
        return f"{self.wrong} of {', '.join(self.members)}"

    def decide(self, questions: Sequence[Known]) -> Iterator[Decision]:
        """Ask the panel about each, until enough of them are wrong."""
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
    """Samples down to so many questions for each value of a tag; values without a quota stay whole."""

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
        """Those that come first in an order from the seed stay."""
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
    """Where a question stands in an order from a seed that does not depend on the other questions."""
    return hashlib.sha256(f"{seed} {name}".encode()).hexdigest()
