"""What an agent can do with a question: ask the model in any words it likes, and answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from envs.base import Question
from models.base import Kind, Part, Picture
from tools.base import Reading, Tools
from tools.events import Answered, Reason, Value

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(kw_only=True, eq=False)
class QuestionTools(Tools):
    """A question to be answered once. The answer that counts is the one given to `answer`."""

    task: Question
    step_limit: int = 1

    async def put(
        self,
        instruction: str = "",
        *,
        pictures: Sequence[Picture] | None = None,
        options: Sequence[str] | None = None,
        cot: bool = False,
        max_tokens: int | None = None,
    ) -> Reading:
        """Put the question to the model with its pictures and options; the value is read in the question's form."""
        question = self.task
        listed = question.options if options is None else tuple(options)
        shown = question.pictures if pictures is None else tuple(pictures)
        lines = [question.text, *(f"{LETTERS[place]}. {option}" for place, option in enumerate(listed))]
        text = "\n".join([*lines, *(["", instruction] if instruction else [])])
        parts: list[Part] = [*shown, text]
        return await self.ask(
            parts,
            kind=question.kind,
            options=listed,
            phase="question",
            cot=cot,
            max_tokens=max_tokens or (1024 if cot or question.kind is Kind.TEXT else 64),
        )

    def answer(self, value: Value, detail: str = "") -> None:
        """Give the final answer, which ends the episode."""
        self._count()
        self.emit(Answered(step=0, value=value))
        self.end(Reason.FINISHED, detail)
