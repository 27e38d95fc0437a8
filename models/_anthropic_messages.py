"""Conversations, tools and replies as the API of Anthropic writes them.

Results of tools are blocks of the user's next message there, before anything else in it, so neighbouring messages of
one side are written as one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from models._replies import a_list, an_object, tokens, words
from models._snippets import Snippets, dumped
from models.base import Message, Part, Reply, Usage
from models.turns import Call, read_turn, write_turn

_OURS = "anthropic"
_KEEP = b',"cache_control":{"type":"ephemeral"}}'
_CUT = ("max_tokens", "model_context_window_exceeded")

Blocks = list[bytes]


def conversation(messages: Sequence[Message], pictures: Snippets, *, keep: bool) -> tuple[Blocks, bytes]:
    """The blocks of the system text, and all other messages as JSON; what comes again next time is marked if `keep`."""
    system = [part for message in messages if message.role == "system" for part in message.parts]
    turns = [message for message in messages if message.role != "system"]
    blocks, sides = blocks_of(system, pictures), _sides(turns, pictures)
    marked = _repeats(turns, sides)
    if keep and marked:
        row, place = marked
        sides[row][1][place] = kept(sides[row][1][place])
    elif keep and blocks:
        blocks[-1] = kept(blocks[-1])
    written = (b'{"role":%b,"content":[%b]}' % (dumped(role), b",".join(said)) for role, said in sides)
    return blocks, b",".join(written)


def tools(descriptions: Sequence[str]) -> bytes:
    """Descriptions of tools, from how OpenAI has them to how Anthropic has them."""
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
    """Texts and pictures; empty texts are refused, so there are none."""
    return [
        dumped({"type": "text", "text": part}) if isinstance(part, str) else pictures.of(part)
        for part in parts
        if part != ""
    ]


def kept(block: bytes) -> bytes:
    """The block, marked as the end of what the server should keep."""
    return block[:-1] + _KEEP


def _sides(turns: Sequence[Message], pictures: Snippets) -> list[tuple[str, Blocks]]:
    """The messages by role, in turns."""
    sides: list[tuple[str, Blocks]] = []
    for message in turns:
        role, blocks = _blocks(message, pictures)
        if not blocks:
            continue
        if sides and sides[-1][0] == role:
            sides[-1][1].extend(blocks)
        else:
            sides.append((role, blocks))
    return sides


def _blocks(message: Message, pictures: Snippets) -> tuple[str, Blocks]:
    if message.role == "tool":
        id, *told = message.parts
        result = b'{"type":"tool_result","tool_use_id":%b,"content":[%b]}'
        return "user", [result % (dumped(id), b",".join(blocks_of(told, pictures)))]
    if message.role == "assistant" and len(message.parts) == 1:
        return "assistant", [dumped(block) for block in _spoken(str(message.parts[0]))]
    return message.role, blocks_of(message.parts, pictures)


def _spoken(text: str) -> list[dict[str, Any]]:
    """An earlier reply: unchanged, signatures of thoughts included, if this API gave it."""
    said = read_turn(text)
    own = (said.message or {}).get(_OURS)
    if isinstance(own, list):
        return own
    words_said = [{"type": "text", "text": said.text}] if said.text else []
    uses = [
        {"type": "tool_use", "id": call.id, "name": call.name, "input": dict(call.arguments)} for call in said.calls
    ]
    return [*words_said, *uses]


def _repeats(turns: Sequence[Message], sides: Sequence[tuple[str, Blocks]]) -> tuple[int, int] | None:
    """The last block that comes again with the next question, by its place.

    It is what precedes the question about a picture, or the result of a tool in a conversation that goes on.
    """
    if not sides or not turns:
        return None
    last = len(sides) - 1
    results = [place for place, block in enumerate(sides[last][1]) if block.startswith(b'{"type":"tool_result"')]
    if results:
        return last, results[-1]
    parts = turns[-1].parts
    pictures = [place for place, part in enumerate(parts) if not isinstance(part, str)]
    asks = bool(pictures) and pictures[-1] < len(parts) - 1 and len(sides[last][1]) > 1
    return (last, len(sides[last][1]) - 2) if asks else None


def read_reply(answer: Mapping[str, Any], *, as_turn: bool) -> Reply:
    """The reply in a message; `Malformed` if it is none. That of a turn has what is to be called."""
    if answer.get("content") is None:
        an_object(None, "content")
    blocks = [an_object(block, f"content[{place}]") for place, block in enumerate(a_list(answer["content"], "content"))]
    said = [words(block.get("text"), "content.text") for block in blocks if block.get("type") == "text"]
    text = "".join(said)
    if as_turn:
        calls = [_call(block) for block in blocks if block.get("type") == "tool_use"]
        text = write_turn(text, calls, {_OURS: [_sendable(block) for block in blocks]})
    cut = words(answer.get("stop_reason"), "stop_reason") in _CUT
    return Reply(text, _usage(answer.get("usage")), truncated=cut)


def _call(block: Mapping[str, Any]) -> Call:
    name, id = words(block.get("name"), "content.name"), words(block.get("id"), "content.id")
    given = block.get("input")
    if isinstance(given, dict):
        return Call(name, given, id)
    return Call(name, {}, id, f"its arguments are no JSON object: {given!r:.400}")


def _sendable(block: dict[str, Any]) -> dict[str, Any]:
    """A block that may be sent back: arguments that are no object would be refused."""
    broken = block.get("type") == "tool_use" and not isinstance(block.get("input"), dict)
    return {**block, "input": {}} if broken else block


def _usage(told: Any) -> Usage:
    told = {} if told is None else an_object(told, "usage")
    names = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "output_tokens")
    fresh, read, written, completion = (tokens(told.get(name), f"usage.{name}") for name in names)
    return Usage(fresh + read + written, completion, cached_tokens=read)
