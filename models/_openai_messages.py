"""Conversations, tools and replies in the format of OpenAI's API."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from models._replies import Malformed, read_list, read_log_probability, read_object, read_text, read_tokens
from models._snippets import Snippets, dumped
from models.base import Message, Part, Picture, Reply, Usage
from models.turns import Call, read_turn, write_turn

_PROVIDER = "openai"
_REASONING_FIELDS = ("reasoning", "reasoning_content", "reasoning_details")
"""Fields in which servers return a model's reasoning. They expect it to be sent back between tool calls."""
_PICTURES_INTRO = "The tools showed this:"


def conversation(messages: Sequence[Message], pictures: Snippets) -> bytes:
    """The messages as JSON, separated by commas."""
    written: list[bytes] = []
    shown: list[Picture] = []
    for message in messages:
        if message.role != "tool" and shown:
            written.append(_message("user", (_PICTURES_INTRO, *shown), pictures))
            shown = []
        if message.role == "tool":
            id, *texts = (part for part in message.parts if isinstance(part, str))
            written.append(dumped({"role": "tool", "tool_call_id": id, "content": "\n".join(texts)}))
            # Tool messages cannot contain pictures, and no other message may stand between them.
            shown += [part for part in message.parts if not isinstance(part, str)]
        elif message.role == "assistant" and len(message.parts) == 1:
            written.append(dumped(_assistant_message(str(message.parts[0]))))
        else:
            written.append(_message(message.role, message.parts, pictures))
    if shown:
        written.append(_message("user", (_PICTURES_INTRO, *shown), pictures))
    return b",".join(written)


def _message(role: str, parts: Sequence[Part], pictures: Snippets) -> bytes:
    if len(parts) == 1 and isinstance(parts[0], str):
        # Some chat templates accept only plain text where no picture is possible.
        return dumped({"role": role, "content": parts[0]})
    content = b",".join(
        dumped({"type": "text", "text": part}) if isinstance(part, str) else pictures.of(part) for part in parts
    )
    return b'{"role":%b,"content":[%b]}' % (dumped(role), content)


def _assistant_message(text: str) -> dict[str, Any]:
    """An earlier reply."""
    turn = read_turn(text)
    if not turn.calls:
        return {"role": "assistant", "content": turn.text}
    kept = (turn.message or {}).get(_PROVIDER)
    calls = [
        # Unreadable arguments are sent back empty: some servers parse them again and would refuse the whole request.
        {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": json.dumps(call.arguments)}}
        for call in turn.calls
    ]
    reasoning = kept if isinstance(kept, dict) else {}
    return {"role": "assistant", "content": turn.text or None, "tool_calls": calls, **reasoning}


def read_reply(answer: Mapping[str, Any], *, as_turn: bool) -> Reply:
    """The reply in a chat completion; `Malformed` if it is invalid. The reply to a turn includes tool calls."""
    choices = read_list(answer.get("choices"), "choices")
    chosen = read_object(choices[0] if choices else None, "choices[0]")
    message = read_object(chosen.get("message"), "choices[0].message")
    text = _text(message)
    if as_turn:
        reasoning = {name: message[name] for name in _REASONING_FIELDS if message.get(name)}
        text = write_turn(text, _calls(message), {_PROVIDER: reasoning} if reasoning else None)
    yes, no = yes_no(chosen.get("logprobs"))
    cut = read_text(chosen.get("finish_reason"), "choices[0].finish_reason") == "length"
    return Reply(text, _usage(answer.get("usage")), yes, no, truncated=cut)


def _text(message: Mapping[str, Any]) -> str:
    content, where = message.get("content"), "choices[0].message.content"
    if isinstance(content, list):
        parts = [read_object(part, f"{where}[{place}]") for place, part in enumerate(content)]
        return "".join(read_text(part.get("text"), f"{where}.text") for part in parts)
    return read_text(content, where) or read_text(message.get("refusal"), "choices[0].message.refusal")


def _calls(message: Mapping[str, Any]) -> list[Call]:
    where = "choices[0].message.tool_calls"
    found: list[Call] = []
    for number, entry in enumerate(read_list(message.get("tool_calls"), where)):
        entry = read_object(entry, f"{where}[{number}]")
        function = read_object(entry.get("function"), f"{where}[{number}].function")
        name, id = read_text(function.get("name"), f"{where}.name"), read_text(entry.get("id"), f"{where}.id")
        if not id or any(call.id == id for call in found):
            id = f"call_{number}"  # some servers send no id, but results are matched by it
        arguments = function.get("arguments")
        read = _arguments(arguments)
        fault = f"its arguments are not a JSON object: {arguments}" if read is None else ""
        found.append(Call(name, read or {}, id, " ".join(fault.split())[:500]))
    return found


def _arguments(written: Any) -> dict[str, Any] | None:
    """The arguments of a call, parsed from JSON text; None if they are not a JSON object."""
    if not written:
        return {}  # some models send an empty text for a tool without parameters
    try:
        read = json.loads(written) if isinstance(written, str) else written
    except (ValueError, RecursionError):
        return None
    return read if isinstance(read, dict) else None


def _usage(texts: Any) -> Usage:
    texts = {} if texts is None else read_object(texts, "usage")
    details = texts.get("prompt_tokens_details")
    kept = {} if details is None else read_object(details, "usage.prompt_tokens_details")
    prompt = read_tokens(texts.get("prompt_tokens"), "usage.prompt_tokens")
    completion = read_tokens(texts.get("completion_tokens"), "usage.completion_tokens")
    cached = read_tokens(kept.get("cached_tokens"), "usage.prompt_tokens_details.cached_tokens")
    return Usage(prompt, completion, cached_tokens=min(cached, prompt))


def yes_no(logprobs: Any) -> tuple[float | None, float | None]:
    """The probabilities that the reply starts with Yes and with No, whatever their case; None if neither is known."""
    where = "choices[0].logprobs.content"
    content = None if logprobs is None else read_object(logprobs, "choices[0].logprobs").get("content")
    for place, token in enumerate(read_list(content, where)):
        first = _option(token, f"{where}[{place}]")
        if not first[0]:
            continue  # the model starts with a space or a new line
        rivals = read_list(token.get("top_logprobs"), f"{where}[{place}].top_logprobs")
        seen = {
            option["token"]: _option(option, f"{where}.top_logprobs") for option in _objects((token, *rivals), where)
        }
        chances = {
            word: math.fsum(math.exp(log) for name, log in seen.values() if name == word) for word in ("yes", "no")
        }
        if not any(chances.values()):
            break
        return min(chances["yes"], 1.0), min(chances["no"], 1.0)
    return None, None


def _objects(values: Sequence[Any], where: str) -> list[dict[str, Any]]:
    found = [read_object(value, where) for value in values]
    if not all(isinstance(value.get("token"), str) for value in found):
        raise Malformed(f"{where} has a token that is not a text")
    return found


def _option(token: Any, where: str) -> tuple[str, float]:
    """A token without blanks, and its log probability."""
    token = read_object(token, where)
    word = re.sub(r"[\W_]+", "", read_text(token.get("token"), f"{where}.token").lower())
    return word, read_log_probability(token.get("logprob"), f"{where}.logprob")
