"""The toolbox as langchain-core tools, for models that decide when to look, ask, plan and act.

    tools = langchain_tools(toolbox)
    model.bind_tools(tools)

Every tool returns text, and emits events like the toolbox itself. Examples from the current world show how to write
facts and actions.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, Field, create_model

from models.parsing import Proposal
from planners.facts import Written, words
from planners.formula import Atom
from planners.task import Step
from tools.toolbox import Toolbox

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

LONGEST = 120
"""Characters of a model's text that an error repeats."""
SYNTAX = "a predicate, a space, and its objects with commas between them"
"""How a fact is written; other notations are read too."""


def langchain_tools(toolbox: Toolbox, *, cot: bool = False) -> list[BaseTool]:
    """Look, query_predicates, plan_pddl and step_environment over one toolbox."""
    from langchain_core.tools import StructuredTool

    written = Written(toolbox.env.domain, toolbox.env.objects)

    async def look() -> str:
        """See what is in view now."""
        seen = await toolbox.look()
        visible = "everything" if seen.visible is None else ", ".join(sorted(seen.visible))
        return "\n".join([f"In view: {visible}.", *seen.hints])

    async def query_predicates(facts: list[str]) -> str:
        """Ask the vision model whether facts are true in the current picture."""
        atoms, strange = _read(facts, written)
        answers = await toolbox.query(atoms, cot=cot) if atoms else []
        words = {True: "yes", False: "no", None: "no clear answer"}
        lines = [f"{answer.atom}: {words[answer.value]}" for answer in answers]
        return "\n".join([*lines, *_no_facts(strange, written, toolbox)])

    async def plan_pddl(true_facts: list[str]) -> str:
        """Have a symbolic planner find actions from a state to the goal."""
        atoms, strange = _read(true_facts, written)
        if strange:
            return "\n".join(_no_facts(strange, written, toolbox))
        outcome = await toolbox.plan(frozenset(atoms))
        if not outcome.solved:
            return f"no plan: {outcome.status}"
        return "\n".join(map(str, outcome.plan)) or "nothing to do: the goal holds in that state"

    async def step_environment(action: str, arguments: list[str]) -> str:
        """Attempt one action in the world."""
        if toolbox.spent:
            return "the step limit is reached"
        step = _step(action, arguments, toolbox)
        if fault := toolbox.env.domain.check(step, toolbox.env.objects):
            outcome = toolbox.refuse(Proposal(action, arguments, None))
            example = json.dumps(examples(toolbox)["step_environment"], ensure_ascii=False)
            return f"{outcome}: {_line(fault)}; write actions as {example}"
        stepped = toolbox.act(step)
        return f"{stepped.outcome}; the goal is reached" if stepped.terminated else str(stepped.outcome)

    facts, believed, move = _schemas(toolbox)
    make = StructuredTool.from_function
    return [
        make(coroutine=look, name="look", description=look.__doc__),
        make(coroutine=query_predicates, name="query_predicates", args_schema=facts),
        make(coroutine=plan_pddl, name="plan_pddl", args_schema=believed),
        make(coroutine=step_environment, name="step_environment", args_schema=move),
    ]


def _schemas(toolbox: Toolbox) -> tuple[type[BaseModel], type[BaseModel], type[BaseModel]]:
    """The arguments of the tools, with examples from the current world."""
    facts, move = _quoted(example_facts(toolbox)), examples(toolbox)["step_environment"]
    asked = f"facts such as {facts}: {SYNTAX}"
    true = f"every fact taken to be true, such as {facts}; others are false"
    action = f"the name of the action, such as {move['action']!r}"
    arguments = f"its arguments in order, such as {json.dumps(move['arguments'], ensure_ascii=False)}"
    return (
        create_model("Facts", __doc__="Facts to ask about.", facts=(list[str], Field(description=asked))),
        create_model("Believed", __doc__="A state to plan from.", true_facts=(list[str], Field(description=true))),
        create_model(
            "Move",
            __doc__="An action to attempt.",
            action=(str, Field(description=action)),
            arguments=(list[str], Field(description=arguments)),
        ),
    )


def examples(toolbox: Toolbox) -> dict[str, dict[str, Any]]:
    """For each tool with arguments, a valid call in this world."""
    env, facts = toolbox.env, [str(fact) for fact in example_facts(toolbox)]
    action = next(iter(env.domain.actions.values()))
    pools = (env.objects.of_type(parameter.type) for parameter in action.parameters)
    arguments: list[str] = []
    for pool in pools:
        arguments.append(next((name for name in pool if name not in arguments), "nothing"))
    return {
        "query_predicates": {"facts": facts},
        "plan_pddl": {"true_facts": facts},
        "step_environment": {"action": action.name, "arguments": arguments},
    }


def example_facts(toolbox: Toolbox) -> list[Atom]:
    """One fact for each arity, the largest first; no reflexive ones."""
    by_number: dict[int, Atom] = {}
    env = toolbox.env
    for atom in toolbox.facts or env.domain.atoms(env.objects):
        if len(set(atom.args)) == len(atom.args):
            by_number.setdefault(len(atom.args), atom)
    return [by_number[number] for number in sorted(by_number, reverse=True)]


def task_text(toolbox: Toolbox) -> str:
    """The task in words: the first message to a tool-calling model."""
    env = toolbox.env
    facts = ", ".join(
        f"{name} {','.join(variable.type for variable in variables)}"
        for name, variables in env.domain.predicates.items()
    )
    return f"{toolbox.world_text}\n\n{env.action_help}\n\nFacts: {facts}.\n\nGoal:\n{env.goal_text}"


def _read(facts: list[str], written: Written) -> tuple[list[Atom], list[str]]:
    """The facts of this world that the texts name, each once, and the texts that name none."""
    read = [(text, written.read(text)) for text in facts]
    return list(dict.fromkeys(atom for _, atom in read if atom)), [text for text, atom in read if not atom]


def _no_facts(strange: list[str], written: Written, toolbox: Toolbox) -> Iterable[str]:
    """The error for texts that name no fact, with the syntax of facts."""
    for text in strange:
        yield f"{_line(text)}: no such fact: {written.fault(text)}"
    if strange:
        yield f"Write facts as {_quoted(example_facts(toolbox))}: {SYNTAX}."


def _step(action: str, arguments: list[str], toolbox: Toolbox) -> Step:
    """The action, with names matched regardless of case."""
    env = toolbox.env
    known: dict[tuple[str, ...], str] = {(name.lower(),): name for name in (*env.domain.actions, *env.objects)}
    name, *args = (known.get(words(text), text.strip()) for text in (action, *arguments))
    return Step(name, tuple(args))


def _quoted(facts: Iterable[Atom]) -> str:
    return " or ".join(f"'{fact}'" for fact in facts)


def _line(text: str) -> str:
    """A model's text, shortened to one line."""
    flat = " ".join(text.split())
    return flat if len(flat) <= LONGEST else f"{flat[:LONGEST]}…"
