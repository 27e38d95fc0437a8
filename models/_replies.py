"""Validates the replies of servers: a reply that violates the API is `Malformed`.

A malformed reply is a fault of the endpoint, never of the model: it is requested again, and neither cached nor scored.
"""

from __future__ import annotations

import math
from typing import Any

from models.base import Reply

MOST_TOKENS = 10**9
"""A larger token count is invalid."""


class Malformed(ValueError):
    """The reply violates the API; the message says where and how."""


def read_object(value: Any, where: str) -> dict[str, Any]:
    """The value, if it is a JSON object."""
    if isinstance(value, dict):
        return value
    raise Malformed(f"{where} is {_kind(value)}, not an object")


def read_list(value: Any, where: str) -> list[Any]:
    """The value, if it is a JSON list; null is an empty list."""
    if value is None:
        return []
    if isinstance(value, list):
        return value
    raise Malformed(f"{where} is {_kind(value)}, not a list")


def read_text(value: Any, where: str) -> str:
    """The value, if it is a text; null is an empty text."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    raise Malformed(f"{where} is {_kind(value)}, not a text")


def read_tokens(value: Any, where: str) -> int:
    """The value, if it is a number of tokens; null is 0."""
    if value is None:
        return 0
    whole = isinstance(value, int) and not isinstance(value, bool)
    whole = whole or (isinstance(value, float) and value.is_integer())
    if whole and 0 <= value <= MOST_TOKENS:
        return int(value)
    shown = f"{value!r:.40}" if isinstance(value, int | float) else _kind(value)
    raise Malformed(f"{where} is {shown}, not a number of tokens")


def read_log_probability(value: Any, where: str) -> float:
    """The value, if it is a log probability. Rounding may make it slightly greater than 0."""
    known = isinstance(value, int | float) and not isinstance(value, bool)
    if known and not math.isnan(value) and value <= 0.01:
        return min(float(value), 0.0)
    shown = f"{value!r:.40}" if known else _kind(value)
    raise Malformed(f"{where} is {shown}, not the logarithm of a probability; ?logprobs=off switches them off")


def fault_in(reply: Reply) -> str:
    """Why a reply, returned by a model or read from a cache, is invalid; empty if it is valid."""
    usage = reply.usage
    counts = (usage.prompt_tokens, usage.completion_tokens, usage.cached_tokens)
    checks = (
        ("the text", isinstance(reply.text, str)),
        ("a number of tokens", all(type(count) is int and 0 <= count <= MOST_TOKENS for count in counts)),
        ("the cost", _finite(usage.cost)),
        ("a probability", all(chance is None or (_finite(chance) and chance <= 1) for chance in (reply.yes, reply.no))),
        ("the time", _finite(reply.seconds)),
        ("whether it was cut off", isinstance(reply.truncated, bool)),
    )
    wrong = next((what for what, fine in checks if not fine), "")
    return wrong and f"{wrong} is none"


def _finite(value: Any) -> bool:
    """Whether it is a finite number, 0 or greater."""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < math.inf


def _kind(value: Any) -> str:
    """The JSON type of a value."""
    if value is None:
        return "missing"
    kinds = ((bool, "a boolean"), (int | float, "a number"), (str, "a text"), (list, "a list"))
    return next((name for kind, name in kinds if isinstance(value, kind)), "an object")
