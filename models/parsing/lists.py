"""Things in order: sorted, matched or judged one by one."""

from __future__ import annotations

import re

from models.parsing.answer import Profile, Unreadable, final_answer, unread
from models.parsing.lenient import values
from models.parsing.marked import marked

_NUMBERED = re.compile(r"\s*(?:\(?\d{1,3}[.):]|[-•*–])\s+(.*\S)\s*")
_BRACKETS = re.compile(r"[^\[({<]*[\[({<](.*)[\])}>]", re.DOTALL)
_COMMAS = re.compile(r"\s*[,;，、；،]\s*(?:and\s+|then\s+)?|\n+", re.IGNORECASE)
_ARROWS = re.compile(r"\s*(?:->|→|⇒|=>|>|\bthen\b|\n)\s*", re.IGNORECASE)
_BLANKS = re.compile(r"\s+")
_EDGES = " \t\r\n.。!！\"'`“”‘’«»[](){}"


def listed(text: str, *, profile: Profile = Profile.ROBUST) -> tuple[str, ...] | Unreadable:
    """The things that a reply lists, in order, in lower case and without blanks, as they are compared.

    Official: what stands between the commas of the answer. Robust: also lists with brackets, quotes, numbers, bullets
    or arrows, and with a full stop at the end.
    """
    if profile is Profile.OFFICIAL:
        said = _BLANKS.sub("", marked(text).lower().replace("*", ""))
        return tuple(said.split(",")) if said else unread(text, "no list")
    answer, marked_so = final_answer(text)
    things = tuple(thing for thing in map(_tidy, _things(answer, marked_so)) if thing)
    return things or unread(text, "no list")


def _things(answer: str, marked_so: bool) -> list[str]:
    lists = [value for value in values(answer) if isinstance(value, list)]
    if lists and all(isinstance(thing, str | int | float) for thing in lists[-1]):
        return [str(int(thing) if isinstance(thing, bool) else thing) for thing in lists[-1]]
    lines = [line for line in answer.splitlines() if line.strip()]
    numbered = [found[1] for found in map(_NUMBERED.fullmatch, lines) if found]
    if len(numbered) > 1:
        return numbered
    if marked_so or (len(lines) > 1 and "," in lines[-1]):
        answer = lines[0 if marked_so else -1] if lines else ""
    bracketed = _BRACKETS.match(answer)
    inner = bracketed[1] if bracketed and bracketed[1].strip() else answer
    if not _COMMAS.search(inner) and _ARROWS.search(inner):
        return _ARROWS.split(inner)
    return _COMMAS.split(inner)


def _tidy(thing: str) -> str:
    return _BLANKS.sub("", thing.lower()).strip(_EDGES)
