"""The table in the terminal: the numbers of the scores, within 80 columns."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from evals.failures import Failure
from evals.results import EpisodeResult, Tally
from evals.scores import RunScores, score_run
from evals.table import print_failures, print_table, together
from tools.events import Phase

CONFIG: dict[str, Any] = {"settings": {"agent": "ground", "model": "[red]m[/red]", "domain": "blocksworld"}}


def episode(split: str, number: int, failure: Failure | None) -> EpisodeResult:
    asked = Tally(phase=Phase.ENUMERATION, predicate="on", truth=True, right=90, total=100)
    checked = Tally(phase=Phase.EFFECT, predicate="on", truth=False, right=1, total=10)
    return EpisodeResult(
        id=f"{split}_{number}",
        problem="p",
        split=split,
        seed=0,
        success=failure is None,
        reason="finished",
        failure=failure,
        steps=4,
        replans=1,
        questions=110,
        proposals=0,
        unreadable=0,
        tallies=(asked, checked),
        misjudged={},
        attempts={"executed": 4},
        prompt_tokens=0,
        completion_tokens=0,
        cost=0.0,
    )


@pytest.fixture
def scores() -> RunScores:
    """Half of the simple ones solved and none of the hard ones; one broke down."""
    results = [episode("simple", 0, None), episode("simple", 1, Failure.NO_PLAN_WRONG_BELIEF)]
    results += [episode("hard", number, Failure.ATTEMPTED_WRONGLY) for number in range(2)]
    results.append(episode("hard", 2, Failure.INFRASTRUCTURE))
    return score_run(results, ["simple", "hard"])


def shown(tell: Any, *arguments: Any, width: int = 80) -> str:
    out = StringIO()
    tell(*arguments, Console(file=out, width=width))
    assert all(len(line) <= width for line in out.getvalue().splitlines())
    return out.getvalue()


def row(text: str, first: str) -> list[str]:
    return next(line.split() for line in text.splitlines() if line.split()[:1] == [first])


def test_rows_are_the_scores(scores: RunScores) -> None:
    text = shown(print_table, scores, CONFIG)
    assert row(text, "simple") == ["simple", "2", "0.50", "±", "0.35", "0.827", "0.900", "110.0", "1.0", "4.0"]
    assert row(text, "hard") == ["hard", "2", "0.00", "±", "0.00", "0.827", "0.900", "110.0", "1.0", "4.0"]
    assert row(text, "all") == f"all 4 {scores.success:.2f} ± {scores.sem:.2f} 0.827 0.900 110.0 1.0 4.0".split()
    assert "…" not in text


def test_the_title_is_no_markup(scores: RunScores) -> None:
    assert "ground, [red]m[/red], blocksworld" in shown(print_table, scores, CONFIG)


def test_simulated_comes_first(scores: RunScores) -> None:
    assert shown(print_table, scores, {**CONFIG, "simulated": True}).startswith("SIMULATED")
    assert "SIMULATED" not in shown(print_table, scores, CONFIG)


def test_failures_and_what_broke_down_are_told_apart(scores: RunScores) -> None:
    text = shown(print_table, scores, CONFIG)
    assert "failures: attempted wrongly 2, no plan wrong belief 1\n" in text
    assert "not scored: 1 episode" in text


def test_failure_classes_by_split(scores: RunScores) -> None:
    text = shown(print_failures, scores)
    assert row(text, "attempted")[:4] == ["attempted", "wrongly", "–", "2"]
    assert row(text, "infrastructure")[:3] == ["infrastructure", "–", "1"]


def test_a_single_split_needs_no_sum() -> None:
    text = shown(print_table, score_run([episode("simple", 0, None)], ["simple"]), {})
    assert "all " not in text.partition("accuracy:")[0]
    assert shown(print_failures, score_run([episode("simple", 0, None)], ["simple"])) == "No episode failed.\n"


def test_nothing_finished() -> None:
    text = shown(print_table, score_run([], ["simple", "hard"]), CONFIG)
    assert row(text, "all") == ["all", "0", *"––––––"]
    assert shown(print_failures, score_run([], ["simple"])) == "No episode is finished yet.\n"


def test_nothing_together_is_nothing() -> None:
    assert together([]).value is None
