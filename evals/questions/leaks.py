"""Tests whether a set can be answered without pictures: shortcut programs and learners against chance, by group."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evals.pages.tables import Cell, Content, Table
from evals.pages.wording import plural
from evals.questions.known import Known, by_group, chance_of
from evals.questions.learned import cross_validated, position_features, text_features
from evals.questions.shortcuts import panel, rights


@dataclass(frozen=True, slots=True)
class Rate:
    """The accuracy of a program in a group, and the success rate of guessing.

    `error` is the standard error of the accuracy under guessing, or of the accuracy itself if that is larger. An
    accuracy more than `errors` standard errors above chance is a leak.
    """

    program: str
    group: str
    right: int
    total: int
    chance: float
    error: float
    errors: float = 2.0

    @property
    def accuracy(self) -> float:
        """The share of right answers."""
        return self.right / self.total

    @property
    def leaks(self) -> bool:
        """Whether the accuracy exceeds chance by more than `errors` standard errors."""
        return self.accuracy > self.chance + self.errors * self.error


def rate_of(
    program: str, group: str, questions: Sequence[Known], right: Mapping[str, bool], errors: float = 2.0
) -> Rate:
    """The rate of a program in a group of questions."""
    count = len(questions)
    chances = [chance_of(question) for question in questions]
    hits = sum(right[question.id] for question in questions)
    share = hits / count
    guessing = math.sqrt(sum(chance * (1 - chance) for chance in chances)) / count
    # For open forms, a single lucky answer is not a leak.
    own = math.sqrt(max(share * (1 - share), 1 / count) / count)
    return Rate(program, group, hits, count, sum(chances) / count, max(guessing, own), errors)


def solved(questions: Sequence[Known]) -> dict[str, dict[str, bool]]:
    """Whether each program and learner answers each question correctly, by its name and the question's id."""
    found = rights(questions, panel(questions))
    for name, features in (("text_only", text_features), ("position_only", position_features)):
        answers = cross_validated(questions, features)
        found[name] = {question.id: question.right(answers[question.id]) for question in questions}
    return found


def rates(questions: Sequence[Known], tag: str = "sub_category", errors: float = 2.0) -> list[Rate]:
    """The rate of every program in every group, and in all."""
    right = solved(questions)
    return [
        rate_of(program, group, members, answers, errors)
        for group, members in by_group(list(questions), tag)
        for program, answers in right.items()
    ]


def table_of(found: Sequence[Rate], title: str = "Answered without looking") -> Table:
    """A row for each group and a column for each program; leaks are bold."""
    programs = list(dict.fromkeys(rate.program for rate in found))
    by_place = {(rate.group, rate.program): rate for rate in found}
    rows: list[list[Content]] = []
    for group in dict.fromkeys(rate.group for rate in found):
        cells = [by_place[group, program] for program in programs]
        shown = [Cell.of(rate.accuracy, interval=None, digits=2, bold=rate.leaks) for rate in cells]
        rows.append([group, cells[0].total, cells[0].chance, *shown])
    leaks = sum(rate.leaks for rate in found)
    errors = found[0].errors if found else 2.0
    luck = "" if errors != 2.0 else " One in forty would be by luck alone."
    notes = [
        f"{plural(leaks, 'rate is', 'rates are')} above chance and {errors:g} standard errors (bold), of {len(found)}."
        f"{luck}"
    ]
    return Table.of(
        title,
        ["group", "questions", "chance", *(name.replace("_", " ") for name in programs)],
        rows,
        notes=notes,
        name="leaks",
    )
