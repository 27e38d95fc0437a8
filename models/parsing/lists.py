"""Replies that are lists."""

from __future__ import annotations

import re

from models.parsing.answer import Profile, Unreadable, final_answer, unreadable
from models.parsing.lenient import values
from models.parsing.official import official_answer

_NUMBERED = re.compile(r"\s*(?:\(?\d{1,3}[.):]|[-•*–])\s+(.*\S)\s*")
_BRACKETS = re.compile(r"[^\[({<]*[\[({<](.*)[\])}>]", re.DOTALL)
_COMMAS = re.compile(r"\s*[,;，、；،]\s*(?:and\s+|then\s+)?|\n+", re.IGNORECASE)
_ARROWS = re.compile(r"\s*(?:->|→|⇒|=>|>|\bthen\b|\n)\s*", re.IGNORECASE)
_BLANKS = re.compile(r"\s+")
_EDGES = " \t\r\n.。!！\"'`“”‘’«»[](){}"


def listed(text: str, *, profile: Profile = Profile.ROBUST) -> tuple[str, ...] | Unreadable:
    """The entries of a list in order, in lower case and without blanks, for comparison.

    Official: the answer, split at commas. Robust: also lists with brackets, quotes, numbers, bullets or arrows, and
    with a full stop at the end.
    """
    if profile is Profile.OFFICIAL:
        compact = _BLANKS.sub("", official_answer(text).lower().replace("*", ""))
        return tuple(compact.split(",")) if compact else unreadable(text, "no list")
    answer, is_marked = final_answer(text)
    entries = tuple(entry for entry in map(_tidy, _entries(answer, is_marked)) if entry)
    return entries or unreadable(text, "no list")


def _entries(answer: str, is_marked: bool) -> list[str]:
    lists = [value for value in values(answer) if isinstance(value, list)]
    if lists and all(isinstance(entry, str | int | float) for entry in lists[-1]):
        return [str(int(entry) if isinstance(entry, bool) else entry) for entry in lists[-1]]
    lines = [line for line in answer.splitlines() if line.strip()]
    numbered = [found[1] for found in map(_NUMBERED.fullmatch, lines) if found]
    if len(numbered) > 1:
        return numbered
    if is_marked or (len(lines) > 1 and "," in lines[-1]):
        answer = lines[0 if is_marked else -1] if lines else ""
    bracketed = _BRACKETS.match(answer)
    inner = bracketed[1] if bracketed and bracketed[1].strip() else answer
    if not _COMMAS.search(inner) and _ARROWS.search(inner):
        return _ARROWS.split(inner)
    return _COMMAS.split(inner)


def _tidy(entry: str) -> str:
    return _BLANKS.sub("", entry.lower()).strip(_EDGES)
