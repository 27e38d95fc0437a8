"""What an agent is: a name, a line about it, and a function that builds its graph.

A graph starts from an empty state and finds its toolbox as `runtime.context`. It ends when it has told
`toolbox.end(reason)`; whether the goal was reached is for the scorer to say.
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
    """Leave a node for another one, with what changes in the state.

    A node that says where to go costs half of one with a router behind it.
    """
    from langgraph.types import Command

    return Command(goto=to, update=update)


class Needs(StrEnum):
    """What kind of task an agent is for, which decides the toolbox that it gets.

    `symbolic`: a world of facts and actions (`tools.toolbox.Toolbox`); `options`: a world that lists what can be done
    (`tools.worlds.OptionTools`); `question`: a question to answer (`tools.questions.QuestionTools`).
    """

    SYMBOLIC = "symbolic"
    OPTIONS = "options"
    QUESTION = "question"


@dataclass(frozen=True, slots=True)
class Agent:
    """A method that can be run.

    `family` decides which step limit of a benchmark it gets, `prompts` names those it cannot do without, `source` is
    the file it comes from. One that `calls_tools` needs a model that can. `needs` is the kind of task it is for, `also`
    are others that it can do, and `plans` is whether it uses the symbolic planner. `asks` are the kinds of reply that
    it wants beside those of its prompts.
    """

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

    def fits(self, kind: Needs) -> bool:
        """Whether it can do tasks of this kind."""
        return kind is self.needs or kind in self.also

    @property
    def kinds(self) -> frozenset[Kind]:
        """All kinds of reply that it wants, as far as it says."""
        named = {name.removesuffix("_cot") for name in self.prompts}
        kinds = {Kind(name) for name in named if name in set(Kind)}
        return frozenset({*kinds, *self.asks, *({Kind.TOOLS} if self.calls_tools else ())})
