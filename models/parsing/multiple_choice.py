"""Letters of multiple-choice questions."""

from __future__ import annotations

import re
from collections.abc import Sequence

from models.parsing.answer import EMPTY, Profile, Unreadable, trimmed, unreadable
from models.parsing.candidates import Candidate, read_first
from models.parsing.official import official_answer

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

_LEADING = re.compile(r"\s*([A-Z])\.")
_LETTER = r"[\"'(\[{<]{0,3}[A-Za-z][\"')\]}>]{0,3}(?!\w|'\w)"
_JOIN = r"\s*(?:,|;|/|&|\+|、|\||和|与|及|\band\b|\bor\b)\s*(?:(?:and|or)\s+)?(?:(?:options?|choices?)\s+)?"
_LEAD = (
    r"(?:\W*\b(?:(?:the )?(?:correct |right |best )?(?:both|options?|choices?|letters?|answers?|ones?)|it'?s"
    r"|it is|is|are"
    r"|only|therefore|so|thus|hence|clearly|i(?: would)? (?:choose|pick|select|say)|i(?:'d| would)? go with"
    r"|my (?:choice|pick))\b(?:\W{1,3}(?:is|are)\b)?)"
)
_SERIES = re.compile(rf"{_LEAD}{{0,3}}\W*({_LETTER}(?:(?:{_JOIN}|\s+){_LETTER}){{0,25}})\W*", re.IGNORECASE)
_CAPITAL = r"(?-i:[\"'(\[]{0,2}[A-Z][\"')\]]{0,2})(?!\w|'\w)"
_STARTS = re.compile(rf"{_LEAD}{{0,3}}[^\w]*({_CAPITAL}(?:(?:{_JOIN}){_CAPITAL}){{0,25}})", re.IGNORECASE)
_RUN = re.compile(rf"(?i:{_LEAD}){{0,3}}\W*([A-Z]{{2,}})\W*")
_HEAD = re.compile(
    r"\W*(?:(?:options?|choice|letter)\W*)?\b([A-Za-z])(?:\s*[.):\]]+(?=\W|$|[A-Za-z]{2})|\s?\((?=\w\w)"
    r"|\s+[-–—]\s|\s*[-–—]\s|\s*\n|\s*$)",
    re.IGNORECASE,
)
_ITEM = re.compile(r"(?:[,;]\s*|\band\s+|&\s*)(?:and\s+)?(?:options?\s+)?\(?([A-Z])(?:[.):\]]|\s[-–—]\s|\s?\(\w\w)")
_NAMED = re.compile(r"\b(?i:option|choice|letter)(?:s|(?i:\s+is|\s+would be)(?=\W{1,3}[A-Z]))?\W{1,3}([A-Za-z])\b(?!')")
_ALONE = re.compile(r"(?<!\w)(?<!\w')([A-Z])(?!\w|'\w)")
_ARTICLE = re.compile(
    r"(?:A|I)\s+(?!(?:or|and|is|was|are|because|since|as|would|should|must|seems?|shows?|matches|fits?|looks?"
    r"|best)\b)[a-z]"
    r"|I'"
)
_NEGATED = re.compile(
    r"\b(?:not|isn't|aren't|rather than|instead of|neither|nor|except(?: for)?|excluding|unlike|rules? out"
    r"|eliminat\w{1,4}"
    r"|discard\w{0,3}|reject\w{0,3})\s+(?:(?:options?|the)\s+){0,2}\(?[A-Z]\)?(?:\s*(?:,|and|or|nor"
    r"|/)\s*\(?[A-Z]\)?(?!\w|'\w)){0,9}"
    r"|\(?\b[A-Z]\)?\s+(?:is|are|was|would be|looks?|seems?)\s+(?:clearly |also |definitely )?"
    r"(?:not|n't|wrong|incorrect|false|impossible|out|too)\b",
)
_CONCLUDES = re.compile(
    r"(?:\b(?:so|therefore|thus|hence|then)\b|→|=>)\W{1,3}(?:(?:it|the answer|i|the|must|should|be|is|choose"
    r"|pick|select"
    r"|option|correct|would|go|with)\W{1,2}){0,6}\(?(?-i:([A-Z]))(?!\w|'\w)",
    re.IGNORECASE,
)
_OR = re.compile(r"(?<!\w)(?<!\w')[A-Z]\)?\s*,?\s*(?:/|\bor\b)\s*(?:(?:option|maybe|perhaps)\s+)?\(?[A-Z](?!\w|'\w)")
_SENTENCES = re.compile(r"(?<=[.!?。])\s+|\n+")
_IGNORED = frozenset(("the", "a", "an"))

