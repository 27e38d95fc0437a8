"""The contents of the people's page by address, and the handling of what it sends.

    index.html                   the page
    assets/<name>                its style and scripts
    state.json?who=<name>        which questions a person has done, by number
    questions/<n>.json?who=<name>  a question, with that person's answer or review
    pictures/<n>-<m>.png         one of its pictures

If people answer, the page gets neither the right answer nor ids and tags, which might reveal it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from threading import Lock
from typing import Any
from urllib.parse import parse_qs

from envs.base import Question
from evals.pages.serving import HTML, PICTURE, STATE, Response, read_assets, shared_assets
from evals.questions.people.chosen import Chosen
from evals.questions.people.entries import (
    BadEntry,
    Book,
    Entry,
    Review,
    Scored,
    as_given,
    letters_of,
    new_answer,
    new_review,
    new_score,
    who_of,
)
from evals.questions.people.page import people_page
from tools.questions import written

ASSETS = Path(__file__).parent / "assets"


class Mode(StrEnum):
    """The task of people: answer, review or score."""

    ANSWER = "answer"
    REVIEW = "review"
    SCORE = "score"


@dataclass
class Desk:
    """The shown questions, and the file of answers and reviews. Without an `annotator`, the page asks for a name."""

    chosen: Chosen
    book: Book
    mode: Mode = Mode.ANSWER
    annotator: str = ""
    token: str = ""

    def __post_init__(self) -> None:
        self._assets = {**shared_assets(), **read_assets(ASSETS)}
        self._drawing = Lock()

    def get(self, path: str, query: str = "") -> Response | None:
        """The response for an address; None if there is none."""
        match path.removeprefix("/").split("/"):
            case [""] | ["index.html"]:
                return Response(HTML, self._page().encode("utf-8", "replace"))
            case ["assets", name] if name in self._assets:
                return self._assets[name]
            case ["state.json"]:
                return as_json(self.state(self._asking(query)))
            case ["questions", name] if found := re.fullmatch(r"(\d{1,7})\.json", name):
                number = int(found[1])
                return as_json(self.question(number, self._asking(query))) if number < self.count else None
            case ["pictures", name] if found := re.fullmatch(r"(\d{1,7})-(\d{1,4})\.png", name):
                return self._picture(int(found[1]), int(found[2]))
            case _:
                return None

    @property
    def count(self) -> int:
        """The number of questions."""
        return len(self.chosen.episodes)

    def state(self, who: str) -> dict[str, Any]:
        """The progress of a person."""
        return {"count": self.count, "done": sorted(self._done(who))}

    def question(self, number: int, who: str) -> dict[str, Any]:
        """The data of a question for the page."""
        id = self._id(number)
        question, judge = self.chosen.open(id)
        shown = {
            "number": number,
            "text": question.text,
            "items": list(question.items),
            "options": list(question.options),
            "letters": letters_of(question),
            "kind": str(question.kind),
            "pictures": len(question.pictures),
            "mine": self._mine(id, who),
        }
        if self.mode is Mode.ANSWER:
            return shown
        answer = {"value": as_given(judge.answer, question), "text": written(judge.answer, question)}
        why = judge.facts.explanation
        return {**shown, "id": id, "tags": self.chosen.tags(id), "answer": answer, "explanation": why}

    def take(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Store a person's answer or review and return the person's progress; `BadEntry` if it is invalid."""
        number = given.get("number")
        if type(number) is not int or not 0 <= number < self.count:
            raise BadEntry(f"there is no question {number!r}")
        if self.annotator:
            given = {**given, "who": self.annotator}
        id = self._id(number)
        question, _ = self.chosen.open(id)
        entry = self._entry(given, id, question)
        self.book.add(entry)
        return self.state(entry.who)

    def _entry(self, given: Mapping[str, Any], id: str, question: Question) -> Entry:
        match self.mode:
            case Mode.ANSWER:
                return new_answer(given, id, question)
            case Mode.REVIEW:
                return new_review(given, id, question)
        return new_score(given, id)

    def _done(self, who: str) -> set[int]:
        numbers = self.chosen.numbers
        entries = self.book.current(who).values()
        return {numbers[one.question] for one in entries if one.question in numbers and one.type == self.mode}

    def _mine(self, id: str, who: str) -> dict[str, Any] | None:
        entry = self.book.current(who).get((who, id))
        if entry is None or entry.type != self.mode:
            return None
        if isinstance(entry, Review):
            shown = {"decision": entry.decision, "fixed": dict(entry.fixed), "score": entry.score}
        elif isinstance(entry, Scored):
            shown = {"score": entry.score}
        else:
            shown = {"value": as_given(entry.value, self.chosen.open(id)[0])}
        return {**shown, "comment": entry.comment, "seconds": entry.seconds}

    def _id(self, number: int) -> str:
        return self.chosen.episodes[number].id

    def _asking(self, query: str) -> str:
        """The annotator in a query."""
        return self.annotator or who_of({"who": parse_qs(query).get("who", [""])[0]})

    def _picture(self, number: int, place: int) -> Response | None:
        if number >= self.count:
            return None
        pictures = self.chosen.open(self._id(number))[0].pictures
        if place >= len(pictures):
            return None
        with self._drawing:  # one at a time, because drawing may use all cores
            return Response(PICTURE, pictures[place].png())

    def _page(self) -> str:
        return people_page(self.chosen.benchmark.name, self.mode, self.annotator, self.token)


def as_json(value: object) -> Response:
    """A JSON response."""
    return Response(STATE, json.dumps(value).encode())
