"""Numbers: counts and quantities, in digits, as fractions or in words."""

from __future__ import annotations

import math
import re
from fractions import Fraction

from models.parsing.answer import Profile, Unreadable, final_answer, unread
from models.parsing.marked import marked

_LAST = re.compile(r"-?\d+(?:\.\d+)?")
_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_DIGITS = r"\d{1,3}(?:[,\u202f\u00a0 ]\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+"
_QUANTITY = re.compile(
    rf"(?<![\w.])(?P<sign>[-−+]\s?)?(?:(?P<whole>\d{{1,6}})\s+)?(?P<top>\d{{1,6}})\s*[/⁄]\s*(?P<bottom>\d{{1,6}})(?![\w/])"
    rf"|(?<![\w.])(?P<minus>[-−+]\s?)?(?P<digits>{_DIGITS})(?P<power>[eE][-+]?\d{{1,3}})?"
    rf"|\b(?P<word>{'|'.join(_WORDS)})\b",
    re.IGNORECASE,
)
_RANGE = re.compile(r"\d\s*(?:-|–|—|\bto\b|\bor\b)\s*\d", re.IGNORECASE)
_TOTAL = re.compile(r"\(?\s*(?:out\s+of|of\s+the|of|/)\s*$", re.IGNORECASE)
_SENTENCES = re.compile(r"(?<!\d)[.!?;。！？]+|[.!?;。！？]+(?!\d)|\n+")


def number(text: str, *, profile: Profile = Profile.ROBUST) -> float | Unreadable:
    """The number that a reply gives.

    Official: the last number of the answer. Robust: with thousands apart, as a fraction or in words up to twelve,
    with a unit behind it, without the total it is out of; two different numbers in one sentence are none.
    """
    if profile is Profile.OFFICIAL:
        found = _LAST.findall(marked(text))
        return _finite(float(found[-1]), text) if found else unread(text, "no number")
    answer, said = final_answer(text)
    sentences = [sentence for sentence in _SENTENCES.split(answer) if _QUANTITY.search(sentence)]
    if not sentences:
        return unread(answer if answer else text, "no number")
    # The first sentence of an answer is the answer; prose comes to its answer at the end.
    sentence = sentences[0] if said else sentences[-1]
    if _RANGE.search(sentence):
        return unread(text, "a range of numbers")
    values = _values(sentence)
    if len(values) > 1:
        values = _values(sentence.rpartition("=")[2]) or values
    if len(values) == 1:
        return _finite(values.pop(), text)
    return unread(text, "several numbers" if values else "no number")


def _values(sentence: str) -> set[float]:
    """The different numbers of a sentence, without the totals that others are out of."""
    read: list[float] = []
    for found in _QUANTITY.finditer(sentence):
        if not (read and _TOTAL.search(sentence[max(0, found.start() - 12) : found.start()])):
            read.append(_value(found))
    return {value for value in read if not math.isnan(value)}


def _value(found: re.Match[str]) -> float:
    if found["word"]:
        return float(_WORDS.index(found["word"].lower()))
    if found["top"]:
        if not int(found["bottom"]):
            return math.nan
        value = float(int(found["whole"] or 0) + Fraction(int(found["top"]), int(found["bottom"])))
    else:
        value = float(re.sub(r"[^\d.]", "", found["digits"]) + (found["power"] or ""))
    return -value if (found["sign"] or found["minus"] or "+")[0] in "-−" else value


def _finite(value: float, text: str) -> float | Unreadable:
    return value if math.isfinite(value) else unread(text, "no number of any use")