Read = tuple[str, ...] | Unreadable | None


def letter(text: str, letters: str = "ABCDE", *, profile: Profile = Profile.ROBUST) -> str | Unreadable:
    """The single letter that a reply chooses; `Unreadable` if it chooses several.

    Official: a leading `B.`, or the only capital letter of the answer. Robust: also `(b)`, `B) the cup`, `option B`,
    or the only letter that stands alone.
    """
    if profile is Profile.OFFICIAL:
        read = _capitals(text)
        if len(read) == 1 and read[0] in letters:
            return read[0]
        return EMPTY if not text.strip() else unreadable(text, f"not one letter of {letters}")
    chosen = chosen_letters(text, letters, several=False)
    return chosen if isinstance(chosen, Unreadable) else chosen[0]


def letters(text: str, letters: str = "ABCDE", *, profile: Profile = Profile.ROBUST) -> tuple[str, ...] | Unreadable:
    """All letters that a reply chooses, in order and without repetitions."""
    if profile is Profile.OFFICIAL:
        read = tuple(dict.fromkeys(_capitals(text)))
        return read or unreadable(text, "no letters")
    return chosen_letters(text, letters)


def chosen_letters(
    text: str, letters: str, options: Sequence[str] = (), *, several: bool = True
) -> tuple[str, ...] | Unreadable:
    """The letters that a reply chooses, directly or by the texts of their options."""
    wanted = f"no letters of {letters}" if several else f"not one letter of {letters}"

    def read(candidate: Candidate) -> Read:
        found = (
            _of_answer(candidate, letters, options)
            if candidate.marked
            else _of_prose(candidate, letters, options, several)
        )
        if isinstance(found, tuple):
            found = tuple(dict.fromkeys(found))
            if not found or not set(found) <= set(letters) or (len(found) > 1 and not several):
                return unreadable(candidate.text, wanted)
        return found

    return read_first(text, read, wanted)


def words(text: str) -> tuple[str, ...]:
    """The words of a text for comparison: in lower case, without articles and punctuation."""
    return tuple(word for word in map(trimmed, text.split()) if word and word not in _IGNORED)


def _capitals(text: str) -> list[str]:
    answer = official_answer(text)
    leading = _LEADING.match(answer)
    return [leading[1]] if leading else re.findall("[A-Z]", answer)


def _of_answer(candidate: Candidate, letters: str, options: Sequence[str]) -> Read:
    """The choice in the first line of a marked answer, or one option per line."""
    lines = candidate.lines
    heads = [_HEAD.match(line) for line in lines]
    count = next((place for place, head in enumerate(heads) if head is None), len(heads))
    if count > 1 and _is_single_letter(lines[0]) and not all(map(_is_single_letter, lines[:count])):
        count = 1  # the lines after a bare letter explain the other options
    if count > 1:
        return tuple(head[1].upper() for head in heads[:count] if head)
    for line in lines[:2]:
        read = _of_line(line, letters, options)
        if read is not None or not line.endswith(":"):
            return read
    return None


def _of_prose(candidate: Candidate, letters: str, options: Sequence[str], several: bool) -> Read:
    lines = candidate.lines
    if len(lines) == 1 and len(_SENTENCES.split(lines[0])) == 1:
        return _of_line(lines[0], letters, options)
    heads = [head[1].upper() for head in map(_HEAD.match, lines) if head]
    if len(heads) == len(lines):  # one option per line
        return tuple(heads)
    for line in (lines[-1], lines[0]):
        pure = _series(line, letters)
        if pure is not None:
            return pure
    head = _HEAD.match(lines[0])
    if head and len(heads) == 1 and not _ALONE.search(lines[0], head.end()):
        return (head[1].upper(),)
    return _of_sentences(candidate.text, lines, letters, options)


