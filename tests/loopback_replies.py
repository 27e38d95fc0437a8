"""The words of the loopback server: replies and errors as the two APIs write them."""

from __future__ import annotations

import hashlib
import json
import math
from typing import Any, NamedTuple

Body = dict[str, Any]
PICTURE_TOKENS = 500


class Calling(NamedTuple):
    """Words and calls of tools: each an id, a name, and arguments as JSON, which may be broken."""

    text: str
    calls: tuple[tuple[str, str, str], ...]


def openai_reply(body: Body, answer: str | Calling, confidence: float, kept: set[str]) -> bytes:
    """A chat completion. The tokens of a prefix that was sent before count as kept."""
    budget = body.get("max_completion_tokens") or body.get("max_tokens") or 10**6
    text, calls = answer if isinstance(answer, Calling) else (answer, ())
    said, cut = _within(text, budget)
    prefix = [*body["messages"][:-1], _without_last(body["messages"][-1])]
    prompt = _tokens(body["messages"])
    known = _seen_before(prefix, kept)
    choice: Body = {
        "index": 0,
        "message": {"role": "assistant", "content": said},
        "finish_reason": "length" if cut else "stop",
    }
    if calls:
        choice["message"] |= {"content": said or None, "tool_calls": [_openai_call(*call) for call in calls]}
        choice["finish_reason"] = "tool_calls"
    if body.get("logprobs"):
        choice["logprobs"] = {"content": [_first_token(said, confidence, body.get("top_logprobs", 0))]}
    usage = {
        "prompt_tokens": prompt,
        "completion_tokens": len(said.split()),
        "total_tokens": prompt + len(said.split()),
        "prompt_tokens_details": {"cached_tokens": _tokens(prefix) if known else 0},
    }
    head = {"id": "chatcmpl-1", "object": "chat.completion", "created": 0, "model": body["model"]}
    return json.dumps({**head, "choices": [choice], "usage": usage}).encode()


def anthropic_reply(body: Body, answer: str | Calling, confidence: float, kept: set[str]) -> bytes:
    """A message. What stands before a breakpoint is kept from the first time on."""
    text, calls = answer if isinstance(answer, Calling) else (answer, ())
    said, cut = _within(text, body["max_tokens"])
    blocks = [*body.get("system", ()), *(part for message in body["messages"] for part in message["content"])]
    marked = max((place + 1 for place, part in enumerate(blocks) if "cache_control" in part), default=0)
    before, after = _tokens(blocks[:marked]), _tokens(blocks[marked:])
    known = _seen_before(blocks[:marked], kept)
    usage = {
        "input_tokens": after,
        "output_tokens": len(said.split()),
        "cache_creation_input_tokens": 0 if known else before,
        "cache_read_input_tokens": before if known else 0,
    }
    head = {"id": "msg_1", "type": "message", "role": "assistant", "model": body["model"], "stop_sequence": None}
    content: list[Body] = [{"type": "text", "text": said}] if said else []
    content += [_anthropic_call(*call) for call in calls]
    reason = "max_tokens" if cut else "tool_use" if calls else "end_turn"
    return json.dumps({**head, "content": content, "stop_reason": reason, "usage": usage}).encode()


def error_body(kind: str, message: str, anthropic: bool, param: str | None = None) -> bytes:
    """An error as the API writes it."""
    codes = {"429 without credit": "insufficient_quota", "401": "invalid_api_key", "404": "model_not_found"}
    code = "unsupported_parameter" if param else codes.get(kind)
    if anthropic:
        return json.dumps({"type": "error", "error": {"type": code or "api_error", "message": message}}).encode()
    return json.dumps({"error": {"message": message, "type": "error", "param": param, "code": code}}).encode()


def _openai_call(id: str, name: str, arguments: str) -> Body:
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


def _anthropic_call(id: str, name: str, arguments: str) -> Body:
    try:
        given = json.loads(arguments)
    except ValueError:
        given = arguments
    return {"type": "tool_use", "id": id, "name": name, "input": given}


def _within(text: str, budget: int) -> tuple[str, bool]:
    """As many words as there are tokens for, and whether some were left out."""
    words = text.split()
    return (text, False) if len(words) <= budget else (" ".join(words[:budget]), True)


def _without_last(message: Body) -> Any:
    return message["content"][:-1] if isinstance(message["content"], list) else ""


def _tokens(parts: Any) -> int:
    """A quarter of the letters, and so much for a picture."""
    if parts is None:
        return 0
    if isinstance(parts, str):
        return len(parts) // 4
    if isinstance(parts, dict):
        if parts.get("type") in ("image", "image_url"):
            return PICTURE_TOKENS
        return _tokens(parts.get("text", parts.get("content", "")))
    return sum(_tokens(part) for part in parts)


def _seen_before(prefix: Any, kept: set[str]) -> bool:
    sha256 = hashlib.sha256(json.dumps(prefix).encode()).hexdigest()
    known = sha256 in kept
    kept.add(sha256)
    return known


def _first_token(said: str, confidence: float, how_many: int) -> Body:
    """The first word with its rivals: the same word in other letters, and the opposite."""
    word = (said.split() or [""])[0]
    other = {"yes": "No", "no": "Yes"}.get(word.lower(), "Maybe")
    chances = [(word, confidence * 0.9), (other, 1 - confidence), (f" {word.lower()}", confidence * 0.1)]
    rivals = [{"token": token, "logprob": math.log(max(chance, 1e-9)), "bytes": None} for token, chance in chances]
    return {**rivals[0], "top_logprobs": rivals[:how_many]}
