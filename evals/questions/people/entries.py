"""People's answers and reviews in an append-only JSONL file.

{"type": "session", …}   the questions that were shown from here on, and the task
{"type": "answer", …}    a person's answer to a question; the last one of a person counts
{"type": "review", …}    a person accepts, fixes or drops a question; the last one of a person counts
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from envs.base import Question
from models.base import Kind
from tools.events import Value
from tools.questions import LETTERS, written

LONGEST, LONGEST_NAME, LONGEST_TIME = 4000, 60, 86_400.0
DECISIONS = ("accept", "fix", "drop")
FIXABLE = ("text", "options", "items", "answer")
OPEN_LETTERS = LETTERS[:10]
"""The letters to choose from if only the pictures or the text list the options."""


class BadEntry(ValueError):
    """An invalid entry; the message says why."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A person's answer. `value` is None if they cannot tell; `text` is what is scored, `seconds` the time taken."""

    question: str
    who: str
    at: str
    value: Value
    text: str
    seconds: float = 0.0
    comment: str = ""
    type: str = "answer"


@dataclass(frozen=True, slots=True)
class Review:
    """A person's review of a question. `fixed` has the corrected parts.

    `score` is from 0 to 10, if the session asks for one.
    """

    question: str
    who: str
    at: str
    decision: str
    fixed: Mapping[str, Any] = field(default_factory=dict)
    score: int | None = None
    seconds: float = 0.0
    comment: str = ""
    type: str = "review"


@dataclass(frozen=True, slots=True)
class Scored:
    """A person's score of a question, from 0 to 10."""

    question: str
    who: str
    at: str
    score: int
    seconds: float = 0.0
    comment: str = ""
    type: str = "score"


Entry = Answer | Review | Scored


def new_answer(given: Mapping[str, Any], id: str, question: Question) -> Answer:
    """Validate an answer from the page; `BadEntry` if it is invalid."""
    value = value_of(given.get("value"), question)
    return Answer(id, who_of(given), _now(), value, words_of(value, question), _seconds(given), _comment(given))


def new_review(given: Mapping[str, Any], id: str, question: Question) -> Review:
    """Validate a review from the page; `BadEntry` if it is invalid."""
    decision, fixed, score = given.get("decision"), given.get("fixed") or {}, given.get("score")
    if decision not in DECISIONS:
        raise BadEntry(f"a question is one of {', '.join(DECISIONS)}, not {decision!r}")
    if not isinstance(fixed, Mapping) or not fixed.keys() <= set(FIXABLE):
        raise BadEntry(f"what can be fixed is {', '.join(FIXABLE)}")
    if bool(fixed) != (decision == "fix"):
        raise BadEntry("a fix needs at least one corrected part" if decision == "fix" else f"{decision} fixes nothing")
    checked, rated = _fixed(fixed, question), None if score is None else score_of(score)
    return Review(id, who_of(given), _now(), decision, checked, rated, _seconds(given), _comment(given))


def new_score(given: Mapping[str, Any], id: str) -> Scored:
    """Validate a score from the page; `BadEntry` if it is invalid."""
    return Scored(id, who_of(given), _now(), score_of(given.get("score")), _seconds(given), _comment(given))


def score_of(given: Any) -> int:
    """A score from 0 to 10."""
    if type(given) is not int or not 0 <= given <= 10:
        raise BadEntry(f"a score is a whole number from 0 to 10, not {_shown(given)}")
    return given


def who_of(given: Mapping[str, Any]) -> str:
    """The name of an annotator."""
    who = given.get("who")
    name = " ".join(who.split()) if isinstance(who, str) else ""
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise BadEntry(f"a name has 1 to {LONGEST_NAME} characters")
    return name


def value_of(given: Any, question: Question) -> Value:
    """The value of an answer from the page: letters, a number, yes or no, or words."""
    letters = letters_of(question)
    if given is None:
        return None
    match question.kind, given:
        case Kind.CHOICE, str() if len(given) == 1 and given in letters:
            return question.options[LETTERS.index(given)] if question.options else given
        case Kind.CHOICES, [_, *_] if _distinct(given, letters):
            return tuple(sorted(given))
        case Kind.ORDER, [_, *_] if _distinct(given, letters) and len(given) == (len(question.options) or len(given)):
            return tuple(given)
        case Kind.MATCHING, [_, *_] if _among(given, letters) and len(given) == (len(question.items) or len(given)):
            return tuple(given)
        case Kind.JUDGEMENTS, [_, *_] if _among(given, "10") and len(given) == (len(question.options) or len(given)):
            return tuple(given)
        case Kind.NUMBER, int() | float() if not isinstance(given, bool) and math.isfinite(given):
            return float(given)
        case Kind.YES_NO, bool():
            return given
        case Kind.TEXT, str() if given.strip() and len(given) <= LONGEST:
            return " ".join(given.split())
    raise BadEntry(f"{_shown(given)} is no answer of the form {question.kind}")


