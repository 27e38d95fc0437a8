"""Where the published evaluations of questions look for the answer: after a marker, in a box, or everywhere."""

from __future__ import annotations

import re

from models.parsing.answer import TAGGED

_BOXED = re.compile(r"\\boxed\{([^{}]*)\}")


def marked(text: str) -> str:
    """In answer tags; else after the last `Answer:`, else after the last `Answer`, else in a box, else the reply."""
    tagged: list[str] = TAGGED.findall(text)
    if tagged:
        return tagged[-1].strip()
    for marker in ("Answer:", "Answer"):
        if marker in text:
            return text.rpartition(marker)[2].strip()
    boxed: list[str] = _BOXED.findall(text)
    return boxed[-1].strip() if boxed else text.strip()
