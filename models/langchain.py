"""Any chat model of LangChain, by its class.

langchain:langchain_openai:ChatOpenAI?model=gpt-4.1
langchain:langchain_ollama:ChatOllama?model=qwen2.5vl&num_predict=512

Options are the class's own parameters; values that are JSON are parsed. The temperature is 0. The class reads its key
from the environment and sends it to its own provider only; `key_env=NAME` names the variable with the key for another
address. Tokens are limited only if an option of the class says so. These models can also call tools.
"""

from __future__ import annotations

import base64
import importlib
import json
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from models._keys import OPTION, read_option
from models._langchain_keys import (
    address_in,
    address_of,
    host_of,
    is_foreign,
    key_fields,
    refuse_secrets,
    secrets_of,
    uses_foreign_server,
    value_of,
)
from models._langsmith import hide_pictures
from models._replies import Malformed, read_object, read_tokens
from models._secrets import masked, scrubbed
from models.base import Message, ModelUnavailable, Options, Picture, Reply, Request, Transient, Usage
from models.conduct import Conducted
from models.turns import Call, Turn, read_turn, write_turn
from planners.names import unknown

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessage, BaseMessage

ASKS_TRUST = True
"""A spec names a module, which is imported."""
USAGE = "langchain:MODULE:CLASS[?model=NAME&…]   any chat model of LangChain, with its own parameters as options"
EXAMPLE = "langchain:langchain_openai:ChatOpenAI?model=gpt-4.1"
_CUT_OFF = ("length", "max_tokens")
_BUDGETS = ("max_tokens", "max_output_tokens", "max_completion_tokens", "num_predict")
_NO_KEY = "none"
THINKING_TOKENS = 2048
"""Thinking tokens reserved, in addition to the requested ones, for a model without a token limit."""


class LangChainChat:
    """A chat model of LangChain as a provider. `chat` is the LangChain object."""

    calls_tools = True

    def __init__(self, chat: BaseChatModel, identity: str, endpoint: str, name: str) -> None:
        self.chat = chat
        self.identity = identity
        self.endpoint = endpoint
        self.name = name
        self._secrets = secrets_of(chat)

    async def send(self, request: Request) -> Reply:
        """One attempt. Errors of the class are translated, without anything that may contain a key."""
        from models._langchain_errors import translated

        hide_pictures()
        try:
            chat: Any = self.chat
            if isinstance(request, Turn) and request.tools:
                chat = chat.bind_tools([json.loads(tool) for tool in request.tools])
            message = await chat.ainvoke(messages_of(request.messages))
            reply = reply_of(message, as_turn=isinstance(request, Turn))
            return replace(reply, text=masked(reply.text, self._secrets))
        except ModelUnavailable:
            raise
        except Malformed as fault:
            raise Transient(f"{self.identity} gave a malformed reply: {fault}") from None
        except Exception as error:
            raise translated(error, self.identity) from None

    def most_tokens(self, request: Request) -> int:
        """The most tokens of a reply: the limit of the class, else a guess."""
        options_suffix = (getattr(self.chat, name, None) for name in _BUDGETS)
        return next(
            (budget for budget in options_suffix if isinstance(budget, int) and budget > 0),
            request.max_tokens + THINKING_TOKENS,
        )

    async def close(self) -> None:
        """Nothing: LangChain's classes do not expose their connections."""


class ChatModel(Conducted):
    """A chat model of LangChain with the retries and limits of `models.conduct`."""

    def __init__(self, provider: LangChainChat) -> None:
        super().__init__(provider)
        self.chat = provider.chat


def messages_of(messages: Sequence[Message]) -> list[BaseMessage]:
    """Our messages, converted to LangChain's."""
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
            turn = read_turn(str(first))
            if turn.message is not None:
                return AIMessage(**turn.message)
            calls = [{"name": call.name, "args": dict(call.arguments), "id": call.id} for call in turn.calls]
            return AIMessage(turn.text, tool_calls=calls)
        case _:
            return HumanMessage([_block(part) for part in message.parts])


def _block(part: str | Picture) -> str | dict[str, Any]:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    return {"type": "image", "base64": base64.b64encode(part.png()).decode(), "mime_type": "image/png"}


