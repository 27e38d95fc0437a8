"""Reproduces the published evaluation code step by step, defects included.

The code of ERQA+ first finds the answer (`_answer`) and then compares it by the question's evaluator. For ERQA
there are two evaluators: the authors' own harness, and FlagEvalMM's. For ERQA-Plus none is published; its paper
describes a letter that is found by a pattern after removing the reasoning, which is implemented here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from evals.questions.reference import Reference, Verdict
from evals.questions.scorers import check

ERRORS = ("Error code", "Can not answer because of", "Input data may contain inappropriate content")
"""Prefixes of endpoints' error texts, which are not counted at all."""

_MARKERS = ("Answer:", "Answer", "答案：", "答案:", "答案")
_BOX = re.compile(r"\\boxed\{([^}]+)\}")
_PLAIN = str.maketrans({"′": "'", "\u2009": " ", "‐": "-", "−": "-", "–": "-", "⋅": "·"})

# Removes the words `The` and `If`, then every I, N, S, T and slash: the published code reads the tag of a prompt as
# a set of characters.
_STRUCK = re.compile(r"[INST/]")
_LEADING = re.compile(r"([A-Z])\.")
_CAPITALS = re.compile("[A-Z]")
_KEY_WORDS = (
    "boxed", "Answer:", "Answer is", "answer is", "option is", "Correct option", "correct option", "Answer", "answer",
    "故选", "选择", "正确选项为", "答案选", "答案为", "答案是", "因此", "答案", "答案：",
)  # fmt: skip
_OLDER_KEY_WORDS = (
    "故选", "选择", "正确选项为", "答案选", "答案为", "答案是", "因此", "答案", "Answer:", "Answer is", "answer is",
    "Answer", "answer",
)  # fmt: skip
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_AFTER_HYPHEN = re.compile(r"(?<=.-).")


def official(reply: str, reference: Reference) -> Verdict:
    """The verdict of the published code. `read` is the value that it compares."""
    if reference.evaluator == check.HARNESS:
        read = reply.replace(".", "").strip().lower()
        return Verdict(read == reference.text.lower(), read)
    reply = reply.partition("</think>")[2] if "</think>" in reply else reply
    if reply.startswith(ERRORS):
        return Verdict(None, "", "an error of the endpoint, not a reply")
    if reference.evaluator == check.FLAGEVAL:
        letters = reply.upper() if len(reply) == 1 else "".join(_chosen(reply, _OLDER_KEY_WORDS))
        return Verdict(letters[:1] == reference.text.upper(), letters[:1])
    if reference.evaluator == check.LETTER:
        return _one_letter(reply, reference)
    right, read = _EVALUATORS[reference.evaluator](_answer(reply).translate(_PLAIN), **reference.kwargs)
    return Verdict(right, read)


def _answer(reply: str) -> str:
    """The text after the last of the first marker found, else the content of the first box, else all of it."""
    for marker in _MARKERS:
        if marker in reply:
            return reply.rpartition(marker)[2].strip()
    box = _BOX.search(reply)
    return box[1].strip() if box else reply


def _chosen(answer: str, key_words: tuple[str, ...]) -> list[str]:
    """The remaining capital letters: of a leading `X.` only that one, else those after the first key word found."""
    answer = _STRUCK.sub("", answer.replace("The", "").replace("If", "")).strip()
    leading = _LEADING.match(answer)
    if leading:
        return [leading[1]]
    word = next((word for word in key_words if word in answer), None)
    return _CAPITALS.findall(answer.rpartition(word)[2] if word else answer)


def _choices(answer: str, label: str) -> tuple[bool, str]:
    """A label of one character must equal the text; for a longer one, the sets of characters must be equal."""
    read = ",".join(_chosen(answer, _KEY_WORDS))
    wanted = label.upper().replace(" ", "")
    return (set(read) == set(wanted) if len(wanted) > 1 else read == wanted), read


def _order(answer: str, order: Any) -> tuple[bool, str]:
    read = _tidied(answer)
    if isinstance(order[0], list | tuple):
        wanted = [",".join(one).lower().replace(" ", "").strip(" `,") for one in order]
        return read in wanted, answer
    if "a-" in read:
        read = ",".join(_AFTER_HYPHEN.findall(read))
    return read == ",".join(order).lower().replace(" ", "").strip(" `,*'"), answer


def _judgements(answer: str, bool_str: Any) -> tuple[bool, str]:
    read, wanted = _tidied(answer), ",".join(bool_str)
    return read == (f"[{wanted}]" if "[" in read else wanted), answer


def _number(answer: str, value_to_match: float) -> tuple[bool, str]:
    """The last number, exact for a whole reference and within a tenth for another."""
    numbers = _NUMBER.findall(answer)
    if not numbers:
        return False, ""
    margin = abs(value_to_match) * 0.1 if isinstance(value_to_match, float) else 1e-3
    return abs(float(numbers[-1]) - value_to_match) < margin, numbers[-1]


def _open(answer: str, key_items: Any, remove_space: bool = False) -> tuple[bool, str]:
    """Whether the answer contains one of the texts; of several groups, one of each."""

    def tidied(text: str) -> str:
        return (text.replace(" ", "") if remove_space else text).lower()

    given = tidied(answer)
    groups = key_items if isinstance(key_items[0], list | tuple) else [key_items]
    return all(any(tidied(item) in given for item in group) for group in groups), answer


def _tidied(answer: str) -> str:
    return answer.lower().replace(" ", "").replace("*", "").replace("'", "").strip(" `,")


def _one_letter(reply: str, reference: Reference) -> Verdict:
    """The only possible letter that stands alone."""
    alone = dict.fromkeys(re.findall(rf"\b[{re.escape(reference.letters or 'ABCD')}]\b", reply))
    read = "".join(alone) if len(alone) == 1 else ""
    return Verdict(read == reference.text.upper(), read, "" if read else "not one letter")


_EVALUATORS: dict[str, Callable[..., tuple[bool, str]]] = {
    check.CHOICES: _choices,
    check.ORDER: _order,
    check.JUDGEMENTS: _judgements,
    check.NUMBER: _number,
    check.OPEN: _open,
}
