"""Candidates for the answer in a reply: texts after a marker, in tags or in a box, or else all of the prose."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from models.parsing.answer import REFUSAL, Unreadable, is_unsure, plain_text, unreadable, without_reasoning

T = TypeVar("T")

START_CHARS, END_CHARS, ANSWER_CHARS = 4_000, 20_000, 2_000
"""Characters at the start and at the end of a reply that are searched for markers, and characters read after one."""

_TAGS = re.compile(r"<(final[_ ]?)?answer>", re.IGNORECASE)
_END_TAG = re.compile(r"</(?:final[_ ]?)?answer>", re.IGNORECASE)
_BOX = re.compile(
    r"\\boxed\s{0,3}\{((?:[^{}]|\{[^{}]*\})*)\}|<\|begin_of_box\|>(.*?)(?:<\|end_of_box\|>|\Z)", re.DOTALL
)
_AND = re.compile(r"[\s$]{0,4}(?:,|;|&|and)?[\s$]{0,4}(?:and)?[\s$]{0,4}")
_ASIDE = r"[\"']?[ \t]{0,4}(?:\([^()\n]{0,30}\)[ \t]{0,4})?"
_STRONG = re.compile(
    rf"\bfinal[ _-]?answers?\b{_ASIDE}(?:\bis\b[ \t]{{0,4}}:?|[:=]|[-–—][ \t]|(?=[ \t]+(?:\(?[A-Z0-9]\b|\[))|[ \t]*$)"
    rf"|(?:^|[.!?][ \t]{{1,4}})\W{{0,8}}(?:the |my )?(?:correct |best )?answers?\b{_ASIDE}(?:[:=]|[ \t]*$)"
    r"|(?:最终答案|正确答案|答案|答え|정답)[ \t]{0,4}(?:[:=]|是|为|為|選|选|は|은)[ \t]{0,4}:?",
    re.IGNORECASE | re.MULTILINE,
)
_MEDIUM = re.compile(rf"(?:\b|_)answers?\b{_ASIDE}[:=]|答案", re.IGNORECASE)
_WEAK = re.compile(
    r"(?P<asks>\b(?:if|whether|unless)\b[^.!?\n]{0,40})?"
    r"(?:\banswers?\b[\"']?(?: to [^.:!?\n]{1,80}?)??[ \t]{0,4}(?:\([^()\n]{0,30}\)[ \t]{0,4})?"
    r"|\b(?:correct|right|best) (?:option|choice|order|sequence|one|matching|count|number)\b[ \t]{0,4})"
    r"(?:\bis\b[ \t]{0,4}:?|\bare\b|:|\bwould be\b|\bshould be\b|\bmust be\b)"
    r"|故选|应选|選擇|选择|正确选项[为是]?|因此选|所以选|选(?=\s{0,2}\(?[A-Z])",
    re.IGNORECASE,
)
_BARE_MARKER = re.compile(r"\banswer[ \t]{1,4}(?=\(?[A-Z]\)?[ \t]*(?:[.,;]|$))", re.MULTILINE)
_COMMANDS = re.compile(r"\\(?:text|textbf|textit|mathrm|mathbf|mathit|operatorname)\s{0,3}\{([^{}]*)\}")
_SYMBOLS = {
    r"\\(?:long)?(?:rightarrow|Rightarrow|to)\b": " → ",
    r"\\(?:succ|gt)\b": " > ",
    r"\\(?:prec|lt)\b": " < ",
    r"\\[,;:! ()\[\]]|\\q?quad\b|\$": " ",
    r"\\([{}%#&_])": r"\1",
    r"&gt;": ">",
    r"&lt;": "<",
}
_LATEX = [(re.compile(pattern), symbol) for pattern, symbol in _SYMBOLS.items()]
_LOOKALIKES = str.maketrans("АВСЕНКМОРТХ➔➜➡➝➞⟶⟹⇨−‐‑", "ABCEHKMOPTX→→→→→→→→---")
"""Cyrillic and Greek capitals that look like Latin ones, and variants of arrows and hyphens."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A text that may be the answer. Either the reply marks it as such, or it is all of the prose."""

    text: str
    marked: bool

    @property
    def lines(self) -> list[str]:
        """The lines with a letter or a digit; if there are none, the lines that are not blank."""
        lines = [line.strip() for line in self.text.splitlines()]
        return [line for line in lines if any(map(str.isalnum, line))] or [line for line in lines if line]

    @property
    def first_line(self) -> str:
        """The first line; further lines explain the answer."""
        return next(iter(self.lines), "")


