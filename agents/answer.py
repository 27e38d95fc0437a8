"""The plain way to answer a question: show it to the model with its pictures, once.

`answer` says how the answer has to end, `answer_cot` also asks for reasoning before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agents.base import END, Builder, Graph, go
from agents.posing import QuestionState, built, hand_in, put, question_agent
from tools.questions import QuestionTools

if TYPE_CHECKING:
    from langgraph.runtime import Runtime
    from langgraph.types import Command


@dataclass(frozen=True)
class Answerer:
    """One question, one reply."""

    cot: bool = False

    async def answer(self, state: QuestionState, runtime: Runtime[QuestionTools]) -> Command[str]:
        """Put the question to the model and hand in what it says."""
        tools = runtime.context
        hand_in(tools, await put(state, tools, cot=self.cot))
        return go(END)

    def add_to(self, graph: Builder) -> None:
        """Add the node `answer`."""
        graph.add_node("answer", self.answer, destinations=(END,))

    def graph(self) -> Graph:
        """One node."""
        return built("answer", self)


AGENTS = (
    question_agent("answer", "questions: the model answers at once", Answerer().graph),
    question_agent("answer_cot", "answer, reasoning first", Answerer(cot=True).graph),
)
