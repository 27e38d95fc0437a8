"""Numbers in replies: counts and quantities, in digits, as fractions or in words."""

from __future__ import annotations

import math
import re
from fractions import Fraction

from models.parsing.answer import Profile, Unreadable, unreadable
from models.parsing.candidates import Candidate, read_first
from models.parsing.official import official_answer

SENTENCE_CHARS, MOST_SENTENCES = 250, 60
"""Characters at both ends of a sentence, and sentences at the end of a reply, that are read."""

_LAST = re.compile(r"-?\d+(?:\.\d+)?")
_SMALL = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_WORDS = {word: number for number, word in enumerate(_SMALL)}
_WORDS |= {word: number for number, word in enumerate(_TENS, 2) for number in [10 * number]}
_WORDS |= {f"{ten} {one}": _WORDS[ten] + _WORDS[one] for ten in _TENS for one in _SMALL[1:10]}
_MANY = {"dozen": 12, "hundred": 100, "thousand": 1000}
_WORDS |= {f"{one} {many}": _WORDS.get(one, 1) * size for one in ("a", *_SMALL[1:10]) for many, size in _MANY.items()}
_WORDS |= {"half a dozen": 6, "a couple": 2, "a pair": 2, "both": 2}
_CHINESE = {char: number for number, char in enumerate("零一二三四五六七八九十")} | {"两": 2, "兩": 2, "〇": 0}

_NAMES = "|".join(word.replace(" ", "[ -]") for word in sorted(_WORDS, key=len, reverse=True))
_DIGITS = r"\d{1,3}(?:[,'\u202f\u00a0 ]\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+"
_QUANTITY = re.compile(
    rf"(?<![\w.])(?P<sign>[-−+]\s?)?(?:(?P<whole>\d{{1,6}})\s+)?(?P<top>\d{{1,6}})\s*[/⁄]\s*(?P<bottom>\d{{1,6}})(?![\w/])"
    rf"|(?<![\w.])(?P<minus>[-−+]\s?)?(?P<digits>{_DIGITS})(?P<power>[eE][-+]?\d{{1,3}})?"
    rf"|\b(?P<word>{_NAMES})\b"
    r"|^\W*(?P<han>[零〇一二两兩三四五六七八九十])(?:[个個只隻件张張本把杯])?\W*$",
    re.IGNORECASE,
)
_ANY = rf"(?:\d[\d,]*(?:\.\d+)?|\b(?:{_NAMES})\b)"
_COMPOUND = rf"\b(?:{'|'.join(_TENS)})[ -](?:{'|'.join(_SMALL[1:10])})\b(?!\s*(?:-|–|to\b|or\b))"
_RANGE = re.compile(
    rf"(?!{_COMPOUND}){_ANY}\s*(?:-|–|—|−|~|\.\.+|…|\bto\b|\bor\b)\s*(?:maybe\s|perhaps\s|even\s)?{_ANY}"
    rf"|\bbetween\b.{{0,20}}{_ANY}\s*and\s*{_ANY}",
    re.IGNORECASE,
)
_UNBOUNDED = re.compile(
    r"(?:\b(?:(?:more|greater|less|fewer|larger|higher|lower) than|at (?:least|most)|up to|over|under|above|below"
    rf"|(?:minimum|maximum) of)\s+|[<>≥≤]=?\s*){_ANY}|{_ANY}\s?\+(?!\s*\d)|{_ANY}(?:\s\w+)?\s+or\s+(?:more"
    rf"|fewer|less|so)\b",
    re.IGNORECASE,
)
_TOTAL = re.compile(r"\(?\s*(?:out\s+of|of\s+the|of|/)\s*$", re.IGNORECASE)
_SENTENCES = re.compile(r"(?<!\d)[.!?;。！？]+|[.!?;。！？]+(?!\d)|\n+")
_ASIDES = re.compile(r"\([^()]{0,300}\)|\[[^\[\]]{0,300}\]")
_SUBORDINATE = re.compile(
    rf"\s*[,;:–—-]?\s*(?:{_ANY}\s+of (?:which|these|them)\b|\b(?:because|since|as|not|including"
    r"|excluding|of which|whereas|where"
    r"|while|although|but|rather than|instead of|if|when|counting|given|based on|plus the)\b).*",
    re.IGNORECASE | re.DOTALL,
)
_NUMBERED = re.compile(
    r"\b(?:pictures?|images?|figures?|views?|frames?|box|marks?|objects?|steps?|rows?|shelf|rooms?|options?"
    r"|panels?)\s+#?$",
    re.IGNORECASE,
)
_CONCLUDES = re.compile(
    r".*(?:\b(?:so|therefore|thus|hence|altogether|in all|in total|totals?|sum|count|adds up to|makes|giving)\b|→|⇒)",
    re.IGNORECASE | re.DOTALL,
)
_IN_TOTAL = re.compile(rf"({_ANY})(?:\s\w+){{0,3}}\s(?:in total|in all|altogether|total|overall)\b", re.IGNORECASE)
_HEADS = re.compile(
    r"\W*(?:(?:there|are|is|it|i|can|see|count|counted|about|approximately|around|roughly|exactly|only|just|a"
    r"|the|total|number|of)\b\W*){0,6}$",
    re.IGNORECASE,
)
_CLOSES = re.compile(rf"(?:\s\w+){{0,3}}\s*(?:[,;:–—]|\s-\s)(?!\W*{_ANY})", re.IGNORECASE)
_PURE = re.compile(rf"\W*(?:about |approximately |around |roughly |exactly )?{_ANY}(?:\s\w+)?\W*", re.IGNORECASE)
_NONE = re.compile(
    r"\W*(?:(?:the answer is|there (?:is|are|were)|i (?:can )?see|it is|(?:the )?(?:count|number|total)(?: is)?)\W+)?"
    r"(?:there (?:aren't|are not|isn't|is not) any|none(?! of the above)|nothing|nil"
    r"|no (?!way|idea|answer|information|number|doubt|clear|picture|image"
    r"|one )\w+)(?:\W.*)?",
    re.IGNORECASE,
)


