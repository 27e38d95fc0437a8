"""Replies to ordering and matching questions: the labels in order, in any notation."""

from __future__ import annotations

import re
from collections.abc import Sequence

from models.parsing.answer import Unreadable, unreadable
from models.parsing.candidates import Candidate, read_first
from models.parsing.multiple_choice import ALPHABET, words

Labels = tuple[str, ...]

_NOUN = (
    r"(?:(?:the )?(?:options?|objects?|items?|points?|marks?|marker|pictures?|images?|frames?|views?|steps?|actions?"
    r"|box|letters?|labels?|numbers?|no\.?|left|right|place|rank|position|choice|segments?|arrows?)\s{0,3}|#\s?)"
)
_OPEN, _CLOSE = r"[\"'(\[{<“”]{0,3}", r"[\"')\]}>“”]{0,3}"
_NAME = r"(?<!\w)(?<!\w')(?:[A-Za-z](?!\w|'\w)|\d{1,2}(?!\w|\.\d))"
_LABEL = rf"(?<!\w){_NOUN}?{_OPEN}{_NAME}{_CLOSE}"
_SIGN = (
    r"(?:<?[-–—=]{1,2}>?|→|⇒|⟶|↔|⇔|~|:=?|=|\bto\b|\bwith\b|\bis\b|\bgoes (?:to|with)\b|\bpairs? with\b"
    r"|\bcorresponds? (?:to|with)\b|\bmatch(?:es|ed)?(?: (?:to|with))?\b|/)"
)
_ASIDE = r"(?:\s?\([^()\n]{0,60}\))?"
_PAIR = re.compile(
    rf"\W*(?:(?:and|then)\s+)?{_NOUN}?{_OPEN}({_NAME}){_CLOSE}{_ASIDE}\s{{0,4}}{_SIGN}\s{{0,4}}"
    rf"{_NOUN}?{_OPEN}({_NAME}){_CLOSE}(?:\W*|\s?\(.*|[.:]\s.*)",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    rf"\W*(?:(?:step|place|position|rank)\s+)?\(?(\d{{1,2}}|[A-Z](?=\)\s+[A-Z]\b))(?:[.)\]:]|st|nd|rd"
    rf"|th)\)?[:.]?\s{{0,4}}{_NOUN}?{_OPEN}({_NAME}){_CLOSE}"
    r"(?:\W*|\s?[(.:)–—-].*|\s.*)",
    re.IGNORECASE,
)
_PAIR_WITH_TEXT = re.compile(
    rf"\W*{_NOUN}?\(?({_NAME})[.):]?\s.{{1,80}}?(?:→|->|=>|⇒|:|=|\s[-–—])\s{{0,3}}"
    rf"{_NOUN}?{_OPEN}({_NAME}){_CLOSE}\W*",
    re.IGNORECASE,
)
_TIGHT = re.compile(rf"{_OPEN}({_NAME}){_CLOSE}\s?(?:[-–—=]{{1,2}}>?|→|⇒|:|=|[.)])\s?{_OPEN}({_NAME}){_CLOSE}")
_TUPLE = re.compile(rf"[(\[]\s?[\"']?({_NAME})[\"']?\s?,\s?[\"']?({_NAME})[\"']?\s?[)\]]")
_COUPLE = re.compile(rf"[^\w(]*(?:and\s+)?({_NAME})\s*(?:\||\band\b)\s*({_NAME})\W*", re.IGNORECASE)
_CALLED = re.compile(r"\W*(?:the )?([A-Za-z]{2,20}) ([A-Z]|\d{1,2})\W*")
_ROMANS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")
_ROMAN = re.compile(
    rf"\b(?:{'|'.join(sorted(_ROMANS, key=len, reverse=True))})\b(?=\)?\s*(?:[-–—=:.)]|→))", re.IGNORECASE | re.ASCII
)
_SECOND = re.compile(r"\bii\b", re.IGNORECASE)
_DOUBLE = re.compile(r"\W*([A-Z])([A-Z]|\d)\W*|\W*(\d)([A-Z])\W*")
_SEGMENTS = re.compile(r"\s*(?:[,;\n|、，；]|→|⇒|⟶|[-=]>|\s>\s|>|<|≻|\b(?:and|then|followed by)\b)\s*", re.IGNORECASE)
_LISTS = re.compile(r"\s*[,;\n|、，；]\s*")
_BETWEEN = (
    r"\s{0,4}(?:,|;|>{1,2}|<{1,2}|→|⇒|⟶|≻|≺|[-=]{1,2}>|—|–|-|/|\||、|&|\bthen\b|\band\b|\n)\s{0,4}"
    r"(?:(?:and|then|finally|lastly)\s+)?|\s{1,4}"
)
_ROW = re.compile(rf"{_LABEL}(?:(?:{_BETWEEN}){_LABEL}){{1,30}}", re.IGNORECASE)
_FIRST = (
    r"(?:\b(?:and|then|first(?:ly)?|second(?:ly)?|third(?:ly)?|fourth|fifth|sixth|next|after (?:that|this)|finally"
    r"|last(?:ly)?|followed by|starts? with|begins? with|comes?|is|the (?:nearest|first|last)|it is|by)\b[\s,:]*)"
)
_LABELLED = re.compile(rf"[^\w(\"'\[]*{_FIRST}{{0,4}}{_NOUN}?({_OPEN})({_NAME})({_CLOSE})\s{{0,3}}(.*)", re.IGNORECASE)
_STEM = re.compile(rf"(?!\W*{_NOUN}?{_NAME})[^\n:;]{{0,200}}[A-Za-z]{{2}}[^\n:;]{{0,200}}:\s*(?=\S)", re.IGNORECASE)
_ITEM = re.compile(
    r"\W{0,4}(?:\(?(?:\d{1,2}|[A-Z])\)?\s*(?:[.):]|->|→|[-–—=])|[-•*–]\s|(?:step|place|rank|position) \d"
    r"|\|?\s?\w\s?\|\s?\w\s?\|?$)",
    re.IGNORECASE,
)
_EDGES = " \t\"'`()[]{}<>.,;:!。"
_SENTENCES = re.compile(r"(?<=[a-zA-Z0-9)\]][.!?])\s+(?=[A-Z(\"'])")
_ADJACENT = re.compile(r"\W*([A-Z]{2,26}|[a-z]{3,26}|[1-9]{2,9})\W*")
_ARTICLE = re.compile(
    r"[aA]\s+(?!(?:first|second|third|fourth|fifth|sixth|last|next|then|is|comes|because|since|and)\b)[a-z]|I\s+[a-z]"
)
_ALTERNATIVES = re.compile(rf"{_NAME}{_CLOSE},?\s(?:\bor\b|\bor else\b)\s{_OPEN}{_NAME}")


