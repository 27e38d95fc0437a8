"""Seeds for worlds."""

from __future__ import annotations

import hashlib


def seed_of(seed: int, problem: str) -> int:
    """A separate seed for every problem, so that leaving one out does not change the others."""
    return int.from_bytes(hashlib.sha256(f"{seed} {problem}".encode()).digest()[:4])
