"""The model answers, then looks for what would refute its answer; if it finds something it answers again.

What was ruled out is told with the question. After at most two rounds the last answer stands.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agents.base import END, Builder, Graph, go
from agents.posing import QuestionState, built, hand_in, put, question_agent, shown
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
        """Put the question, with what was ruled out."""
        tools, out = runtime.context, state.get("ruled_out", ())
        said = await put(state, tools, cot=self.cot)
        if said.value is None and "given" in state:  # rather an answer with doubts than none
            value, text = state["given"]
            tools.answer(value, "refuted, and no other answer could be read", text=text)
            return go(END)
        if said.value is None or len(out) >= self.rounds or named(said.value, tools.task) in out:
            hand_in(tools, said)
            return go(END)
        return go("check", QuestionState(given=(said.value, said.text)))

    async def check(self, state: QuestionState, runtime: Runtime[QuestionTools]) -> Command[str]:
        """Look for something that speaks against the answer."""
        tools, (value, text) = runtime.context, state["given"]
        answer = named(value, tools.task)
        pictures, notes = await shown(state, tools)
        asked = (
            f"Somebody answered: {answer}. Look in the pictures for something that shows this answer to be wrong. Is "
            "there something that refutes it? Reply with Yes or No."
        )
        prompt = worded(tools.task, tools.task.options, notes, asked)
        said = await tools.ask([*pictures, prompt], kind=Kind.YES_NO, about=f"refute {answer}", phase="check")
        if said.value is True:
            return go("answer", QuestionState(ruled_out=(*state.get("ruled_out", ()), answer)))
        tools.answer(value, text=text)
        return go(END)

    def add_to(self, graph: Builder) -> None:
        """Add the nodes `answer` and `check`."""
        graph.add_node("answer", self.answer, destinations=("check", END))
        graph.add_node("check", self.check, destinations=("answer", END))

    def graph(self) -> Graph:
        """Answer and check, in turns."""
        return built("answer", self)


AGENTS = (
    question_agent(
        "answer_checked",
        "answers, looks for what refutes the answer, and answers again",
        Checker().graph,
        Kind.YES_NO,
    ),
)
