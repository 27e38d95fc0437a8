"""Where the published evaluations of questions look for the answer."""

from __future__ import annotations

import re

from models.parsing.answer import TAGGED

_BOXED = re.compile(r"\\boxed\{([^{}]*)\}")


def official_answer(text: str) -> str:
    """The text in answer tags, else after the last `Answer:` or `Answer`, else in a box, else all of the reply."""
    tagged: list[str] = TAGGED.findall(text)
    if tagged:
        return tagged[-1].strip()
    for marker in ("Answer:", "Answer"):
        if marker in text:
            return text.rpartition(marker)[2].strip()
    boxed: list[str] = _BOXED.findall(text)
    return boxed[-1].strip() if boxed else text.strip()
