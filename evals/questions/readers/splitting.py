"""Splits the text of a published question into the question, its options and its items."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_OPTION = re.compile(r"\s*\(?([A-Z])[.):：、][ \t]*(.*\S)?\s*$")
_ITEM = re.compile(r"\s*(?:\(?(\d{1,2})[.):、]\s*|([①-⑳])\s*)(\S.*)$")
_INLINE = re.compile(r"\bchoices\s*:\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Split:
    """A question without its options, the options in the order of their letters, and numbered items or statements."""

    text: str
    options: tuple[str, ...] = ()
    items: tuple[str, ...] = ()


def split(text: str, closing: Sequence[str] = ()) -> Split:
    """Split a text whose options are lines `A.text`, or are on one line after `Choices:`.

    `closing` are instructions at the end that are not part of the question, as regular expressions.
    """
    for pattern in closing:
        text = re.sub(rf"\s*(?:{pattern})\s*$", "", text)
    stem, options = _from_lines(text)
    if not options:
        stem, options = _from_one_line(text)
    stem, items = _items(stem)
    return Split(stem.strip(), options, items)


def with_items(found: Split) -> Split:
    """The same question with its numbered lines put back into the text."""
    lines = [found.text, *(f"{number}. {item}" for number, item in enumerate(found.items, 1))]
    return Split("\n".join(lines), found.options)


def _from_lines(text: str) -> tuple[str, tuple[str, ...]]:
    """The last list of lettered lines. A line without a letter continues the previous option, up to a blank line."""
    lines = text.split("\n")
    for start in range(len(lines) - 1, -1, -1):
        first = _OPTION.match(lines[start])
        if first is None or first[1] != "A":
            continue
        options, end = _lettered(lines, start)
        if len(options) > 1:
            return "\n".join([*lines[:start], *lines[end:]]), tuple(options)
    return text, ()


def _lettered(lines: Sequence[str], start: int) -> tuple[list[str], int]:
    options: list[str] = []
    place, blank = start, False
    for place in range(start, len(lines)):
        line = _OPTION.match(lines[place])
        if line and line[1] == LETTERS[len(options)]:
            options.append(line[2] or "")
        elif not lines[place].strip():
            blank = True
            continue
        elif blank:
            return options, place
        else:
            options[-1] = f"{options[-1]} {lines[place].strip()}".strip()
        blank = False
    return options, len(lines)


def _from_one_line(text: str) -> tuple[str, tuple[str, ...]]:
    found = list(_INLINE.finditer(text))
    if not found:
        return text, ()
    rest = " " + text[found[-1].end() :].strip()
    options: list[str] = []
    for letter in LETTERS:
        mark = re.search(rf"\s\(?{letter}[.)]\s", f"{rest} ")
        if mark is None or (letter == "A" and mark.start() > 0):
            break
        if letter != "A":
            options.append(rest[: mark.start()].strip())
        # Keep one blank, because an option may consist of a letter only.
        rest = f" {rest[mark.end() :]}"
    if letter != "A":
        options.append(rest.strip())
    if len(options) < 2:
        return text, ()
    return text[: found[-1].start()], tuple(option.removesuffix(".").strip() or option for option in options)


def _items(text: str) -> tuple[str, tuple[str, ...]]:
    """The lines numbered from 1, and the text without them."""
    lines: list[str] = []
    items: list[str] = []
    for line in text.split("\n"):
        found = _ITEM.match(line)
        number = 0 if found is None else int(found[1]) if found[1] else ord(found[2]) - ord("①") + 1
        if found is not None and number == len(items) + 1:
            items.append(found[3].strip())
        else:
            lines.append(line)
    return ("\n".join(lines), tuple(items)) if len(items) > 1 else (text, ())
