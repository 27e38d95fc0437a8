"""Drafts of questions: candidates, the findings and the verdict on each version, the outcome. Plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any

LETTERS = "ABCD"
HIGHEST = 10
BANDS: Mapping[str, str] = {
    "9-10": "sound: the pictures decide it, exactly one option is right, and it is the labelled one",
    "7-8": "good, with a small ambiguity or a weak wrong option",
    "5-6": "doubtful: grounding, wording or label can be disputed",
    "3-4": "wrong label, several right options or a serious error of reasoning",
    "0-2": "unusable: it does not fit the pictures",
}
"""The meaning of scores, by band."""


class Status(StrEnum):
    """The outcome of a question."""

    OPEN = "open"
    ACCEPTED = "accepted"
    GIVEN_UP = "given_up"
    UNJUDGED = "unjudged"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A question with four options, the letter of the right one and why it is right."""

    sub_type: str
    question: str
    choices: tuple[str, ...]
    answer: str
    explanation: str = ""

    @property
    def right(self) -> str:
        """The text of the labelled option; empty if the letter names none."""
        place = LETTERS.find(self.answer) if len(self.answer) == 1 else -1
        return self.choices[place] if 0 <= place < len(self.choices) else ""

    def as_json(self) -> dict[str, Any]:
        """In the form in which models write and read questions."""
        return {
            "type": self.sub_type,
            "question": self.question,
            "choices": list(self.choices),
            "answer": self.answer,
            "explanation": self.explanation,
        }

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Candidate:
        """Read what a model wrote. A missing part is empty; the check of the form then reports it."""
        choices = given.get("choices")
        listed = choices.values() if isinstance(choices, Mapping) else choices if isinstance(choices, list) else ()
        return cls(
            str(given.get("type") or ""),
            str(given.get("question") or "").strip(),
            tuple(_bare(str(choice), place) for place, choice in enumerate(listed)),
            str(given.get("answer") or "").strip().rstrip(".)").upper(),
            str(given.get("explanation") or "").strip(),
        )


def _bare(choice: str, place: int) -> str:
    """An option without a letter of its own in front."""
    text = choice.strip()
    for mark in (". ", ") ", ": "):
        if place < len(LETTERS) and text.startswith(LETTERS[place] + mark):
            return text[3:].strip()
    return text


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault of a version, found by a check. With a `fatal` one the version is not put to the judge."""

    check: str
    detail: str
    fatal: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judge's verdict. Without a score the version is unjudged; `repaired` says how the reply was made readable."""

    score: int | None
    explanation: str = ""
    issues: tuple[str, ...] = ()
    repaired: str = ""


@dataclass(frozen=True, slots=True)
class Version:
    """One version of a question. `verdict` is None until it is judged, and stays None after a fatal finding."""

    candidate: Candidate
    findings: tuple[Finding, ...] = ()
    verdict: Verdict | None = None

    @property
    def score(self) -> int | None:
        """The judge's score."""
        return self.verdict.score if self.verdict else None


@dataclass(frozen=True, slots=True)
class Draft:
    """A question with all its versions, the first one first."""

    id: str
    versions: tuple[Version, ...]
    status: Status = Status.OPEN
    reason: str = ""

    @property
    def last(self) -> Version:
        """The latest version."""
        return self.versions[-1]

    def with_last(self, version: Version) -> Draft:
        """The draft with its latest version replaced."""
        return replace(self, versions=(*self.versions[:-1], version))

    def settled(self, status: Status, reason: str = "") -> Draft:
        """The draft with its final status."""
        return replace(self, status=status, reason=reason)

    def as_json(self) -> dict[str, Any]:
        """The draft as JSON."""
        versions = [{**asdict(version), "candidate": version.candidate.as_json()} for version in self.versions]
        return {"id": self.id, "status": str(self.status), "reason": self.reason, "versions": versions}

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> Draft:
        """The inverse of `as_json`."""
        versions = tuple(
            Version(
                Candidate.of(version["candidate"]),
                tuple(Finding(**finding) for finding in version["findings"]),
                _verdict(version["verdict"]),
            )
            for version in kept["versions"]
        )
        return cls(kept["id"], versions, Status(kept["status"]), kept["reason"])


def _verdict(kept: Mapping[str, Any] | None) -> Verdict | None:
    return None if kept is None else Verdict(**{**kept, "issues": tuple(kept["issues"])})


def stalled(draft: Draft) -> bool:
    """Whether the score has failed to rise twice in a row."""
    scores = [version.score for version in draft.versions if version.score is not None]
    return len(scores) > 2 and scores[-1] <= scores[-2] <= scores[-3]


def mean(values: Sequence[float]) -> float | None:
    """The mean; None of nothing."""
    return sum(values) / len(values) if values else None
