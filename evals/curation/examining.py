"""How good judges are: which planted faults they notice, and how far they agree with people."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

from evals.curation.defects import CUE, EQUAL, FORM, FRAMES, LABEL, PLANTERS
from evals.curation.drafts import Draft
from evals.curation.judging import Estimate, Noticed, calibrated, corrected_mean, panel, plain_mean
from evals.curation.outputs import made_by, name_of
from evals.curation.sources import SOUND
from evals.pages.tables import Cell, Content, Table
from evals.questions.agreement import cohen_kappa, compare_scores, mean_absolute_error

if TYPE_CHECKING:
    from evals.questions.agreement import Scores
    from evals.run.directory import RunDirectory

ACCEPT = 9
CHECKS = "our checks"
CHECKED: Mapping[str, str] = {FORM: "form", EQUAL: "equal options", CUE: "cue", LABEL: "truth", FRAMES: "truth"}
"""Which check finds which fault."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One version as a judge saw it: the planted fault, the score, and the checks that found something."""

    id: str
    planted: str
    score: int | None
    issues: tuple[str, ...] = ()
    checks: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Exam:
    """The scores that one judge gave to all questions."""

    judge: str
    questions: tuple[Judged, ...]

    def noticed(self, fault: str, accept: int = ACCEPT) -> Noticed:
        """How often a fault was noticed. A fault in a question without a score counts as missed."""
        faulty = [one for one in self.questions if one.planted == fault]
        sound = [one for one in self.questions if one.planted == SOUND]
        return Noticed(_below(faulty, accept), len(faulty), _below(sound, accept), len(sound))


def _below(some: Sequence[Judged], accept: int) -> int:
    return sum(one.score is not None and one.score < accept for one in some)


def of_run(run: RunDirectory) -> tuple[Judged, ...]:
    """The scores of a run's judge: in an exam of each question, in other runs of each first version."""
    found = []
    for one in made_by(run):
        for draft in one.drafts:
            found.append(_judged(name_of(one, draft), one.tags.get("planted", ""), draft))
    return tuple(found)


def _judged(name: str, planted: str, draft: Draft) -> Judged:
    first = draft.versions[0] if planted else draft.last
    issues = first.verdict.issues if first.verdict else ()
    checks = frozenset(finding.check for finding in first.findings)
    return Judged(name, planted, first.score, issues, checks)


def exam_table(exams: Sequence[Exam], accept: int = ACCEPT) -> Table:
    """Recall of each fault by judge and by our checks; precision at the end."""
    head = ["planted fault", "questions", *(exam.judge for exam in exams), CHECKS]
    first = exams[0]
    rows: list[list[Content]] = []
    for fault in (*PLANTERS, FRAMES):
        some = [one for one in first.questions if one.planted == fault]
        if some:
            by_checks = sum(bool(one.checks) for one in some) / len(some)
            rows.append([fault, len(some), *(_share(exam.noticed(fault, accept).recall) for exam in exams), by_checks])
    sound = [one for one in first.questions if one.planted == SOUND]
    alarms = [exam.noticed(SOUND, accept) for exam in exams]
    by_checks = sum(bool(one.checks) for one in sound) / len(sound)
    rows.append(["sound, called faulty", len(sound), *(one.alarms / one.sound for one in alarms), by_checks])
    rows.append(["precision", len(first.questions), *(_share(_precision(exam, accept)) for exam in exams),
                 _share(_precision_of_checks(first))])  # fmt: skip
    notes = [f"recall: the share of each fault that got less than {accept} or was found by a check"]
    notes += [f"{exam.judge}: {count} not judged" for exam in exams if (count := _unjudged(exam))]
    return Table.of("Judges", head, rows, name="exam", notes=notes)


def _unjudged(exam: Exam) -> int:
    # Outside an exam, a version with a fatal finding never reaches the judge.
    return sum(one.score is None and not one.checks for one in exam.questions)


def _share(value: float | None) -> Cell | float:
    return Cell("-") if value is None else value


def _precision(exam: Exam, accept: int) -> float | None:
    called = [one for one in exam.questions if one.score is not None and one.score < accept]
    return sum(one.planted != SOUND for one in called) / len(called) if called else None


def _precision_of_checks(exam: Exam) -> float | None:
    called = [one for one in exam.questions if one.checks]
    return sum(one.planted != SOUND for one in called) / len(called) if called else None


def together(exams: Sequence[Exam]) -> Exam:
    """A panel: the median of all judges' scores."""
    scores = [{one.id: one.score for one in exam.questions} for exam in exams]
    medians = panel([[some.get(one.id) for some in scores] for one in exams[0].questions])
    questions = (
        Judged(one.id, one.planted, score, one.issues, one.checks)
        for one, score in zip(exams[0].questions, medians, strict=True)
    )
    return Exam(f"panel of {len(exams)}", tuple(questions))


