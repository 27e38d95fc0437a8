"""Question sets and worlds of options are compared like any other benchmark, by what their judging says."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from evals.compare.__main__ import main
from evals.compare.arms import Arm, Played, Unusable, arms_of
from evals.compare.courses import Answering, Divergence, DivergenceKind, Ending, first_divergence
from evals.compare.exhibits import Exhibit
from evals.compare.figures import Comparison, compare
from evals.compare.listing import tables_of
from evals.compare.matrices import by_arm, overall, rate_of
from evals.compare.pairs import paired
from evals.compare.reading import chosen, read
from evals.judges.question import JUDGING
from evals.pages.tables import Table
from evals.run.judging import Judging
from evals.run.statistics import sign_flip, wilson
from tests.evals.arms import part, played
from tests.small_sets import Fruit, Staircases
from tests.small_sets import played as play


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All right, all the first option, and the former with reasoning."""
    folder = tmp_path_factory.mktemp("fruit")
    for name, options in {"a": {"model": "oracle"}, "b": {"model": "scripted:A"}, "c": {"agent": "answer_cot"}}.items():
        play(Fruit(), folder / name, **options)
    return folder


def compared(*paths: Path) -> Comparison:
    parts, _ = read(paths)
    arms = arms_of(parts)
    return compare(arms, baseline=arms[0], resamples=200)


def test_splits_come_in_the_order_of_the_run_and_every_rate_has_an_interval(runs: Path) -> None:
    (table, *_) = tables_of(compared(runs / "a", runs / "b"))
    assert table.title == "Success, fruit"
    assert table.head == ("agent", "model", "kind", "count", "ripe", "all")
    assert [cell.text for cell in table.rows[0][2:]] == ["1.00 [0.76, 1.00]"] * 4
    assert "questions of one picture counted together" in table.notes[0]
    assert "mean of episodes" in table.notes[0]


def test_nothing_is_said_to_be_certain(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(runs), "--resamples", "100"]) == 0
    assert not re.search(r"[01]\.00 ± 0\.00", capsys.readouterr().out)


def test_questions_about_one_picture_are_one_witness(runs: Path) -> None:
    """Thirty-six questions, twelve pictures: the test flips the sign of whole pictures."""
    (pair,) = compared(runs / "a", runs / "b").pairs
    assert len(pair.matches) == 36
    assert pair.clustered
    # Four of every twelve pictures show an apple, which is the first option: 2 questions of 3 wrong, elsewhere all 3.
    assert pair.test == sign_flip([-2] * 3 + [-3] * 9)
    assert pair.difference == pytest.approx(-33 / 36)
    assert "sign-flip test over clusters that share a picture" in next(iter(tables_of_pairs(runs))).notes[0]


def tables_of_pairs(runs: Path) -> Sequence[Any]:
    return list(tables_of(compared(runs / "a", runs / "b"), ["pairs"]))


def test_where_courses_part_is_the_answer_given(runs: Path) -> None:
    (pair,) = compared(runs / "a", runs / "b").pairs
    found = {match.problem: match.divergence for match in pair.matches}
    assert found["kind_0"] is None
    assert found["kind_1"] == Divergence(0, DivergenceKind.ANSWER, ("pear",), ("apple",), ("pear",))
    assert found["count_7"] == Divergence(0, DivergenceKind.END, ("answers: 7",), ("ends: unreadable",), ("7",))
    (table,) = tables_of(compared(runs / "a", runs / "b"), ["problems"])
    row = next(row for row in table.rows if row[1].text == "kind_1")
    assert [cell.text for cell in row] == [
        "fruit kind",
        "kind_1",
        "right",
        "wrong",
        "0",
        "answer",
        "pear",
        "apple",
        "pear",
    ]


def test_reasoning_before_an_answer_is_no_parting(runs: Path) -> None:
    (pair,) = compared(runs / "a", runs / "c").pairs
    assert {match.divergence_kind for match in pair.matches} == {"nowhere"}
    assert pair.right.label == "answer_cot · oracle"


