"""Judges beside people, panels, calibration, corrected means, and exams with planted faults."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from evals.curation.command import main
from evals.curation.defects import CUE, EQUAL, FORM, FRAMES, LABEL, NO_RIGHT, PLANTERS, TWO_RIGHT, Known, true_defects
from evals.curation.examining import CHECKED, Exam, exam_table, of_run, people_table, together
from evals.curation.judging import Noticed, calibrated, corrected_mean, panel, plain_mean
from evals.curation.outputs import made_by
from evals.curation.soundness import known_sets, table_of
from evals.curation.sources import SOUND
from evals.questions.agreement import compare_scores
from evals.run.directory import RunDirectory

JUDGE, PEOPLE = (10, 9, 3, 7, 8, 10, 2, 6), (9, 9, 5, 7, 4, 10, 0, 8)


def test_the_specified_figures_of_a_judge_beside_people() -> None:
    found = compare_scores(JUDGE, PEOPLE)
    assert found.r == pytest.approx(0.8083, abs=5e-5)
    assert found.exact.value == 0.375
    assert found.bands.value == 0.625
    assert found.mae == 1.375
    assert found.interval is not None
    assert found.interval.low < found.r < found.interval.high


def test_a_panel_is_the_median_of_who_judged() -> None:
    assert panel([[9, 3, 8], [9, 10], [None, 7], [None, None]]) == [8, 9, 7, None]


def test_calibration_keeps_the_order_and_meets_people_where_they_scored() -> None:
    judge = [10.0, 9.0, 8.0, 7.0, 6.0, 2.0]
    found = calibrated(judge, {0: 8.0, 3: 4.0, 5: 0.0})
    assert found == pytest.approx([8.0, 6.6667, 5.3333, 4.0, 3.2, 0.0], abs=1e-3)
    # Neighbours in the wrong order are pooled.
    assert calibrated([1.0, 2.0], {0: 6.0, 1: 2.0}) == [4.0, 4.0]
    with pytest.raises(ValueError, match="at least one score from people"):
        calibrated(judge, {})


def test_a_corrected_mean_finds_what_a_biased_judge_hides() -> None:
    dice = random.Random(4)
    true = [min(10.0, max(0.0, dice.gauss(5, 2))) for _ in range(400)]
    judge = [min(10.0, score + 2) for score in true]
    people = {place: true[place] for place in dice.sample(range(400), 40)}
    mean = sum(true) / len(true)
    plain, alone, corrected = plain_mean(judge), plain_mean(list(people.values())), corrected_mean(judge, people)
    assert not plain.interval.low <= mean <= plain.interval.high
    assert corrected.interval.low <= mean <= corrected.interval.high
    width = corrected.interval.high - corrected.interval.low
    assert width < 0.6 * (alone.interval.high - alone.interval.low)


def test_a_judge_that_says_nothing_does_no_harm() -> None:
    dice = random.Random(5)
    true = [dice.gauss(5, 1) for _ in range(60)]
    constant = [7.0] * 300
    found = corrected_mean(constant, dict(enumerate(true)))
    alone = plain_mean(true)
    assert found.value == pytest.approx(alone.value)
    assert found.interval.high - found.interval.low == pytest.approx(alone.interval.high - alone.interval.low)
    with pytest.raises(ValueError, match="at least two scores"):
        corrected_mean(constant, {0: 3.0})


def test_intervals_of_corrected_means_cover_as_often_as_they_say() -> None:
    dice, covered = random.Random(6), 0
    for _ in range(300):
        true = [dice.uniform(2, 8) for _ in range(150)]
        judge = [score + dice.gauss(1, 1) for score in true]
        found = corrected_mean(judge, {place: true[place] for place in range(50)})
        covered += found.interval.low <= 5.0 <= found.interval.high
    assert 0.90 <= covered / 300 <= 0.99


KNOWN = Known(
    "Which thing is hidden behind the door?", "the ladder", ("a bicycle", "a sofa", "two chairs"), "Layout", "So."
)


def test_every_planted_fault_is_what_it_is_called() -> None:
    dice = random.Random(7)
    for fault, plant in PLANTERS.items():
        for _ in range(20):
            sound = KNOWN.sound(dice)
            assert true_defects(sound, [KNOWN]) == ()
            found = true_defects(plant(sound, dice), [KNOWN])
            assert found is not None
            assert fault in found, (fault, plant(sound, dice))
            assert set(found) <= {fault, *((NO_RIGHT,) if fault == FORM else ())}
    assert true_defects(KNOWN.sound(dice), []) is None


def test_precision_and_recall() -> None:
    assert Noticed(3, 4, 1, 10) == Noticed(hits=3, faulty=4, alarms=1, sound=10)
    assert Noticed(3, 4, 1, 10).recall == 0.75
    assert Noticed(3, 4, 1, 10).precision == 0.75
    assert Noticed(0, 0, 0, 5).recall is None
    assert Noticed(0, 3, 0, 5).precision is None


@pytest.fixture(scope="module")
def exams(tmp_path_factory: pytest.TempPathFactory) -> list[Exam]:
    """Two judges, one that notices everything and one that notices nothing."""
    found = []
    for hits in ("1", "0"):
        out = tmp_path_factory.mktemp("exam") / "run"
        assert main(["--task", "exam", "--each", "2", "--judge", f"quality:?hits={hits}", "--out", str(out)]) == 0
        found.append(Exam(f"hits {hits}", of_run(RunDirectory.open(out))))
    return found


def test_an_exam_finds_all_structural_faults_and_all_wrong_labels(exams: list[Exam]) -> None:
    sharp, blunt = exams
    for one in sharp.questions:
        assert bool(one.checks) == (one.planted in {*CHECKED, NO_RIGHT}), one
        if one.planted in CHECKED:
            assert CHECKED[one.planted] in one.checks, one
    for fault in (*PLANTERS, FRAMES):
        assert (sharp.noticed(fault).recall, blunt.noticed(fault).recall) == (1.0, 0.0), fault
    assert sharp.noticed(SOUND).alarms == 0
    assert {TWO_RIGHT, EQUAL, CUE, LABEL} <= {one.planted for one in sharp.questions}
    table = exam_table(exams)
    assert [row[0].text for row in table.rows][-2:] == ["sound, called faulty", "precision"]


def test_simulated_models_are_as_good_as_stated(tmp_path: Path) -> None:
    roles = ["--generator", "quality:?sound=0.4", "--judge", "quality:?hits=0.5&alarms=0.2", "--check", "off"]
    assert main([*roles, "--rounds", "1", "--limit", "150", "--out", str(tmp_path / "run")]) == 0
    known = known_sets()
    made = made_by(RunDirectory.open(tmp_path / "run"))
    first = [(draft.versions[0], true_defects(draft.versions[0].candidate, known[one.set]))
             for one in made for draft in one.drafts]  # fmt: skip
    assert len(first) > 150
    sound = [version for version, faults in first if faults == ()]
    faulty = [version for version, faults in first if faults]
    assert len(sound) / len(first) == pytest.approx(0.4, abs=0.08)
    assert sum(version.score < 9 for version in faulty) / len(faulty) == pytest.approx(0.5, abs=0.1)
    assert sum(version.score < 9 for version in sound) / len(sound) == pytest.approx(0.2, abs=0.1)
    table = table_of(made, known, "soundness")
    assert table.rows[0][1].text == str(len(first))
    assert table.rows[0][2].value == pytest.approx(len(sound) / len(first))


def test_a_panel_takes_the_middle(exams: list[Exam]) -> None:
    both = together([*exams, exams[0]])
    assert both.judge == "panel of 3"
    assert [one.score for one in both.questions] == [one.score for one in exams[0].questions]


def test_judges_are_set_beside_people(exams: list[Exam]) -> None:
    people = {one.id: 9.0 if one.planted == SOUND else 3.0 for one in exams[0].questions}
    first, second = people_table(exams[:1], people)
    assert [row[0].text for row in first.rows] == ["hits 1", "hits 1, calibrated"]
    assert len(second.rows) == 1
    with pytest.raises(ValueError, match="people scored 0 of the questions"):
        people_table(exams[:1], {})


def test_runs_about_other_questions_are_not_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for seed in ("0", "1"):
        words = ["--task", "exam", "--each", "1", "--seed", seed, "--out", str(tmp_path / seed)]
        assert main(words) == 0
    capsys.readouterr()
    assert main(["exam", str(tmp_path / "0"), str(tmp_path / "1")]) == 2
    assert capsys.readouterr().err == "error: the runs are not about the same questions\n"
    assert main(["exam", str(tmp_path / "0")]) == 0
    assert "precision" in capsys.readouterr().out
