"""The model answers, then looks for something that refutes its answer; if it finds something it answers again.

Refuted answers are listed with the question. After at most two rounds the last answer stands.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agents.base import END, Builder, Graph, go
from agents.posing import QuestionState, build_graph, hand_in, put, question_agent, shown
from models.base import Kind
from tools.questions import QuestionTools, named, worded

if TYPE_CHECKING:
    from langgraph.runtime import Runtime
    from langgraph.types import Command


@dataclass(frozen=True)
class Checker:
    """Answer and check, at most so many rounds."""

    rounds: int = 2
    cot: bool = False

    async def answer(self, state: QuestionState, runtime: Runtime[QuestionTools]) -> Command[str]:
        """Ask the question, with the refuted answers."""
        tools, out = runtime.context, state.get("ruled_out", ())
        reading = await put(state, tools, cot=self.cot)
        if reading.value is None and "given" in state:  # a refuted answer is better than none
            value, text = state["given"]
            tools.answer(value, "refuted, and no other answer could be read", text=text)
            return go(END)
        if reading.value is None or len(out) >= self.rounds or named(reading.value, tools.task) in out:
            hand_in(tools, reading)
            return go(END)
        return go("check", QuestionState(given=(reading.value, reading.text)))

    async def check(self, state: QuestionState, runtime: Runtime[QuestionTools]) -> Command[str]:
        """Ask whether something refutes the answer."""
        tools, (value, text) = runtime.context, state["given"]
        answer = named(value, tools.task)
        pictures, notes = await shown(state, tools)
        asked = (
            f"Somebody answered: {answer}. Look in the pictures for something that shows this answer to be wrong. Is "
            "there something that refutes it? Reply with Yes or No."
        )
        prompt = worded(tools.task, tools.task.options, notes, asked)
        reading = await tools.ask([*pictures, prompt], kind=Kind.YES_NO, about=f"refute {answer}", phase="check")
        if reading.value is True:
            return go("answer", QuestionState(ruled_out=(*state.get("ruled_out", ()), answer)))
        tools.answer(value, text=text)
        return go(END)

    def add_to(self, graph: Builder) -> None:
        """Add the nodes `answer` and `check`."""
        graph.add_node("answer", self.answer, destinations=("check", END))
        graph.add_node("check", self.check, destinations=("answer", END))

    def graph(self) -> Graph:
        """Answer and check, in turns."""
        return build_graph("answer", self)


AGENTS = (
    question_agent(
        "answer_checked",
        "answers, looks for what refutes the answer, and answers again",
        Checker().graph,
        Kind.YES_NO,
    ),
)