def candidates(text: str) -> list[Candidate]:
    """Candidates for the answer, the likeliest first; all of the reply if nothing is marked."""
    cleaned = plain_text(_searched_part(without_reasoning(text)))
    found = [(rank, -at, answer) for rank, (at, answer) in _marked_places(cleaned) if _has_content(answer)]
    if not found:
        candidate = without_latex(cleaned).strip()
        return [Candidate(candidate, False)] if candidate else []
    return [Candidate(without_latex(answer).strip(), True) for _, _, answer in sorted(found)]


def read_first(text: str, read: Callable[[Candidate], T | Unreadable | None], wanted: str) -> T | Unreadable:
    """The value of the first candidate that holds an answer, or the reason why there is none.

    `read` returns None for a candidate without an answer, and `Unreadable` for an ambiguous one.
    """
    places = candidates(text)
    for candidate in places:
        value = read(candidate)
        if value is not None:
            return value
        if candidate.marked and is_unsure(candidate.first_line):
            return REFUSAL
    return unreadable(places[0].text[:ANSWER_CHARS] if places else "", wanted)


def without_latex(text: str) -> str:
    """The text with LaTeX commands replaced by the characters they print."""
    if "\\" in text or "$" in text or "&" in text:
        text = _COMMANDS.sub(r"\1", text)
        for pattern, symbol in _LATEX:
            text = pattern.sub(symbol, text)
    return text if text.isascii() else text.translate(_LOOKALIKES)


def _searched_part(text: str) -> str:
    return text if len(text) <= START_CHARS + END_CHARS else f"{text[:START_CHARS]}\n…\n{text[-END_CHARS:]}"


def _marked_places(text: str) -> list[tuple[int, tuple[int, str]]]:
    """Marked answers: the rank of the marker (0 is the clearest), the position, and the text."""
    tags = list(_TAGS.finditer(text))[-1:]
    if tags:  # markers outside the tags are part of the reasoning
        start = tags[0].end()
        end = _END_TAG.search(text, start, start + ANSWER_CHARS)
        inside = text[start : end.start() if end else start + ANSWER_CHARS]
        return [*_marked_places(inside), (9, (start, inside))]
    boxes = _boxes(text)
    found = [(1, box) for box in boxes if _has_content(box[1])][-1:]
    for rank, kept, pattern in ((1, 1, _STRONG), (2, 3, _MEDIUM), (3, 3, _WEAK), (4, 1, _BARE_MARKER)):
        markers = [marker for marker in pattern.finditer(text) if not marker.groupdict().get("asks")]
        after = [(marker.end(), text[marker.end() : marker.end() + ANSWER_CHARS]) for marker in markers[-2 * kept :]]
        # Anything before a clearer marker is reasoning.
        since = max((at for _, (at, _) in found), default=-1) if rank > 1 else -1
        found += [(rank, place) for place in after if _has_content(place[1]) and place[0] > since][-kept:]
    return found


def _boxes(text: str) -> list[tuple[int, str]]:
    """The contents of boxes with their positions. Adjacent boxes are joined."""
    found: list[tuple[int, str]] = []
    end = -1
    for box in _BOX.finditer(text):
        inside = box[1] or box[2] or ""
        if found and _AND.fullmatch(text, end, box.start()):
            found[-1] = (found[-1][0], f"{found[-1][1]}, {inside}"[-ANSWER_CHARS:])
        else:
            found.append((box.start(), inside))
        end = box.end()
    return found


def _has_content(text: str) -> bool:
    return any(map(str.isalnum, text))