def in_order(
    text: str, letters: str = "", options: Sequence[str] = (), *, matched: bool = False
) -> Labels | Unreadable:
    """The labels that a reply lists, in order. Of pairs, the right sides, sorted by the left sides.

    `letters` are the possible labels; if it is empty, every single letter or number is a label.
    """
    reader = _Reader(letters, tuple(options), matched)
    return read_first(text, reader.read, "no list of letters")


class _Reader:
    """Reads lists of labels of one alphabet."""

    def __init__(self, letters: str, options: tuple[str, ...], matched: bool) -> None:
        self.letters = letters
        self.options = options
        self.matched = matched

    def read(self, candidate: Candidate) -> Labels | Unreadable | None:
        """The list in a marked answer, or the last list in prose."""
        for block in _blocks(candidate):
            found = self._block(block, marked=candidate.marked)
            if found is not None:
                return found
        single = re.fullmatch(rf"\W*{_NOUN}?({_NAME})\W*", candidate.first_line, re.IGNORECASE)
        return (single[1].upper(),) if single and (candidate.marked or len(candidate.lines) == 1) else None

    def _block(self, block: str, *, marked: bool) -> Labels | Unreadable | None:
        text = block.strip()
        stem = _STEM.match(text)
        for part in dict.fromkeys((text[stem.end() :] if stem else text, text)):
            if _ALTERNATIVES.search(re.sub(r"\([^()]{0,200}\)", " ", part)):
                return unreadable(part, "several orders, and not which of them")
            for reading in (self._adjacent, self._pairs, self._whole_row, self._labelled):
                found = reading(part)
                if found is not None:
                    return found
            listed = self._row(part, marked=marked) or self._option_texts(part)
            if listed is not None:
                return listed
        return None

    def _adjacent(self, text: str) -> Labels | None:
        """Labels without separators: `CDEBA`."""
        run = _ADJACENT.fullmatch(text)
        if run is None:
            return None
        labels = tuple(run[1].upper())
        if run[1].isupper() and set(labels) <= set(self.letters or ALPHABET) and len(set(labels)) == len(labels):
            return labels
        first = sorted(self.letters or (ALPHABET if run[1].isalpha() else "123456789"))[: len(labels)]
        return labels if sorted(labels) == first else None

    def _pairs(self, text: str) -> Labels | Unreadable | None:
        """Pairs in any order and notation: `A-C, B→D`, `1. C`, `(A, C), (B, D)`, `{A: C}`."""
        text = (
            _ROMAN.sub(lambda found: str(_ROMANS.index(found[0].upper()) + 1), text) if _SECOND.search(text) else text
        )
        if len(_TUPLE.findall(text)) > 1:
            text = _TUPLE.sub(r"\1=\2", text)
        cells = [part for part in re.split(r"[,;\n]", text) if any(map(str.isalnum, part))]
        if len(cells) > 1 and all(map(_COUPLE.fullmatch, cells)):
            text = ", ".join(_COUPLE.sub(r"\1=\2", part) for part in cells)
        segments = [part for part in _LISTS.split(re.sub(r"\s+and\s+", ", ", text)) if any(map(str.isalnum, part))]
        pairs = [_pair(part) for part in segments]
        while len(pairs) > 2 and pairs[-1] is None:  # a remark
            pairs.pop()
        if len(pairs) > 1 and None not in pairs:
            return self._placed([pair for pair in pairs if pair])
        tight = _TIGHT.findall(text) if len(segments) == 1 else []
        if len(tight) > 1 and not _TIGHT.sub("", text).strip(" \t{}[]().*\"'"):
            return self._placed(tight)
        return None

    def _placed(self, pairs: Sequence[tuple[str, str]]) -> Labels | Unreadable:
        """The right sides, sorted by the left sides. Of letters and numbers, the labels are the right side."""
        left, right = ([side.upper() for side in sides] for sides in zip(*pairs, strict=True))
        numbers = self.letters.isdigit() if self.letters else False
        if (all(map(str.isalpha, left)) and all(map(str.isdigit, right)) and not numbers) or (
            all(map(str.isdigit, left)) and all(map(str.isalpha, right)) and numbers
        ):
            left, right = right, left
        if len(set(left)) < len(left):
            return unreadable(str(pairs), "two answers for one thing")
        order = sorted(zip(left, right, strict=True), key=lambda pair: pair[0].zfill(2))
        return tuple(label for _, label in order)

    def _whole_row(self, text: str) -> Labels | None:
        """A text of labels only: `C, D, E`, `C > D > E`, `[C; D; E]`, `C D E`."""
        core = text.strip(_EDGES)
        without_asides = re.sub(r"\([^()]{2,200}\)", " ", text).strip(_EDGES)
        dotted = re.sub(r"\s*(?:[.…:_+]+|\)\s*\()\s*", ", ", without_asides)
        row = next(filter(None, map(_ROW.fullmatch, (core, text.strip(), without_asides, dotted))), None)
        return self._labels_in(row[0]) if row else None

    def _labelled(self, text: str) -> Labels | None:
        """Labels with texts: `C. the plate, D. the cup`, `first C, then D`, `C (plate), D (cup)`."""
        segments = [part for part in _SEGMENTS.split(text) if any(map(str.isalnum, part))]
        called = [match for match in map(_CALLED.fullmatch, segments) if match]
        if len(called) == len(segments) > 1 and len({match[1].lower() for match in called}) == 1:
            return tuple(match[2].upper() for match in called)
        found = [_LABELLED.fullmatch(part) for part in segments]
        signed = [one for one in found if one and ((one[4][:1] in (*".):]([-–—",) and one[4]) or (one[3] and one[4]))]
        loose = [
            one for part, one in zip(segments, found, strict=True)
            if one and (one in signed or not one[4] or (one[2].isupper() and not _ARTICLE.match(part.lstrip())))
        ]  # fmt: skip
        if len(segments) > 1 and len(loose) == len(segments):
            chosen = loose
        elif len(signed) > 1 and found[0] in signed:
            chosen = signed
        else:
            return None
        labels = tuple(one[2].upper() for one in chosen)
        return labels if all(map(self._is_label, labels)) else None

    def _row(self, text: str, *, marked: bool) -> Labels | None:
        """The longest row of labels within a text. Ties: the first in a marked answer, the last in prose."""
        rows = [names for names in (self._labels_in(row[0]) for row in _ROW.finditer(text)) if len(names) > 1]
        if not rows:
            return None
        longest = max(map(len, rows))
        best = [row for row in rows if len(row) == longest]
        return best[0 if marked else -1]

    def _option_texts(self, text: str) -> Labels | None:
        """The letters of options that are listed by their texts."""
        if not self.options:
            return None
        texts = {words(option): ALPHABET[place] for place, option in enumerate(self.options[:26])}
        lines = re.sub(r"(?m)^\W*\d{1,2}[.):]\s*|^\W*[-•*]\s+", "", text)
        segments = [words(re.sub(r"^\W*(?:and|then|finally)\s+", "", part)) for part in _SEGMENTS.split(lines)]
        found = [texts.get(part) for part in segments if part]
        labels = tuple(label for label in found if label)
        return labels if len(labels) > 1 and len(labels) == len(found) else None

    def _labels_in(self, row: str) -> Labels:
        """The labels of a row; empty if one of them cannot be chosen."""
        without_nouns = re.sub(rf"{_NOUN}", " ", row, flags=re.IGNORECASE)
        names = re.findall(_NAME, without_nouns)
        labels = tuple(name.upper() for name in names)
        return labels if all(map(self._is_label, labels)) else ()

    def _is_label(self, label: str) -> bool:
        return not self.letters or label in self.letters or (label.isdigit() and not self.letters.isalpha())


