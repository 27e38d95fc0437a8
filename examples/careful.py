"""A grounder that asks each precondition in three wordings before it acts, and takes the majority.

    python -m evals.viplan --agent examples/careful.py:build --limit 1

The graph, the other nodes and the tools are those of `ground`. Equal questions get equal answers, so each vote words
its question a little differently.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agents.base import END, Graph, go
from agents.ground import Grounder, GroundState, after_trouble, believed, in_view, unreadable
from planners.formula import Literal
from tools.events import Phase
from tools.toolbox import Answer, Toolbox

if TYPE_CHECKING:
    from langgraph.runtime import Runtime
    from langgraph.types import Command

WORDINGS = ("", "Look closely before you answer.", "Take your time, and look at the whole picture.")


@dataclass(frozen=True)
class Careful(Grounder):
    """The `ground` method with another check of preconditions."""

    async def check(self, state: GroundState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Ask three times whether the next action's preconditions hold, and take the majority."""
        tools, step = runtime.context, state["plan"][0]
        action = tools.env.domain.ground(step, tools.env.objects)
        wanted = in_view(action.preconditions(), await tools.look())
        answers = await votes(tools, wanted)
        if unreadable(answers, tools):
            return go(END)
        belief = believed(state["belief"], answers)
        unmet = [Literal(answer.atom, bool(answer.expected)) for answer in answers if not answer.as_expected]
        if unmet:
            tools.call_off(step, unmet)
            return go(after_trouble(tools, "called off"), GroundState(belief=belief, last=step, last_legal=True))
        answered = tuple((answer.question, bool(answer.value)) for answer in answers)
        return go("act", GroundState(belief=belief, answered=answered, expected=action.effects(belief)))


async def votes(tools: Toolbox, facts: list[Literal]) -> list[Answer]:
    """The majority answer for each fact."""
    rounds = [await tools.query(facts, phase=Phase.PRECONDITION, note=wording) for wording in WORDINGS]
    return [majority(answers) for answers in zip(*rounds, strict=True)]


def majority(answers: tuple[Answer, ...]) -> Answer:
    """The most frequent answer; unreadable ones do not count. On a tie, the first one."""
    readable = [answer for answer in answers if answer.value is not None] or list(answers)
    values = [answer.value for answer in readable]
    return max(readable, key=lambda answer: values.count(answer.value))


def build() -> Graph:
    """The `ground` method with a vote of three before every action."""
    return Careful().graph()
