"""Chat models of LangChain that call tools by a script, and models that have one for hands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from pydantic import Field

from envs.base import Symbolic
from models.base import Model, Reply, Request, Witness, Witnessing
from models.langchain import LangChainChat
from models.turns import Turn
from planners.task import Step


class Puppet(BaseChatModel):
    """Says what a function of the conversation says. What it was given is kept."""

    script: Callable[[list[BaseMessage]], AIMessage]
    heard: list[list[BaseMessage]] = Field(default_factory=list)
    tools: list[list[dict[str, Any]]] = Field(default_factory=list)

    @property
    def _llm_type(self) -> str:
        return "puppet"

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Any:
        return self.bind(tools=list(tools), **kwargs)

    def _generate(self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **kwargs: Any) -> Any:
        self.heard.append(messages)
        self.tools.append(kwargs.get("tools", []))
        return ChatResult(generations=[ChatGeneration(message=self.script(messages))])


def call(name: str, number: int = 0, **arguments: Any) -> dict[str, Any]:
    """A call of a tool as LangChain has it."""
    return {"name": name, "args": arguments, "id": f"call_{number}", "type": "tool_call"}


def calling(*calls: dict[str, Any], text: str = "") -> AIMessage:
    """A message that calls tools."""
    return AIMessage(text, tool_calls=list(calls))


def in_turn(*messages: AIMessage) -> Puppet:
    """A puppet that says one thing after the other, and then that it is done."""
    left = iter(messages)
    return Puppet(script=lambda heard: next(left, AIMessage("I am done.")))


class Solver:
    """Looks, asks about every fact, has a plan made and carries it out; again from the start if something is off."""

    def __init__(self, facts: list[str]) -> None:
        self.facts = facts

    @classmethod
    def for_world(cls, world: Symbolic) -> Puppet:
        """A puppet that solves problems of this world."""
        return Puppet(script=cls([str(atom) for atom in world.domain.atoms(world.objects)]))

    def __call__(self, heard: list[BaseMessage]) -> AIMessage:
        told = [message for message in heard if isinstance(message, ToolMessage)]
        number, last = len(told), told[-1] if told else None
        said = str(last.text) if last else ""
        if last is None:
            return self._ask(number)
        match last.tool_call_id.partition("-")[0]:
            case "ask":
                true = [line.removesuffix(": yes") for line in said.splitlines() if line.endswith(": yes")]
                return calling(call("plan_pddl", true_facts=true) | {"id": f"plan-{number}"})
            case "plan" if said.startswith(("no plan", "nothing to do")):
                return AIMessage(f"I stop: {said}")
            case "plan":
                return self._step(said.splitlines()[0], number)
            case _ if not said.startswith("executed"):
                return self._ask(number)
        planned = max(place for place, message in enumerate(told) if message.tool_call_id.startswith("plan"))
        left = str(told[planned].text).splitlines()[number - planned - 1 :]
        return self._step(left[0], number) if left else self._ask(number)

    def _ask(self, number: int) -> AIMessage:
        look = call("look") | {"id": f"look-{number}"}
        return calling(look, call("query_predicates", facts=self.facts) | {"id": f"ask-{number}"}, text="Let me see.")

    def _step(self, written: str, number: int) -> AIMessage:
        step = Step.parse(written)
        act = call("step_environment", action=step.action, arguments=list(step.args))
        return calling(act | {"id": f"step-{number}"})


class Handy:
    """A model whose questions one model answers, and whose tools a chat model calls."""

    looks = False
    simulated = False
    cacheable = False
    calls_tools = True

    def __init__(self, eyes: Model, chat: BaseChatModel) -> None:
        self.identity = f"{eyes.identity} with hands"
        self.eyes = eyes
        self.hands = LangChainChat(chat, "puppet", "nowhere", "puppet")

    def for_episode(self, witness: Witness) -> Handy:
        eyes = self.eyes.for_episode(witness) if isinstance(self.eyes, Witnessing) else self.eyes
        return Handy(eyes, self.hands.chat)

    async def ask(self, request: Request) -> Reply:
        return await (self.hands.send(request) if isinstance(request, Turn) else self.eyes.ask(request))
