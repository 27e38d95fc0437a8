"""Answer a question with one request that shows the question and its pictures.

`answer` asks for the answer alone, `answer_cot` for reasoning before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agents.base import END, Builder, Graph, go
from agents.posing import QuestionState, build_graph, hand_in, put, question_agent
from tools.questions import QuestionTools

if TYPE_CHECKING:
    from langgraph.runtime import Runtime
    from langgraph.types import Command


@dataclass(frozen=True)
class Answerer:
    """One question, one reply."""

    cot: bool = False

    async def answer(self, state: QuestionState, runtime: Runtime[QuestionTools]) -> Command[str]:
        """Ask the model the question and hand in its reply."""
        tools = runtime.context
        hand_in(tools, await put(state, tools, cot=self.cot))
        return go(END)

    def add_to(self, graph: Builder) -> None:
        """Add the node `answer`."""
        graph.add_node("answer", self.answer, destinations=(END,))

    def graph(self) -> Graph:
        """One node."""
        return build_graph("answer", self)


AGENTS = (
    question_agent("answer", "questions: the model answers at once", Answerer().graph),
    question_agent("answer_cot", "answer, reasoning first", Answerer(cot=True).graph),
)
