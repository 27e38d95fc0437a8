"""Parse the texts of actions: labels with or without amounts, lists of seven numbers, and the kinds of motion in them.

`envs.arm.labels` makes the texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from envs.arm.labels import NEGATIVE, POSITIVE, named
from envs.arm.states import Motion

KINDS = ("translation", "translation", "translation", "rotation", "rotation", "rotation", "gripper")
"""The kind of motion along each dimension."""
SP_DECIMALS, AI_DECIMALS = 4, 3
"""The decimals of numbers at the low level: in questions, and in options."""
_BY_LABEL = {
    text: (number, sign)
    for number, pair in enumerate(zip(POSITIVE, NEGATIVE, strict=True))
    for text, sign in zip(pair, (1, -1), strict=True)
}
_AMOUNT = re.compile(r" by [\d.]+(?: cm| degrees| %)?$")
_NUMBERS = re.compile(r"\s*\[([^\]]*)\]\s*")


def signs_of(motion: Motion, source: str) -> dict[int, int]:
    """The numbers of the named dimensions, each with 1 or -1."""
    return {number: 1 if motion[number] > 0 else -1 for number in named(motion, source)}


def mid_of(signs: Mapping[int, int]) -> str:
    """The labels of some signed dimensions as one text."""
    return ", ".join((POSITIVE if signs[number] > 0 else NEGATIVE)[number] for number in sorted(signs))


def read_mid(text: str) -> dict[int, int] | None:
    """The signed dimensions in a text of labels, with amounts or without; None if it is no such text."""
    found: dict[int, int] = {}
    for part in text.split(", "):
        label = _BY_LABEL.get(_AMOUNT.sub("", part.strip()))
        if label is None or label[0] in found:
            return None
        found[label[0]] = label[1]
    return found


def read_low(text: str) -> Motion | None:
    """The motion in a list of seven numbers; None if it is no such list."""
    inside = _NUMBERS.fullmatch(text)
    try:
        numbers = [float(number) for number in inside[1].split(",")] if inside else []
    except ValueError:
        return None
    return Motion(*numbers) if len(numbers) == len(Motion._fields) else None


def kinds_in(dimensions: Iterable[int]) -> tuple[str, ...]:
    """The kinds of motion along some dimensions, each once, in their order."""
    present = {KINDS[number] for number in dimensions}
    return tuple(kind for kind in dict.fromkeys(KINDS) if kind in present)


def kinds_of_text(text: str, source: str) -> tuple[str, ...]:
    """The kinds of motion that a text of the middle or low level speaks of; none for other texts."""
    signs = read_mid(text)
    if signs is not None:
        return kinds_in(signs)
    motion = read_low(text)
    return () if motion is None else kinds_in(named(motion, source))
