"""What differs for the tool-calling agent by the kind of task: the first words, what is shown, what can be called."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from models.base import Message
from models.parsing import Unreadable
from tools.base import Tools
from tools.events import Reason
from tools.langchain import examples, langchain_tools, task_text
from tools.langchain_questions import question_examples, question_tools
from tools.questions import QuestionTools, closing_of, worded
from tools.toolbox import Toolbox

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

ACT = """
You act in a world that you see in pictures, by calling tools. Look when you want to see the world as it is now. Ask
about single facts when you are not sure of them. Have a plan made when you know the facts. Attempt one action at a
time, and look again when something may not have worked. Every attempt is a step, and steps are few; looking, asking
and planning cost none. When the goal is reached, call nothing more and say so.
""".strip()
ANSWER = """
You answer a question about pictures, by calling tools. Look closer at a part of a picture when something in it is too
small to be sure of. Ask when a second opinion helps. Then give the answer with the tool `answer`: you can do it once.
""".strip()

TURNS_PER_STEP = 3
SPARE_TURNS = 4
"""A model that only ever looks would go on for ever: it has this many turns, and so many more for each step."""
TURNS_TO_ANSWER = 12


class Hands(Protocol):
    """One kind of task to a model that calls tools."""

    @property
    def turns(self) -> int:
        """How often the model may say what to call."""
        ...

    def tools(self) -> list[BaseTool]:
        """What can be called."""
        ...

    def examples(self) -> dict[str, dict[str, Any]]:
        """A call of each tool that makes sense."""
        ...

    def opening(self) -> tuple[Message, ...]:
        """What the model is told first."""
        ...

    async def view(self, looked: int) -> tuple[Message, ...]:
        """What it sees now. `looked` is how many attempts had been made when it last looked."""
        ...

    def over(self) -> tuple[Reason, str] | None:
        """Why the episode is over, with what is told to the model that calls more; None if it goes on."""
        ...

    def quiet(self, text: str) -> tuple[Reason, str]:
        """Why the episode ends when words and no calls have come."""
        ...


@dataclass(frozen=True)
class Acting:
    """A world to act in."""

    box: Toolbox

    @property
    def turns(self) -> int:
        """Some for each step."""
        return TURNS_PER_STEP * self.box.step_limit + SPARE_TURNS

    def tools(self) -> list[BaseTool]:
        """Look, ask, plan and act."""
        return langchain_tools(self.box)

    def examples(self) -> dict[str, dict[str, Any]]:
        """From the world at hand."""
        return examples(self.box)

    def opening(self) -> tuple[Message, ...]:
        """The task in words."""
        task = f"{task_text(self.box)}\n\nYou have {self.box.step_limit} steps."
        return Message("system", (ACT,)), Message("user", (task,))

    async def view(self, looked: int) -> tuple[Message, ...]:
        """The picture of the last look, if the world is still as it was then."""
        if looked != self.box.attempts:
            return ()
        seen = await self.box.look()
        return (Message("user", ("This is what you see now:", seen.picture)),)

    def over(self) -> tuple[Reason, str] | None:
        """At the goal, or when the steps are used up."""
        if self.box.reached:
            return Reason.FINISHED, "the goal is reached"
        return (Reason.STEP_LIMIT, "the step limit is reached") if self.box.spent else None

    def quiet(self, text: str) -> tuple[Reason, str]:
        """The model thinks that it is done."""
        return Reason.FINISHED, "the model called no more tools"


@dataclass(frozen=True)
class Answering:
    """A question to answer."""

    box: QuestionTools
    turns: int = TURNS_TO_ANSWER

    def tools(self) -> list[BaseTool]:
        """Look closer, ask, answer."""
        return question_tools(self.box)

    def examples(self) -> dict[str, dict[str, Any]]:
        """With an answer in the form of the question."""
        return question_examples(self.box)

    def opening(self) -> tuple[Message, ...]:
        """The pictures and the question."""
        question = self.box.task
        text = worded(question, question.options, "", f"You have {self.turns} turns. {closing_of(question)}")
        return Message("system", (ANSWER,)), Message("user", (*question.pictures, text))

    async def view(self, looked: int) -> tuple[Message, ...]:
        """The parts that were looked at closer."""
        made, first = self.box.made, len(self.box.task.pictures) + 1
        if not made:
            return ()
        named = [part for number, picture in enumerate(made, first) for part in (f"Picture {number}:", picture)]
        return (Message("user", tuple(named)),)

    def over(self) -> tuple[Reason, str] | None:
        """When the answer is given."""
        return (Reason.FINISHED, "the answer is given") if self.box.ended else None

    def quiet(self, text: str) -> tuple[Reason, str]:
        """An answer in words counts, if it can be read."""
        value = self.box.read(text)
        if isinstance(value, Unreadable):
            return Reason.UNREADABLE, value.reason
        self.box.answer(value, text=text)
        return Reason.FINISHED, ""


def hands(box: Tools) -> Hands:
    """What fits the kind of task that a toolbox is for."""
    if isinstance(box, QuestionTools):
        return Answering(box)
    assert isinstance(box, Toolbox), box
    return Acting(box)
