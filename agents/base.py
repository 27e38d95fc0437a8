"""What an agent is: a name, a summary, and a function that builds its graph.

A graph starts from an empty state and finds its toolbox in `runtime.context`. It ends the episode by
`toolbox.end(reason)`; whether the goal was reached is up to the judge.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeAlias

from models.base import Kind

if TYPE_CHECKING:
    from langgraph.types import Command

Graph: TypeAlias = Any
"""A compiled LangGraph state machine. Not named by its type: importing LangGraph takes a second."""

Builder: TypeAlias = Any
"""A LangGraph state graph that is being built."""

Build: TypeAlias = Callable[[], Graph]
"""Builds a graph."""

END = "__end__"
"""The node that ends a graph, by LangGraph's name for it."""


def go(to: str, update: Mapping[str, object] | None = None) -> Command[str]:
    """Go to another node, with an update of the state.

    Such a node takes half the time of one with a conditional edge.
    """
    from langgraph.types import Command

    return Command(goto=to, update=update)


class Needs(StrEnum):
    """The kind of task an agent is for, which decides its toolbox.

    `symbolic`: a world of facts and actions (`tools.toolbox.Toolbox`); `options`: a world that lists its options
    (`tools.worlds.OptionTools`); `question`: a question to answer (`tools.questions.QuestionTools`).
    """

    SYMBOLIC = "symbolic"
    OPTIONS = "options"
    QUESTION = "question"


@dataclass(frozen=True, slots=True)
class Agent:
    """A method that can be run.

    `family` selects the step limit of a benchmark, `prompts` names the prompt files it requires, `source` is the file
    it is defined in. With `calls_tools` the model must support tool calls. `needs` is the kind of task it is for,
    `also` are others that it can do, and `plans` says whether it uses the symbolic planner. `asks` are further kinds
    of reply that it requests. `control` names the control of symbolic worlds that it needs: it is then a control
    itself."""

    name: str
    summary: str
    build: Build
    family: str = "grounder"
    prompts: tuple[str, ...] = ()
    source: str = ""
    calls_tools: bool = False
    needs: Needs = Needs.SYMBOLIC
    also: tuple[Needs, ...] = ()
    plans: bool = True
    asks: tuple[Kind, ...] = ()
    control: str = ""

    def fits(self, kind: Needs) -> bool:
        """Whether it can do tasks of this kind."""
        return kind is self.needs or kind in self.also

    @property
    def kinds(self) -> frozenset[Kind]:
        """All kinds of reply that it declares to request."""
        named = {name.removesuffix("_cot") for name in self.prompts}
        kinds = {Kind(name) for name in named if name in set(Kind)}
        return frozenset({*kinds, *self.asks, *({Kind.TOOLS} if self.calls_tools else ())})
