"""A small problem of Blocksworld and what it takes to play it, for the tests of several rooms."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from envs.base import View, World
from envs.blocksworld.problems import BlocksProblem, Columns, domain, goal_of
from envs.blocksworld.world import Blocksworld
from evals.judges.symbolic import SymbolicJudge
from models.base import Kind, Message, Model, Request
from planners.outcome import Planner
from tools.events import Event
from tools.toolbox import Toolbox

START: Columns = (("r", "g"), ("b",), (), ())
GOAL: Columns = ((), ("b", "r"), ("g",), ())


def column_names(number: int) -> tuple[str, ...]:
    return tuple(f"c{place}" for place in range(1, number + 1))


def problem(start: Columns = START, goal: Columns = GOAL, split: str = "simple") -> BlocksProblem:
    columns = column_names(len(start))
    blocks = sorted(block for stack in start for block in stack)
    objects = domain().objects({**dict.fromkeys(blocks, "block"), **dict.fromkeys(columns, "column")})
    return BlocksProblem("small", split, objects, columns, start, goal_of(goal, columns))


def blocksworld(start: Columns = START, goal: Columns = GOAL, **options: Any) -> Blocksworld:
    return Blocksworld(problem(start, goal), **options)


@st.composite
def arrangements(draw: st.DrawFn, blocks: str = "rgbyp", columns: int = 4) -> Columns:
    """Any way to stack some of the blocks."""
    order = draw(st.permutations(blocks[: draw(st.integers(1, len(blocks)))]))
    places = draw(st.lists(st.integers(0, columns - 1), min_size=len(order), max_size=len(order)))
    return tuple(tuple(b for b, at in zip(order, places, strict=True) if at == column) for column in range(columns))


def witness(world: World, planner: Planner, *, split: str = "simple", name: str = "small") -> SymbolicJudge:
    """Who tells a model the truth that has no eyes."""
    return SymbolicJudge(world, {"problem": name, "level": split}, lambda: planner)


def toolbox(world: Blocksworld, model: Model, planner: Planner, **options: Any) -> tuple[Toolbox, list[Event]]:
    """A toolbox over the view of a world, and the list that its events go to."""
    told: list[Event] = []
    return Toolbox(env=View(world), model=model, planner=planner, emit=told.append, **options), told


@dataclass(frozen=True)
class Sketch:
    """A picture that is nothing but its bytes."""

    key: str = "sketch"
    content: bytes = b"pixels"

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()

    def png(self) -> bytes:
        return self.content


def request(text: str = "Is it so?", picture: Sketch | None = None, **options: Any) -> Request:
    """A request of one user message with one picture."""
    return Request((Message("user", (text, picture or Sketch())),), **options)


def about(fact: str, **options: Any) -> Request:
    """A yes/no question about a fact."""
    return request(f"Is it true that {fact}?", kind=Kind.YES_NO, about=fact, **options)
