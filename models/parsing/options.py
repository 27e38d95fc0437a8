"""Which of several options a reply chooses: by number, by letter, or by the text of the option."""

from __future__ import annotations

import re
from collections.abc import Sequence

from models.parsing.answer import Profile, Unreadable, excerpt, final_answer, trimmed, unreadable

_CHOICE = re.compile(r"Choice\W*(\d{1,6})")
_OFFICIAL_CHOICE = re.compile(r"Choice:?\s*\[?(\d+)", re.IGNORECASE)
_INTEGER = re.compile(r"\d+")
_MARKED = re.compile(r"\b(?:choice|option|action)\b\s*(?:is|number|no\.?|=|:|#|\[|\(|\s)*(\d{1,6})\b", re.IGNORECASE)
_BRACKETED = re.compile(r"\[\s*(\d{1,6})\s*\]")
_HEADS = re.compile(r"\W*(\d{1,6})\s*(?:[.):\]\-–]\s|[.):\]]?\s*\n|[.):\]]?\s*$)")
_LETTER = re.compile(r"\W*(?:(?:option|choice)\W+)?([A-Za-z])\W*", re.IGNORECASE)


def choice(text: str, options: Sequence[str], *, profile: Profile = Profile.ROBUST) -> int | Unreadable:
    """The index of the chosen option. Replies count options from 1.

    Official: the first `Choice` in any case that nothing but a colon, spaces and a bracket separates from its digits,
    else the last whole number of the reply, as EmbodiedEval reads it. Robust: the first `Choice` followed by digits;
    else the text of an option, a number given as a choice, the only number, or a letter.
    """
    if profile is Profile.OFFICIAL:
        chosen = _OFFICIAL_CHOICE.search(text)
        digits = [chosen[1]] if chosen else _INTEGER.findall(text)
        # Seven digits are beyond any list of options; Python refuses to convert thousands of them.
        return _place(int(digits[-1].lstrip("0")[:7] or 0), options, text) if digits else unreadable(text, "no choice")
    chosen = _CHOICE.search(text)
    if chosen is not None:
        return _place(int(chosen[1]), options, text)
    answer, _ = final_answer(text)
    for reading in (_by_words(answer, options), _by_number(answer), _by_letter(answer, options)):
        if reading is not None:
            return _place(reading, options, text)
    mentioned = _mentioned(answer, options)
    return unreadable(answer if answer else text, "no choice") if mentioned is None else mentioned


def _place(number: int, options: Sequence[str], text: str) -> int | Unreadable:
    if 1 <= number <= len(options):
        return number - 1
    return Unreadable(f"there is no option {number} of {len(options)}: {excerpt(text)}")


def _by_words(answer: str, options: Sequence[str]) -> int | None:
    """The number of the option whose text is the whole answer, or its last line."""
    lines = [trimmed(line) for line in (answer, *answer.splitlines()[-1:])]
    for line in lines:
        same = [number for number, option in enumerate(options, 1) if line and trimmed(option) == line]
        if len(same) == 1:
            return same[0]
    return None


def _by_number(answer: str) -> int | None:
    for pattern in (_MARKED, _BRACKETED):
        named = {int(number) for number in pattern.findall(answer)}
        if len(named) == 1:
            return named.pop()
        if named:
            return None
    head = _HEADS.match(answer)
    if head:
        return int(head[1])
    numbers = {number[-7:] for number in _INTEGER.findall(answer)}
    return int(numbers.pop()) if len(numbers) == 1 else None


def _by_letter(answer: str, options: Sequence[str]) -> int | None:
    found = _LETTER.fullmatch(answer)
    number = ord(found[1].upper()) - ord("A") + 1 if found else 0
    return number if 1 <= number <= min(len(options), 26) else None


def _mentioned(answer: str, options: Sequence[str]) -> int | None:
    """The only option whose text occurs in the answer."""
    padded = _words(answer)
    there = [place for place, option in enumerate(options) if _words(option) in padded and _words(option).strip()]
    # `move forward` is part of `move forward slowly`: the longest option that contains all the others is meant.
    longest = max(there, key=lambda place: len(_words(options[place])), default=None)
    if longest is None or not all(_words(options[place]) in _words(options[longest]) for place in there):
        return None
    return longest


def _words(text: str) -> str:
    return f" {' '.join(trimmed(word) for word in text.split())} "
