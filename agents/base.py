"""What an agent is: a name, a line about it, and a function that builds its graph.

A graph starts from an empty state and finds its toolbox as `runtime.context`. It ends when it has told
`toolbox.end(reason)`; whether the goal was reached is for the scorer to say.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

Graph: TypeAlias = Any
"""A compiled LangGraph state machine. Not named by its type: importing LangGraph takes a second."""


@dataclass(frozen=True, slots=True)
class Agent:
    """A method that can be run. `family` decides which step limit of a benchmark it gets."""

    name: str
    summary: str
    build: Callable[[], Graph]
    family: str = "grounder"
