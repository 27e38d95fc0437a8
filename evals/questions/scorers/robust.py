"""Scores replies as a person would: parsed by `models.parsing` and compared by meaning."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from evals.questions.reference import Reference, Verdict
from evals.questions.scorers import check
from evals.questions.scorers.official import ERRORS
from models.base import Kind
from models.parsing import Unreadable, listed, read_form
from models.parsing.answer import EMPTY
from models.parsing.candidates import candidates
from models.parsing.forms import Value

NEGATED = re.compile(
    r"(?:\b(?:not|no|never|neither|nor|without|rather than|instead of|other than|except)\b|n't\b)"
    r"(?:\s+(?:on|in|at|to|the|a|an|any|be|is|it|one|of|really|going|inside))*\s*$",
    re.IGNORECASE,
)
_ALTERNATIVES = re.compile(r"\s*(?:,\s*)?\bor\b\s*|\s+/\s+|(?<=[a-z])/(?=[a-z])", re.IGNORECASE)
_CLAUSE = re.compile(r",?\s\(?\b(?:because|since|as it|while|whereas)\b[^.!?\n]*", re.IGNORECASE)
_SENTENCES = re.compile(r"[.!?]\s+(?=[A-Z])|\n")
_MAIN = re.compile(r"\s\(|;|\s[-–—]\s")


def robust(reply: str, reference: Reference) -> Verdict:
    """The verdict. An unreadable reply is wrong, and `fault` says why."""
    if reply.startswith(ERRORS):
        return Verdict(None, "", "an error of the endpoint, not a reply")
    right, read = _COMPARED[reference.evaluator](reply, reference)
    if isinstance(read, Unreadable):
        return Verdict(False, "", read.reason)
    return Verdict(right, _shown(read))


def _read(reply: str, kind: Kind, reference: Reference) -> Value | Unreadable:
    return read_form(reply, kind, options=reference.options, letters=reference.letters)


Compared = tuple[bool, Value | Unreadable]


def _choices(reply: str, reference: Reference) -> Compared:
    """Whether the letters are the same, in any order."""
    label = reference.kwargs["label"] if reference.evaluator == check.CHOICES else reference.text
    right = frozenset(re.findall("[A-Z]", label.upper()))
    read = read_form(reply, Kind.CHOICES, options=reference.options, letters=_letters(reference, right))
    return isinstance(read, tuple) and frozenset(read) == right, read


def _letters(reference: Reference, right: frozenset[str]) -> str:
    """The possible letters; if unknown, at least A to J."""
    if reference.letters or reference.options:
        return reference.letters or "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[: len(reference.options)]
    return "ABCDEFGHIJKLMNOPQRSTUVWXYZ" if max(right, default="A") > "J" else "ABCDEFGHIJ"


def _order(reply: str, reference: Reference) -> Compared:
    """Whether labels or words are the same, in the same order."""
    order = reference.kwargs["order"]
    orders = [order] if isinstance(order[0], str) else order
    rights = {tuple(label.strip().upper() for label in one) for one in orders}
    if all(len(label) == 1 or label.isdigit() for one in rights for label in one):
        kind = reference.kind if reference.kind is Kind.MATCHING else Kind.ORDER
        numbers = "123456789" if all(label.isdigit() for one in rights for label in one) else ""
        read = read_form(reply, kind, options=reference.options, letters=reference.letters or numbers)
        return read in rights, read
    worded = listed(reply)
    given = tuple(map(_key, worded)) if isinstance(worded, tuple) else ()
    return any(_same(given, one) for one in rights), worded


def _same(given: Sequence[str], right: Sequence[str]) -> bool:
    """Whether the words are the same in the same order, ignoring articles."""
    return len(given) == len(right) and all(
        word in {f"{article}{_key(wanted)}" for article in ("", "the", "a", "an")}
        for word, wanted in zip(given, right, strict=True)
    )


def _key(words: str) -> str:
    """The letters and digits of words, for comparison."""
    return "".join(filter(str.isalnum, words.lower()))


def _judgements(reply: str, reference: Reference) -> Compared:
    read = _read(reply, Kind.JUDGEMENTS, reference)
    return read == tuple(reference.kwargs["bool_str"]), read


def _number(reply: str, reference: Reference) -> Compared:
    """Compare with the published tolerance: exact for a whole reference, else within a tenth."""
    wanted = reference.kwargs["value_to_match"]
    read = _read(reply, Kind.NUMBER, reference)
    margin = abs(wanted) * 0.1 if isinstance(wanted, float) else 1e-3
    return isinstance(read, float) and abs(read - wanted) < margin, read


def _open(reply: str, reference: Reference) -> Compared:
    """Whether the answer contains one text of each group as separate words, neither negated nor one of two guesses."""
    places = candidates(reply)
    if not places:
        return False, EMPTY
    given = _CLAUSE.sub(" ", _SENTENCES.split(places[0].first_line)[0] if places[0].marked else places[0].text).strip()
    items = reference.kwargs["key_items"]
    groups = [items] if isinstance(items[0], str) else items
    loose = bool(reference.kwargs.get("remove_space"))
    patterns = [[_pattern(item, loose=loose) for item in group] for group in groups]
    main = _MAIN.split(given, maxsplit=1)[0]
    text = main if _holds(main, patterns) else given
    guesses = [guess for guess in _ALTERNATIVES.split(main) if guess.strip()]
    hedged = len(guesses) > 1 and not all(any(_stands(guess, group) for group in patterns) for guess in guesses)
    spelled = any(re.search(r"\bor\b|/", item, re.IGNORECASE) for group in groups for item in group)
    return _holds(text, patterns) and (spelled or not hedged), given


def _holds(text: str, patterns: Sequence[Sequence[re.Pattern[str]]]) -> bool:
    return all(_stands(text, group) for group in patterns)


def _stands(text: str, group: Sequence[re.Pattern[str]]) -> bool:
    return any(
        NEGATED.search(text[max(0, found.start() - 60) : found.start()]) is None
        for pattern in group
        for found in pattern.finditer(text)
    )


@lru_cache(maxsize=4096)
def _pattern(item: str, *, loose: bool) -> re.Pattern[str]:
    """A pattern for a text at word boundaries with any blanks; languages without blanks have no boundaries."""
    words = [char for char in item if not char.isspace()] if loose else item.split()
    spelled = (r"\s*" if loose else r"[\s_-]+").join(map(re.escape, words))
    before = r"(?<!\w)(?<!\d\.)" if item.strip()[:1].isascii() else ""
    after = r"(?!\w|\.\d)" if item.strip()[-1:].isascii() else ""
    return re.compile(f"{before}{spelled}{after}", re.IGNORECASE)


def _shown(read: Value) -> str:
    if isinstance(read, tuple):
        return ",".join(read)
    return f"{read:g}" if isinstance(read, float) else str(read)


_COMPARED: dict[str, Callable[[str, Reference], Any]] = {
    check.CHOICES: _choices,
    check.ORDER: _order,
    check.JUDGEMENTS: _judgements,
    check.NUMBER: _number,
    check.OPEN: _open,
    check.HARNESS: _choices,
    check.FLAGEVAL: _choices,
    check.LETTER: _choices,
}
