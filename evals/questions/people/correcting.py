"""Write a corrected set from people's reviews: without the dropped questions, with the fixed parts.

The set has the form in which ERQA+ is published outside the hub: `data.json` and a folder of pictures.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from envs.base import Question
from evals.questions.people.chosen import Chosen, found_again
from evals.questions.people.converting import book_at
from evals.questions.people.entries import Book, Review, as_given
from evals.questions.reference import Reference
from evals.questions.sets import Item, QuestionSet
from models.base import Kind

DATA, PICTURES = "data.json", "img"
TYPES: Mapping[Kind, str] = {
    Kind.CHOICE: "Multiple-choice",
    Kind.CHOICES: "Multiple-choice",
    Kind.YES_NO: "Multiple-choice",
    Kind.ORDER: "Sorting",
    Kind.MATCHING: "Matching",
    Kind.NUMBER: "Counting",
    Kind.JUDGEMENTS: "Composite-judgement",
    Kind.TEXT: "Open",
}
ASKED_YES_NO = ("Yes", "No")


@dataclass(frozen=True, slots=True)
class Corrected:
    """How many questions were written, and how many of each decision there were. Conflicts are named."""

    written: int
    decisions: Mapping[str, int]
    conflicts: tuple[str, ...] = ()


def correct(path: Path, out: Path, *, annotator: str = "", reviewed: bool = False, confirmed: str = "") -> Corrected:
    """Write the reviewed set of a file; with `reviewed`, only the questions that somebody has reviewed.

    A question that anyone dropped is left out. Of several fixes the last one counts.
    """
    book = book_at(path)
    reviews = reviews_of(book, path, annotator)
    chosen = found_again(book.sessions[-1], confirmed)
    if not isinstance(chosen.benchmark, QuestionSet):
        raise ValueError(f"{chosen.benchmark.name} is no set of questions")
    if (out / DATA).exists():
        raise ValueError(f"{out / DATA} exists already; choose another --out")
    items = {item.id: item for item in chosen.benchmark.items(chosen.settings)}
    decided = {question: _decided(some) for question, some in reviews.items()}
    (out / PICTURES).mkdir(parents=True, exist_ok=True)
    rows = [
        _row(chosen, items[episode.id], decided.get(episode.id), out)
        for episode in chosen.episodes
        if (decided[episode.id].decision != "drop" if episode.id in decided else not reviewed)
    ]
    (out / DATA).write_text(json.dumps(rows, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return Corrected(len(rows), Counter(review.decision for review in decided.values()), _conflicts(reviews))


def reviews_of(book: Book, path: Path, annotator: str = "") -> dict[str, list[Review]]:
    """The current reviews of each question, in order of time; `ValueError` if there are none."""
    people = {who for who, _ in book.current()}
    if annotator and annotator not in people:
        raise ValueError(f"{path} has no reviews of {annotator!r}; there are: {', '.join(sorted(people)) or 'none'}")
    found: dict[str, list[Review]] = {}
    for (_, question), entry in book.current(annotator or None).items():
        if isinstance(entry, Review):
            found.setdefault(question, []).append(entry)
    if not found:
        raise ValueError(f"{path} has no reviews")
    return {question: sorted(some, key=lambda review: review.at) for question, some in found.items()}


def _decided(reviews: list[Review]) -> Review:
    """What the reviews of a question come to."""
    for decision in ("drop", "fix"):
        same = [review for review in reviews if review.decision == decision]
        if same:
            return same[-1]
    return reviews[-1]


def _conflicts(reviews: Mapping[str, list[Review]]) -> tuple[str, ...]:
    """Questions on which people decided differently, or that they fixed differently."""
    return tuple(
        question
        for question, some in reviews.items()
        if len({(review.decision, json.dumps(dict(review.fixed), sort_keys=True)) for review in some}) > 1
    )


def _row(chosen: Chosen, item: Item, review: Review | None, out: Path) -> dict[str, Any]:
    """A question as published, with its pictures written."""
    question, judge = chosen.open(item.id)
    fixed = dict(review.fixed) if review else {}
    answer = fixed.get("answer", as_given(judge.answer, question))
    kept = item.reference if "answer" not in fixed else None
    evaluator, kwargs, text = _reference(question.kind, answer, kept)
    as_fixed = replace(
        question,
        text=fixed.get("text", question.text),
        options=tuple(fixed.get("options", question.options)),
        items=tuple(fixed.get("items", question.items)),
    )
    names = []
    for number, picture in enumerate(question.pictures):
        name = f"{PICTURES}/{item.id}-{number}.png".replace(" ", "_")
        (out / name).write_bytes(picture.png())
        names.append(name)
    return {
        "question_id": item.id,
        "question": _written(as_fixed),
        "img_path": names,
        "reference": text,
        "question_type": TYPES[question.kind],
        "task_category": item.tags.get("category", item.split),
        "task_sub_category": item.tags.get("sub_category", item.split),
        "evaluator": evaluator,
        "evaluator_kwargs": kwargs,
    }


def _written(question: Question) -> str:
    """The text with its items and options as lines of their own."""
    options = ASKED_YES_NO if question.kind is Kind.YES_NO else question.options
    items = question.options if question.kind is Kind.JUDGEMENTS else question.items
    lines = [question.text, *(f"{number}. {item}" for number, item in enumerate(items, 1))]
    if question.kind is not Kind.JUDGEMENTS:
        lines += [f"{letter}. {option}" for letter, option in zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", options, strict=False)]
    return "\n".join(lines)


def _reference(kind: Kind, answer: Any, kept: Reference | None) -> tuple[str, dict[str, Any], str]:
    """Evaluator, arguments and reference: the published ones unless the answer was fixed."""
    if kept is not None and kept.kwargs:
        return kept.evaluator, dict(kept.kwargs), kept.text
    match kind:
        case Kind.CHOICE:
            return "choices_matching", {"label": answer}, answer
        case Kind.YES_NO:
            letter = "A" if answer else "B"
            return "choices_matching", {"label": letter}, letter
        case Kind.CHOICES:
            text = ",".join(answer)
            return "choices_matching", {"label": text}, text
        case Kind.ORDER | Kind.MATCHING:
            return "ordered_list_matching", {"order": list(answer)}, ",".join(answer)
        case Kind.JUDGEMENTS:
            return "bool_list_matching", {"bool_str": list(answer)}, f"[{','.join(answer)}]"
        case Kind.NUMBER:
            number = int(answer) if float(answer).is_integer() else float(answer)
            return "number_matching", {"value_to_match": number}, str(number)
    return "key_items_matching", {"key_items": [str(answer)]}, json.dumps([str(answer)])
