"""What models were told: the messages of every request, each once, in `prompts.jsonl`.

A line is `{"prompt": id, "messages": [[role, [part, …]], …], "kind": …, …}`. A part is `{"text": …}`, `{"picture": key,
"sha256": …}`, or `{"same": id}` for a text that many prompts share, which has a line of its own: `{"text": id, "is":
…}`. Ids are hashes of the contents, so the same request is written once, however often it is asked.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from evals.run.files import Lines, cut_after_last_line
from models.base import Part, Picture, Request
from planners.files import Unreadable, lines_of

NAME = "prompts.jsonl"
SHARED = 200
"""From how many characters on a text is written once and referred to."""


class PromptStore:
    """The prompts of a run, on disk; without a path they are only named."""

    def __init__(self, path: Path | None = None) -> None:
        self._known: set[str] = set()
        self._lines: Lines | None = None
        if path is not None:
            whole = _mended(path)
            self._known = {str(line.get("prompt") or line.get("text")) for line in whole}
            self._lines = Lines(path)

    def keeper(self, *, looks: bool) -> Callable[[Request], str]:
        """A function that writes a request down and names it. A plain function: it leads nowhere."""
        return lambda request: self.keep(request, looks=looks)

    def keep(self, request: Request, *, looks: bool) -> str:
        """Write the messages down, if they are new; their id."""
        lines: list[str] = []
        messages = [
            [message.role, [self._part(part, looks, lines) for part in message.parts]] for message in request.messages
        ]
        content: dict[str, Any] = {"messages": messages, "kind": request.kind, "max_tokens": request.max_tokens}
        if request.temperature:
            content["temperature"] = request.temperature
        tools = getattr(request, "tools", ())
        if tools:
            content["tools"] = [self._part(tool, looks, lines) for tool in tools]
        written = _written(content)
        name = _hash(written)
        if name not in self._known:
            self._known.add(name)
            lines.append(f'{{"prompt": "{name}", {written[1:]}\n')
        if self._lines and lines:
            self._lines.write("".join(lines))
        return name

    def close(self) -> None:
        """Let go of the file."""
        if self._lines:
            self._lines.close()

    def _part(self, part: Part, looks: bool, lines: list[str]) -> dict[str, str]:
        if not isinstance(part, str):
            return _shown(part, looks)
        text = part if part.isascii() else part.encode("utf-8", "replace").decode()
        if len(text) < SHARED:
            return {"text": text}
        name = _hash(text)
        if name not in self._known:
            self._known.add(name)
            lines.append(_written({"text": name, "is": text}) + "\n")
        return {"same": name}


def _shown(picture: Picture, looks: bool) -> dict[str, str]:
    """A picture by name; its hash only if somebody looked, since drawing it takes time."""
    return {"picture": picture.key, **({"sha256": picture.sha256} if looks else {})}


_written = json.JSONEncoder(ensure_ascii=False).encode


@lru_cache(maxsize=256)  # the longest texts are the ones that come again and again
def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]


def read_prompts(path: Path) -> dict[str, dict[str, Any]]:
    """The prompts of a run by id, with all texts in their places; what cannot be read is left out."""
    lines = _lines(path)
    texts = {str(line["text"]): line.get("is", "") for line in lines if "text" in line}
    found = {}
    for line in lines:
        if "prompt" in line:
            with suppress(TypeError, ValueError, AttributeError):  # not ours, or damaged
                found[str(line["prompt"])] = _whole(line, texts)
    return found


def _whole(line: Mapping[str, Any], texts: Mapping[str, str]) -> dict[str, Any]:
    def filled(part: Any) -> Any:
        if isinstance(part, dict) and "same" in part:
            return {"text": texts.get(str(part["same"]), "")}
        return part

    messages = [[role, [filled(part) for part in parts]] for role, parts in line.get("messages", ())]
    found = {**line, "messages": messages}
    if "tools" in line:
        found["tools"] = [filled(part) for part in line["tools"]]
    return found


def _lines(path: Path) -> list[dict[str, Any]]:
    found = []
    with suppress(OSError, Unreadable):
        for line in lines_of(path):
            with suppress(ValueError, RecursionError):
                content = json.loads(line.decode("utf-8", "replace"))
                if isinstance(content, dict):
                    found.append(content)
    return found


def _mended(path: Path) -> list[dict[str, Any]]:
    """The lines of a file, after a last one that a kill cut off has been taken away."""
    if path.exists():
        cut_after_last_line(path)
    return _lines(path)
