"""The tool-calling agent: the model decides when to look, ask, plan and act, or answer.

    python -m evals.viplan --agent tools --model 'langchain:langchain_openai:ChatOpenAI?model=gpt-4.1'

In a world it has the tools of `tools/langchain.py`, for a question those of `tools/langchain_questions.py`. The result
of each call, or its error, is returned to the model, until the goal is reached, the answer is given, steps or turns are
used up, or the model makes no more calls.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TypedDict

from pydantic import ValidationError

from agents.base import END, Agent, Graph, Needs, go
from agents.calling import TaskAdapter, adapter_of
from models.base import Message
from models.turns import Call, write_turn
from tools.base import Tools
from tools.events import Called, Reason

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool
    from langgraph.runtime import Runtime
    from langgraph.types import Command


class ToolsState(TypedDict, total=False):
    """The state of the graph. Pictures are not kept: the last look is shown until the next attempt."""

    conversation: tuple[Message, ...]
    calls: tuple[Call, ...]
    turns: int
    looked: int


async def decide(state: ToolsState, runtime: Runtime[Tools]) -> Command[str]:
    """Ask the model which tools to call."""
    box, task = runtime.context, adapter_of(runtime.context)
    conversation = state.get("conversation") or task.opening()
    shown = (*conversation, *await task.view(state.get("looked", -1)))
    reply, truncated = await box.decide(shown, descriptions(task.tools()))
    if not reply.calls:
        if truncated:
            box.end(Reason.TRUNCATED, "cut off before a tool was called")
        elif not reply.text.strip():
            box.end(Reason.UNREADABLE, "neither words nor a tool to call")
        else:
            box.end(*task.without_calls(reply.text))
        return go(END)
    turn = Message("assistant", (write_turn(reply.text, reply.calls, reply.message),))
    update = ToolsState(conversation=(*conversation, turn), calls=reply.calls, turns=state.get("turns", 0) + 1)
    return go("use", update)


async def use(state: ToolsState, runtime: Runtime[Tools]) -> Command[str]:
    """Execute the calls, and return the results to the model."""
    box, looked, task = runtime.context, state.get("looked", -1), adapter_of(runtime.context)
    tools = {tool.name: tool for tool in task.tools()}
    results: list[Message] = []
    for call in state["calls"]:
        result, fault = await called(call, tools, task)
        arguments = json.dumps(dict(call.arguments), ensure_ascii=False)
        box.emit(Called(step=box.attempts, name=call.name, arguments=arguments, result=result, fault=fault))
        results.append(Message("tool", (call.id, result)))
        if call.name == "look" and not fault:
            looked = box.attempts
    over = task.over()
    if over:
        task.end(over[0])
    elif state["turns"] >= task.turns:
        box.end(Reason.STEP_LIMIT, f"{state['turns']} turns are used up")
    else:
        return go("decide", ToolsState(conversation=(*state["conversation"], *results), looked=looked))
    return go(END)


async def called(call: Call, tools: dict[str, BaseTool], task: TaskAdapter) -> tuple[str, bool]:
    """The result of a call, and whether the call was invalid."""
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
    """The tools in the format of model APIs."""
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