def reply_of(message: AIMessage, *, as_turn: bool = False) -> Reply:
    """LangChain's answer, converted to our reply. The reply to a turn includes tool calls."""
    used = dict(message.usage_metadata or {})
    details = read_object(used.get("input_token_details") or {}, "input_token_details")
    prompt, completion = (read_tokens(used.get(name), name) for name in ("input_tokens", "output_tokens"))
    usage = Usage(prompt, completion, cached_tokens=min(read_tokens(details.get("cache_read"), "cache_read"), prompt))
    facts = message.response_metadata
    ended = {str(facts.get(name, "")).lower() for name in ("finish_reason", "stop_reason", "done_reason")}
    text = str(message.text)
    return Reply(_turn(message, text) if as_turn else text, usage, truncated=not ended.isdisjoint(_CUT_OFF))


def _turn(message: AIMessage, text: str) -> str:
    calls = [Call(call["name"], call["args"], call["id"] or "") for call in message.tool_calls]
    for broken in message.invalid_tool_calls:
        fault = broken.get("error") or f"its arguments are not a JSON object: {broken.get('args')}"
        calls.append(Call(broken.get("name") or "", {}, broken.get("id") or "", " ".join(fault.split())))
    # Models that think need their own messages back unchanged, signatures included.
    kept = {"content", "additional_kwargs", "tool_calls", "invalid_tool_calls"}
    return write_turn(text, calls, message.model_dump(mode="json", include=kept))


def endpoint(rest: str, options: Options) -> str:
    """The host that would be asked, as far as it is known without importing the class."""
    return host_of(*_named(rest), options)


def load(rest: str, options: Options) -> ChatModel:
    """Load the model of a spec that starts with `langchain:`."""
    module, name = _named(rest)
    chat = build(_class(module, name), options)
    address = address_in(options)
    server = f" at {shown(address)}" if address else ""
    identity = f"langchain:{module}:{name}{options_suffix(options)}"
    return ChatModel(LangChainChat(chat, identity, f"{rest}{server}", options.get("model", name)))


def _named(rest: str) -> tuple[str, str]:
    module, _, name = rest.partition(":")
    if not module.strip() or not name.isidentifier():
        raise ValueError(f"langchain needs a module and a class, as in {EXAMPLE}, not {rest!r}")
    return module, name


def options_suffix(options: Options) -> str:
    """The options as part of an identity."""
    return "".join(f", {option} {shown(options[option])}" for option in sorted(options) if option != OPTION)


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
        raise ValueError(f"{module} cannot be imported: {_one_line(error)}") from None
    if found is None:
        raise ValueError(f"{module} has no class {name!r}")
    if not (isinstance(found, type) and issubclass(found, BaseChatModel)):
        raise ValueError(f"{module}:{name} is not a chat model of LangChain")
    return found


def build(made_by: type[BaseChatModel], options: Options) -> BaseChatModel:
    """Create the chat model of a class with these parameters, temperature 0, and without retries of its own.

    The class's own key goes to its own provider only. Another address gets the key that `key_env` names, or none.
    """
    fields = made_by.model_fields
    known = set(fields) | {field.alias for field in fields.values() if field.alias}
    key = read_option(made_by.__name__, options)
    options = {option: value for option, value in options.items() if option != OPTION}
    refuse_secrets(made_by, options)
    for option in sorted(options):
        if option not in known:
            raise unknown(f"option of {made_by.__name__}", option, {*known, OPTION})
    given: dict[str, Any] = {name: 0 for name in ("temperature", "max_retries") if name in known}
    given.update({name: value_of(value) for name, value in options.items()})
    takes = key_fields(made_by)
    if key is not None and not takes:
        raise ValueError(f"{made_by.__name__} takes no key: leave {OPTION} out")
    without = dict.fromkeys(takes, _NO_KEY)
    if key is not None:
        given.update(dict.fromkeys(takes, key[1]))
    elif is_foreign(address_of(made_by.__module__.partition(".")[0], made_by.__name__, options)):
        given.update(without)
    chat = _made(made_by, given)
    return _made(made_by, {**given, **without}) if key is None and uses_foreign_server(chat) else chat


def _made(made_by: type[BaseChatModel], given: dict[str, Any]) -> BaseChatModel:
    try:
        return made_by(**given)
    except Exception as error:
        raise ValueError(f"{made_by.__name__} cannot be made: {_one_line(error)}") from None


def _one_line(error: Exception) -> str:
    return scrubbed(f"{type(error).__name__}: {error}")[:500]