def number(text: str, *, profile: Profile = Profile.ROBUST) -> float | Unreadable:
    """The number that a reply gives.

    Official: the last number of the answer. Robust: the number that the answer starts with or concludes with; it may
    have thousands separators or a unit, or be a fraction or a word, and the total in `3 of 5` is ignored. A range, or
    two different numbers in one sentence, is unreadable.
    """
    if profile is Profile.OFFICIAL:
        found = _LAST.findall(official_answer(text))
        return _finite(float(found[-1]), text) if found else unreadable(text, "no number")
    return read_first(text, _read, "no number")


def _read(candidate: Candidate) -> float | Unreadable | None:
    text = candidate.text if not candidate.marked else "\n".join(candidate.lines[:3])
    sentences = [_clipped(sentence) for sentence in _SENTENCES.split(text) if sentence.strip()]
    sentences = sentences if len(sentences) <= MOST_SENTENCES else [sentences[0], *sentences[-MOST_SENTENCES:]]
    counted = [sentence for sentence in sentences if _QUANTITY.search(sentence)]
    if sentences and _NONE.fullmatch(sentences[0 if candidate.marked else -1].strip()):
        return 0.0
    if not counted:
        return None
    return _of_sentence(counted[0] if candidate.marked else _deciding_sentence(counted, candidate.lines))


def _clipped(sentence: str) -> str:
    """The start and the end of a long sentence."""
    return (
        sentence
        if len(sentence) <= 2 * SENTENCE_CHARS
        else f"{sentence[:SENTENCE_CHARS]} … {sentence[-SENTENCE_CHARS:]}"
    )


