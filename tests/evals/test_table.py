"""The table in the terminal: the numbers of the scores, as far as there is room for them."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from evals.failures import Failure
from evals.report.wording import short
from evals.results import EpisodeResult, Tally
from evals.scores import RunScores, score_run
from evals.table import print_table, together
from tools.events import Phase

CONFIG: dict[str, Any] = {"settings": {"agent": "ground", "model": "[red]m[/red]", "domain": "blocksworld"}}


def episode(split: str, number: int, failure: Failure | None, **other: Any) -> EpisodeResult:
    asked = Tally(phase=Phase.ENUMERATION, predicate="on", truth=True, right=90, total=100)
    checked = Tally(phase=Phase.EFFECT, predicate="on", truth=False, right=1, total=10)
    result = EpisodeResult(
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
    return result.model_copy(update=other)


def proposing(split: str, number: int) -> EpisodeResult:
    attempts = {"executed": 3, "not legal": 2, "action does not exist": 1}
    return episode(split, number, None, questions=0, proposals=6, tallies=(), attempts=attempts, steps=6)


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
    assert row(text, "simple") == ["simple", "2", "0.50", "±", "0.35", "0.827", "0.900", "110.0", "1.0", "0.0"]
    assert row(text, "hard") == ["hard", "2", "0.00", "±", "0.00", "0.827", "0.900", "110.0", "1.0", "0.0"]
    assert row(text, "all") == f"all 4 {scores.success:.2f} ± {scores.sem:.2f} 0.827 0.900 110.0 1.0 0.0".split()
    assert "…" not in text
    assert "all: success is the mean of the splits, the rest" in text


def test_one_episode_has_no_error() -> None:
    text = shown(print_table, score_run([episode("simple", 0, None)], ["simple"]), CONFIG)
    assert row(text, "simple")[:5] == ["simple", "1", "1.00", "±", "–"]


def test_methods_that_ask_nothing_have_columns_of_their_own() -> None:
    text = shown(print_table, score_run([proposing("simple", 0), proposing("simple", 1)], ["simple"]), CONFIG)
    assert row(text, "split") == ["split", "n", "success", "±", "SEM", "proposals", "illegal", "steps"]
    assert row(text, "simple") == ["simple", "2", "1.00", "±", "0.00", "6.0", "3.0", "6.0"]
    assert "illegal: attempts that the world refused; means per episode\n" in text


@pytest.mark.parametrize(
    ("width", "last"),
    [(90, "steps"), (80, "illegal"), (60, "illegal"), (50, "illegal"), (40, "accuracy"), (30, "SEM"), (26, "SEM")],
)
def test_where_it_is_narrow_the_important_columns_stay(scores: RunScores, width: int, last: str) -> None:
    text = shown(print_table, scores, CONFIG, width=width)
    assert row(text, "split")[:5] == ["split", "n", "success", "±", "SEM"]
    assert row(text, "split")[-1] == last
    assert row(text, "simple")[:5] == ["simple", "2", "0.50", "±", "0.35"]
    assert "…" not in text


def test_the_title_says_what_is_not_as_usual(scores: RunScores) -> None:
    usual = {"rules": "mended", "fail_probability": 0.0, "seed": 0, "steps": None, "planner": "fd", "limit": None}
    other = {"rules": "official", "fail_probability": 0.1, "seed": 7, "steps": 30, "planner": "fd-opt", "limit": 2}

    def title(settings: dict[str, Any]) -> str:
        text = shown(print_table, scores, {"settings": {**CONFIG["settings"], **settings}}, width=200)
        return text.partition("\n")[0].rstrip()

    assert title(usual) == "ground, [red]m[/red], blocksworld"
    assert title({**usual, **other, "problems": "some/where/mine"}) == (
        "ground, [red]m[/red], blocksworld, rules official, fail probability 0.1, seed 7, steps 30, planner fd-opt, "
        "problems mine, limit 2"
    )
    assert title({"env_url": "http://127.0.0.1:8000"}).endswith("blocksworld, env url 127.0.0.1:8000")


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("ground_mem", "ground_mem"),
        ("some/where/careful.py:build", "careful.py:build"),
        ("sim:gpt-4.1?blunder=0.1&seed=0", "sim:gpt-4.1?blunder=0.1&seed=0"),
        ("replay:ViPlan/results/final/results_1.json", "replay:results_1.json"),
        ("hf:Qwen/Qwen2.5-VL-7B-Instruct?device=cpu", "hf:Qwen2.5-VL-7B-Instruct?device=cpu"),
        ("openai:Qwen/Qwen2.5-VL@http://127.0.0.1:8000/v1", "openai:Qwen2.5-VL@127.0.0.1:8000"),
        ("openai:m@https://me:secret@host/v1", "openai:m@host"),
        ("scripted:Yes", "scripted:Yes"),
    ],
)
def test_specs_are_shortened_to_their_names(spec: str, name: str) -> None:
    assert short(spec) == name


def test_a_control_is_called_one(scores: RunScores) -> None:
    assert shown(print_table, scores, {**CONFIG, "model": "oracle:perfect eyes, blunder 0"}).startswith("CONTROL: ")
    assert "CONTROL" not in shown(print_table, scores, {**CONFIG, "model": "openai:oracle"})


def test_all_failures_are_named_where_two_lines_hold_them() -> None:
    def failures(width: int) -> str:
        many = [episode("simple", number, failure) for number, failure in enumerate(Failure)]
        told = shown(print_table, score_run(many, ["simple"]), CONFIG, width=width)
        return " ".join(told.partition("failures: ")[2].partition("not scored")[0].split())

    named = [failure for failure in Failure if failure is not Failure.INFRASTRUCTURE]
    assert failures(200) == ", ".join(f"{name} 1" for name in sorted(str(one).replace("_", " ") for one in named))
    shortened = failures(60).split(", ")
    assert shortened[-1] == f"others {len(named) - len(shortened) + 1}"


def test_the_title_is_no_markup(scores: RunScores) -> None:
    assert "ground, [red]m[/red], blocksworld" in shown(print_table, scores, CONFIG)


def test_simulated_comes_first(scores: RunScores) -> None:
    assert shown(print_table, scores, {**CONFIG, "simulated": True}).startswith("SIMULATED")
    assert "SIMULATED" not in shown(print_table, scores, CONFIG)


def test_failures_and_what_broke_down_are_told_apart(scores: RunScores) -> None:
    text = shown(print_table, scores, CONFIG)
    assert "failures: attempted wrongly 2, no plan wrong belief 1\n" in text
    assert "not scored: 1 episode" in text


def test_a_single_split_needs_no_sum() -> None:
    text = shown(print_table, score_run([episode("simple", 0, None)], ["simple"]), {})
    assert "all " not in text.partition("accuracy:")[0]


def test_nothing_finished() -> None:
    text = shown(print_table, score_run([], ["simple", "hard"]), CONFIG)
    assert row(text, "all") == ["all", "0", *"––––––"]


def test_nothing_together_is_nothing() -> None:
    assert together([]).value is None
