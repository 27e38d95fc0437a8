"""The questions of a run, read back from its trace: by set of pictures, by round, by issue."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evals.curation.checks import form
from evals.curation.commission import CALLS
from evals.curation.drafts import Draft, Status, mean
from evals.curation.truth import drafts_in
from evals.pages.tables import Content, Table
from evals.run.directory import RunDirectory
from tools.events import Asked, Began

IMAGES = "images"
"""The folder of a data set's pictures."""


@dataclass(frozen=True, slots=True)
class Made:
    """The questions about one set of pictures; `pictures` by the names of their files in the run."""

    set: str
    pictures: tuple[str, ...]
    drafts: tuple[Draft, ...]
    tags: Mapping[str, str]
    calls: Mapping[str, int]
    cost: float = 0.0


def made_by(run: RunDirectory) -> list[Made]:
    """The questions about each set of pictures whose episode has ended."""
    hashes = _hashes(run)
    found = []
    for result in run.results():
        if not result.scored:
            continue
        records = run.records_of(result)
        drafts = drafts_in(records)
        if drafts is None:
            continue
        keys = next((record.event.pictures for record in records if isinstance(record.event, Began)), ())
        asked = [record.event for record in records if isinstance(record.event, Asked)]
        calls = Counter(event.phase for event in asked if event.phase in CALLS)
        cost = sum(event.cost for event in asked)
        names = tuple(hashes.get(key, "") for key in keys)
        found.append(Made(result.id, names, tuple(drafts), dict(result.tags), calls, cost))
    return found


def _hashes(run: RunDirectory) -> dict[str, str]:
    """The file of each picture that was drawn, by its key."""
    from envs.pictures import PictureStore

    store = PictureStore(run.path / "pictures")
    return {key: f"{sha256}.png" for key, sha256 in store._hashes.items()}


def drafts_of(made: Sequence[Made]) -> list[Draft]:
    """All questions of all sets."""
    return [draft for one in made for draft in one.drafts]


@dataclass(frozen=True, slots=True)
class Round:
    """One round over all questions. `score` is the mean of the latest scores of all questions."""

    number: int
    judged: int
    accepted: int
    needing: int
    score: float | None
    revised: int
    returned: int
    unjudged: int


def rounds(drafts: Sequence[Draft]) -> list[Round]:
    """The progress of the questions, round by round."""
    last = max((len(draft.versions) for draft in drafts), default=0)
    return [_round(drafts, number) for number in range(1, last + 1)]


def _round(drafts: Sequence[Draft], number: int) -> Round:
    now = [draft.versions[number - 1] for draft in drafts if len(draft.versions) >= number]
    latest = [_latest(draft, number) for draft in drafts]
    accepted = sum(draft.status is Status.ACCEPTED and len(draft.versions) <= number for draft in drafts)
    unjudged = [draft for draft in drafts if draft.status is Status.UNJUDGED and len(draft.versions) <= number]
    return Round(
        number,
        judged=sum(version.score is not None for version in now),
        accepted=accepted,
        needing=len(drafts) - accepted - len(unjudged),
        score=mean([score for score in latest if score is not None]),
        revised=sum(len(draft.versions) > number for draft in drafts),
        returned=sum(bool(version.findings) for version in now),
        unjudged=len(unjudged),
    )


def _latest(draft: Draft, number: int) -> int | None:
    scores = [version.score for version in draft.versions[:number] if version.score is not None]
    return scores[-1] if scores else None


def rounds_table(drafts: Sequence[Draft]) -> Table:
    """The rounds as a table; its CSV is `rounds.csv`."""
    head = ["round", "judged", "accepted", "needing revision", "mean score", "revised", "found by checks", "unjudged"]
    rows: list[list[Content]] = [
        [str(one.number), one.judged, one.accepted, one.needing, one.score, one.revised, one.returned, one.unjudged]
        for one in rounds(drafts)
    ]
    notes = ["needing revision: not accepted so far; mean score: of everybody's latest version that was judged"]
    return Table.of("Rounds", head, rows, name="rounds", notes=notes)


def issues_table(drafts: Sequence[Draft]) -> Table:
    """How often each fault was named by the judge or found by a check, over all versions."""
    named = Counter(
        issue.strip().lower() for draft in drafts for version in draft.versions if version.verdict
        for issue in version.verdict.issues
    )  # fmt: skip
    found = Counter(finding.check for draft in drafts for version in draft.versions for finding in version.findings)
    rows: list[list[Content]] = [[name, "judge", count] for name, count in sorted(named.items(), key=_often)]
    rows += [[name, "check", count] for name, count in sorted(found.items(), key=_often)]
    return Table.of("Faults", ["fault", "named by", "versions"], rows, name="issues")


def _often(pair: tuple[str, int]) -> tuple[int, str]:
    return -pair[1], pair[0]


def calls_table(made: Sequence[Made]) -> Table:
    """How often each model was asked, and what it cost."""
    calls = sum((Counter(one.calls) for one in made), Counter[str]())
    rows: list[list[Content]] = [[role, calls[role]] for role in CALLS if calls[role]]
    cost = sum(one.cost for one in made)
    return Table.of("Calls", ["part", "calls"], rows, name="calls", notes=[f"cost: ${cost:.4f}"])


def published(made: Sequence[Made], *, every: bool = False) -> list[dict[str, Any]]:
    """The accepted questions in the published form, or every one that has that form, in its latest version.

    Picture files are relative to the data set.
    """
    return [
        {
            "qid": name_of(one, draft),
            "question_type": draft.last.candidate.sub_type,
            "question": draft.last.candidate.question,
            "choices": list(draft.last.candidate.choices),
            "answer": draft.last.candidate.answer,
            "explanation": draft.last.candidate.explanation,
            "visual_indices": list(range(len(one.pictures))),
            "image_paths": [f"{IMAGES}/{name}" for name in one.pictures],
        }
        for one in made
        for draft in one.drafts
        if draft.status is Status.ACCEPTED or (every and not form(draft.last.candidate))
    ]


def name_of(one: Made, draft: Draft) -> str:
    """The id of a question: that of its set with a number, or of the set alone in an exam."""
    return one.set if "planted" in one.tags else f"{one.set}_{draft.id}"
