"""The tool-calling agent: the model itself decides when to look, to ask, to plan and to act, or to answer.

    python -m evals.viplan --agent tools --model 'langchain:langchain_openai:ChatOpenAI?model=gpt-4.1'

In a world it is given the tools of `tools/langchain.py`, for a question those of `tools/langchain_questions.py`. What
it calls is done and told back to it, wrong calls with what was wrong about them, until the world says that the goal is
reached, the answer is given, steps or turns are used up, or the model calls nothing any more.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TypedDict

from pydantic import ValidationError

from agents.base import END, Agent, Graph, Needs, go
from agents.calling import Hands, hands
from models.base import Message
from models.turns import Call, write_turn
from tools.base import Tools
from tools.events import Called, Reason

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool
    from langgraph.runtime import Runtime
    from langgraph.types import Command


class ToolsState(TypedDict, total=False):
    """What goes from node to node. Pictures are not kept: the last look is shown as long as nothing has changed."""

    conversation: tuple[Message, ...]
    calls: tuple[Call, ...]
    turns: int
    looked: int


async def decide(state: ToolsState, runtime: Runtime[Tools]) -> Command[str]:
    """Have the model say which tools to call."""
    box, task = runtime.context, hands(runtime.context)
    conversation = state.get("conversation") or task.opening()
    shown = (*conversation, *await task.view(state.get("looked", -1)))
    said, truncated = await box.decide(shown, descriptions(task.tools()))
    if not said.calls:
        if truncated:
            box.end(Reason.TRUNCATED, "cut off before a tool was called")
        elif not said.text.strip():
            box.end(Reason.UNREADABLE, "neither words nor a tool to call")
        else:
            box.end(*task.quiet(said.text))
        return go(END)
    spoken = Message("assistant", (write_turn(said.text, said.calls, said.message),))
    update = ToolsState(conversation=(*conversation, spoken), calls=said.calls, turns=state.get("turns", 0) + 1)
    return go("use", update)


async def use(state: ToolsState, runtime: Runtime[Tools]) -> Command[str]:
    """Do what was called, and tell the model what came of it."""
    box, looked, task = runtime.context, state.get("looked", -1), hands(runtime.context)
    tools = {tool.name: tool for tool in task.tools()}
    told: list[Message] = []
    for call in state["calls"]:
        result, fault = await called(call, tools, task)
        arguments = json.dumps(dict(call.arguments), ensure_ascii=False)
        box.emit(Called(step=box.attempts, name=call.name, arguments=arguments, result=result, fault=fault))
        told.append(Message("tool", (call.id, result)))
        if call.name == "look" and not fault:
            looked = box.attempts
    over = task.over()
    if over:
        box.end(over[0])
    elif state["turns"] >= task.turns:
        box.end(Reason.STEP_LIMIT, f"{state['turns']} turns are used up")
    else:
        return go("decide", ToolsState(conversation=(*state["conversation"], *told), looked=looked))
    return go(END)


async def called(call: Call, tools: dict[str, BaseTool], task: Hands) -> tuple[str, bool]:
    """What came of a call, and whether it was a wrong one."""
    over = task.over()
    if over:
        return f"not done: {over[1]}", True
    if call.fault:
        return f"this call cannot be read: {call.fault}", True
    if call.name not in tools:
        return f"there is no tool {call.name!r}; tools: {', '.join(tools)}", True
    try:
        return str(await tools[call.name].ainvoke(dict(call.arguments))), False
    except ValidationError as error:
        wrong = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(map(str, wrong["loc"]))
        example = json.dumps(task.examples()[call.name], ensure_ascii=False)
        return f"wrong arguments for {call.name}: {where}: {wrong['msg']}; for example {example}", True


def descriptions(tools: list[BaseTool]) -> tuple[str, ...]:
    """The tools as the model's API describes them."""
    from langchain_core.utils.function_calling import convert_to_openai_tool

    return tuple(json.dumps(convert_to_openai_tool(tool), sort_keys=True) for tool in tools)


def build() -> Graph:
    """Decide and use, in turns."""
    from langgraph.graph import START, StateGraph

    graph = StateGraph(ToolsState, context_schema=Tools)
    graph.add_edge(START, "decide")
    graph.add_node("decide", decide, destinations=("use", END))
    graph.add_node("use", use, destinations=("decide", END))
    return graph.compile()


AGENTS = (
    Agent(
        "tools",
        "the model calls tools: look, ask, plan, act, answer",
        build,
        "planner",
        prompts=("yes_no",),
        calls_tools=True,
        also=(Needs.QUESTION,),
    ),
)
