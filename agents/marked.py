"""The model points to the things that matter, sees its points as numbers in the picture, and then answers.

If its points cannot be read, it answers without them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agents.answer import Answerer
from agents.base import Builder, Graph, go
from agents.posing import QuestionState, build_graph, by_picture, question_agent, shown, with_numbers, without_letters
from models.base import Kind
from tools.questions import QuestionTools

if TYPE_CHECKING:
    from langgraph.runtime import Runtime
    from langgraph.types import Command

ASKED = """
Do not answer it yet. Point to each thing in the pictures that matters for the answer. Reply with a JSON list that has
one entry [picture, x, y] for each: the number of the picture, counted from 1, and where the middle of the thing is,
with x from 0 at the left edge to 1 at the right edge, and y from 0 at the top to 1 at the bottom. For example:
[[1, 0.25, 0.4], [1, 0.8, 0.55]]
""".strip()


@dataclass(frozen=True)
class Pointer:
    """Point to at most so many things, then go to the node `then`."""

    most: int = 20
    then: str = "answer"

    async def point(self, state: QuestionState, runtime: Runtime[QuestionTools]) -> Command[str]:
        """Have the model point to the things that matter, and draw numbers there."""
        tools = runtime.context
        if not tools.task.pictures:
            return go(self.then)
        pictures, notes = await shown(state, tools)
        prompt = "\n\n".join(part for part in (notes, without_letters(tools.task), ASKED) if part)
        reading = await tools.ask([*pictures, prompt], kind=Kind.POINTS, about="point", phase="point")
        places = reading.value[: self.most] if isinstance(reading.value, tuple) else ()
        for number, marks in by_picture(places, len(tools.task.pictures)).items():
            await with_numbers(tools, number, marks)
        return go(self.then, QuestionState(places=places))

    def add_to(self, graph: Builder) -> None:
        """Add the node `point`."""
        graph.add_node("point", self.point, destinations=(self.then,))

    def graph(self) -> Graph:
        """Point, then answer."""
        return build_graph("point", self, Answerer())


AGENTS = (
    question_agent(
        "answer_marked", "the model points, sees its points as numbers, then answers", Pointer().graph, Kind.POINTS
    ),
)