def words_of(value: Value, question: Question) -> str:
    """The text of an answer that is scored. Free text is unchanged, because all of it is read as the answer."""
    return str(value) if question.kind is Kind.TEXT and value is not None else written(value, question)


def as_given(value: Value, question: Question) -> Any:
    """The value of an answer in the page's format."""
    if question.kind is Kind.CHOICE and value in question.options:
        return LETTERS[question.options.index(str(value))]
    return list(value) if isinstance(value, tuple) else value


def letters_of(question: Question) -> str:
    """The letters that may be chosen."""
    return LETTERS[: len(question.options)] if question.options else OPEN_LETTERS


def _distinct(given: list[Any], letters: str) -> bool:
    return _among(given, letters) and len(set(given)) == len(given)


def _among(given: list[Any], letters: str) -> bool:
    return all(isinstance(one, str) and len(one) == 1 and one in letters for one in given)


def _fixed(fixed: Mapping[str, Any], question: Question) -> dict[str, Any]:
    """The parts that differ from the question."""
    kept: dict[str, Any] = {}
    for name in ("text", "options", "items"):
        if name not in fixed:
            continue
        value = fixed[name]
        lines = [value] if isinstance(value, str) else value
        if not isinstance(lines, list) or not all(isinstance(one, str) and one.strip() for one in lines):
            raise BadEntry(f"{name} has to be written out")
        if sum(map(len, lines)) > LONGEST:
            raise BadEntry(f"{name} may have {LONGEST:,} characters")
        as_many = name == "text" or len(value) == len(getattr(question, name))
        if isinstance(value, str) != (name == "text") or not as_many:
            raise BadEntry(f"{name} cannot get another form")
        kept[name] = value
    if "answer" in fixed:
        kept["answer"] = as_given(value_of(fixed["answer"], question), question)
    return kept


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _seconds(given: Mapping[str, Any]) -> float:
    seconds = given.get("seconds", 0.0)
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds <= LONGEST_TIME:
        raise BadEntry(f"an answer takes seconds, not {_shown(seconds)}")
    return round(float(seconds), 2)


def _comment(given: Mapping[str, Any]) -> str:
    comment = given.get("comment", "")
    if not isinstance(comment, str) or len(comment) > LONGEST:
        raise BadEntry(f"a comment is a text of at most {LONGEST:,} characters")
    return comment.strip()


def _shown(given: Any) -> str:
    return repr(given)[:60]


class Book:
    """The file of entries. Several servers may append at the same time, because each line is a single write."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.notices: list[str] = []
        self._read: tuple[object, list[Mapping[str, Any]], list[Entry]] | None = None

    @property
    def sessions(self) -> list[Mapping[str, Any]]:
        """All sessions, the latest last."""
        return self._lines()[0]

    @property
    def entries(self) -> list[Entry]:
        """All answers and reviews, in order."""
        return self._lines()[1]

    def current(self, who: str | None = None) -> dict[tuple[str, str], Entry]:
        """The current entries by person and question; of one person if a name is given."""
        return {(one.who, one.question): one for one in self.entries if who is None or one.who == who}

    def add(self, line: Entry | Mapping[str, Any]) -> None:
        """Append a line. It is on disk when this returns."""
        entry = dict(line) if isinstance(line, Mapping) else asdict(line)
        text = json.dumps(entry, ensure_ascii=False) + "\n"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o666)
        try:
            size = os.fstat(handle).st_size
            if size and os.pread(handle, 1, size - 1) != b"\n":
                text = "\n" + text  # the previous line was truncated by a kill
            os.write(handle, text.encode("utf-8", "replace"))
            os.fsync(handle)
        finally:
            os.close(handle)

    def _lines(self) -> tuple[list[Mapping[str, Any]], list[Entry]]:
        try:
            state = self.path.stat()
        except FileNotFoundError:
            return [], []
        stamp = (state.st_mtime_ns, state.st_size)
        if self._read is None or self._read[0] != stamp:
            self.notices = []
            self._read = (stamp, *self._sorted_out(self.path.read_bytes().split(b"\n")))
        return self._read[1:]

    def _sorted_out(self, lines: Iterable[bytes]) -> tuple[list[Mapping[str, Any]], list[Entry]]:
        sessions: list[Mapping[str, Any]] = []
        entries: list[Entry] = []
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                entry = json.loads(line)
                if entry["type"] == "session":
                    sessions.append({name: entry[name] for name in entry if name != "type"})
                else:
                    entries.append(_entry(entry))
            except (TypeError, ValueError, KeyError, RecursionError):
                self.notices.append(f"{self.path}, line {number} cannot be read and is left out")
        return sessions, entries


def _entry(entry: dict[str, Any]) -> Entry:
    if entry["type"] == "answer":
        value = entry.pop("value")
        return Answer(**entry, value=tuple(value) if isinstance(value, list) else value)
    if entry["type"] == "review":
        return Review(**entry)
    if entry["type"] == "score":
        return Scored(**entry)
    raise ValueError(entry["type"])
