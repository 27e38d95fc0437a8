"""Any chat model of LangChain, by the class that makes it.

langchain:langchain_openai:ChatOpenAI?model=gpt-4.1
langchain:langchain_ollama:ChatOllama?model=qwen2.5vl&num_predict=512

Options are the class's own parameters; values are read as JSON where they are JSON. The temperature is 0 and keys come
from the environment, as the class wants them. Tokens are limited only if an option of the class says so. These models
can also be given tools, which the agent `tools` needs.
"""

from __future__ import annotations

import base64
import importlib
import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from models._wire import scrubbed
from models.base import Message, ModelUnavailable, Options, Picture, Reply, Request, Usage
from models.conduct import Conducted
from models.turns import Call, Turn, read_turn, write_turn
from planners.names import unknown

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessage, BaseMessage

USAGE = "langchain:MODULE:CLASS[?model=NAME&…]   any chat model of LangChain, with its own parameters as options"
EXAMPLE = "langchain:langchain_openai:ChatOpenAI?model=gpt-4.1"
_KEYS = ("api_key", "apikey", "secret", "password", "credential", "access_token", "auth_token")
_ADDRESSES = ("base_url", "openai_api_base", "anthropic_api_url", "azure_endpoint", "endpoint")
_CUT_OFF = ("length", "max_tokens")
_BUDGETS = ("max_tokens", "max_output_tokens", "max_completion_tokens", "num_predict")
ROOM = 2048
"""Tokens that a model without a budget may take beyond those that were asked for, to think with."""


class LangChainChat:
    """A chat model of LangChain as a provider. `chat` is the object itself."""

    def __init__(self, chat: BaseChatModel, identity: str, endpoint: str, name: str) -> None:
        self.chat = chat
        self.identity = identity
        self.endpoint = endpoint
        self.name = name

    async def send(self, request: Request) -> Reply:
        """One attempt. What the class raises is told as ours, without what may hold a key."""
        from models._langchain_errors import translated

        try:
            chat: Any = self.chat
            if isinstance(request, Turn) and request.tools:
                chat = chat.bind_tools([json.loads(tool) for tool in request.tools])
            message = await chat.ainvoke(messages_of(request.messages))
        except ModelUnavailable:
            raise
        except Exception as error:
            raise translated(error, self.identity) from None
        return reply_of(message, as_turn=isinstance(request, Turn))

    def most_tokens(self, request: Request) -> int:
        """How long a reply may be: what the class was told, or a guess if it was told nothing."""
        told = (getattr(self.chat, name, None) for name in _BUDGETS)
        return next((budget for budget in told if isinstance(budget, int) and budget > 0), request.max_tokens + ROOM)

    async def close(self) -> None:
        """Nothing: LangChain's classes keep their connections to themselves."""


class ChatModel(Conducted):
    """A chat model of LangChain, asked with the conduct that all endpoints are asked with."""

    calls_tools = True

    def __init__(self, provider: LangChainChat) -> None:
        super().__init__(provider)
        self.chat = provider.chat


def messages_of(messages: Sequence[Message]) -> list[BaseMessage]:
    """Our messages as LangChain's."""
    return [_message(message) for message in messages if message.parts]


def _message(message: Message) -> BaseMessage:
    from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

    first, texts = message.parts[0], [part for part in message.parts if isinstance(part, str)]
    match message.role:
        case "system":
            return SystemMessage("\n\n".join(texts))
        case "tool":
            return ToolMessage("\n".join(texts[1:]), tool_call_id=texts[0])
        case "assistant":
            said = read_turn(str(first))
            if said.message is not None:
                return AIMessage(**said.message)
            calls = [{"name": call.name, "args": dict(call.arguments), "id": call.id} for call in said.calls]
            return AIMessage(said.text, tool_calls=calls)
        case _:
            return HumanMessage([_block(part) for part in message.parts])


