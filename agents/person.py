"""A person as an agent: asks the question as it stands, and hands in the person's answer.

Answers are given on a page (`python -m evals.questions people`); `convert` plays them through the engine.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from agents.base import END, Agent, Graph, Needs, go
from tools.events import Reason
from tools.questions import QuestionTools

if TYPE_CHECKING:
    from langgraph.runtime import Runtime
    from langgraph.types import Command


class PersonState(TypedDict, total=False):
    """Empty: there is only one node."""


@dataclass(frozen=True)
class Person:
    """One question, one answer; people get no instruction about the form of the reply."""

    async def answer(self, state: PersonState, runtime: Runtime[QuestionTools]) -> Command[str]:
        """Ask the question and hand in the answer."""
        tools = runtime.context
        reading = await tools.put()
        if reading.value is None:
            tools.end(Reason.UNREADABLE, reading.fault)
        else:
            tools.answer(reading.value, text=reading.text)
        return go(END)

    def graph(self) -> Graph:
        """One node."""
        from langgraph.graph import START, StateGraph

        graph = StateGraph(PersonState, context_schema=QuestionTools)
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
