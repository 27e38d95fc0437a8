"""Judgements of statements: a 1 or a 0 for each, written as digits, words or signs."""

from __future__ import annotations

import re

from models.parsing.answer import Unreadable, unreadable
from models.parsing.candidates import Candidate, read_first

Judgements = tuple[str, ...]

SENTENCE_CHARS = 300
"""Longer sentences are not searched for judgements in words."""

_YES = "1 yes true correct right t y √ ✓ ✔ ✅ ☑ 是 对 對 正确 真 はい sí oui ja"
_NO = "0 no false incorrect wrong f n ✗ ✘ ❌ × ✕ 否 错 錯 错误 假 不 いいえ non nein"
_VALUES = {**dict.fromkeys(_YES.split(), "1"), **dict.fromkeys(_NO.split(), "0")}
_WORDS = "|".join(sorted(map(re.escape, _VALUES), key=len, reverse=True))
_TOKEN = rf"(?:(?<![\w.])(?:not (?:true|correct|right)|(?:{_WORDS})(?:\.0)?)(?!\w|\.\d))"
_QUOTED = rf"[\"'({{<\[]{{0,2}}{_TOKEN}[\"')}}>\]]{{0,2}}"
_BETWEEN = r"(?:\s{0,3}(?:[-–—,;/|、\n])\s{0,3}(?:and\s+)?|\s{1,3}(?:and\s+)?)"
_ROW = re.compile(rf"{_QUOTED}(?:{_BETWEEN}{_QUOTED}){{0,40}}", re.IGNORECASE)
_FIND = re.compile(_TOKEN, re.IGNORECASE)
_ADJACENT = re.compile(r"(?<![\w.,])(?:[01]{2,40}|[TF]{2,40}|[YN]{2,40}|[√✓✔✅☑✗✘❌×✕]{2,40})(?![\w]|[.,]\d)")
_BRACKETS = re.compile(r"[\[({]([^\[\](){}\n]{1,400})[\])}]")
_LABEL = (
    r"(?<![\w.])(?:(?:statements?|options?|items?|claims?|questions?|no\.|part|object)\s{0,2}|[#sqS])?"
    r"[\"'(\[]{0,2}(\d{1,2}|[A-Z])[\"')\]]{0,2}"
)
_SIGN = r"(?:\s{0,3}(?:[:=]|[-–—]{1,2}>?|→|=>|⇒|[.)](?=\s)|\bis\b|\s(?=[A-Za-z✓✗]))\s{0,3})"
_PAIR = re.compile(rf"{_LABEL}{_SIGN}[\"']?({_TOKEN})", re.IGNORECASE)
_LINE = re.compile(
    r"\W{0,6}(?:(?:statement|option|item|claim|question)\s{0,2})?[(\[]?(\d{1,2}|[A-Z])[)\]]?\s?[.:)–—-](.*)", re.I
)
_EDGE = re.compile(
    rf"\W*({_TOKEN})(?:\W|$).*|.*(?:[:,;(\[=→>–—-]|\bis|\bit's)\s{{0,3}}[\"'*]?({_TOKEN})\W*", re.IGNORECASE
)
_STEM = re.compile(r"[^\n:\[(]{0,200}[A-Za-z]{2}[^\n:\[(]{0,200}:\s*(?=\S)")
_ALL = re.compile(
    r"\W*(?:(?:all|both|none|neither)(?: \w+){0,4}?|(?:they|the statements) are all) (?:are |is )?(true"
    r"|correct|right|false|wrong|incorrect)\W*",
    re.IGNORECASE,
)
_ONLY = re.compile(
    r"\W*(?:only )?(?:statements?|items?|numbers?)?\s*(\b\d{1,2}\b(?:(?:\s*,\s*(?:and\s+)?|\s+(?:and"
    r"|&)\s+)\b\d{1,2}\b){0,30}) (?:is|are) (true|correct|right|false|wrong)\W*",
    re.IGNORECASE,
)


def judgements(text: str, count: int = 0) -> Judgements | Unreadable:
    """A `1` or a `0` for each statement in order. `count` is the number of statements, 0 if unknown."""

    def read(candidate: Candidate) -> Judgements | Unreadable | None:
        for block in _blocks(candidate):
            found = _block(block, count, marked=candidate.marked)
            if found is not None:
                return found
        return None

    return read_first(text, read, "no list of judgements")


