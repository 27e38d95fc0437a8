"""The tool-calling agent: the model itself decides when to look, to ask, to plan and to act.

    python -m evals.viplan --agent tools --model 'langchain:langchain_openai:ChatOpenAI?model=gpt-4.1'

It is given the tools of `tools/langchain.py` and the task in words. What it calls is done and told back to it, wrong
calls with what was wrong about them, until the world says that the goal is reached, the steps are used up, or the
model calls nothing any more.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TypedDict

from pydantic import ValidationError

from agents.base import END, Agent, Graph, go
from models.base import Message
from models.turns import Call, write_turn
from tools.events import Called, Reason
from tools.langchain import examples, langchain_tools, task_text
from tools.toolbox import Toolbox

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool
    from langgraph.runtime import Runtime
    from langgraph.types import Command

INSTRUCTIONS = """
You act in a world that you see in pictures, by calling tools. Look when you want to see the world as it is now. Ask
about single facts when you are not sure of them. Have a plan made when you know the facts. Attempt one action at a
time, and look again when something may not have worked. Every attempt is a step, and steps are few; looking, asking
and planning cost none. When the goal is reached, call nothing more and say so.
""".strip()

TURNS_PER_STEP = 3
SPARE_TURNS = 4
"""A model that only ever looks would go on for ever: it has this many turns, and so many more for each step."""


class ToolsState(TypedDict, total=False):
    """What goes from node to node. Pictures are not kept: the last look is shown as long as nothing has changed."""

    conversation: tuple[Message, ...]
    calls: tuple[Call, ...]
    turns: int
    looked: int


async def decide(state: ToolsState, runtime: Runtime[Toolbox]) -> Command[str]:
    """Have the model say which tools to call."""
    box = runtime.context
    conversation = state.get("conversation") or opening(box)
    said, truncated = await box.decide((*conversation, *await view(state, box)), descriptions(box))
    if not said.calls:
        if truncated:
            box.end(Reason.TRUNCATED, "cut off before a tool was called")
        elif not said.text.strip():
            box.end(Reason.UNREADABLE, "neither words nor a tool to call")
        else:
            box.end(Reason.FINISHED, "the model called no more tools")
        return go(END)
    spoken = Message("assistant", (write_turn(said.text, said.calls, said.message),))
    update = ToolsState(conversation=(*conversation, spoken), calls=said.calls, turns=state.get("turns", 0) + 1)
    return go("use", update)


async def use(state: ToolsState, runtime: Runtime[Toolbox]) -> Command[str]:
    """Do what was called, and tell the model what came of it."""
    box, looked = runtime.context, state.get("looked", -1)
    tools = {tool.name: tool for tool in langchain_tools(box)}
    told: list[Message] = []
    for call in state["calls"]:
        result, fault = await called(call, tools, box)
        arguments = json.dumps(dict(call.arguments), ensure_ascii=False)
        box.emit(Called(step=box.attempts, name=call.name, arguments=arguments, result=result, fault=fault))
        told.append(Message("tool", (call.id, result)))
        if call.name == "look" and not fault:
            looked = box.attempts
    if box.reached:
        box.end(Reason.FINISHED)
    elif box.spent:
        box.end(Reason.STEP_LIMIT)
    elif state["turns"] >= TURNS_PER_STEP * box.step_limit + SPARE_TURNS:
        box.end(Reason.STEP_LIMIT, f"{state['turns']} turns are used up")
    else:
        return go("decide", ToolsState(conversation=(*state["conversation"], *told), looked=looked))
    return go(END)


async def called(call: Call, tools: dict[str, BaseTool], box: Toolbox) -> tuple[str, bool]:
    """What came of a call, and whether it was a wrong one."""
    if box.reached or box.spent:
        return "not done: the goal is reached" if box.reached else "not done: the step limit is reached", True
    if call.fault:
        return f"this call cannot be read: {call.fault}", True
    if call.name not in tools:
        return f"there is no tool {call.name!r}; tools: {', '.join(tools)}", True
    try:
        return str(await tools[call.name].ainvoke(dict(call.arguments))), False
    except ValidationError as error:
        wrong = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(map(str, wrong["loc"]))
        example = json.dumps(examples(box)[call.name], ensure_ascii=False)
        return f"wrong arguments for {call.name}: {where}: {wrong['msg']}; for example {example}", True


def opening(box: Toolbox) -> tuple[Message, ...]:
    """The first messages of the conversation."""
    task = f"{task_text(box)}\n\nYou have {box.step_limit} steps."
    return Message("system", (INSTRUCTIONS,)), Message("user", (task,))


async def view(state: ToolsState, box: Toolbox) -> tuple[Message, ...]:
    """The picture of the last look, if the world is still as it was then."""
    if state.get("looked") != box.attempts:
        return ()
    seen = await box.look()
    return (Message("user", ("This is what you see now:", seen.picture)),)


def descriptions(box: Toolbox) -> tuple[str, ...]:
    """The tools as the model's API describes them."""
    from langchain_core.utils.function_calling import convert_to_openai_tool

    return tuple(json.dumps(convert_to_openai_tool(tool), sort_keys=True) for tool in langchain_tools(box))


def build() -> Graph:
    """Decide and use, in turns."""
    from langgraph.graph import START, StateGraph

    graph = StateGraph(ToolsState, context_schema=Toolbox)
    graph.add_edge(START, "decide")
    graph.add_node("decide", decide, destinations=("use", END))
    graph.add_node("use", use, destinations=("decide", END))
    return graph.compile()


AGENTS = (
    Agent(
        "tools",
        "the model calls tools: look, ask, plan, act",
        build,
        "planner",
        prompts=("yes_no",),
        calls_tools=True,
    ),
)
