"""Removes keys and passwords from everything that is printed or saved."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from typing import Any

SHORTEST = 8
"""Shorter texts are not hidden: they may be ordinary words."""
_SPEAKS_OF_KEYS = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL", re.IGNORECASE)
_LOOKS_LIKE_A_KEY = re.compile(r"\b(?:sk|pk|key)-[\w*-]{6,}|(?i:\b(?:bearer|basic)\s+)[\w.~+/=*-]{6,}")


def scrubbed(text: str, secrets: Iterable[str] = ()) -> str:
    """The text on one line, without anything that is or looks like a key."""
    ambient = (value for name, value in os.environ.items() if _SPEAKS_OF_KEYS.search(name))
    for secret in sorted((*secrets, *ambient), key=len, reverse=True):
        if len(secret.strip()) >= 6:
            text = text.replace(secret.strip(), "[key]")
    return " ".join(_LOOKS_LIKE_A_KEY.sub("[key]", text).split())


def looks_like_a_key(text: str) -> bool:
    """Whether the text contains something that could be a key."""
    return bool(_LOOKS_LIKE_A_KEY.search(text))


def masked(value: Any, secrets: Sequence[str]) -> Any:
    """JSON or a text without these secrets: some servers return the headers that they received."""
    hidden = sorted((secret for secret in secrets if len(secret) >= SHORTEST), key=len, reverse=True)
    return _masked(value, hidden) if hidden else value


def _masked(value: Any, secrets: Sequence[str]) -> Any:
    if isinstance(value, str):
        for secret in secrets:
            value = value.replace(secret, "[key]")
        return value
    if isinstance(value, dict):
        return {_masked(name, secrets): _masked(inside, secrets) for name, inside in value.items()}
    return [_masked(inside, secrets) for inside in value] if isinstance(value, list) else value