def people_scores(path: Path) -> dict[str, float]:
    """The mean score that people gave to each question, from a file of the people's page."""
    from evals.questions.people.converting import book_at
    from evals.questions.people.entries import Review, Scored

    found: dict[str, list[float]] = {}
    for (_, id), entry in book_at(path).current().items():
        if isinstance(entry, Scored | Review) and entry.score is not None:
            found.setdefault(id, []).append(float(entry.score))
    if not found:
        raise ValueError(f"{path} has no scores: they come from --mode score")
    return {id: fmean(some) for id, some in found.items()}


def people_table(exams: Sequence[Exam], people: Mapping[str, float]) -> tuple[Table, Table]:
    """Each judge beside people, plain and calibrated; and the mean score with and without people's correction."""
    rows: list[list[Content]] = []
    means: list[list[Content]] = []
    for exam in exams:
        given = [(one.id, float(one.score)) for one in exam.questions if one.score is not None]
        judge = [score for _, score in given]
        known = {place: people[id] for place, (id, _) in enumerate(given) if id in people}
        if len(known) < 2:
            raise ValueError(f"people scored {len(known)} of the questions that {exam.judge} judged; two at least")
        judged, true = [judge[place] for place in known], list(known.values())
        rows.append(_row(exam.judge, judged, true))
        halves = _calibrated_halves(judge, known)
        rows.append(_row(f"{exam.judge}, calibrated", halves, true))
        plain, corrected = plain_mean(judge), corrected_mean(judge, known)
        alone = plain_mean(true)
        means.append([exam.judge, len(judge), len(known), _shown(plain), _shown(alone), _shown(corrected)])
    head = ["judge", "n", "r", "Spearman", "same score", "same band", "MAE", "kappa"]
    notes = ["calibrated: on the other half of people's scores, so that no score is predicted from itself"]
    first = Table.of("Judges and people", head, rows, name="people", notes=notes)
    columns = ["judge", "judged", "scored by people", "judge alone", "people alone", "judge corrected by people"]
    return first, Table.of("Mean score, with its 95 % interval", columns, means, name="means")


def _row(name: str, judged: Sequence[float], true: Sequence[float]) -> list[Content]:
    whole = [min(10, max(0, round(score))) for score in judged], [round(score) for score in true]
    found: Scores = compare_scores(*whole)
    within = found.interval
    r = "-" if found.r is None or within is None else f"{found.r:.2f} [{within.low:.2f}, {within.high:.2f}]"
    rho = Cell("-") if found.rho is None else found.rho
    kappa = cohen_kappa(*whole)
    mae = mean_absolute_error(judged, true)
    same, bands = found.exact.value, found.bands.value
    return [name, found.count, r, rho, same, bands, mae, Cell("-") if kappa is None else kappa]


def _calibrated_halves(judge: Sequence[float], people: Mapping[int, float]) -> list[float]:
    """Every score calibrated by people's scores of the other half of the questions."""
    places = list(people)
    found: dict[int, float] = {}
    for half in (0, 1):
        other = {place: people[place] for number, place in enumerate(places) if number % 2 != half}
        mended = calibrated(judge, other)
        found |= {place: mended[place] for number, place in enumerate(places) if number % 2 == half}
    return [found[place] for place in places]


def _shown(one: Estimate) -> str:
    return f"{one.value:.2f} [{one.interval.low:.2f}, {one.interval.high:.2f}]"


def main(words: Sequence[str]) -> int:
    """Compare the judges of some runs."""
    parser = argparse.ArgumentParser(
        prog="python -m evals.curation exam",
        description="Compare judges: what they noticed in their exams (runs with --task exam), a panel of all, and how "
        "far each agrees with people's scores from `python -m evals.questions people RUN --mode score`.",
    )
    parser.add_argument("runs", nargs="+", type=Path, metavar="RUN", help="a run for each judge, of the same questions")
    parser.add_argument("--people", type=Path, metavar="FILE", help="scores of people, from 0 to 10")
    parser.add_argument("--accept", type=int, default=ACCEPT, metavar="N", help="what gets less is called faulty")
    chosen = parser.parse_args(words)
    from evals.pages.tables import print_table
    from evals.run.directory import RunDirectory

    exams = []
    for path in chosen.runs:
        run = RunDirectory.open(path)
        if run.config.get("benchmark") != "curation":
            raise ValueError(f"{path} has no judge: it is a run of {run.config.get('benchmark')}")
        exams.append(Exam(str(run.config["settings"].get("judge", path.name)), of_run(run)))
    if len({tuple(one.id for one in exam.questions) for exam in exams}) > 1:
        raise ValueError("the runs are not about the same questions")
    everybody = [*exams, together(exams)] if len(exams) > 1 else exams
    if any(one.planted for one in exams[0].questions):
        print_table(exam_table(everybody, chosen.accept))
    elif not chosen.people:
        raise ValueError(f"{chosen.runs[0]} has no planted faults; give --people FILE, or a run with --task exam")
    if chosen.people:
        for table in people_table(everybody, people_scores(chosen.people)):
            print_table(table)
    return 0