@pytest.mark.parametrize(
    ("left", "right", "found"),
    [
        (Answering(0, "B", "B"), Answering(0, "B", "B"), None),
        (Answering(0, True, False), Answering(0, False, False), ("answer", ("yes",), ("no",), ("no",))),
        (Answering(0, 2.5), Answering(0, 3.0), ("answer", ("2.5",), ("3",), ())),
        (Answering(0, ("a", "b")), Answering(0, None), ("answer", ("a, b",), ("unreadable",), ())),
    ],
)
def test_answers_of_every_kind_are_told(left: Answering, right: Answering, found: Any) -> None:
    end = Ending(1, "finished")
    divergence = first_divergence([left, end], [right, end])
    assert (divergence and (divergence.kind, divergence.left, divergence.right, divergence.truth)) == found


def test_other_questions_of_the_same_name_are_refused(runs: Path, tmp_path: Path) -> None:
    class Vegetables(Fruit):
        def items(self, settings: Any) -> Any:
            return [replace(item, answer="fig") if item.id == "kind_0" else item for item in super().items(settings)]

    play(Vegetables(), tmp_path / "other", model="scripted:A")
    with pytest.raises(Unusable, match="problems of fruit kind: kind_0 start or end differently"):
        compared(runs / "a", tmp_path / "other")
    play(Fruit(), tmp_path / "fewer", model="scripted:A", limit=2)
    with pytest.raises(Unusable, match=r"problems of fruit kind: kind_2, kind_3, kind_4 and 7 more not in"):
        compared(runs / "a", tmp_path / "fewer")


def test_a_tag_chooses_episodes(runs: Path) -> None:
    parts, _ = read([runs])
    narrowed = chosen(parts, ["picture=bowl 1*", "asks=kind"])
    assert [[one.problem for one in part.played] for part in narrowed] == [["kind_1", "kind_10", "kind_11"]] * 3


def test_it_is_written_as_files(runs: Path, tmp_path: Path) -> None:
    assert main([str(runs), "--out", str(tmp_path / "out"), "--resamples", "100", "--format", "json"]) == 0
    told = json.loads((tmp_path / "out" / "comparison.json").read_text())
    assert [row["split"] for row in told["success"]][:3] == ["kind", "count", "ripe"]
    assert (tmp_path / "out" / "success-fruit.svg").is_file()
    assert "methods" not in told, "the tables of a paper are those of its benchmark"


def test_a_table_of_another_benchmark_is_said_to_be_missing(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(runs), "--table", "success", "methods", "--resamples", "100"]) == 0
    assert "no table methods: it takes runs of ViPlan" in capsys.readouterr().err


def test_worlds_of_options_part_in_what_is_done(tmp_path: Path) -> None:
    play(Staircases(), tmp_path / "up", model="oracle")
    play(Staircases(), tmp_path / "jump", model="scripted:Choice: [2]", limit=5)
    comparison = compared(tmp_path / "up", tmp_path / "jump")
    assert comparison.pairs[0].difference == -1
    assert {match.divergence_kind for match in comparison.pairs[0].matches} == {"action"}
    first = comparison.pairs[0].matches[0].divergence
    assert first == Divergence(0, DivergenceKind.ACTION, ("go up: executed",), ("jump: not legal",))


def test_repeats_of_a_question_are_paired_with_their_like(tmp_path: Path) -> None:
    for name, model in (("a", "oracle"), ("b", "scripted:A")):
        play(Fruit(), tmp_path / name, model=model, repeats=2, limit=2)
    comparison = compared(tmp_path / "a", tmp_path / "b")
    (pair,) = comparison.pairs
    assert len(pair.matches) == 6
    assert sum(pair.table.values()) == 12
    assert comparison.scores[next(iter(comparison.scores))].n == 2


