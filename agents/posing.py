"""What the agents for questions share: the state of their graphs, and asking the question with all findings.

Their nodes can be combined in your own graph, because all of them read and write this state:

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
    """A part of a picture that was enlarged: the number of the picture, from 0, and the part."""

    picture: int
    part: Part


class QuestionState(TypedDict, total=False):
    """The state of the graph. Pictures are not kept: they are made again by name.

    `looks` are enlarged parts, `places` the model's points, `ruled_out` refuted answers. `votes` are answers in the
    question's own letters, `chances` the probabilities of its parts. `given` is the answer to check, with its text.
    """

    looks: tuple[Look, ...]
    places: tuple[str, ...]
    ruled_out: tuple[str, ...]
    votes: tuple[Value, ...]
    chances: dict[str, float]
    given: tuple[Value, str]
    fault: tuple[Reason, str]


async def shown(state: QuestionState, tools: QuestionTools) -> tuple[tuple[Picture, ...], str]:
    """The pictures of the question and those made from them, with notes that explain the latter."""
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
    """Ask the model the question, with all findings so far."""
    pictures, notes = await shown(state, tools)
    out = state.get("ruled_out", ())
    refuted = f"These answers were looked into and ruled out: {'; '.join(out)}. Give another one." if out else ""
    think = THINK if cot and not tools.task.reply_cot else ""
    lead = "\n\n".join(part for part in (lead, notes, refuted, think) if part)
    return await tools.put(closing_of(tools.task, cot=cot), pictures=pictures, options=options, lead=lead, cot=cot)


def hand_in(tools: QuestionTools, reading: Reading) -> None:
    """End the episode with a reply to the question as the answer."""
    if reading.value is None:
        tools.end(*fault_of(reading))
    else:
        tools.answer(reading.value, text=reading.text)


def fault_of(reading: Reading) -> tuple[Reason, str]:
    """The reason and detail with which an unreadable reply ends an episode."""
    return Reason.TRUNCATED if reading.truncated else Reason.UNREADABLE, reading.fault


async def part_of(tools: QuestionTools, look: Look) -> Picture:
    """A part of a picture, enlarged."""
    number, part = look
    where = " ".join(f"{edge:g}" for edge in part)
    what = f"part of picture {number + 1}: {where}"
    return await tools.look(tools.task.pictures[number], f"part {where}", lambda png: enlarged(png, part), what)


def by_picture(places: Sequence[str], count: int) -> dict[int, list[tuple[int, float, float]]]:
    """The places in each of `count` pictures, numbered from 1 across all pictures."""
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


class NodeGroup(Protocol):
    """Nodes of a graph that belong together."""

    def add_to(self, graph: Builder) -> None:
        """Add the nodes."""
        ...


def build_graph(first: str, *groups: NodeGroup) -> Graph:
    """A graph of these nodes that starts at `first`."""
    from langgraph.graph import START, StateGraph

    graph = StateGraph(QuestionState, context_schema=QuestionTools)
    graph.add_edge(START, first)
    for group in groups:
        group.add_to(graph)
    return graph.compile()


def without_letters(question: Question) -> str:
    """The question with its items and options as a plain list, for requests that use letters otherwise."""
    return "\n".join([question.text, *(f"- {thing}" for thing in (*question.items, *question.options))])


def question_agent(name: str, summary: str, build: Build, *asks: Kind) -> Agent:
    """An agent for questions."""
    return Agent(name, summary, build, "answerer", needs=Needs.QUESTION, plans=False, asks=asks)
