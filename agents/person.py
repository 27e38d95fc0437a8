"""A person as an agent: the question is put as it stands, and what the person answered is handed in.

Answers are given on a page (`python -m evals.questions people`); `convert` plays them through the engine.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agents.answer import AnswerState, hand_in
from agents.base import END, Agent, Graph, Needs, go
from tools.questions import QuestionTools

if TYPE_CHECKING:
    from langgraph.runtime import Runtime
    from langgraph.types import Command


@dataclass(frozen=True)
class Person:
    """One question, one answer; people are not told in which words to end it."""

    async def answer(self, state: AnswerState, runtime: Runtime[QuestionTools]) -> Command[str]:
        """Put the question and hand in the answer."""
        hand_in(runtime.context, await runtime.context.put())
        return go(END)

    def graph(self) -> Graph:
        """One node."""
        from langgraph.graph import START, StateGraph

        graph = StateGraph(AnswerState, context_schema=QuestionTools)
        graph.add_node("answer", self.answer, destinations=(END,))
        graph.add_edge(START, "answer")
        return graph.compile()


AGENTS = (
    Agent(
        "person",
        "questions: what a person answered (python -m evals.questions people)",
        Person().graph,
        "answerer",
        needs=Needs.QUESTION,
        plans=False,
    ),
)
