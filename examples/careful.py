"""A grounder that looks three times before it acts: each precondition is put to the vote of three wordings.

    python -m evals.viplan --agent examples/careful.py:build --limit 1

Everything but the vote is the `ground` method's own: the graph, its other nodes and the tools. A model that is asked
the same thing twice gives the same answer twice, so each vote words its question a little differently.
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
    """The `ground` method with another way to check an action."""

    async def check(self, state: GroundState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Ask three times whether the next action's preconditions hold, and go by the majority."""
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
    """One answer for each fact: the one that most wordings led to."""
    rounds = [await tools.query(facts, phase=Phase.PRECONDITION, note=wording) for wording in WORDINGS]
    return [majority(answers) for answers in zip(*rounds, strict=True)]


def majority(answers: tuple[Answer, ...]) -> Answer:
    """The answer with the most votes; whoever could not be read has none. On a tie the first one given."""
    readable = [answer for answer in answers if answer.value is not None] or list(answers)
    values = [answer.value for answer in readable]
    return max(readable, key=lambda answer: values.count(answer.value))


def build() -> Graph:
    """The method `ground`, with a vote of three before every action."""
    return Careful().graph()
