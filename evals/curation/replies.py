"""Read the replies of the three models: questions and verdicts as JSON, repaired where the meaning is plain."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from evals.curation.drafts import HIGHEST, Candidate, Verdict
from models.parsing.answer import Unreadable, excerpt, without_reasoning

LARGEST = 60_000
"""Characters of a reply that are read."""
_TRAILING = re.compile(r",\s*([}\]])")
_SCORE = re.compile(r'"?\bscore\b"?\s*[:=]\s*"?(-?\d+(?:\.\d+)?)(?:\s*/\s*(\d+))?', re.IGNORECASE)
_BACKSLASH = re.compile(r'\\(?!["\\/bfnrtu])')


def read_candidates(text: str) -> tuple[Candidate, ...] | Unreadable:
    """The questions in a reply: a JSON list, one object, several objects, or a list under any name."""
    found: list[Candidate] = []
    for value in _values(without_reasoning(text)[:LARGEST]):
        found += [Candidate.of(entry) for entry in _entries(value)]
    if not found:
        return Unreadable(f"no question as JSON: {excerpt(text)}")
    return tuple(found)


def read_candidate(text: str) -> Candidate | Unreadable:
    """The one question in a reply; of several the last."""
    found = read_candidates(text)
    return found if isinstance(found, Unreadable) else found[-1]


def read_verdict(text: str) -> Verdict | Unreadable:
    """A verdict, however it is wrapped. A verdict whose score is cut off, missing or not from 0 to 10 is unreadable."""
    bare = without_reasoning(text)[:LARGEST].strip()
    try:
        plain = json.loads(bare)
    except (ValueError, RecursionError):
        plain = None
    if isinstance(plain, Mapping) and "score" in plain:
        return _verdict(plain, "")
    entries = [entry for value in _values(bare) for entry in _objects(value) if "score" in entry]
    if entries:
        return _verdict(entries[-1], "taken out of the text round it")
    cut = _SCORE.search(bare)
    # A number at the very end may be the beginning of a longer one: 1 of 10.
    if cut is None or cut.end() == len(bare):
        return Unreadable(f"no verdict with a score: {excerpt(text)}")
    return _scored(cut[1], cut[2], "", (), "only the score could be read")


def _verdict(entry: Mapping[str, Any], repaired: str) -> Verdict | Unreadable:
    score = entry.get("score")
    explanation = entry.get("short_explanation") or entry.get("explanation") or ""
    issues = entry.get("detected_issue") or entry.get("detected_issues") or entry.get("issues") or ()
    listed = (issues,) if isinstance(issues, str) else tuple(map(str, issues)) if isinstance(issues, list) else ()
    if isinstance(score, bool) or score is None:
        return Unreadable(f"the score is {score!r}, not a number from 0 to {HIGHEST}")
    number, _, over = str(score).partition("/")
    if over and not repaired:
        repaired = "the score was a fraction"
    return _scored(number.strip(), over.strip() or None, str(explanation), listed, repaired)


def _scored(
    number: str, over: str | None, explanation: str, issues: tuple[str, ...], repaired: str
) -> Verdict | Unreadable:
    try:
        value = float(number)
    except ValueError:
        return Unreadable(f"the score is {number!r}, not a number from 0 to {HIGHEST}")
    if over not in (None, str(HIGHEST)) or not 0 <= value <= HIGHEST:
        return Unreadable(f"the score is {number}{f'/{over}' if over else ''}, not from 0 to {HIGHEST}")
    if value != int(value):
        repaired = repaired or "the score was rounded"
    # Fractions are rounded down: a verdict between two bands does not reach the upper one.
    return Verdict(math.ceil(value - 0.5), explanation, issues, repaired)


def _values(text: str) -> Iterator[Any]:
    """The JSON values in a text, from left to right, none inside another."""
    decoder, at = json.JSONDecoder(strict=False), 0
    text = _BACKSLASH.sub(r"\\\\", _TRAILING.sub(r"\1", text))
    while (at := _opening(text, at)) >= 0:
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at += 1
            continue
        yield value


def _opening(text: str, start: int) -> int:
    places = [place for place in (text.find("{", start), text.find("[", start)) if place >= 0]
    return min(places, default=-1)


def _objects(value: Any) -> Iterator[Mapping[str, Any]]:
    """The objects in a value, the outer ones first."""
    if isinstance(value, Mapping):
        yield value
        for part in value.values():
            yield from _objects(part)
    elif isinstance(value, list):
        for part in value:
            yield from _objects(part)


def _entries(value: Any) -> Iterator[Mapping[str, Any]]:
    """The questions in a value."""
    for entry in _objects(value):
        if "question" in entry and ("choices" in entry or "answer" in entry):
            yield entry
