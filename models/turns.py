"""Conversations with tools: the tools that the model can use, and the calls that it makes.

A turn is a request like any other, so limits, retries, caps and the cache apply to it. Its messages have two
more roles: `assistant`, with the text of an earlier reply, and `tool`, with the id of a call and its result. The
reply's text is JSON that `read_turn` parses; a reply in prose calls no tool.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from models.base import Kind, Request


@dataclass(frozen=True)
class Turn(Request):
    """A request for the next tool calls. `tools` are their descriptions in OpenAI's JSON format."""

    tools: tuple[str, ...] = ()
    kind: Kind = Kind.TOOLS

    def fingerprint(self, identity: str, *, looks: bool) -> str:
        """A hash of everything that determines the reply, the tools included."""
        asked = Request.fingerprint(self, identity, looks=looks)
        return hashlib.sha256("\n".join((asked, *self.tools)).encode("utf-8", "replace")).hexdigest()


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call of a model. `fault` says why it cannot be read."""

    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    id: str = ""
    fault: str = ""

    def __str__(self) -> str:
        return f"{self.name}({json.dumps(self.arguments, ensure_ascii=False, default=str)})"

    @classmethod
    def parse(cls, text: str, id: str = "") -> Call:
        """Parse the result of `str(call)`, such as `look({})`; it does not contain the id."""
        name, _, rest = text.partition("(")
        try:
            return cls(name, dict(json.loads(rest.removesuffix(")"))), id)
        except (ValueError, TypeError):
            return cls(name, {}, id, f"no arguments in JSON: {rest}")


@dataclass(frozen=True, slots=True)
class TurnReply:
    """A model's turn: text, calls or both. `message` is the provider's own format, to be sent back unchanged."""

    text: str = ""
    calls: tuple[Call, ...] = ()
    message: Mapping[str, Any] | None = None


def write_turn(text: str, calls: Sequence[Call], message: Mapping[str, Any] | None = None) -> str:
    """Serialise a turn as the text of a reply."""
    written = [
        {"name": call.name, "arguments": dict(call.arguments), "id": call.id, "fault": call.fault} for call in calls
    ]
    return json.dumps({"said": text, "calls": written, "message": message}, default=str)


def read_turn(text: str) -> TurnReply:
    """Parse the turn in the text of a reply. Never raises: any text not from `write_turn` is prose."""
    try:
        content = json.loads(text)
        if "\\ud" in text.lower():  # escapes may spell lone surrogates, which UTF-8 cannot encode
            content = json.loads(json.dumps(content, ensure_ascii=False).encode("utf-8", "replace"))
        calls = tuple(
            Call(str(call["name"]), dict(call["arguments"]), str(call["id"]), str(call["fault"]))
            for call in content["calls"]
        )
        message = content["message"]
        return TurnReply(str(content["said"]), calls, message if isinstance(message, dict) else None)
    except (ValueError, TypeError, KeyError, RecursionError):
        return TurnReply(text)
