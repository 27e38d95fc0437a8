"""Split the question: options and statements by yes or no, orders by pairs, counts by parts of the picture.

The answer is the likeliest one given the parts, by the probabilities of yes if the model gives them. A question without
parts, or with unreadable ones, is asked as it is. If two options are equally likely, the plain answer decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agents.base import END, Builder, Graph, go
from agents.posing import QuestionState, build_graph, hand_in, put, question_agent, shown, without_letters
from envs.base import Question
from models.base import Kind, Picture
from tools.base import Reading, gathered
from tools.consensus import whole
from tools.drawing import Part, enlarged, grid
from tools.parts import counts, parts
from tools.questions import LETTERS, QuestionTools, worded

if TYPE_CHECKING:
    from langgraph.runtime import Runtime
    from langgraph.types import Command

UNDECIDED = 0.5


@dataclass(frozen=True)
class Splitter:
    """Ask about the parts and combine them. `rows` is the number of rows and columns of cells to count in."""

    rows: int = 2

    async def split(self, state: QuestionState, runtime: Runtime[QuestionTools]) -> Command[str]:
        """Ask about every part of the question."""
        tools = runtime.context
        asked = parts(tools.task)
        if asked:
            replies = await gathered(self._asked(state, tools, name, text) for name, text in asked.items())
            chances = {name: chance for name, chance in zip(asked, replies, strict=True) if chance is not None}
        elif counts(tools.task):
            cells = grid(self.rows)
            drawn = [await self._drawn(tools, cell) for cell in cells]  # in order, for the events
            numbers = await gathered(self._counted(tools, *one) for one in zip(cells, drawn, strict=True))
            chances = {str(cell): float(one) for cell, one in zip(cells, numbers, strict=True) if one is not None}
            chances = chances if len(chances) == len(cells) else {}
        else:
            chances = {}
        return go("join" if chances else "answer", QuestionState(chances=chances))

    async def join(self, state: QuestionState, runtime: Runtime[QuestionTools]) -> Command[str]:
        """Combine the answers to the parts."""
        tools, known = runtime.context, state["chances"]
        if tools.task.kind is Kind.NUMBER:
            tools.answer(sum(known.values()))
            return go(END)
        chances = {name: known.get(name, UNDECIDED) for name in parts(tools.task)}
        if len(best_options(tools.task, chances)) > 1:
            return go("answer")
        tools.answer(whole(tools.task, chances))
        return go(END)

    async def answer(self, state: QuestionState, runtime: Runtime[QuestionTools]) -> Command[str]:
        """Ask the question as it is; its answer decides between equally likely options."""
        tools = runtime.context
        reading = await put(state, tools)
        tied = best_options(tools.task, state.get("chances", {}))
        if tied and reading.value not in tied:
            tools.answer(tied[0], "of options that are equally likely the first")
        else:
            hand_in(tools, reading)
        return go(END)

    async def _asked(self, state: QuestionState, tools: QuestionTools, name: str, text: str) -> float | None:
        """The probability of yes for a part; None if the reply cannot be read."""
        pictures, notes = await shown(state, tools)
        prompt = worded(tools.task, tools.task.options, notes, text)
        reading = await tools.ask([*pictures, prompt], kind=Kind.YES_NO, about=name, phase="part")
        return chance_of(reading)

    async def _drawn(self, tools: QuestionTools, cell: Part) -> Picture:
        """A part of the picture with a frame to count in."""
        (picture,) = tools.task.pictures
        what = f"part of picture 1 to count in: {named_part(cell)}"
        return await tools.look(picture, f"cell {named_part(cell)}", lambda png: enlarged(png, cell, framed=True), what)

    async def _counted(self, tools: QuestionTools, cell: Part, drawn: Picture) -> float | None:
        """How many there are in a part of the picture."""
        prompt = (
            f"You are asked about a picture:\n\n{without_letters(tools.task)}\n\nThe second picture is a part of the "
            "first one, enlarged, with a pink frame. Count only those whose middle is inside the frame. How many are "
            "there in it? Reply with one number in digits."
        )
        about = f"count 0 {named_part(cell)}"
        pictures = [*tools.task.pictures, drawn]
        reading = await tools.ask([*pictures, prompt], kind=Kind.NUMBER, about=about, phase="part")
        return reading.value if isinstance(reading.value, float) else None

    def add_to(self, graph: Builder) -> None:
        """Add the nodes `split`, `join` and `answer`."""
        graph.add_node("split", self.split, destinations=("join", "answer"))
        graph.add_node("join", self.join, destinations=("answer", END))
        graph.add_node("answer", self.answer, destinations=(END,))

    def graph(self) -> Graph:
        """Split and join, or answer at once."""
        return build_graph("split", self)


def named_part(cell: Part) -> str:
    """A part of a picture, as `about` of a request names it."""
    return " ".join(f"{edge:g}" for edge in cell)


def chance_of(reading: Reading) -> float | None:
    """The probability of yes: the model's own, or else 0 or 1."""
    if reading.value is None or reading.probability is not None:
        return None if reading.value is None else reading.probability
    return float(bool(reading.value))


def best_options(question: Question, chances: Mapping[str, float]) -> tuple[str, ...]:
    """The likeliest option of a choice, or several if they are equally likely."""
    if question.kind is not Kind.CHOICE or not chances:
        return ()
    by_option = {
        option: chances.get(f"option {letter}", UNDECIDED)
        for letter, option in zip(LETTERS, question.options, strict=False)
    }
    return tuple(option for option, chance in by_option.items() if chance == max(by_option.values()))


AGENTS = (
    question_agent(
        "answer_split", "yes or no for each part of a question, and the likeliest whole", Splitter().graph, Kind.YES_NO
    ),
)