def _deciding_sentence(sentences: list[str], lines: list[str]) -> str:
    """The sentence of prose that gives the number: a line with nothing else, the conclusion, or the last sentence."""
    pure = [line for line in (lines[-1], lines[0]) if len(line) <= SENTENCE_CHARS and _PURE.fullmatch(line)]
    if pure:
        return pure[0]
    concluding = [sentence for sentence in sentences if _CONCLUDES.match(sentence)]
    if concluding:
        return concluding[-1]
    # `There are 4 cups. Two are red.`: the later sentences count parts.
    first = _values(sentences[0])
    if re.match(r"\W*there (?:is|are)\b", sentences[0], re.IGNORECASE) and len(first) == 1:
        parts = [value for sentence in sentences[1:] for value in _values(sentence)]
        if parts and max(parts) <= first[0] and sum(parts) <= first[0]:
            return sentences[0]
    return sentences[-1]


def _of_sentence(sentence: str) -> float | Unreadable:
    """The only number of a sentence, or the one that the other numbers explain."""
    core = _ASIDES.sub(" ", re.sub(r"<([^<>]{1,20})>", r" \1 ", sentence))
    core = core if _QUANTITY.search(core) else sentence
    if "=" in core:
        first, *_, last = core.split("=")
        whole = _values(first)
        core = first if len(whole) == 1 and len(_values(last)) > 1 else last if _QUANTITY.search(last) else first
    total = _IN_TOTAL.search(core)
    if total:
        return _finite(_values(total[1])[0], sentence)
    main = _SUBORDINATE.sub("", core)
    main = main if _QUANTITY.search(main) else core
    concluded = _CONCLUDES.sub("", core)
    parts = [concluded] if concluded != core and len(_distinct_values(concluded)) == 1 else []
    for part in (*parts, main):
        if _UNBOUNDED.search(part) or (_RANGE.search(part) and not _leading_number(part)):
            return unreadable(sentence, "a range of numbers")
        if len(values := _distinct_values(part)) == 1:
            return _finite(values[0], sentence)
    values = _values(main)
    if len(values) > 2 and math.isclose(values[0], sum(values[1:])):
        return _finite(values[0], sentence)
    if len(values) > 2 and math.isclose(values[-1], sum(values[:-1])):
        return _finite(values[-1], sentence)
    head = _leading_number(main)
    if head is not None:
        return _finite(head, sentence)
    return unreadable(sentence, "several numbers" if values else "no number")


def _leading_number(sentence: str) -> float | None:
    """The number that a sentence starts with, if the rest of the sentence is about something else."""
    found = _QUANTITY.search(sentence)
    if found and _HEADS.fullmatch(sentence[: found.start()]) and _CLOSES.match(sentence, found.end()):
        return _value(found)
    return None


def _distinct_values(sentence: str) -> list[float]:
    return list(dict.fromkeys(_values(sentence)))


def _values(sentence: str) -> list[float]:
    """The numbers of a sentence, without totals (`of 5`); labels (`picture 2`) only if there are no others."""
    read: list[float] = []
    named: list[float] = []
    for found in _QUANTITY.finditer(sentence):
        before = sentence[max(0, found.start() - 14) : found.start()]
        if read and _TOTAL.search(before):
            continue
        value = _value(found)
        if not math.isnan(value):
            (named if _NUMBERED.search(before) else read).append(value)
    return read or named


def _value(found: re.Match[str]) -> float:
    if found["word"]:
        return float(_WORDS[found["word"].lower().replace("-", " ")])
    if found["han"]:
        return float(_CHINESE[found["han"]])
    if found["top"]:
        if not int(found["bottom"]):
            return math.nan
        value = float(int(found["whole"] or 0) + Fraction(int(found["top"]), int(found["bottom"])))
    else:
        value = float(re.sub(r"[^\d.]", "", found["digits"]) + (found["power"] or ""))
    return -value if (found["sign"] or found["minus"] or "+")[0] in "-−" else value


def _finite(value: float, text: str) -> float | Unreadable:
    return value if math.isfinite(value) else unreadable(text, "not a finite number")
