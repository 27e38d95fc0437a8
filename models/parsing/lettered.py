"""The letter or the letters of a multiple choice."""

from __future__ import annotations

import re

from models.parsing.answer import EMPTY, Profile, Unreadable, final_answer, unread
from models.parsing.marked import marked

_LEADING = re.compile(r"\s*([A-Z])\.")
_WRAPPED = re.compile(r"\W*([A-Za-z])\W*", re.ASCII)
_HEADS = re.compile(
    r"\W*(?:(?:option|choice|letter)\W*)?\b([A-Za-z])(?:\s*[.):\]]|\s+[-–—]\s|\s*[-–—:]\s|\s*\n|\s*$)", re.IGNORECASE
)
_NAMED = re.compile(r"\b(?i:option|choice|letter)(?:s|(?i:\s+is|\s+would be)(?=\W{1,3}[A-Z]))?\W{1,3}([A-Za-z])\b(?!')")
_ALONE = re.compile(r"(?<![\w'])([A-Z])(?![\w'])")
_ARTICLE = re.compile(r"(?:A|I)\s+(?!(?:or|and|is|was|because|since|as|would|seems|shows|matches)\b)[a-z]")
_SERIES = re.compile(r"\W*([A-Za-z](?:(?:\s*[,;/&+、]\s*(?:and\s+|or\s+)?|\s+and\s+|\s+)[A-Za-z])*)\W*", re.IGNORECASE)
_RUN = re.compile(r"\W*([A-Z]{2,})\W*")


def letter(text: str, letters: str = "ABCDE", *, profile: Profile = Profile.ROBUST) -> str | Unreadable:
    """The one letter that a reply chooses.

    Official: a leading `B.`, or the only capital of the answer. Robust: also `(b)`, `B) the cup`, `option B`, or the
    only letter that stands alone; several are none.
    """
    if profile is Profile.OFFICIAL:
        read = _capitals(text)
        if len(read) == 1 and read[0] in letters:
            return read[0]
        return EMPTY if not text.strip() else unread(text, f"not one letter of {letters}")
    answer, said = final_answer(text)
    chosen = _one(answer, letters, said)
    if chosen:
        return chosen
    return unread(answer if answer else text, f"not one letter of {letters}")


def letters(text: str, letters: str = "ABCDE", *, profile: Profile = Profile.ROBUST) -> tuple[str, ...] | Unreadable:
    """All letters that a reply chooses, in order, each once."""
    if profile is Profile.OFFICIAL:
        read = tuple(dict.fromkeys(_capitals(text)))
        return read or unread(text, "no letters")
    answer, said = final_answer(text)
    line = answer.partition("\n")[0] if said else answer
    run, series = _RUN.fullmatch(line), _SERIES.fullmatch(line)
    found = list(run[1]) if run else re.findall(r"\b[A-Za-z]\b", series[1]) if series else []
    several = tuple(dict.fromkeys(char.upper() for char in found))
    if several and all(char in letters for char in several):
        return several
    heads = [head[1].upper() for head in map(_HEADS.match, answer.splitlines()) if head]
    if len(heads) > 1 and len(heads) == len([one for one in answer.splitlines() if one.strip()]):
        several = tuple(dict.fromkeys(heads))  # one option a line
    elif chosen := _one(answer, letters, said):
        several = (chosen,)
    else:
        several = tuple(dict.fromkeys(_standing_alone(answer)))
    if several and all(char in letters for char in several):
        return several
    return unread(answer if answer else text, f"no letters of {letters}")


def _capitals(text: str) -> list[str]:
    answer = marked(text)
    leading = _LEADING.match(answer)
    return [leading[1]] if leading else re.findall("[A-Z]", answer)


def _one(answer: str, letters: str, said: bool) -> str | None:
    """The letter that the answer is, starts with, names, or has alone."""
    for pattern in (_WRAPPED.fullmatch, _HEADS.match):
        found = pattern(answer)
        if found and found[1].upper() in letters and not _another_head(answer, found.end(), letters):
            return found[1].upper()
    named = {char.upper() for char in _NAMED.findall(answer)} & set(letters)
    alone = set(_standing_alone(answer.partition("\n")[0] if said else answer))
    for candidates in (named, alone):
        if len(candidates) == 1 and candidates <= set(letters):
            return candidates.pop()
    return None


def _another_head(answer: str, end: int, letters: str) -> bool:
    """Whether a later line starts with another letter: then the options are being told, and none is chosen."""
    lines = answer[end:].splitlines()[1:]
    return any(head and head[1].upper() in letters for head in map(_HEADS.match, lines))


def _standing_alone(answer: str) -> list[str]:
    return [found[1] for found in _ALONE.finditer(answer) if not _ARTICLE.match(answer, found.start())]
