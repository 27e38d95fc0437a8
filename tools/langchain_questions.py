"""The toolbox of a question as langchain-core tools, for models that decide when to look and to ask.

    tools = question_tools(toolbox)
    model.bind_tools(tools)

Every tool returns text; the agent shows the model the pictures that were made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, Field, create_model

from models.parsing import Unreadable
from tools.drawing import Part, enlarged
from tools.questions import FORMS, QuestionTools

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

MOST_LOOKS = 6
SMALLEST = 0.02
"""The least width and height of a part, as a share of the picture."""


def question_tools(toolbox: QuestionTools) -> list[BaseTool]:
    """look_closer, ask and answer over one toolbox."""
    from langchain_core.tools import StructuredTool

    async def look_closer(picture: int, left: float, top: float, right: float, bottom: float) -> str:
        """See a part of a picture enlarged."""
        return await closer(toolbox, picture, Part(left, top, right, bottom))

    async def ask(question: str) -> str:
        """Ask a vision model something about the pictures, in your own words."""
        reading = await toolbox.ask(question, pictures=(*toolbox.task.pictures, *toolbox.made))
        return str(reading.value) if reading.value is not None else f"no answer: {reading.fault}"

    async def answer(answer: str) -> str:
        """Give the final answer, once."""
        value = toolbox.read(answer)
        if isinstance(value, Unreadable):
            form, example = FORMS[toolbox.task.kind]
            return f"this is no answer to the question: {value.reason}; give {form}, such as {example}"
        toolbox.answer(value)
        return "the answer is given"

    region, words, final = _schemas(toolbox)
    make = StructuredTool.from_function
    tools: list[BaseTool] = [
        make(coroutine=ask, name="ask", args_schema=words),
        make(coroutine=answer, name="answer", args_schema=final),
    ]
    return (
        [make(coroutine=look_closer, name="look_closer", args_schema=region), *tools]
        if toolbox.task.pictures
        else tools
    )


async def closer(toolbox: QuestionTools, picture: int, part: Part) -> str:
    """Enlarge a part of a picture; the number of the new picture, or what is wrong with the part."""
    own, edges = toolbox.task.pictures, (part.left, part.top, part.right, part.bottom)
    if not 1 <= picture <= len(own):
        return f"there is no picture {picture}; pictures: 1 to {len(own)}"
    if not all(0 <= edge <= 1 for edge in edges):
        return "left, top, right and bottom are shares of the picture, from 0 to 1"
    if part.right - part.left < SMALLEST or part.bottom - part.top < SMALLEST:
        return f"so small a part shows nothing: make it at least {SMALLEST} wide and {SMALLEST} high"
    where = " ".join(f"{edge:.3g}" for edge in edges)
    if len(toolbox.made) >= MOST_LOOKS:
        return f"{MOST_LOOKS} looks are used up; answer by what you have seen"
    made = await toolbox.look(
        own[picture - 1], f"part {where}", lambda png: enlarged(png, part), f"part of picture {picture}: {where}"
    )
    number = len(own) + toolbox.made.index(made) + 1
    return f"picture {number} is this part of picture {picture}, enlarged"


def question_examples(toolbox: QuestionTools) -> dict[str, dict[str, Any]]:
    """A valid call of each tool."""
    return {
        "look_closer": {"picture": 1, "left": 0.4, "top": 0.5, "right": 0.7, "bottom": 0.8},
        "ask": {"question": "What stands left of the cup in picture 1?"},
        "answer": {"answer": FORMS[toolbox.task.kind][1]},
    }


def _schemas(toolbox: QuestionTools) -> tuple[type[BaseModel], type[BaseModel], type[BaseModel]]:
    """The arguments of the tools."""
    count, (form, example) = len(toolbox.task.pictures), FORMS[toolbox.task.kind]

    def share(side: str, begin: str, end: str) -> Any:
        return (float, Field(description=f"the {side} edge of the part, from 0 at the {begin} to 1 at the {end}"))

    return (
        create_model(
            "Region",
            __doc__="See a part of a picture enlarged.",
            picture=(int, Field(description=f"the number of the picture, 1 to {count}")),
            left=share("left", "left", "right"),
            top=share("top", "top", "bottom"),
            right=share("right", "left", "right"),
            bottom=share("bottom", "top", "bottom"),
        ),
        create_model(
            "Words",
            __doc__="Ask a vision model something about the pictures, in your own words.",
            question=(str, Field(description="what you want to know")),
        ),
        create_model(
            "Final",
            __doc__="Give the final answer, once.",
            answer=(str, Field(description=f"{form}, such as {example}")),
        ),
    )
