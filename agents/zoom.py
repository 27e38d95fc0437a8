"""The model looks closer before it answers: it chooses a part of a picture, sees it enlarged, and may choose another.

A part is chosen by the letter of a cell in a grid drawn on the picture. The question is then asked with its own
pictures and all enlarged parts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agents.answer import Answerer
from agents.base import Builder, Graph, go
from agents.posing import Look, QuestionState, build_graph, part_of, question_agent, shown, without_letters
from models.base import Kind, Picture
from tools.drawing import LETTERS, grid, gridded
from tools.questions import QuestionTools

if TYPE_CHECKING:
    from langgraph.runtime import Runtime
    from langgraph.types import Command

ENOUGH = "none: what can be seen is enough to answer"
MOST = len(LETTERS) - 1
"""How many pictures there are to choose from at most."""


@dataclass(frozen=True)
class Zoomer:
    """Look closer, at most so many times, then go to the node `then`."""

    looks: int = 4
    rows: int = 3
    then: str = "answer"

    async def look(self, state: QuestionState, runtime: Runtime[QuestionTools]) -> Command[str]:
        """Have the model choose a part of a picture, or none."""
        tools, looked = runtime.context, state.get("looks", ())
        chosen = await self._chosen(state, tools) if tools.task.pictures and len(looked) < self.looks else None
        if chosen is None or chosen in looked:  # the same part again shows nothing new
            return go(self.then)
        await part_of(tools, chosen)
        return go("look", QuestionState(looks=(*looked, chosen)))

    async def _chosen(self, state: QuestionState, tools: QuestionTools) -> Look | None:
        """The picture and the part that the model chooses; None if it wants no more."""
        count = min(len(tools.task.pictures), MOST)
        number = 0
        if count > 1:
            pictures, notes = await shown(state, tools)
            names = tuple(f"picture {place + 1}" for place in range(count))
            wanted = await self._choice(tools, pictures, notes, "Of which picture do you want to see a part?", names)
            if wanted is None:
                return None
            number = wanted
        drawn = await tools.look(
            tools.task.pictures[number],
            f"grid {self.rows}",
            lambda png: gridded(png, self.rows),
            f"picture {number + 1} with a grid",
        )
        parts = grid(self.rows)
        names = tuple(f"the part marked {LETTERS[place]}" for place in range(len(parts)))
        looked = [LETTERS[parts.index(look.part)] for look in state.get("looks", ()) if look.picture == number]
        seen = f" You have already seen {', '.join(looked)}." if looked else ""
        text = f"This is picture {number + 1} with a grid.{seen} Which part do you want to see enlarged?"
        place = await self._choice(tools, (drawn,), "", text, names)
        return None if place is None else Look(number, parts[place])

    async def _choice(
        self, tools: QuestionTools, pictures: tuple[Picture, ...], notes: str, text: str, names: tuple[str, ...]
    ) -> int | None:
        """The index of the name that the model chooses; None if it chooses none, or cannot be read."""
        options = (*names, ENOUGH)
        lead = " ".join(part for part in ("You will be asked a question about pictures:", notes) if part)
        listed = "\n".join(f"{LETTERS[place]}. {option}" for place, option in enumerate(options))
        asked = f"Do not answer it yet. {text} Reply with one letter only.\n{listed}"
        prompt = "\n\n".join((lead, without_letters(tools.task), asked))
        reading = await tools.ask([*pictures, prompt], kind=Kind.CHOICE, options=options, about="look", phase="look")
        place = options.index(str(reading.value)) if reading.value in options else len(names)
        return None if place == len(names) else place

    def add_to(self, graph: Builder) -> None:
        """Add the node `look`."""
        graph.add_node("look", self.look, destinations=("look", self.then))

    def graph(self) -> Graph:
        """Look until the model has seen enough, then answer."""
        return build_graph("look", self, Answerer())


AGENTS = (
    question_agent(
        "answer_zoom", "the model looks closer at up to four parts, then answers", Zoomer().graph, Kind.CHOICE
    ),
)
