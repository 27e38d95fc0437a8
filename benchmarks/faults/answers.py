"""The replies of the fault bench's server: valid for the request, and deterministic.

It knows no benchmark: it reads the requested form, and hashes the rest.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

from tests.loopback_replies import Calling

MOST_CALLS = 5
"""After so many replies with calls, a conversation ends."""
_LETTER = re.compile(r"^\s*\(?([A-Z])[).:]\s", re.MULTILINE)


def answer(body: dict[str, Any]) -> str | Calling:
    """A reply that depends on the request only."""
    messages = json.dumps(body["messages"], sort_keys=True)
    number = int.from_bytes(hashlib.sha256(messages.encode()).digest()[:4])
    if body.get("tools"):
        return _call(body, number)
    text = " ".join(_texts(body["messages"]))
    letters = _LETTER.findall("\n".join(_texts(body["messages"][-1:])))
    said = letters[number % len(letters)] if letters else ("Yes", "No")[number % 2]
    if '"action"' in text or '"plan"' in text:
        steps = [{"action": "moveblock", "parameters": {"block": "r", "column": f"c{number % 4 + 1}"}}]
        return json.dumps({"plan": steps, "action": steps[0]})
    return f"<explanation>Because.</explanation><answer>{said}</answer>" if "<answer>" in text else said


def _call(body: dict[str, Any], number: int) -> str | Calling:
    said = sum(message["role"] == "assistant" for message in body["messages"])
    if said >= MOST_CALLS:
        return "I am done."
    tool = body["tools"][number % len(body["tools"])]["function"]
    wanted = tool.get("parameters", {}).get("properties", {})
    arguments = {name: ["r"] if kind.get("type") == "array" else "r" for name, kind in wanted.items()}
    return Calling("Let me try.", ((f"call_{said}", tool["name"], json.dumps(arguments)),))


def _texts(messages: list[dict[str, Any]]) -> list[str]:
    found = []
    for message in messages:
        content = message.get("content") or ""
        parts = [content] if isinstance(content, str) else content
        found += [part if isinstance(part, str) else part.get("text", "") for part in parts]
    return found
