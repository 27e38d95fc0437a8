"""Conversations, tools and replies in the format of Anthropic's API.

In this format, tool results are the first blocks of the user's next message, so consecutive messages of the same role
are merged into one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from models._replies import read_list, read_object, read_text, read_tokens
from models._snippets import Snippets, dumped
from models.base import Message, Part, Reply, Usage
from models.turns import Call, read_turn, write_turn

_PROVIDER = "anthropic"
_CACHE_MARK = b',"cache_control":{"type":"ephemeral"}}'
_CUT = ("max_tokens", "model_context_window_exceeded")

Blocks = list[bytes]


def conversation(messages: Sequence[Message], pictures: Snippets, *, cache: bool) -> tuple[Blocks, bytes]:
    """The blocks of the system text, and all other messages, as JSON.

    With `cache`, the last block that the next request repeats is marked for the server's prompt cache.
    """
    system = [part for message in messages if message.role == "system" for part in message.parts]
    turns = [message for message in messages if message.role != "system"]
    blocks, merged = blocks_of(system, pictures), _merged_by_role(turns, pictures)
    marked = _last_repeated(turns, merged)
    if cache and marked:
        row, place = marked
        merged[row][1][place] = with_cache_mark(merged[row][1][place])
    elif cache and blocks:
        blocks[-1] = with_cache_mark(blocks[-1])
    written = (b'{"role":%b,"content":[%b]}' % (dumped(role), b",".join(turn)) for role, turn in merged)
    return blocks, b",".join(written)


def tools(descriptions: Sequence[str]) -> bytes:
    """Descriptions of tools, converted from OpenAI's format to Anthropic's."""
    described = [json.loads(text)["function"] for text in descriptions]
    return dumped(
        [
            {
                "name": tool["name"],
                "description": tool.get("description", ""),
                "input_schema": tool.get("parameters") or {"type": "object", "properties": {}},
            }
            for tool in described
        ]
    )


def blocks_of(parts: Sequence[Part], pictures: Snippets) -> Blocks:
    """Texts and pictures, without empty texts, which the API refuses."""
    return [
        dumped({"type": "text", "text": part}) if isinstance(part, str) else pictures.of(part)
        for part in parts
        if part != ""
    ]


def with_cache_mark(block: bytes) -> bytes:
    """The block, marked as the end of the prefix that the server should cache."""
    return block[:-1] + _CACHE_MARK


def _merged_by_role(turns: Sequence[Message], pictures: Snippets) -> list[tuple[str, Blocks]]:
    """The messages with consecutive ones of the same role merged."""
    merged: list[tuple[str, Blocks]] = []
    for message in turns:
        role, blocks = _blocks(message, pictures)
        if not blocks:
            continue
        if merged and merged[-1][0] == role:
            merged[-1][1].extend(blocks)
        else:
            merged.append((role, blocks))
    return merged


def _blocks(message: Message, pictures: Snippets) -> tuple[str, Blocks]:
    if message.role == "tool":
        id, *content = message.parts
        result = b'{"type":"tool_result","tool_use_id":%b,"content":[%b]}'
        return "user", [result % (dumped(id), b",".join(blocks_of(content, pictures)))]
    if message.role == "assistant" and len(message.parts) == 1:
        return "assistant", [dumped(block) for block in _reply_blocks(str(message.parts[0]))]
    return message.role, blocks_of(message.parts, pictures)


def _reply_blocks(text: str) -> list[dict[str, Any]]:
    """An earlier reply; unchanged, with signatures of its reasoning, if this API returned it."""
    turn = read_turn(text)
    own = (turn.message or {}).get(_PROVIDER)
    if isinstance(own, list):
        return own
    text_blocks = [{"type": "text", "text": turn.text}] if turn.text else []
    uses = [
        {"type": "tool_use", "id": call.id, "name": call.name, "input": dict(call.arguments)} for call in turn.calls
    ]
    return [*text_blocks, *uses]


def _last_repeated(turns: Sequence[Message], merged: Sequence[tuple[str, Blocks]]) -> tuple[int, int] | None:
    """The position of the last block that the next request repeats.

    It is the block before the question about a picture, or the tool result that the conversation continues from.
    """
    if not merged or not turns:
        return None
    last = len(merged) - 1
    results = [place for place, block in enumerate(merged[last][1]) if block.startswith(b'{"type":"tool_result"')]
    if results:
        return last, results[-1]
    parts = turns[-1].parts
    pictures = [place for place, part in enumerate(parts) if not isinstance(part, str)]
    asks = bool(pictures) and pictures[-1] < len(parts) - 1 and len(merged[last][1]) > 1
    return (last, len(merged[last][1]) - 2) if asks else None


def read_reply(answer: Mapping[str, Any], *, as_turn: bool) -> Reply:
    """The reply in a message; `Malformed` if it is invalid. The reply to a turn includes tool calls."""
    if answer.get("content") is None:
        read_object(None, "content")
    blocks = [
        read_object(block, f"content[{place}]") for place, block in enumerate(read_list(answer["content"], "content"))
    ]
    turn = [read_text(block.get("text"), "content.text") for block in blocks if block.get("type") == "text"]
    text = "".join(turn)
    if as_turn:
        calls = [_call(block) for block in blocks if block.get("type") == "tool_use"]
        text = write_turn(text, calls, {_PROVIDER: [_sendable(block) for block in blocks]})
    cut = read_text(answer.get("stop_reason"), "stop_reason") in _CUT
    return Reply(text, _usage(answer.get("usage")), truncated=cut)


def _call(block: Mapping[str, Any]) -> Call:
    name, id = read_text(block.get("name"), "content.name"), read_text(block.get("id"), "content.id")
    given = block.get("input")
    if isinstance(given, dict):
        return Call(name, given, id)
    return Call(name, {}, id, f"its arguments are not a JSON object: {given!r:.400}")


def _sendable(block: dict[str, Any]) -> dict[str, Any]:
    """A block that can be sent back: the API refuses arguments that are not an object."""
    broken = block.get("type") == "tool_use" and not isinstance(block.get("input"), dict)
    return {**block, "input": {}} if broken else block


def _usage(content: Any) -> Usage:
    content = {} if content is None else read_object(content, "usage")
    names = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "output_tokens")
    fresh, read, written, completion = (read_tokens(content.get(name), f"usage.{name}") for name in names)
    return Usage(fresh + read + written, completion, cached_tokens=read)
