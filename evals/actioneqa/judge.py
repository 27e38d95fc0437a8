"""The judge of ActionEQA: also counts wrong factors and kinds of motion, and has two more controls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from envs.arm.reading import kinds_of_text
from evals.judges.controlled import guessing
from evals.judges.question import QuestionJudge
from evals.run.judging import Judge, Score
from evals.run.trace import Record
from models.base import Message, Model, Picture, Reply, Request
from models.sim import StandIn
from models.wrapped import Wrapped
from tools.events import Answered

if TYPE_CHECKING:
    from evals.actioneqa.entries import Entry
    from evals.actioneqa.sights import Sights

NO_TEXT, SWAPPED = "no-text", "swapped"
CONTROLS = {
    NO_TEXT: "the model does not read the action or the options, a simulated one guesses",
    SWAPPED: "action inference with the pictures before and after exchanged, a simulated model guesses",
}
WITHHELD = "(withheld)"
KINDS, KINDS_WRONG, FACTORS, FACTORS_WRONG = "kinds", "kinds_wrong", "factors", "factors_wrong"
GROUPS = {
    KINDS: "questions by kind of motion (a question counts for each kind in it)",
    KINDS_WRONG: "questions answered wrong, by kind of motion",
    FACTORS: "questions by factor that tells their options apart",
    FACTORS_WRONG: "answers with the wrong value of a factor",
}
"""The prefixes of counts that a run keeps for every question."""


@dataclass(frozen=True)
class ActionJudge(QuestionJudge):
    """The judge that knows the right answer and the factors of the options."""

    entry: Entry | None = None
    sights: Sights | None = None
    """The cameras and masks of the model `geometry`."""

    def score(self, records: Sequence[Record]) -> Score:
        """The score of the answer, with the factors that it got wrong and the kinds of motion in the action."""
        score = super().score(records)
        given = next((event.value for record in records if isinstance(event := record.event, Answered)), None)
        return replace(score, measures={**score.measures, **self._counts(given, right=score.success)})

    def _counts(self, given: object, *, right: bool) -> Mapping[str, float]:
        entry = self.entry
        if entry is None:
            return {}
        counts: dict[str, float] = {}
        for kind in kinds_of_text(entry.true_action, entry.configuration.source):
            counts[f"{KINDS}/{kind}"] = 1.0
            counts[f"{KINDS_WRONG}/{kind}"] = float(not right)
        chosen = entry.options.index(given) if isinstance(given, str) and given in entry.options else None
        if entry.bits and chosen is not None:
            wrong = [a != b for a, b in zip(entry.bits[chosen], entry.bits[entry.right], strict=True)]
            for factor, missed in zip(entry.factors, wrong, strict=True):
                counts[f"{FACTORS}/{factor}"] = counts.get(f"{FACTORS}/{factor}", 0.0) + 1.0
                counts[f"{FACTORS_WRONG}/{factor}"] = counts.get(f"{FACTORS_WRONG}/{factor}", 0.0) + float(missed)
        return counts

    def controlled(self, control: str, model: Model, other: Judge | None) -> Model:
        """The model under a control."""
        if control not in CONTROLS:
            return super().controlled(control, model, other)
        if isinstance(model, StandIn):
            return guessing(model).for_episode(self)
        identity = f"{model.identity}, control {control}"
        if control == SWAPPED:
            return Swapped(model, identity)
        texts = [self.entry.action] if self.entry and self.entry.forward else list(self.question.options)
        return Withheld(model, identity, texts)


class Withheld(Wrapped):
    """A model whose requests have some texts replaced."""

    def __init__(self, model: Model, identity: str, texts: Sequence[str]) -> None:
        super().__init__(model, identity)
        # Longer texts first, because a text can be part of another one.
        self._texts = sorted((text for text in texts if text), key=len, reverse=True)

    async def ask(self, request: Request) -> Reply:
        """The reply to the request without the texts. Options can still be chosen by their letters."""

        def changed(part: str | Picture) -> str | Picture:
            if isinstance(part, str):
                for text in self._texts:
                    part = part.replace(text, WITHHELD)
            return part

        messages = tuple(_mapped(message, changed) for message in request.messages)
        return await self._model.ask(replace(request, messages=messages))


class Swapped(Wrapped):
    """A model whose requests have their first two pictures exchanged."""

    async def ask(self, request: Request) -> Reply:
        """The reply about the exchanged pictures."""
        pictures = list(request.pictures)
        pictures[:2] = pictures[1::-1]
        left = iter(pictures)

        def changed(part: str | Picture) -> str | Picture:
            return part if isinstance(part, str) else next(left)

        messages = tuple(_mapped(message, changed) for message in request.messages)
        return await self._model.ask(replace(request, messages=messages))


def _mapped(message: Message, change: object) -> Message:
    return replace(message, parts=tuple(map(change, message.parts)))  # type: ignore[call-overload]
