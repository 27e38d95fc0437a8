"""The toolbox as langchain-core tools, for models that decide by themselves when to look, ask, plan and act.

    tools = langchain_tools(toolbox)
    model.bind_tools(tools)

What a tool gives back is text, as a tool-calling model reads it; what happens is told as events all the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import BaseModel, Field

from models.parsing import Proposal
from planners.formula import Atom
from planners.task import Step
from tools.toolbox import Toolbox

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool


class Facts(BaseModel):
    """Facts to ask about."""

    facts: list[str] = Field(description="facts such as 'on r,b': a predicate, a space, and objects with commas")


class Believed(BaseModel):
    """A state to plan from."""

    true_facts: list[str] = Field(description="every fact taken to be true, such as 'incolumn r,c1'; others are false")


class Move(BaseModel):
    """An action to attempt."""

    action: str = Field(description="the name of the action")
    arguments: list[str] = Field(description="its arguments in order")


def langchain_tools(toolbox: Toolbox, *, cot: bool = False) -> list[BaseTool]:
    """Look, query_predicates, plan_pddl and step_environment over one toolbox."""
    from langchain_core.tools import StructuredTool

    async def look() -> str:
        """See what is in view now."""
        seen = await toolbox.look()
        visible = "everything" if seen.visible is None else ", ".join(sorted(seen.visible))
        return "\n".join([f"In view: {visible}.", *seen.hints])

    async def query_predicates(facts: list[str]) -> str:
        """Ask the vision model whether facts are true in the current picture."""
        atoms, strange = _read(facts, toolbox)
        answers = await toolbox.query(atoms, cot=cot) if atoms else []
        said = {True: "yes", False: "no", None: "no clear answer"}
        lines = [f"{answer.atom}: {said[answer.value]}" for answer in answers]
        return "\n".join(lines + [f"{text}: no such fact" for text in strange])

    async def plan_pddl(true_facts: list[str]) -> str:
        """Have a symbolic planner find actions from a state to the goal."""
        atoms, strange = _read(true_facts, toolbox)
        if strange:
            return f"no such facts: {'; '.join(strange)}"
        outcome = await toolbox.plan(frozenset(atoms))
        if not outcome.solved:
            return f"no plan: {outcome.status}"
        return "\n".join(map(str, outcome.plan)) or "nothing to do: the goal holds in that state"

    async def step_environment(action: str, arguments: list[str]) -> str:
        """Attempt one action in the world."""
        if toolbox.spent:
            return "the step limit is reached"
        step = Step(action.strip(), tuple(argument.strip().lower() for argument in arguments))
        if toolbox.env.domain.check(step, toolbox.env.objects):
            return str(toolbox.refuse(Proposal(action, arguments, None)))
        stepped = toolbox.act(step)
        return f"{stepped.outcome}; the goal is reached" if stepped.terminated else str(stepped.outcome)

    make = StructuredTool.from_function
    return [
        make(coroutine=look, name="look", description=look.__doc__),
        make(coroutine=query_predicates, name="query_predicates", args_schema=Facts),
        make(coroutine=plan_pddl, name="plan_pddl", args_schema=Believed),
        make(coroutine=step_environment, name="step_environment", args_schema=Move),
    ]


def task_text(toolbox: Toolbox) -> str:
    """The task in words: what a tool-calling model is told first."""
    env = toolbox.env
    facts = ", ".join(
        f"{name} {','.join(variable.type for variable in variables)}"
        for name, variables in env.domain.predicates.items()
    )
    return f"{env.description}\n\n{env.action_help}\n\nFacts: {facts}.\n\nGoal:\n{env.goal_text}"


def _read(facts: list[str], toolbox: Toolbox) -> tuple[list[Atom], list[str]]:
    """The facts that exist in this world, and the texts that name none."""
    known = set(toolbox.env.domain.atoms(toolbox.env.objects))
    read = [(text, Atom.parse(text)) for text in facts]
    return [atom for _, atom in read if atom in known], [text for text, atom in read if atom not in known]
