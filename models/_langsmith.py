"""Replaces pictures by their hashes in traces that LangChain sends to LangSmith.

LangChain traces every call of a chat model with its whole messages, pictures included. LangSmith's client accepts a
function that is applied to everything it sends, as plain JSON; the function here replaces all pictures.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

_IMAGES = ("image", "image_url", "input_image", "media")
"""Types of content blocks that hold pictures, in the formats of LangChain and the providers."""
_WRITTEN = re.compile(
    r"data:image/[\w.+-]+;base64,[A-Za-z0-9+/_=-]*"
    r"|(?<![A-Za-z0-9+/])(?:iVBORw0KGgo|/9j/|R0lGOD|UklGR)[A-Za-z0-9+/_-]{32,}={0,2}"
)
"""A picture within a text: a data URL, or base64 that starts like PNG, JPEG, GIF or WebP."""


@dataclass(frozen=True)
class HidePictures:
    """A function that a client applies to everything it sends; `then` is the one it applied before."""

    then: Callable[[dict[str, Any]], dict[str, Any]] | None = None

    def __call__(self, content: dict[str, Any]) -> dict[str, Any]:
        hidden: dict[str, Any] = without_pictures(content)
        return self.then(hidden) if self.then else hidden


def hide_pictures() -> None:
    """Make LangSmith's client replace pictures, if tracing is on. Idempotent."""
    from langsmith.run_trees import get_cached_client
    from langsmith.utils import tracing_is_enabled

    if not tracing_is_enabled():
        return
    # All tracers share this client. It accepts such a function only at its creation, which may be in the past.
    client = get_cached_client()
    if not isinstance(client._anonymizer, HidePictures):
        client._anonymizer = HidePictures(client._anonymizer)


def without_pictures(content: Any) -> Any:
    """JSON with every picture replaced by `[picture sha256:…]`."""
    match content:
        case str():
            return _WRITTEN.sub(lambda found: _named(found[0]), content)
        case list():
            return [without_pictures(part) for part in content]
        case dict():
            data = _data(content)
            if data is not None:
                return {"type": "text", "text": _named(data)}
            return {name: without_pictures(value) for name, value in content.items()}
    return content


def _data(block: Mapping[str, Any]) -> str | None:
    """The picture data of a content block; None if it has no picture, or only a URL."""
    if block.get("type") not in _IMAGES:
        return None
    inner = block.get("source") or block.get("image_url")
    places = (block, inner) if isinstance(inner, dict) else (block, {"url": inner})
    found = [place.get(name) for place in places for name in ("base64", "data", "url")]
    for data in found:
        if isinstance(data, str) and data and not data.startswith(("http:", "https:")):
            return data
    return None


def _named(data: str) -> str:
    """The hash of a picture's bytes, which is also the name of its file in a run."""
    written = data.rpartition(",")[2]
    try:
        content = base64.b64decode(
            written + "=" * (-len(written) % 4), altchars=b"-_" if {*"-_"} & {*written} else None
        )
    except (binascii.Error, ValueError):
        return "[picture]"
    return f"[picture sha256:{hashlib.sha256(content).hexdigest()}]"
