"""The accuracy and agreement of people, from files of the command `people`, and of models, from runs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from statistics import median

from evals.pages.tables import Cell, Content, Table
from evals.questions.agreement import (
    Share,
    cohen_kappa,
    compare_scores,
    exact,
    interval,
    krippendorff_alpha,
    pairwise,
)
from evals.questions.people.chosen import Chosen, found_again
from evals.questions.people.converting import book_at
from evals.questions.people.entries import DECISIONS, Answer, Book, Review, Scored
from evals.run.directory import RunDirectory
from evals.run.statistics import wilson
from tools.events import Answered, Value

UNTOLD = "cannot tell"


@dataclass
class Rater:
    """The answers of one person or model: by question, the answer, whether it is right, and the time taken."""

    name: str
    set: str
    answers: dict[str, str] = field(default_factory=dict)
    right: dict[str, bool] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)
    decisions: dict[str, str] = field(default_factory=dict)
    scores: dict[str, int] = field(default_factory=dict)


def raters_of(paths: Sequence[Path], confirmed: str = "") -> list[Rater]:
    """All raters in some files and runs; `ValueError` if they are not about the same questions."""
    found: dict[str, Rater] = {}
    for path in paths:
        for rater in _of_run(path) if path.is_dir() else _of_file(path, confirmed):
            if rater.name in found:
                raise ValueError(f"{rater.name} is there twice; the second time in {path}")
            found[rater.name] = rater
    sets = {rater.set for rater in found.values()}
    if len(sets) > 1:
        raise ValueError(f"these are answers to different sets: {', '.join(sorted(sets))}")
    if not found:
        raise ValueError(f"there are no answers in {', '.join(map(str, paths))}")
    return list(found.values())


def _of_file(path: Path, confirmed: str) -> Iterator[Rater]:
    book = book_at(path)
    chosen = found_again(book.sessions[-1], confirmed)
    for name in sorted({who for who, _ in book.current()}):
        yield _person(name, book, chosen)


def _person(name: str, book: Book, chosen: Chosen) -> Rater:
    rater = Rater(name, chosen.benchmark.name)
    for (_, id), entry in book.current(name).items():
        if isinstance(entry, Review):
            rater.decisions[id] = entry.decision
            rater.scores |= {} if entry.score is None else {id: entry.score}
        elif isinstance(entry, Scored):
            rater.scores[id] = entry.score
        elif isinstance(entry, Answer) and id in chosen.numbers:
            rater.answers[id] = _named(entry.value)
            rater.right[id] = entry.value is not None and _is_right(chosen, entry)
        rater.seconds.append(entry.seconds)
    return rater


def _is_right(chosen: Chosen, answer: Answer) -> bool:
    return chosen.open(answer.question)[1].mark(answer.text, answer.value).value == 1.0


def _of_run(path: Path) -> Iterator[Rater]:
    run = RunDirectory.open(path)
    rater = Rater(str(run.config["settings"].get("model", path.name)), str(run.config.get("benchmark")))
    for result in run.results():
        if not result.scored:
            continue
        given = [record.event for record in run.records_of(result) if isinstance(record.event, Answered)]
        rater.answers[result.id] = _named(given[-1].value if given else None)
        rater.right[result.id] = result.success
    yield rater


def _named(value: Value) -> str:
    """An answer in canonical form, so that equal answers are equal texts."""
    if value is None:
        return UNTOLD
    return json.dumps(value.strip().casefold() if isinstance(value, str) else value)


def tables_of(raters: Sequence[Rater]) -> list[Table]:
    """All tables: accuracy of each rater, and agreement of pairs and of all raters."""
    found = [_right(raters), *_together([(rater.name, rater.answers) for rater in raters], "answers")]
    if any(rater.decisions for rater in raters):
        found += [_decided(raters), *_together([(rater.name, rater.decisions) for rater in raters], "reviews")]
    found += _scored(raters)
    return [table for table in found if table.rows]


def _right(raters: Sequence[Rater]) -> Table:
    rows = [
        (
            rater.name,
            len(rater.answers),
            sum(rater.right.values()),
            _share(sum(rater.right.values()), len(rater.answers)),
            Counter(rater.answers.values())[UNTOLD],
            Cell.of(median(rater.seconds), digits=1) if rater.seconds else None,
        )
        for rater in raters
        if rater.answers
    ]
    head = ("who", "answered", "right", "share right", UNTOLD, "seconds, median")
    return Table.of("Answers", head, rows, name="answers", notes=("Intervals are Wilson's, 95 %.",))


def _decided(raters: Sequence[Rater]) -> Table:
    rows: list[tuple[Content, ...]] = [
        (rater.name, len(rater.decisions), *(Counter(rater.decisions.values())[name] for name in DECISIONS))
        for rater in raters
        if rater.decisions
    ]
    return Table.of("Reviews", ("who", "reviewed", *DECISIONS), rows, name="reviews")


def _together(answers: Sequence[tuple[str, Mapping[str, str]]], what: str) -> Iterator[Table]:
    """The agreement of each pair of raters, and of all."""
    rows: list[tuple[Content, ...]] = []
    for (one, left), (other, right) in combinations(answers, 2):
        both = [id for id in left if id in right]
        if both:
            a, b = [left[id] for id in both], [right[id] for id in both]
            rows.append((f"{one}, {other}", len(both), _of(exact(a, b)), Cell.of(cohen_kappa(a, b), digits=3)))
    head = ("who", "both", "the same", "Cohen's kappa")
    yield Table.of(f"Agreement on {what}, two by two", head, rows, name=f"{what}-pairs")
    units = [
        [given[id] for _, given in answers if id in given] for id in dict.fromkeys(id for _, g in answers for id in g)
    ]
    all_pairs = pairwise(units)
    if all_pairs is not None:
        several = sum(len(unit) > 1 for unit in units)
        row: tuple[Content, ...] = (
            several,
            all_pairs.count,
            _of(all_pairs),
            Cell.of(krippendorff_alpha(units), digits=3),
        )
        head = ("questions", "pairs", "the same", "Krippendorff's alpha")
        note = "The interval takes the pairs of a question as a cluster."
        yield Table.of(f"Agreement on {what}, all together", head, [row], words=0, name=f"{what}-all", notes=(note,))


def _scored(raters: Sequence[Rater]) -> Iterator[Table]:
    """The agreement of scores from 0 to 10 for each pair of raters, and alpha over all."""
    rows: list[tuple[Content, ...]] = []
    for one, other in combinations([rater for rater in raters if rater.scores], 2):
        both = [id for id in one.scores if id in other.scores]
        if not both:
            continue
        found = compare_scores([one.scores[id] for id in both], [other.scores[id] for id in both])
        within = (found.interval.low, found.interval.high) if found.interval else None
        r, rho = Cell.of(found.r, interval=within, digits=3), Cell.of(found.rho, digits=3)
        errors = Cell.of(found.mae, digits=3)
        rows.append((f"{one.name}, {other.name}", found.count, r, rho, _of(found.exact), _of(found.bands), errors))
    ids = dict.fromkeys(id for rater in raters for id in rater.scores)
    alpha = krippendorff_alpha([[r.scores[id] for r in raters if id in r.scores] for id in ids], interval)
    notes = () if alpha is None else (f"Krippendorff's alpha of all, by squared distance: {alpha:.3f}",)
    head = ("who", "both", "Pearson's r", "Spearman", "the same", "same band", "MAE")
    yield Table.of("Agreement on scores, two by two", head, rows, name="scores-pairs", notes=notes)


def _share(successes: int, trials: int) -> Cell:
    within = wilson(successes, trials)
    return Cell.of(successes / trials, interval=(within.low, within.high), digits=3)


def _of(share: Share) -> Cell:
    return Cell.of(share.value, interval=(share.interval.low, share.interval.high), digits=3)
