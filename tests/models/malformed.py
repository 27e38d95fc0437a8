"""Replies with status 200 that are none: ways in which servers and what stands before them get it wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.loopback import Mangle


def _set(*path: str | int, to: Any) -> Mangle:
    """Put something else at one place of a reply."""

    def mangle(reply: Any) -> Any:
        inside = reply
        for step in path[:-1]:
            inside = inside[step]
        inside[path[-1]] = to
        return reply

    return mangle


def _without(name: str) -> Mangle:
    return lambda reply: {key: value for key, value in reply.items() if key != name}


def _raw(content: bytes) -> Callable[[Any], bytes]:
    return lambda reply: content


_MESSAGE = ("choices", 0, "message")
_FIRST = ("choices", 0, "logprobs", "content", 0)

OPENAI: dict[str, Mangle] = {
    "content is an object": _set(*_MESSAGE, "content", to={"text": "Yes"}),
    "content is a number": _set(*_MESSAGE, "content", to=7),
    "content is true": _set(*_MESSAGE, "content", to=True),
    "content is a list of numbers": _set(*_MESSAGE, "content", to=[1, 2]),
    "content is a list of odd parts": _set(*_MESSAGE, "content", to=[{"type": "text", "text": {"value": "Yes"}}]),
    "message is null": _set(*_MESSAGE, to=None),
    "message is a text": _set(*_MESSAGE, to="Yes"),
    "choices are missing": _without("choices"),
    "choices are an object": _set("choices", to={"0": {}}),
    "choices are empty": _set("choices", to=[]),
    "usage is a list": _set("usage", to=[1, 2]),
    "tokens are not a number": _set("usage", "prompt_tokens", to=float("nan")),
    "tokens are without end": _set("usage", "completion_tokens", to=1e308),
    "tokens are negative": _set("usage", "completion_tokens", to=-5),
    "tokens are words": _set("usage", "prompt_tokens", to="many"),
    "a log-probability is a word": _set(*_FIRST, "logprob", to="high"),
    "a log-probability is far above 0": _set(*_FIRST, "logprob", to=5.0),
    "a log-probability is not a number": _set(*_FIRST, "logprob", to=float("nan")),
    "log-probabilities are a list": _set("choices", 0, "logprobs", to=[1]),
    "rivals are an object": _set(*_FIRST, "top_logprobs", to={"Yes": -0.1}),
    "the reason for the end is a number": _set("choices", 0, "finish_reason", to=7),
    "the reply is a list": _raw(b"[1, 2]"),
    "the reply is a page": _raw(b"<html>Bad gateway</html>"),
    "the reply is a stack": _raw(b'{"choices":' + b"[" * 200_000 + b"]" * 200_000 + b"}"),
    "the reply is in no encoding": _raw(b'{"choices": "\xff\xfe"}'),
}

ANTHROPIC: dict[str, Mangle] = {
    "content is an object": _set("content", to={"text": "Yes"}),
    "content is a text": _set("content", to="Yes"),
    "content is null": _set("content", to=None),
    "content is missing": _without("content"),
    "content is a list of numbers": _set("content", to=[1, 2]),
    "a text is an object": _set("content", 0, "text", to={"value": "Yes"}),
    "usage is a list": _set("usage", to=[1, 2]),
    "tokens are not a number": _set("usage", "input_tokens", to=float("nan")),
    "tokens are without end": _set("usage", "output_tokens", to=1e308),
    "tokens are negative": _set("usage", "output_tokens", to=-5),
    "tokens are words": _set("usage", "cache_read_input_tokens", to="many"),
    "the reason for the end is a number": _set("stop_reason", to=7),
    "the reply is a list": _raw(b"[1, 2]"),
    "the reply is a stack": _raw(b'{"content":' + b"[" * 200_000 + b"]" * 200_000 + b"}"),
}
