"""pass@k and pass^k of runs that play every problem several times."""

from __future__ import annotations

import io
import json
from itertools import combinations
from pathlib import Path
from statistics import mean
from typing import Any

import pytest
from rich.console import Console

from evals.report import write_report
from evals.report.figures import as_figures
from evals.report.table import print_table
from evals.run.repeated import attempts
from evals.run.results import EpisodeResult
from evals.run.scores import score_run
from models.scripted import Scripted
from tests.small_sets import Staircases, played


def results(*problems: str, failure: str | None = "step_limit") -> list[EpisodeResult]:
    """A result for each letter: `+` succeeds, `-` fails, `?` could not be played."""
    found = []
    for number, letters in enumerate(problems):
        for repeat, letter in enumerate(letters):
            found.append(
                EpisodeResult(
                    id=f"p{number}.repeat{repeat}", split="all", seed=0, tags={"problem": f"p{number}"},
                    value=float(letter == "+"), success=letter == "+", reason="finished",
                    failure={"+": None, "-": failure, "?": "infrastructure"}[letter],
                    steps=1, asked=1, unreadable=0, prompt_tokens=0, completion_tokens=0, cost=0.0,
                )
            )  # fmt: skip
    return found


def test_both_are_what_every_choice_of_k_attempts_comes_to() -> None:
    problems = ("+--+-", "-----", "+++++", "++-++")
    for one in attempts(results(*problems)):
        chosen = [list(combinations(letters, one.k)) for letters in problems]
        assert one.some.value == pytest.approx(mean(mean("+" in part for part in parts) for parts in chosen))
        assert one.every.value == pytest.approx(mean(mean("-" not in part for part in parts) for parts in chosen))
        assert one.problems == 4
        assert 0.0 <= one.some.low <= one.some.value <= one.some.high <= 1.0


def test_one_attempt_is_the_mean_and_more_part_from_it() -> None:
    found = attempts(results("+-", "++", "--"))
    assert [one.k for one in found] == [1, 2]
    assert found[0].some == found[0].every
    assert (found[1].some.value, found[1].every.value) == pytest.approx((2 / 3, 1 / 3))


def test_problems_with_attempts_that_could_not_be_played_are_left_out() -> None:
    assert attempts(results("+-", "+?"))[0].problems == 1
    assert attempts(results("+", "-")) == []
    assert attempts([]) == []


def test_many_attempts_are_listed_by_powers_of_two() -> None:
    assert [one.k for one in attempts(results("+-" * 4))] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert [one.k for one in attempts(results("+-" * 10))] == [1, 2, 4, 8, 16, 20]


def test_a_run_with_repeats_shows_them_everywhere(tmp_path: Path, monkeypatch: Any) -> None:
    replies = {0: "go up", 1: "jump"}
    monkeypatch.setattr("evals.run.equipment.load_model", lambda spec: Scripted(lambda r: replies[r.attempt // 2 % 2]))
    run = played(Staircases(), tmp_path / "run", agent="choose_direct", repeats=2, limit=2)
    scores = score_run(run.results(), run.splits, run.episodes, run.judging)
    assert [(one.some.value, one.every.value) for one in scores.attempts] == [(0.5, 0.5), (1.0, 0.0)]
    screen = Console(file=io.StringIO(), width=100)
    print_table(scores, run.config, screen, run.results())
    assert "pass^k" in screen.file.getvalue()  # type: ignore[attr-defined]
    assert "pass@k" in write_report(run, run.results(), scores).read_text()
    assert json.loads(json.dumps(as_figures(scores, run.judging)))["attempts"][1]["k"] == 2


def test_errors_and_intervals_count_problems_not_repeats() -> None:
    alike, apart = results("+++", "---", "+++", "---"), results("+-+", "-+-", "+-+", "-+-")
    once = score_run(results("+", "-", "+", "-"), ["all"])
    same, mixed = score_run(alike, ["all"]), score_run(apart, ["all"])
    assert same.splits["all"].sem == pytest.approx(once.splits["all"].sem), "three equal repeats tell as much as one"
    assert same.splits["all"].interval == once.splits["all"].interval
    assert mixed.splits["all"].sem == pytest.approx((0.25 / 12) ** 0.5), "independent repeats are trials of their own"
    assert same.sem == same.splits["all"].sem
    assert score_run(results("++-"), ["all"]).sem is None, "one problem has no error"


def test_problems_of_different_splits_are_different_problems() -> None:
    first = [one.model_copy(update={"split": "simple"}) for one in results("++", "--")]
    second = [one.model_copy(update={"split": "hard"}) for one in results("--", "++")]
    both = score_run([*first, *second], ["simple", "hard"])
    assert both.attempts[0].problems == 4
    assert both.pooled.sem == pytest.approx((0.25 / 4) ** 0.5)
