"""Translates the errors of LangChain's packages: either another attempt may succeed, or none will."""

from __future__ import annotations

import json
from collections.abc import Iterator

from models._secrets import scrubbed
from models.base import ModelRefused, ModelUnavailable, Transient

_RETRIED = (408, 409, 425, 429)
_PROGRAM_ERRORS = (TypeError, AttributeError, NotImplementedError, LookupError, AssertionError, ValueError)
"""Errors in the program itself; another attempt would raise them again."""


def translated(error: Exception, who: str) -> ModelUnavailable:
    """The error to raise for one of a LangChain class or its client."""
    message = scrubbed(f"{who}: {type(error).__name__}: {error}")[:500]
    status = next((code for code in map(_status, _causes(error)) if code is not None), None)
    if status is not None:
        if status in _RETRIED or status >= 500:
            return Transient(message, retry_after=_retry_after(error), slow_down=status == 429)
        return ModelRefused(message)
    if isinstance(error, NotImplementedError):
        return ModelRefused(f"{who} does not support the request; perhaps it cannot call tools")
    if isinstance(error, _PROGRAM_ERRORS) and not isinstance(error, json.JSONDecodeError):
        return ModelRefused(message)
    return Transient(message, down=any(_is_down(cause) for cause in _causes(error)))


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error and its causes."""
    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        yield cause
        cause = cause.__cause__ or cause.__context__


def _status(error: BaseException) -> int | None:
    """The HTTP status of an error, by any of the attribute names in use."""
    for holder in (error, getattr(error, "response", None)):
        for name in ("status_code", "http_status", "status", "code"):
            status = getattr(holder, name, None)
            if isinstance(status, int) and not isinstance(status, bool) and 400 <= status < 600:
                return int(status)
    return None


def _retry_after(error: BaseException) -> float | None:
    for cause in _causes(error):
        headers = getattr(getattr(cause, "response", None), "headers", None)
        try:
            return max(0.0, float(headers["retry-after"]))  # type: ignore[index]
        except (TypeError, KeyError, ValueError):
            continue
    return None


def _is_down(error: BaseException) -> bool:
    """Whether the endpoint did not answer: the connection was refused, or the host is unreachable or unknown."""
    return isinstance(error, ConnectionRefusedError) or "ConnectError" in type(error).__name__