def _pair(segment: str) -> tuple[str, str] | None:
    for pattern in (_PAIR, _NUMBERED, _PAIR_WITH_TEXT):
        found = pattern.fullmatch(segment)
        if found:
            return found[1], found[2]
    double = _DOUBLE.fullmatch(segment)
    if double:
        return (double[1], double[2]) if double[1] else (double[3], double[4])
    return None


def _joined(lines: list[str]) -> list[str]:
    """The lines, with each line that ends in a comma or an arrow joined to the next."""
    found: list[str] = []
    for line in lines:
        if found and found[-1].endswith((",", "→", ">")):
            found[-1] += f" {line}"
        else:
            found.append(line)
    return found


def _blocks(candidate: Candidate) -> list[str]:
    """Parts that may be the list, the likeliest first: consecutive lines with one item each, and single lines."""
    lines = _joined(candidate.lines)
    items = [bool(_ITEM.match(line)) for line in lines]
    start = items.index(True) if True in items else len(lines)
    if not candidate.marked:
        start = max((place for place in range(len(lines)) if items[place] and (not place or not items[place - 1])),
                    default=len(lines))  # fmt: skip
    end = next((place for place in range(start, len(lines)) if not items[place]), len(lines))
    itemised = ["\n".join(lines[start:end])] if end - start > 1 else []
    if candidate.marked:
        opening = [_SENTENCES.split(lines[0])[0], lines[0]] if lines else []
        blocks = (
            [*itemised, *opening] if start == 0 or (start == 1 and lines[0].endswith(":")) else [*opening, *itemised]
        )
        return [*blocks, *lines[1:2], "\n".join(lines[:12])]
    return [*itemised, *(sentence for line in reversed(lines[-40:]) for sentence in reversed(_SENTENCES.split(line)))]
