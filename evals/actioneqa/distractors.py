"""Distractors by the published rules: other signs at the middle level, wrong vectors at the low one, a model's words.

The rule of the low level leaks: with the published reading of it (the dimension with the largest raw number counts as
the dominant one, whatever its unit), a program that sees the texts alone finds the answer more often than not
(`python -m evals.actioneqa_study blind`). Runs say which distractors they were made with.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import product
from random import Random

from envs.arm.labels import DIMENSIONS
from envs.arm.states import Motion

OTHERS = 3
"""The number of distractors beside the truth."""
HIGH_PROMPT = """\
The first picture shows a robot before an action and the second one after it. The action was: "{action}".
Write three other actions in the same style that somebody could take for it and that did not happen:
1. the same deed with another object of the scene, 2. another deed with the same object, 3. another plausible outcome.
Reply with a JSON list of three texts and nothing else."""
"""The prompt for distractors of the high level. A person checks them afterwards."""


class NoDistractors(ValueError):
    """There are not three different distractors."""


def mid_distractors(signs: Mapping[int, int], dice: Random) -> list[dict[int, int]]:
    """Three other combinations of signs of the same dimensions."""
    if len(signs) < 2:
        raise NoDistractors(f"{len(signs)} named dimension has no three other combinations of signs")
    names, own = tuple(signs), tuple(signs.values())
    others = [combination for combination in product((1, -1), repeat=len(names)) if combination != own]
    return [dict(zip(names, combination, strict=True)) for combination in dice.sample(others, OTHERS)]


def low_distractors(motion: Motion, dice: Random) -> list[Motion]:
    """The opposite sign of the dominant dimension, that dimension removed, and the values on other dimensions."""
    place = dominant(motion)
    if motion[place] == 0:
        raise NoDistractors("the arm does not move")
    opposite = _with(motion, place, -motion[place])
    removed = _with(motion, place, 0.0)
    wrong = _on_wrong_axes(motion, dice)
    if len({motion, opposite, removed, wrong}) < OTHERS + 1:
        raise NoDistractors("the values are the same on all dimensions")
    return [opposite, removed, wrong]


def dominant(motion: Motion) -> int:
    """The place of the dimension with the largest number, as published: units are not respected."""
    return max(range(len(motion)), key=lambda place: abs(motion[place]))


def _on_wrong_axes(motion: Motion, dice: Random) -> Motion:
    """The values of the first six dimensions in another order; degrees may become metres, as in the published example.

    The dominant value is always moved.
    """
    place = min(dominant(motion), len(DIMENSIONS) - 2)
    for _ in range(100):
        values = list(motion[:-1])
        dice.shuffle(values)
        if values[place] != motion[place]:
            return Motion._make((*values, motion[-1]))
    raise NoDistractors("the values are the same on all dimensions")


def _with(motion: Motion, place: int, value: float) -> Motion:
    values = list(motion)
    values[place] = value
    return Motion(*values)


def read_high_distractors(reply: str, action: str) -> list[str]:
    """The three texts in a model's reply; `NoDistractors` if it has no three new and different ones."""
    start, end = reply.find("["), reply.rfind("]")
    try:
        listed = json.loads(reply[start : end + 1]) if 0 <= start < end else None
    except (ValueError, RecursionError):
        listed = None
    if not isinstance(listed, list) or not all(isinstance(one, str) and one.strip() for one in listed):
        raise NoDistractors("the reply is no list of texts")
    found = distinct([one.strip() for one in listed], action)
    if len(found) < OTHERS:
        raise NoDistractors(f"the reply has {len(found)} actions that differ from the truth, and {OTHERS} are needed")
    return found[:OTHERS]


def distinct(texts: Sequence[str], action: str) -> list[str]:
    """The texts that differ from the action and from each other, ignoring case and full stops."""
    found: dict[str, str] = {}
    for text in texts:
        found.setdefault(_plain(text), text)
    found.pop(_plain(action), None)
    return list(found.values())


def _plain(text: str) -> str:
    return " ".join(text.casefold().rstrip(". ").split())


def other_instructions(action: str, pool: Sequence[str], dice: Random) -> list[str]:
    """Three instructions of other episodes, those first that share a word with the action.

    They replace a model's distractors where no model is asked: the same object or the same action, judged by words.
    """
    words = {word for word in _plain(action).split() if len(word) > 3}
    others = distinct(pool, action)
    dice.shuffle(others)
    others.sort(key=lambda text: -len(words & set(_plain(text).split())))
    if len(others) < OTHERS:
        raise NoDistractors(f"there are only {len(others)} other instructions to choose from")
    return others[:OTHERS]
