"""The prompts of an episode, in files that are loaded on demand."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

CHUNK = 40
"""Prompts per file."""
LONGEST = 200_000
"""Characters of a text that are shown; the run directory has all of it."""


class Prompts:
    """Prompts by number, in the order of requests."""

    def __init__(self, kept: Mapping[str, Mapping[str, Any]]) -> None:
        self._kept = kept
        self._numbers: dict[str, int] = {}

    def add(self, id: str | None) -> int:
        """The number of a prompt; -1 for one that the run does not have."""
        if id is None or id not in self._kept:
            return -1
        return self._numbers.setdefault(id, len(self._numbers))

    @property
    def chunks(self) -> int:
        """The number of files."""
        return -(-len(self._numbers) // CHUNK)

    def chunk(self, wanted: int) -> list[dict[str, Any]]:
        """The prompts of a file."""
        ids = list(self._numbers)[wanted * CHUNK : (wanted + 1) * CHUNK]
        return [shown(self._kept[id]) for id in ids]


def shown(prompt: Mapping[str, Any]) -> dict[str, Any]:
    """A prompt as pages show it: roles, texts, pictures in place, and parameters."""
    try:
        messages = [[str(role), [_part(part) for part in parts]] for role, parts in prompt["messages"]]
    except (KeyError, TypeError, ValueError):
        messages = []
    names = ("kind", "max_tokens", "temperature")
    tools = [_part(tool).get("text", "") for tool in prompt.get("tools", ()) if isinstance(tool, Mapping)]
    parameters = {name: prompt[name] for name in names if name in prompt}
    return {"messages": messages, "parameters": parameters, "tools": tools}


def _part(part: Any) -> dict[str, str]:
    if not isinstance(part, Mapping):
        return {"text": ""}
    if "picture" in part:
        hashed = str(part.get("sha256", ""))
        return {"picture": str(part["picture"]), "sha256": hashed if re.fullmatch(r"[0-9a-f]{64}", hashed) else ""}
    return {"text": str(part.get("text", ""))[:LONGEST]}
