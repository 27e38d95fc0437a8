"""Where a person finds the answer in a reply: after a marker, in tags, in a box, or in the prose itself."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from models.parsing.answer import REFUSAL, Unreadable, plain, unread, unsure, without_thinking

T = TypeVar("T")

OPENING, CLOSING, LONGEST = 4_000, 20_000, 2_000
"""How much of the start and of the end of a reply is searched for markers, and how much of what follows one is read."""

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
_MIDDLING = re.compile(rf"(?:\b|_)answers?\b{_ASIDE}[:=]|答案", re.IGNORECASE)
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
_TYPESET = [(re.compile(pattern), symbol) for pattern, symbol in _SYMBOLS.items()]
_ALIKE = str.maketrans("АВСЕНКМОРТХ➔➜➡➝➞⟶⟹⇨−‐‑", "ABCEHKMOPTX→→→→→→→→---")
"""Letters of another alphabet that look like ours, as keyboards of two alphabets mix them; arrows; hyphens."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a reply may mean as its answer. `marked` if it says that this is the answer; else it is all of the prose."""

    text: str
    marked: bool

    @property
    def lines(self) -> list[str]:
        """The lines that hold a letter or a digit, or else anything."""
        lines = [line.strip() for line in self.text.splitlines()]
        return [line for line in lines if any(map(str.isalnum, line))] or [line for line in lines if line]

    @property
    def head(self) -> str:
        """The first line: what follows the answer on further lines explains it."""
        return next(iter(self.lines), "")


def answers(text: str) -> list[Said]:
    """Where the answer may stand, the likeliest place first; all of the reply where nothing is marked."""
    left = plain(_searched(without_thinking(text)))
    found = [(rank, -at, answer) for rank, (at, answer) in _marked(left) if _says(answer)]
    if not found:
        said = typeset(left).strip()
        return [Said(said, False)] if said else []
    return [Said(typeset(answer).strip(), True) for _, _, answer in sorted(found)]


def first_read(text: str, read: Callable[[Said], T | Unreadable | None], wanted: str) -> T | Unreadable:
    """What is read in the first place of the reply that holds an answer, or why there is none.

    `read` gives None where a place holds no answer at all, and `Unreadable` where it holds no single one.
    """
    places = answers(text)
    for said in places:
        value = read(said)
        if value is not None:
            return value
        if said.marked and unsure(said.head):
            return REFUSAL
    return unread(places[0].text[:LONGEST] if places else "", wanted)


def typeset(text: str) -> str:
    """The text with commands of LaTeX as the characters they stand for."""
    if "\\" in text or "$" in text or "&" in text:
        text = _COMMANDS.sub(r"\1", text)
        for pattern, symbol in _TYPESET:
            text = pattern.sub(symbol, text)
    return text if text.isascii() else text.translate(_ALIKE)


def _searched(text: str) -> str:
    return text if len(text) <= OPENING + CLOSING else f"{text[:OPENING]}\n…\n{text[-CLOSING:]}"


def _marked(text: str) -> list[tuple[int, tuple[int, str]]]:
    """Places that are marked as the answer: how plainly (0 is plainest), where, and what stands there."""
    tags = list(_TAGS.finditer(text))[-1:]
    if tags:  # what is marked outside the tags is part of the reasoning
        start = tags[0].end()
        end = _END_TAG.search(text, start, start + LONGEST)
        inside = text[start : end.start() if end else start + LONGEST]
        return [*_marked(inside), (9, (start, inside))]
    boxes = _boxes(text)
    found = [(1, box) for box in boxes if _says(box[1])][-1:]
    for rank, kept, pattern in ((1, 1, _STRONG), (2, 3, _MIDDLING), (3, 3, _WEAK), (4, 1, _BARE_MARKER)):
        markers = [marker for marker in pattern.finditer(text) if not marker.groupdict().get("asks")]
        after = [(marker.end(), text[marker.end() : marker.end() + LONGEST]) for marker in markers[-2 * kept :]]
        # What came before a plainer marker was thinking aloud.
        since = max((at for _, (at, _) in found), default=-1) if rank > 1 else -1
        found += [(rank, place) for place in after if _says(place[1]) and place[0] > since][-kept:]
    return found


def _boxes(text: str) -> list[tuple[int, str]]:
    """What stands in boxes, and where; of several in a row all of them."""
    found: list[tuple[int, str]] = []
    end = -1
    for box in _BOX.finditer(text):
        inside = box[1] or box[2] or ""
        if found and _AND.fullmatch(text, end, box.start()):
            found[-1] = (found[-1][0], f"{found[-1][1]}, {inside}"[-LONGEST:])
        else:
            found.append((box.start(), inside))
        end = box.end()
    return found


def _says(text: str) -> bool:
    return any(map(str.isalnum, text))