def _blocks(candidate: Candidate) -> list[str]:
    """Parts that may hold the list: numbered lines, the first line of a marked answer, the last lines of prose."""
    lines = candidate.lines
    numbered = [_LINE.fullmatch(line) is not None for line in lines]
    if candidate.marked:
        whole = "\n".join(lines[:40])
        return [whole, *lines[:1]] if numbered[:2] == [True, True] else [*lines[:1], whole]
    last = next((place for place in range(len(lines) - 1, 0, -1) if numbered[place] and numbered[place - 1]), -1)
    first = last
    while first > 0 and numbered[first - 1]:
        first -= 1
    itemised = ["\n".join(lines[first : last + 1])] if last >= 0 else []
    return [*itemised, *reversed(lines[-3:]), "\n".join(lines[-40:])]


def _block(block: str, count: int, *, marked: bool) -> Judgements | Unreadable | None:
    lines = block.splitlines()
    if len(lines) > 1:
        return _of_lines(lines, count, marked=marked)
    stem = _STEM.match(block)
    for part in dict.fromkeys((block, block[stem.end() :] if stem else block)):
        found = _of_line(part, count, marked=marked)
        if found is not None:
            return found
    return None


def _of_line(line: str, count: int, *, marked: bool) -> Judgements | Unreadable | None:
    brackets = [_pure_list(inner) for inner in _BRACKETS.findall(line)]
    lists = [inner for inner in brackets if inner and (len(inner) > 1 or count == 1)]
    if lists:
        return lists[0 if marked else -1]
    pairs = _PAIR.findall(line)
    if len(pairs) > 1:
        return _placed(pairs)
    runs = [tuple(_value(char) for char in run.lower()) for run in _ADJACENT.findall(line)]
    rows = [tuple(_value(token) for token in _FIND.findall(row[0])) for row in _ROW.finditer(line)]
    rows = [row for row in rows if len(row) > 1]
    fitting = [row for row in (*rows, *runs) if len(row) == count] if count > 1 else []
    for found in (fitting, rows, runs):
        if found:
            return found[0 if marked else -1]
    return _in_words(line, count)


def _of_lines(lines: list[str], count: int, *, marked: bool) -> Judgements | Unreadable | None:
    """One judgement per line, at its start or its end, with or without a number."""
    judgements: list[tuple[str, str]] = []
    for place, line in enumerate(lines, 1):
        numbered = _LINE.fullmatch(line)
        edge = _EDGE.fullmatch(numbered[2] if numbered else line)
        if edge:
            judgements.append((numbered[1] if numbered else str(place), edge[1] or edge[2]))
        elif judgements and marked:
            break
    return _placed(judgements) if len(judgements) > 1 and (not count or len(judgements) == count) else None


def _in_words(line: str, count: int) -> Judgements | None:
    """Judgements in words: all, none, the statements that are named, or the only one."""
    if not count or len(line) > SENTENCE_CHARS:
        return None
    if every := _ALL.fullmatch(line):
        true = every[1].lower() in ("true", "correct", "right")
        negated = re.match(r"\W*(?:none|neither)", line, re.IGNORECASE) is not None
        return ("1" if true is not negated else "0",) * count
    if some := _ONLY.fullmatch(line):
        true = some[2].lower() in ("true", "correct", "right")
        named = set(map(int, re.findall(r"\d+", some[1])))
        return tuple("1" if (place in named) is true else "0" for place in range(1, count + 1))
    tokens = _FIND.findall(line)
    return (_value(tokens[0]),) if count == 1 and len(tokens) == 1 else None


def _pure_list(inner: str) -> Judgements | None:
    """A list that consists of judgements alone."""
    row = _ROW.fullmatch(inner.strip().strip(",;"))
    if row:
        return tuple(map(_value, _FIND.findall(inner)))
    pairs = _PAIR.findall(inner)
    placed = _placed(pairs) if len(pairs) > 1 else None
    return placed if isinstance(placed, tuple) else None


def _placed(pairs: list[tuple[str, str]]) -> Judgements | Unreadable:
    labels = [label.upper() for label, _ in pairs]
    if len(set(labels)) < len(labels):
        return unreadable(str(pairs), "two judgements for one statement")
    return tuple(_value(token) for _, token in sorted(pairs, key=lambda pair: pair[0].upper().zfill(2)))


def _value(token: str) -> str:
    token = token.lower().removesuffix(".0")
    return "0" if token.startswith("not ") else _VALUES[token]
