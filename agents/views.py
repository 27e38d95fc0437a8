"""Pictures of several views side by side: the model chooses the view that shows most, and answers from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agents.base import END, Builder, Graph, go
from agents.posing import QuestionState, build_graph, hand_in, question_agent, without_letters
from models.base import Kind, Picture
from tools.drawing import Part, cropped
from tools.questions import LETTERS, QuestionTools, closing_of

if TYPE_CHECKING:
    from langgraph.runtime import Runtime
    from langgraph.types import Command


@dataclass(frozen=True)
class Viewer:
    """Choose a view, then answer from it alone. With a single view the question is asked at once."""

    async def choose(self, state: QuestionState, runtime: Runtime[QuestionTools]) -> Command[str]:
        """Have the model choose a view; if its reply cannot be read, all views are used."""
        tools, count = runtime.context, runtime.context.task.views
        if count < 2 or not tools.task.pictures:
            return go("answer")
        names = tuple(f"view {number + 1} from the left" for number in range(count))
        listed = "\n".join(f"{LETTERS[place]}. {name}" for place, name in enumerate(names))
        prompt = (
            f"You will be asked a question about these pictures:\n\n{without_letters(tools.task)}\n\nDo not answer it "
            f"yet. Each picture holds {count} views side by side. In which view can you see best what matters for the "
            f"answer? Reply with one letter only.\n{listed}"
        )
        reading = await tools.ask(
            [*tools.task.pictures, prompt], kind=Kind.CHOICE, options=names, about="look", phase="look"
        )
        if reading.value not in names:
            return go("answer")
        return go("answer", QuestionState(places=(str(names.index(str(reading.value))),)))

    async def answer(self, state: QuestionState, runtime: Runtime[QuestionTools]) -> Command[str]:
        """Ask the question with the chosen view of every picture."""
        tools, chosen = runtime.context, state.get("places", ())
        if not chosen:
            hand_in(tools, await tools.put(closing_of(tools.task)))
            return go(END)
        place, count = int(chosen[0]), tools.task.views
        part = Part(place / count, 0.0, (place + 1) / count, 1.0)
        pictures: list[Picture] = []
        for number, picture in enumerate(tools.task.pictures):
            what = f"view {place + 1} of picture {number + 1}"
            pictures.append(await tools.look(picture, f"view {place + 1}", lambda png: cropped(png, part), what))
        lead = f"Of the views that the question speaks of the pictures show one, number {place + 1}, enlarged."
        hand_in(tools, await tools.put(closing_of(tools.task), pictures=pictures, lead=lead))
        return go(END)

    def add_to(self, graph: Builder) -> None:
        """Add the nodes `choose` and `answer`."""
        graph.add_node("choose", self.choose, destinations=("answer",))
        graph.add_node("answer", self.answer, destinations=(END,))

    def graph(self) -> Graph:
        """Choose and answer."""
        return build_graph("choose", self)


AGENTS = (
    question_agent(
        "answer_views", "of several views the model chooses one and answers from it", Viewer().graph, Kind.CHOICE
    ),
)
