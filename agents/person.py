"""A person as an agent: the question is put as it stands, and what the person answered is handed in.

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
    """Nothing is carried from node to node: there is one."""


@dataclass(frozen=True)
class Person:
    """One question, one answer; people are not told in which words to end it."""

    async def answer(self, state: PersonState, runtime: Runtime[QuestionTools]) -> Command[str]:
        """Put the question and hand in the answer."""
        tools = runtime.context
        said = await tools.put()
        if said.value is None:
            tools.end(Reason.UNREADABLE, said.fault)
        else:
            tools.answer(said.value, text=said.text)
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
