"""The plain way to answer a question: show it to the model with its pictures, once.

`answer` says how the answer has to end, `answer_cot` also asks for reasoning before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from agents.base import END, Agent, Graph, Needs, go
from models.base import Kind
from tools.base import Reading
from tools.events import Reason
from tools.questions import QuestionTools

if TYPE_CHECKING:
    from langgraph.runtime import Runtime
    from langgraph.types import Command

FORMS = {
    Kind.CHOICE: ("the letter of the right option", "B"),
    Kind.CHOICES: ("the letter of the right option, or the letters of all right ones separated by commas", "A,C"),
    Kind.ORDER: ("the letters of all options in the right order, separated by commas", "C,A,D,B"),
    Kind.MATCHING: ("for each numbered item in turn the letter that belongs to it, separated by commas", "B,A,C"),
    Kind.JUDGEMENTS: ("a list with 1 for each statement that is true and 0 for each that is false", "[1,0,1]"),
    Kind.NUMBER: ("one number in digits", "4"),
    Kind.YES_NO: ("Yes or No", "Yes"),
    Kind.TEXT: ("a few words", "a wooden chair"),
}
"""What answers of each form look like, with an example."""
THINK = "Look at the pictures closely and reason step by step before you answer."


def closing(kind: Kind) -> str:
    """How a reply has to end."""
    form, example = FORMS[kind]
    return (
        f"End your reply with a line that says `Final Answer:` and then {form}, for example:\nFinal Answer: {example}"
    )


class AnswerState(TypedDict, total=False):
    """Nothing is carried from node to node: there is one."""


def hand_in(tools: QuestionTools, said: Reading) -> None:
    """End the episode with a reply to the question as the answer."""
    if said.value is None:
        tools.end(Reason.TRUNCATED if said.truncated else Reason.UNREADABLE, said.fault)
    else:
        tools.answer(said.value, text=said.text)


@dataclass(frozen=True)
class Answerer:
    """One question, one reply."""

    cot: bool = False

    async def answer(self, state: AnswerState, runtime: Runtime[QuestionTools]) -> Command[str]:
        """Put the question to the model and hand in what it says."""
        tools = runtime.context
        said = await tools.put(closing(tools.task.kind), lead=THINK if self.cot else "", cot=self.cot)
        hand_in(tools, said)
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
