"""The plain way to answer a question: show it to the model with its pictures, once.

`answer` wants the answer alone, `answer_cot` reasoning before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from agents.base import END, Agent, Graph, Needs, go
from models.base import Kind
from tools.events import Reason
from tools.questions import QuestionTools

if TYPE_CHECKING:
    from langgraph.runtime import Runtime
    from langgraph.types import Command

FORMS = {
    Kind.CHOICE: "the letter of one option",
    Kind.YES_NO: "Yes or No",
    Kind.NUMBER: "a number",
    Kind.TEXT: "a short answer",
}


class AnswerState(TypedDict, total=False):
    """Nothing is carried from node to node: there is one."""


@dataclass(frozen=True)
class Answerer:
    """One question, one reply."""

    cot: bool = False

    async def answer(self, state: AnswerState, runtime: Runtime[QuestionTools]) -> Command[str]:
        """Put the question to the model and hand in what it says."""
        tools = runtime.context
        form = FORMS[tools.task.kind]
        wanted = f"Answer with {form} and nothing else."
        if self.cot:
            wanted = f"Think step by step. Then give {form} as <answer>…</answer>."
        said = await tools.put(wanted, cot=self.cot)
        if said.value is None:
            tools.end(Reason.TRUNCATED if said.truncated else Reason.UNREADABLE, said.fault)
        else:
            tools.answer(said.value)
        return go(END)

    def graph(self) -> Graph:
        """One node."""
        from langgraph.graph import START, StateGraph

        graph = StateGraph(AnswerState, context_schema=QuestionTools)
        graph.add_node("answer", self.answer, destinations=(END,))
        graph.add_edge(START, "answer")
        return graph.compile()


def _agent(name: str, summary: str, cot: bool) -> Agent:
    return Agent(name, summary, Answerer(cot).graph, "answerer", needs=Needs.QUESTION, plans=False)


AGENTS = (
    _agent("answer", "questions: the model answers at once", False),
    _agent("answer_cot", "answer, reasoning first", True),
)
