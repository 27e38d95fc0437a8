"""Requests, replies and errors as JSON, between a gateway and those who ask through it.

A picture travels as its hash. Its bytes are sent only if the gateway wants to ask about it and does not have them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from models import base
from models._replies import fault_in
from models.base import Kind, Message, ModelUnavailable, Picture, Reply, Request, Usage
from models.cache import CacheFailed
from models.turns import Turn

FORMAT = 1
"""Raised whenever an older gateway could not read a request, or an older client a reply."""
_ERRORS: dict[str, type[Exception]] = {
    kind.__name__: kind
    for kind in (
        base.ModelUnavailable,
        base.Unanswerable,
        base.RecordEnded,
        base.RunMustStop,
        base.UnfitModel,
        base.CannotKeep,
        base.CapReached,
        CacheFailed,
        ValueError,
    )
}


class Unreadable(ValueError):
    """A message that does not follow this format."""


class MissingPictures(Exception):
    """The gateway needs the bytes of these pictures to ask the model."""

    def __init__(self, hashes: list[str]) -> None:
        super().__init__(", ".join(hashes))
        self.hashes = hashes


@dataclass(frozen=True, slots=True)
class SentPicture:
    """A picture as the gateway knows it: by its hash, with its bytes if they were sent."""

    key: str
    sha256: str
    content: bytes | None = None

    def png(self) -> bytes:
        """The bytes."""
        if self.content is None:
            raise MissingPictures([self.sha256])
        return self.content


def request_as_json(request: Request) -> dict[str, Any]:
    """A request as JSON; all its pictures are drawn, since they are named by their hash."""
    messages = [[message.role, [_part(part) for part in message.parts]] for message in request.messages]
    others = {one.name: getattr(request, one.name) for one in fields(request) if one.name != "messages"}
    return {"turn": isinstance(request, Turn), "messages": messages, **others}


def read_request(content: Any, bytes_of: Callable[[str], bytes | None]) -> Request:
    """The request in some JSON; `bytes_of` gives the bytes of a picture if they are known."""
    try:
        others = {**content}
        kind = Turn if others.pop("turn") else Request
        messages = tuple(
            Message(role, tuple(_read_part(part, bytes_of) for part in parts)) for role, parts in others.pop("messages")
        )
        others = {name: tuple(value) if isinstance(value, list) else value for name, value in others.items()}
        return kind(messages=messages, **{**others, "kind": Kind(others["kind"])})
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise Unreadable(f"a request that this gateway cannot read: {type(error).__name__}: {error}") from None


def reply_as_json(reply: Reply) -> dict[str, Any]:
    """A reply as JSON."""
    return asdict(reply)


def read_reply(content: Any) -> Reply:
    """The reply in some JSON."""
    try:
        reply = Reply(**{**content, "usage": Usage(**content["usage"])})
    except (TypeError, KeyError) as error:
        raise Unreadable(f"the gateway sent no reply: {type(error).__name__}") from None
    fault = fault_in(reply)
    if fault:
        raise Unreadable(f"the gateway sent a malformed reply: {fault}")
    return reply


def error_as_json(error: Exception) -> dict[str, str]:
    """An error as JSON: the nearest class that the other side knows, and the message."""
    known = next((kind.__name__ for kind in type(error).__mro__ if kind.__name__ in _ERRORS), None)
    if known is None:
        return {"error": ModelUnavailable.__name__, "message": f"the gateway failed: {type(error).__name__}: {error}"}
    return {"error": known, "message": str(error)}


def read_error(content: Mapping[str, Any]) -> Exception:
    """The error in some JSON."""
    kind = _ERRORS.get(str(content.get("error")), ModelUnavailable)
    return kind(str(content.get("message", "the gateway did not say why")))


def _part(part: str | Picture) -> Any:
    return part if isinstance(part, str) else {"key": part.key, "sha256": part.sha256}


def _read_part(part: Any, bytes_of: Callable[[str], bytes | None]) -> str | Picture:
    if isinstance(part, str):
        return part
    return SentPicture(str(part["key"]), str(part["sha256"]), bytes_of(str(part["sha256"])))
