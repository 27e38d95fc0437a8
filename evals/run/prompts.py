"""The messages of every request, each stored once, in `prompts.jsonl`.

A line is `{"prompt": id, "messages": [[role, [part, …]], …], "kind": …, …}`. A part is `{"text": …}`, `{"picture": key,
"sha256": …}`, or `{"same": id}` for a text that many prompts share, which has its own line: `{"text": id, "is": …}`.
Ids are hashes of the contents, so equal requests are written once.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from evals.run.files import Lines, cut_after_last_line
from models.base import Part, Picture, Request
from planners.files import Unreadable, lines_of

NAME = "prompts.jsonl"
SHARED = 200
"""Texts of at least so many characters are stored once and referenced."""


class PromptStore:
    """The prompts of a run, on disk, or in a list of lines; without either nothing is stored."""

    def __init__(self, path: Path | None = None, collected: list[str] | None = None) -> None:
        self._known: set[str] = set()
        self._lines: Lines | None = None
        self._collected = collected
        if path is not None:
            whole = _mended(path)
            self._known = {str(line.get("prompt") or line.get("text")) for line in whole}
            self._lines = Lines(path)

    def keeper(self, *, looks: bool) -> Callable[[Request], str]:
        """A function that stores a request and returns its id; it gives no access to the store."""
        return lambda request: self.keep(request, looks=looks)

    def keep(self, request: Request, *, looks: bool) -> str:
        """Store the messages, if they are new; their id."""
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
        self._write(lines)
        return name

    def add(self, lines: Sequence[str]) -> None:
        """Store lines that another store has collected, those that are new."""
        new = []
        for line in lines:
            content = json.loads(line)
            name = str(content.get("prompt") or content.get("text"))
            if name not in self._known:
                self._known.add(name)
                new.append(line)
        self._write(new)

    def _write(self, lines: Sequence[str]) -> None:
        if self._collected is not None:
            self._collected += lines
        elif self._lines and lines:
            self._lines.write("".join(lines))

    def close(self) -> None:
        """Close the file."""
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
    """A picture by its key; with its hash only if it was drawn anyway."""
    return {"picture": picture.key, **({"sha256": picture.sha256} if looks else {})}


_written = json.JSONEncoder(ensure_ascii=False).encode


@lru_cache(maxsize=256)  # long texts recur
def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]


def read_prompts(path: Path) -> dict[str, dict[str, Any]]:
    """The prompts of a run by id, with references resolved; unreadable lines are skipped."""
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
    """The lines of a file, after removing a last one truncated by a kill."""
    if path.exists():
        cut_after_last_line(path)
    return _lines(path)
