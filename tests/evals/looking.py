"""An agent that looks at the upper half of each picture before it answers; `tests/evals/looking.py:build`."""

from __future__ import annotations

import io
from typing import Any, TypedDict

from agents.base import END, go

NEEDS, PLANS = "question", False


class State(TypedDict, total=False):
    """Nothing."""


def upper_half(png: bytes) -> bytes:
    from PIL import Image

    image = Image.open(io.BytesIO(png))
    file = io.BytesIO()
    image.crop((0, 0, image.width, image.height // 2)).save(file, "PNG")
    return file.getvalue()


def build() -> Any:
    from langgraph.graph import START, StateGraph

    from tools.events import Reason
    from tools.questions import QuestionTools

    async def answer(state: State, runtime: Any) -> Any:
        """Look, then answer."""
        tools = runtime.context
        halves = [
            await tools.look(picture, "upper half", upper_half, f"the upper half of picture {number}")
            for number, picture in enumerate(tools.task.pictures, 1)
        ]
        said = await tools.put("Answer briefly.", pictures=(*tools.task.pictures, *halves))
        if said.value is None:
            tools.end(Reason.UNREADABLE, said.fault)
        else:
            tools.answer(said.value, text=said.text)
        return go(END)

    graph = StateGraph(State, context_schema=QuestionTools)
    graph.add_node("answer", answer, destinations=(END,))
    graph.add_edge(START, "answer")
    return graph.compile()
