"""The data of a question's page: the question, the replies, the right answer, the pictures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from evals.view.episode_data import hashed
from evals.view.played import Played
from evals.view.prompts import shown
from evals.view.shown import Contents, Shown
from models.base import Kind
from tools.events import Answered, Asked, Looked, Value

PROFILES = ("official", "robust")
INTERNAL = frozenset({"problem", "repeat", "world", "level", "chance"})
"""Tags that only identify a question."""


def question_data(run: Shown, played: Played, readings: Mapping[str, str]) -> dict[str, Any]:
    """The data of one question. `readings` is what each scoring profile reads in the answer."""
    began, given, measures = played.began, answer_of(played), played.result.measures
    hashes = dict(_hashes(played))
    keys = began.pictures if began and began.pictures else _asked_pictures(played)
    kind = (began and began.kind) or _kind(played)
    return {
        "text": began.goal if began else "",
        "options": began.options if began else (),
        "items": began.items if began else (),
        "kind": kind,
        "pictures": [[key, hashes.get(key)] for key in keys],
        "known": {key: hash for key, hash in hashes.items() if hash},
        "answered": given is not None,
        "value": given.value if given else None,
        "said": given.text[:2000] if given else "",
        "truth": _truth(played),
        "tags": {"split": played.result.split, **tags_of(played.result.tags)},
        "profiles": [
            {"name": name, "right": measures[name] == 1.0, "read": readings.get(name)}
            for name in PROFILES
            if name in measures
        ],
        "wrong": _wrong_ones(run.contents(), played),
    }


def answer_of(played: Played) -> Answered | None:
    """The final answer, if one was given."""
    return next((record.event for record in played.records if isinstance(record.event, Answered)), None)


def scored_twice(played: Played) -> bool:
    """Whether the answer was scored in both profiles."""
    return played.result.measures.keys() >= set(PROFILES)


def pictures_of(played: Played) -> set[str]:
    """The hashes of all pictures that were shown or made."""
    return {hash for _, hash in _hashes(played) if hash}


def tags_of(tags: Mapping[str, str]) -> dict[str, str]:
    """The tags to filter by."""
    return {name: value for name, value in tags.items() if name not in INTERNAL}


def _truth(played: Played) -> Value:
    """The right answer, from the truth of the answer or of the replies."""
    known = [record.truth.value for record in played.records if isinstance(record.event, Answered | Asked)]
    return next((value for value in reversed(known) if value is not None), None)


def _kind(played: Played) -> Kind | None:
    asked = (record.event for record in played.records if isinstance(record.event, Asked))
    return next((event.kind for event in asked if event.phase == "question"), None)


def _prompts(played: Played) -> Iterator[Mapping[str, Any]]:
    for record in played.records:
        if isinstance(record.event, Asked) and (record.event.prompt or "") in played.kept:
            yield shown(played.kept[record.event.prompt or ""])


def _asked_pictures(played: Played) -> list[str]:
    """The pictures of the first request, for runs that do not record the question's."""
    first = next(_prompts(played), None)
    return [part["picture"] for _, parts in first["messages"] for part in parts if "picture" in part] if first else []


def _hashes(played: Played) -> Iterator[tuple[str, str | None]]:
    """Pictures by key, with the hash if they were drawn."""
    for prompt in _prompts(played):
        for _, parts in prompt["messages"]:
            yield from ((part["picture"], part["sha256"] or None) for part in parts if "picture" in part)
    for record in played.records:
        if isinstance(record.event, Looked):
            yield record.event.picture, hashed(record.event.sha256)


def _wrong_ones(contents: Contents, played: Played) -> dict[str, str | None]:
    """The wrong answers before and after this one, in the order of the run."""
    place = contents.places.get(played.result.id, 0)
    wrong = [at for at, result in enumerate(contents.results) if result.scored and not result.success]
    before, after = [at for at in wrong if at < place], [at for at in wrong if at > place]
    places = {"previous": before[-1] if before else None, "next": after[0] if after else None}
    return {way: None if at is None else contents.results[at].id for way, at in places.items()}
