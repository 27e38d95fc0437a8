"""Checks of a question that need no model: its form, equal options, cues in its words."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

from evals.curation.drafts import LETTERS, Candidate, Finding

Check: TypeAlias = Callable[[Candidate], tuple[Finding, ...]]

LONGEST = 1200
"""The most characters that a question may have."""
MUCH_LONGER = 2.5
"""The labelled option may be at most this many times as long as the longest other one."""
SHARED = 2
"""This many words shared by the question and the labelled option alone are a cue."""
_WORD = re.compile(r"\w+")
_GENERIC = re.compile(r"\b(all|both) of (the )?(above|these|them)\b|\bnone of the above\b", re.IGNORECASE)
_TOLD = re.compile(r"\b(correct|right) (answer|option|choice) is\b|\bhint:", re.IGNORECASE)
_SMALL = frozenset({
    "a", "an", "and", "are", "as", "at", "be", "by", "do", "does", "for", "from", "has", "have", "in", "into", "is",
    "it", "its", "of", "on", "onto", "one", "or", "that", "the", "their", "them", "they", "this", "to", "was", "were",
    "what", "where", "which", "who", "why", "will", "with", "object", "objects", "marked", "picture", "pictures",
    "piece",
})  # fmt: skip
"""Words that carry no information about an option."""


def form(candidate: Candidate) -> tuple[Finding, ...]:
    """Four options, a letter that names one of them, a question and an explanation."""
    found = []
    if not candidate.question:
        found.append("there is no question")
    if len(candidate.question) > LONGEST:
        found.append(f"the question has {len(candidate.question)} characters, at most {LONGEST}")
    if len(candidate.choices) != len(LETTERS):
        found.append(f"there are {len(candidate.choices)} options, not {len(LETTERS)}")
    if any(not choice for choice in candidate.choices):
        found.append("an option is empty")
    if not candidate.right:
        found.append(f"the answer {candidate.answer!r:.20} is the letter of no option")
    if not candidate.explanation:
        found.append("there is no explanation")
    if any(_GENERIC.search(choice) for choice in candidate.choices):
        found.append("an option speaks of the other options")
    return tuple(Finding("form", detail, fatal=True) for detail in found)


def equal_options(candidate: Candidate) -> tuple[Finding, ...]:
    """No two options are the same but for case, articles and punctuation."""
    seen: dict[tuple[str, ...], str] = {}
    for choice in candidate.choices:
        words = tuple(word for word in _words(choice) if word not in ("a", "an", "the"))
        if words and words in seen:
            return (Finding("equal options", f"{seen[words]!r} and {choice!r} are the same", fatal=True),)
        seen[words] = choice
    return ()


def cues(candidate: Candidate) -> tuple[Finding, ...]:
    """The words of the question do not point to the labelled option alone."""
    right = candidate.right
    if not right:
        return ()
    wrong = [choice for place, choice in enumerate(candidate.choices) if LETTERS[place : place + 1] != candidate.answer]
    asked = " ".join(_words(candidate.question))
    found = []
    if _TOLD.search(candidate.question):
        found.append("the question tells the answer")
    whole = " ".join(_words(right))
    others = [" ".join(_words(choice)) for choice in wrong]
    if len(whole) > 2 and _within(whole, asked) and not any(_within(other, asked) for other in others):
        found.append(f"the question contains the labelled option: {right!r}")
    elif len(own := _own_words(right, wrong) & set(_words(candidate.question))) >= SHARED:
        found.append(f"the question and the labelled option alone share: {', '.join(sorted(own))}")
    longest = max((len(choice) for choice in wrong), default=0)
    if longest and len(right) > MUCH_LONGER * longest and len(right) > 40:
        found.append("the labelled option is much longer than the others")
    return tuple(Finding("cue", detail) for detail in found)


PROGRAMS: dict[str, Check] = {"form": form, "equal options": equal_options, "cue": cues}
"""Checks by name."""


def examined(candidate: Candidate) -> tuple[Finding, ...]:
    """The findings of all checks."""
    return tuple(finding for check in PROGRAMS.values() for finding in check(candidate))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _within(part: str, whole: str) -> bool:
    return f" {part} " in f" {whole} "


def _own_words(right: str, wrong: list[str]) -> set[str]:
    """Informative words of the right option that no wrong option has."""
    mine = {word for word in _words(right) if word not in _SMALL and not word.isdigit() and len(word) > 3}
    return mine - {word for choice in wrong for word in _words(choice)}