def _block(part: str | Picture) -> str | dict[str, Any]:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    return {"type": "image", "base64": base64.b64encode(part.png()).decode(), "mime_type": "image/png"}


def reply_of(message: AIMessage, *, as_turn: bool = False) -> Reply:
    """LangChain's answer as ours; that of a turn with what it wants called."""
    used = message.usage_metadata
    usage = Usage()
    if used:
        kept = used.get("input_token_details", {}).get("cache_read", 0)
        usage = Usage(used["input_tokens"], used["output_tokens"], cached_tokens=kept)
    facts = message.response_metadata
    ended = {str(facts.get(name, "")).lower() for name in ("finish_reason", "stop_reason", "done_reason")}
    text = str(message.text)
    return Reply(_turn(message, text) if as_turn else text, usage, truncated=not ended.isdisjoint(_CUT_OFF))


def _turn(message: AIMessage, text: str) -> str:
    calls = [Call(call["name"], call["args"], call["id"] or "") for call in message.tool_calls]
    for broken in message.invalid_tool_calls:
        fault = broken.get("error") or f"its arguments are no JSON object: {broken.get('args')}"
        calls.append(Call(broken.get("name") or "", {}, broken.get("id") or "", " ".join(fault.split())))
    # Models that think want their own words back as they were, signatures included.
    kept = {"content", "additional_kwargs", "tool_calls", "invalid_tool_calls"}
    return write_turn(text, calls, message.model_dump(mode="json", include=kept))


def load(rest: str, options: Options) -> ChatModel:
    """The model for what stands behind `langchain:`."""
    module, _, name = rest.partition(":")
    if not module.strip() or not name.isidentifier():
        raise ValueError(f"langchain needs a module and a class, as in {EXAMPLE}, not {rest!r}")
    chat = build(_class(module, name), options)
    server = next((f" at {shown(options[option])}" for option in _ADDRESSES if option in options), "")
    identity = f"langchain:{module}:{name}{told(options)}"
    return ChatModel(LangChainChat(chat, identity, f"{rest}{server}", options.get("model", name)))


def told(options: Options) -> str:
    """The options as part of an identity."""
    return "".join(f", {option} {shown(options[option])}" for option in sorted(options))


def shown(value: str) -> str:
    """A value without the user name and the password that an address may hold."""
    return re.sub(r"//[^/\s]*@", "//", value)


def _class(module: str, name: str) -> type[BaseChatModel]:
    from langchain_core.language_models import BaseChatModel

    try:
        found = getattr(importlib.import_module(module), name, None)
    except ModuleNotFoundError as error:
        package = (error.name or module).partition(".")[0].replace("_", "-")
        raise ValueError(f"there is no module {error.name or module!r} here: pip install {package}?") from None
    except Exception as error:
        raise ValueError(f"{module} cannot be imported: {_line(error)}") from None
    if found is None:
        raise ValueError(f"{module} has no class {name!r}")
    if not (isinstance(found, type) and issubclass(found, BaseChatModel)):
        raise ValueError(f"{module}:{name} is no chat model of LangChain")
    return found


def build(made_by: type[BaseChatModel], options: Options) -> BaseChatModel:
    """The chat model of a class, with these parameters, a temperature of 0, and no retries beside our own."""
    fields = made_by.model_fields
    known = set(fields) | {field.alias for field in fields.values() if field.alias}
    for option in sorted(options):
        if any(word in option.lower() for word in _KEYS):
            raise ValueError(f"{option} does not belong on the command line: keys come from the environment")
        if option not in known:
            raise unknown(f"option of {made_by.__name__}", option, known)
    given: dict[str, Any] = {name: 0 for name in ("temperature", "max_retries") if name in known}
    given.update({name: _value(value) for name, value in options.items()})
    try:
        return made_by(**given)
    except Exception as error:
        raise ValueError(f"{made_by.__name__} cannot be made: {_line(error)}") from None


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _line(error: Exception) -> str:
    return scrubbed(f"{type(error).__name__}: {error}")[:500]
