"""What the agents for questions share: what goes from node to node, and putting the question with what was found out.

Their nodes can be combined in a graph of your own, because all of them read and write this state:

    graph = StateGraph(QuestionState, context_schema=QuestionTools)
    Zoomer(looks=2, then="vote").add_to(graph)
    Voter(votes=3).add_to(graph)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypedDict

from agents.base import Agent, Build, Builder, Graph, Needs
from envs.base import Question
from models.base import Kind, Picture
from tools.base import Reading
from tools.drawing import Part, enlarged, numbered
from tools.events import Reason, Value
from tools.questions import QuestionTools, closing_of

THINK = "Look at the pictures closely and reason step by step before you answer."


class Look(NamedTuple):
    """A part of a picture that was looked at: the number of the picture, from 0, and where the part is."""

    picture: int
    part: Part


class QuestionState(TypedDict, total=False):
    """What goes from node to node. Pictures are not kept: they are made again by name.

    `looks` are parts that were looked at closer, `places` what was pointed to, `ruled_out` answers that were refuted.
    `votes` are answers in the question's own letters, `chances` the probabilities of its parts. `given` is the answer
    to be checked, with the words it was given in.
    """

    looks: tuple[Look, ...]
    places: tuple[str, ...]
    ruled_out: tuple[str, ...]
    votes: tuple[Value, ...]
    chances: dict[str, float]
    given: tuple[Value, str]
    fault: tuple[Reason, str]


async def shown(state: QuestionState, tools: QuestionTools) -> tuple[tuple[Picture, ...], str]:
    """The pictures of the question and those that were made of them, and what has to be said about these."""
    own = tools.task.pictures
    pictures, notes = list(own), []
    for look in state.get("looks", ()):
        pictures.append(await part_of(tools, look))
        notes.append(f"Picture {len(pictures)} is a part of picture {look.picture + 1}, enlarged.")
    for number, places in by_picture(state.get("places", ()), len(own)).items():
        pictures.append(await with_numbers(tools, number, places))
        notes.append(
            f"Picture {len(pictures)} is picture {number + 1} with pink numbers at the things that you pointed to; the "
            "question does not speak of these numbers."
        )
    return tuple(pictures), " ".join(notes)


async def put(
    state: QuestionState,
    tools: QuestionTools,
    *,
    options: Sequence[str] | None = None,
    lead: str = "",
    cot: bool = False,
) -> Reading:
    """Put the question to the model with all that was found out."""
    pictures, notes = await shown(state, tools)
    out = state.get("ruled_out", ())
    told = f"These answers were looked into and ruled out: {'; '.join(out)}. Give another one." if out else ""
    think = THINK if cot and not tools.task.reply_cot else ""
    lead = "\n\n".join(part for part in (lead, notes, told, think) if part)
    return await tools.put(closing_of(tools.task, cot=cot), pictures=pictures, options=options, lead=lead, cot=cot)


def hand_in(tools: QuestionTools, said: Reading) -> None:
    """End the episode with a reply to the question as the answer."""
    if said.value is None:
        tools.end(*fault_of(said))
    else:
        tools.answer(said.value, text=said.text)


def fault_of(said: Reading) -> tuple[Reason, str]:
    """Why a reply that cannot be read ends an episode."""
    return Reason.TRUNCATED if said.truncated else Reason.UNREADABLE, said.fault


async def part_of(tools: QuestionTools, look: Look) -> Picture:
    """A part of a picture, enlarged."""
    number, part = look
    where = " ".join(f"{edge:g}" for edge in part)
    what = f"part of picture {number + 1}: {where}"
    return await tools.look(tools.task.pictures[number], f"part {where}", lambda png: enlarged(png, part), what)


def by_picture(places: Sequence[str], count: int) -> dict[int, list[tuple[int, float, float]]]:
    """The places in each of so many pictures, numbered from 1 over all of them."""
    found: dict[int, list[tuple[int, float, float]]] = {}
    for number, place in enumerate(places, 1):
        picture, x, y = place.split()
        if int(picture) <= count:
            found.setdefault(int(picture) - 1, []).append((number, float(x), float(y)))
    return dict(sorted(found.items()))


async def with_numbers(tools: QuestionTools, number: int, places: Sequence[tuple[int, float, float]]) -> Picture:
    """A picture with numbers at places."""
    where = "; ".join(f"{mark} {x:g} {y:g}" for mark, x, y in places)
    what = f"picture {number + 1} with numbers: {where}"
    return await tools.look(tools.task.pictures[number], f"numbers {where}", lambda png: numbered(png, places), what)


class Family(Protocol):
    """Some nodes of a graph that belong together."""

    def add_to(self, graph: Builder) -> None:
        """Add the nodes."""
        ...


def built(first: str, *families: Family) -> Graph:
    """A graph of these nodes that starts with the first."""
    from langgraph.graph import START, StateGraph

    graph = StateGraph(QuestionState, context_schema=QuestionTools)
    graph.add_edge(START, first)
    for family in families:
        family.add_to(graph)
    return graph.compile()


def without_letters(question: Question) -> str:
    """The question with its items and options as a list, for requests that have letters of their own."""
    return "\n".join([question.text, *(f"- {thing}" for thing in (*question.items, *question.options))])


def question_agent(name: str, summary: str, build: Build, *asks: Kind) -> Agent:
    """An agent for questions."""
    return Agent(name, summary, build, "answerer", needs=Needs.QUESTION, plans=False, asks=asks)
