"""Recorded replies to questions: `[{"question_id": …, "answer": …}]`, as evaluators of question sets read them.

The file holds a list, one JSON object per line, or one object with the ids as keys. `question` may hold the text of
the question, for sets with other ids.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from models.recorded.reading import RecordError
from planners.files import read_json


@dataclass(frozen=True, slots=True)
class Predictions:
    """Replies by question id and, if the file has it, by question text."""

    by_id: Mapping[str, str]
    by_text: Mapping[str, str] = field(default_factory=dict)

    def reply(self, id: str, prompt: str) -> str | None:
        """The reply to the question with this id, or to the longest recorded question that the prompt contains."""
        if id in self.by_id:
            return self.by_id[id]
        asked = plain(prompt)
        found = max((text for text in self.by_text if text in asked), key=len, default=None)
        return None if found is None else self.by_text[found]


def plain(text: str) -> str:
    """A question's text without differences in case and blanks, for comparison."""
    return " ".join(text.split()).casefold()


def holds_predictions(path: Path) -> bool:
    """Whether a file looks like predictions, judged by its first characters."""
    with path.open("rb") as file:
        start = file.read(4096).lstrip(b"\xef\xbb\xbf \t\r\n")
    return start.startswith(b"[") or b'"question_id"' in start


def read_predictions(path: Path) -> Predictions:
    """The replies in a file; `RecordError` names the first invalid entry."""
    by_id: dict[str, str] = {}
    by_text: dict[str, str] = {}
    for where, entry in _entries(path):
        if not isinstance(entry, Mapping):
            raise RecordError(f"{path}, {where}: a prediction is a JSON object, not {str(entry)[:60]!r}")
        missing = [name for name in ("question_id", "answer") if entry.get(name) is None]
        if missing:
            raise RecordError(f"{path}, {where}: it has no {missing[0]!r}")
        id, answer = str(entry["question_id"]), entry["answer"]
        if not isinstance(answer, str):
            raise RecordError(f"{path}, {where} ({id}): the answer must be a text, not {str(answer)[:60]!r}")
        if id in by_id:
            raise RecordError(f"{path}, {where}: a second answer to {id}")
        by_id[id] = answer
        if isinstance(entry.get("question"), str) and plain(entry["question"]):
            by_text[plain(entry["question"])] = answer
    if not by_id:
        raise RecordError(f"{path}: there are no predictions in it")
    return Predictions(by_id, by_text)


def _entries(path: Path) -> Iterator[tuple[str, Any]]:
    if path.is_file():
        lines = path.read_bytes().splitlines()
        if len(lines) > 1 and lines[0].lstrip().startswith(b"{") and lines[0].rstrip().endswith(b"}"):
            yield from _from_lines(path, lines)
            return
    try:
        content = read_json(path)
    except ValueError as error:
        raise RecordError(f"{path}: {error}") from None
    if isinstance(content, list):
        yield from ((f"entry {number}", entry) for number, entry in enumerate(content, 1))
    elif isinstance(content, dict) and "question_id" in content:
        yield "entry 1", content
    elif isinstance(content, dict):
        for name, entry in content.items():
            yield f"entry {name}", {"question_id": name, **entry} if isinstance(entry, Mapping) else entry
    else:
        raise RecordError(f"{path}: predictions are a list, not a {type(content).__name__}")


def _from_lines(path: Path, lines: list[bytes]) -> Iterator[tuple[str, Any]]:
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                yield f"line {number}", json.loads(line)
            except (ValueError, RecursionError) as error:
                raise RecordError(f"{path}, line {number}: broken JSON: {error}") from None