def test_a_benchmark_adds_tables_and_readers_by_a_module(
    runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Any of the hooks may be missing."""
    counted = Table.of("Episodes", ("run", "episodes"), [["all", 7]], name="counts")
    own = SimpleNamespace(
        TABLES={"counts": "runs of fruit"},
        exhibits=lambda arms: [Exhibit("counts", "Counts", (counted,), figures={"counts": len(arms)})],
        read_parts=lambda path: [part({"a": True}, agent=agent) for agent in ("x", "y")] if path == tmp_path else None,
    )
    monkeypatch.setattr("evals.compare.exhibits.modules", lambda: {"fruit": own, "other": SimpleNamespace()})
    assert main([str(runs), "--table", "counts", "--format", "csv"]) == 0
    assert capsys.readouterr().out == "# Episodes\nrun,episodes\nall,7\n"
    assert main([str(runs), "--curve", "--format", "json", "--resamples", "10"]) == 0
    assert json.loads(capsys.readouterr().out)["counts"] == 3
    assert main([str(tmp_path), "--format", "json", "--resamples", "10"]) == 0
    assert [arm["method"] for arm in json.loads(capsys.readouterr().out)["runs"]] == ["x", "y"]
    (tmp_path / "empty").mkdir()
    assert main([str(tmp_path / "empty")]) == 2


def question(problem: str, success: bool, **tags: str) -> Played:
    return replace(played(problem, success, tags.pop("split", "all")), domain="own", tags=tags)


def arm(*episodes: Played, judging: Judging = JUDGING, agent: str = "answer") -> Arm:
    (found,) = arms_of([replace(part(episodes, agent=agent, benchmark="own"), judging=judging)])
    return found


def test_the_interval_of_a_rate_counts_pictures() -> None:
    alike = [question(f"{picture}{number}", picture in "ab", picture=picture) for picture in "abcd" for number in "123"]
    rate, plain = rate_of(alike, "picture"), rate_of(alike)
    assert rate is not None
    assert plain is not None
    assert (rate.value, plain.value) == (0.5, 0.5)
    assert plain.interval == wilson(6, 12)
    assert rate.interval is not None
    assert (rate.interval.low, rate.interval.high) == pytest.approx((wilson(2, 4).low, wilson(2, 4).high))
    assert rate.sem == pytest.approx(0.25)
    assert plain.sem == pytest.approx((0.25 / 12) ** 0.5)


def test_the_overall_number_is_made_as_the_benchmark_says() -> None:
    """Skills count alike, and so do the splits of a skill: neither the number of questions nor that of splits."""
    episodes = [
        question("a", True, skill="see", split="one"),
        question("b", False, skill="see", split="one"),
        question("c", True, skill="see", split="two"),
        question("d", False, skill="plan", split="three"),
    ]
    made = {levels: overall(episodes, levels, "problem") for levels in ((), ("split",), ("skill",), ("skill", "split"))}
    assert {levels: one and one.value for levels, one in made.items()} == {
        (): 0.5,
        ("split",): 0.5,
        ("skill",): pytest.approx(1 / 3),
        ("skill", "split"): 0.375,
    }
    judging = replace(JUDGING, overall=("skill", "split"))
    left, right = arm(*episodes, judging=judging), arm(*(replace(one, success=True) for one in episodes), agent="b")
    pair = paired(left, right, resamples=50)
    assert pair is not None
    assert (pair.left_success, pair.right_success, pair.difference) == (0.375, 1.0, 0.625)
    assert pair.interval.low <= 0.625 <= pair.interval.high
    (matrix,) = by_arm([left]).values()
    assert matrix.rows[0].cells[-1] == made["skill", "split"]


def test_pairs_of_seeds_and_pictures_keep_both_together() -> None:
    """Two questions of one picture, three seeds each, all ahead: one witness."""
    sides = [
        [
            part([replace(question(name, won, picture="p"), seed=seed) for name in "ab"], seed=seed, agent=agent)
            for seed in range(3)
        ]
        for agent, won in (("left", False), ("right", True))
    ]
    left, right = arms_of([replace(one, judging=JUDGING) for side in sides for one in side])
    pair = paired(left, right, resamples=10)
    assert pair is not None
    assert pair.test.exact == 1.0