def _of_sentences(text: str, lines: Sequence[str], letters: str, options: Sequence[str]) -> Read:
    """The letter of a conclusion, the only letter named or alone, the last sentence's choice, or an option's text."""
    concluded = [found[1] for found in _CONCLUDES.finditer(text) if not _ARTICLE.match(text, found.start(1))]
    if concluded:
        return (concluded[-1],)
    asserted = _NEGATED.sub(" ", text)
    for found in (map(str.upper, _NAMED.findall(asserted)), _alone(asserted)):
        distinct = set(found) & set(letters)
        if len(distinct) == 1:
            return tuple(distinct)
    last = [sentence for sentence in _SENTENCES.split(text) if any(map(str.isalnum, sentence))][-1:]
    read = _of_line(last[0], letters, options) if last else None
    if read is not None or not options:
        return read
    return by_words(lines[-1], options) or by_words(lines[0], options) or _mentioned(text, options)


def _of_line(line: str, letters: str, options: Sequence[str]) -> Read:
    """The choice in one line: letters only, letters before texts, a letter named or alone, or an option's text."""
    named = by_words(line, options)
    if named:
        return named
    for reading in (_series, _items, _leading):
        read = reading(line, letters)
        if read is not None:
            return read
    concluded = _CONCLUDES.search(line)
    if concluded and concluded[1] in letters:
        return (concluded[1],)
    asserted = _NEGATED.sub(" ", line)
    if _OR.search(asserted):
        return unreadable(line, "several letters, and not which of them")
    for found in (map(str.upper, _NAMED.findall(asserted)), _alone(asserted)):
        distinct = tuple(dict.fromkeys(char for char in found if char in letters))
        if distinct:
            return distinct
    return _mentioned(line, options)


def _series(line: str, letters: str) -> Read:
    """A line of letters only: `A, C`, `AC`, `(A) and (C)`, `option b`."""
    run = _RUN.fullmatch(line)
    if run and set(run[1]) <= set(letters):
        return tuple(run[1])
    series = _SERIES.fullmatch(line)
    if series is None:
        return None
    if re.search(r"\bor\b", series[1], re.IGNORECASE):
        return unreadable(line, "several letters, and not which of them")
    return tuple(char.upper() for char in re.findall(r"(?<!\w)(?<!\w')[A-Za-z](?!\w|'\w)", series[1]))


def _items(line: str, letters: str) -> Read:
    """Letters followed by the texts of their options: `A. Plate, C. Cup`."""
    head = _HEAD.match(line)
    if head is None or head[1].upper() not in letters:
        return None
    later = [found[1] for found in _ITEM.finditer(line, head.end()) if found[1] in letters]
    return (head[1].upper(), *later)


def _leading(line: str, letters: str) -> Read:
    """Letters at the start of a line, before an explanation: `B because …`, `A and C (both …)`."""
    line = _NEGATED.sub(" ", line)
    starts = _STARTS.match(line)
    if starts is None or _ARTICLE.match(line, starts.start(1)):
        return None
    concluded = _CONCLUDES.search(line, starts.end())
    if concluded and concluded[1] in letters:
        return None
    found = tuple(re.findall(r"(?<!\w)(?<!\w')[A-Z](?!\w|'\w)", starts[1]))
    if not set(found) <= set(letters):
        return None
    if re.search(r"\bor\b", starts[1], re.IGNORECASE):
        return unreadable(line, "several letters, and not which of them")
    return found


def _is_single_letter(line: str) -> bool:
    return sum(map(str.isalnum, line)) == 1


def _alone(text: str) -> list[str]:
    return [found[1] for found in _ALONE.finditer(text) if not _ARTICLE.match(text, found.start())]


def by_words(line: str, options: Sequence[str]) -> tuple[str, ...] | None:
    """The letter of the option whose text is the whole line, apart from articles and punctuation."""
    wanted = words(line)
    same = [place for place, option in enumerate(options) if wanted and words(option) == wanted]
    return (ALPHABET[same[0]],) if len(same) == 1 and same[0] < len(ALPHABET) else None


def _mentioned(line: str, options: Sequence[str]) -> tuple[str, ...] | None:
    """The letter of the only option whose text occurs in the line."""
    padded = f" {' '.join(words(line))} "
    texts = [f" {' '.join(words(option))} " for option in options]
    there = [place for place, text in enumerate(texts) if text.strip() and text in padded]
    # `move forward` is part of `move forward slowly`: the longest option that contains all the others is meant.
    longest = max(there, key=lambda place: len(texts[place]), default=None)
    if longest is None or longest >= len(ALPHABET) or not all(texts[place] in texts[longest] for place in there):
        return None
    return (ALPHABET[longest],)
