"""How the tool-calling agent handles each kind of task: its first messages, its pictures, its tools."""

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
"""The number of turns is limited, so that a model that only looks does not run forever."""
TURNS_TO_ANSWER = 12


class TaskAdapter(Protocol):
    """One kind of task, as a model that calls tools handles it."""

    @property
    def turns(self) -> int:
        """How many turns the model has."""
        ...

    def tools(self) -> list[BaseTool]:
        """The tools of the task."""
        ...

    def examples(self) -> dict[str, dict[str, Any]]:
        """A valid call of each tool."""
        ...

    def opening(self) -> tuple[Message, ...]:
        """The first messages."""
        ...

    async def view(self, looked: int) -> tuple[Message, ...]:
        """The messages that show the current pictures. `looked` is the number of attempts at the last look."""
        ...

    def over(self) -> tuple[Reason, str] | None:
        """Why the episode is over, with the result of further calls; None if it is not over."""
        ...

    def end(self, reason: Reason) -> None:
        """End an episode that is over."""
        ...

    def without_calls(self, text: str) -> tuple[Reason, str]:
        """Why the episode ends when the model replies with words and no calls."""
        ...


@dataclass(frozen=True)
class WorldTask:
    """A world to act in."""

    box: Toolbox

    @property
    def turns(self) -> int:
        """A fixed number, and some for each step."""
        return TURNS_PER_STEP * self.box.step_limit + SPARE_TURNS

    def tools(self) -> list[BaseTool]:
        """Look, ask, plan and act."""
        return langchain_tools(self.box)

    def examples(self) -> dict[str, dict[str, Any]]:
        """Calls from the current world."""
        return examples(self.box)

    def opening(self) -> tuple[Message, ...]:
        """The task in words."""
        task = f"{task_text(self.box)}\n\nYou have {self.box.step_limit} steps."
        return Message("system", (ACT,)), Message("user", (task,))

    async def view(self, looked: int) -> tuple[Message, ...]:
        """The picture of the last look, if nothing was attempted since."""
        if looked != self.box.attempts:
            return ()
        seen = await self.box.look()
        return (Message("user", ("This is what you see now:", seen.picture)),)

    def over(self) -> tuple[Reason, str] | None:
        """The goal is reached, or the steps are used up."""
        if self.box.reached:
            return Reason.FINISHED, "the goal is reached"
        return (Reason.STEP_LIMIT, "the step limit is reached") if self.box.spent else None

    def end(self, reason: Reason) -> None:
        """End the episode, as the world has announced if the goal is reached."""
        self.box.end(reason, announced=self.box.reached)

    def without_calls(self, text: str) -> tuple[Reason, str]:
        """The model thinks that it is done."""
        return Reason.FINISHED, "the model called no more tools"


@dataclass(frozen=True)
class QuestionTask:
    """A question to answer."""

    box: QuestionTools
    turns: int = TURNS_TO_ANSWER

    def tools(self) -> list[BaseTool]:
        """Look closer, ask, answer."""
        return question_tools(self.box)

    def examples(self) -> dict[str, dict[str, Any]]:
        """Calls with an answer in the form of the question."""
        return question_examples(self.box)

    def opening(self) -> tuple[Message, ...]:
        """The pictures and the question."""
        question = self.box.task
        text = worded(question, question.options, "", f"You have {self.turns} turns. {closing_of(question)}")
        return Message("system", (ANSWER,)), Message("user", (*question.pictures, text))

    async def view(self, looked: int) -> tuple[Message, ...]:
        """The enlarged parts."""
        made, first = self.box.made, len(self.box.task.pictures) + 1
        if not made:
            return ()
        named = [part for number, picture in enumerate(made, first) for part in (f"Picture {number}:", picture)]
        return (Message("user", tuple(named)),)

    def over(self) -> tuple[Reason, str] | None:
        """The answer is given."""
        return (Reason.FINISHED, "the answer is given") if self.box.ended else None

    def end(self, reason: Reason) -> None:
        """End the episode."""
        self.box.end(reason)

    def without_calls(self, text: str) -> tuple[Reason, str]:
        """A readable answer in words counts."""
        value = self.box.read(text)
        if isinstance(value, Unreadable):
            return Reason.UNREADABLE, value.reason
        self.box.answer(value, text=text)
        return Reason.FINISHED, ""


def adapter_of(box: Tools) -> TaskAdapter:
    """The adapter for the task of a toolbox."""
    if isinstance(box, QuestionTools):
        return QuestionTask(box)
    assert isinstance(box, Toolbox), box
    return WorldTask(box)
