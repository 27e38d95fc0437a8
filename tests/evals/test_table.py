"""The table in the terminal: the numbers of the scores, as far as there is room for them."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from evals.judges import options, question
from evals.judges.failures import Failure
from evals.judges.symbolic import JUDGING
from evals.pages.tables import as_csv
from evals.pages.wording import short
from evals.report.table import print_table, score_table
from evals.run.judging import AGENT_ERROR, UNPLAYED, Judging, Tally
from evals.run.results import EpisodeResult
from evals.run.scores import RunScores, score_run
from evals.viplan.settings import ViPlanSettings

SETTINGS = {"agent": "ground", "model": "[red]m[/red]", "domain": "blocksworld"}
CONFIG: dict[str, Any] = {"settings": SETTINGS, "judging": JUDGING.as_json()}


def result(split: str, number: int, failure: str | None, **other: Any) -> EpisodeResult:
    content: dict[str, Any] = {
        "id": f"{split}_{number}",
        "split": split,
        "seed": 0,
        "success": failure is None,
        "value": float(failure is None),
        "reason": "finished",
        "failure": failure,
        "steps": 0,
        "asked": 0,
        "unreadable": 0,
        "prompt_tokens": 0,
        "completion_tokens": 0,
        "cost": 0.0,
    }
    return EpisodeResult.model_validate({**content, **other})


def episode(split: str, number: int, failure: str | None, **other: Any) -> EpisodeResult:
    asked = Tally(by={"phase": "enumeration", "predicate": "on", "truth": "yes"}, right=90, total=100)
    checked = Tally(by={"phase": "effect", "predicate": "on", "truth": "no"}, right=1, total=10)
    counts = {"questions": 110, "proposals": 0, "replans": 1, "steps": 4, "attempts/executed": 3}
    counts["attempts/not legal"] = 1
    return result(split, number, failure, tallies=(asked, checked), measures=counts, **other)


def proposing(split: str, number: int) -> EpisodeResult:
    attempts = {"executed": 3, "not legal": 2, "action does not exist": 1}
    counts = {"questions": 0, "proposals": 6, "replans": 0, "steps": 6}
    measures = {**counts, **{f"attempts/{name}": value for name, value in attempts.items()}}
    return result(split, number, None, measures=measures)


def scored(results: list[EpisodeResult], *splits: str, judging: Judging = JUDGING) -> RunScores:
    return score_run(results, splits, judging=judging)


@pytest.fixture
def scores() -> RunScores:
    """Half of the simple ones solved and none of the hard ones; one broke down."""
    results = [episode("simple", 0, None), episode("simple", 1, Failure.NO_PLAN_WRONG_BELIEF)]
    results += [episode("hard", number, Failure.ATTEMPTED_WRONGLY) for number in range(2)]
    results.append(episode("hard", 2, UNPLAYED))
    return scored(results, "simple", "hard")


def shown(
    scores: RunScores, config: dict[str, Any], results: list[EpisodeResult] | None = None, width: int = 90
) -> str:
    out = StringIO()
    print_table(scores, config, Console(file=out, width=width), results or [])
    assert all(len(line) <= width for line in out.getvalue().splitlines())
    return out.getvalue()


def row(text: str, first: str) -> list[str]:
    return next(line.split() for line in text.splitlines() if line.split()[:1] == [first])


FIGURES = ["0.827", "0.900", "110.0", "1.0", "1.0", "4.0"]


def test_rows_are_the_scores(scores: RunScores) -> None:
    text = shown(scores, CONFIG)
    heads = ["accuracy", "official", "questions", "replans", "illegal", "steps"]
    assert row(text, "split") == ["split", "n", "success", *heads]
    assert row(text, "simple") == ["simple", "2", "0.50", "[0.09,", "0.91]", *FIGURES]
    assert row(text, "hard") == ["hard", "2", "0.00", "[0.00,", "0.66]", *FIGURES]
    assert scores.interval is not None
    within = [f"[{scores.interval.low:.2f},", f"{scores.interval.high:.2f}]"]
    assert row(text, "all") == ["all", "4", f"{scores.success:.2f}", *within, *FIGURES]
    assert "…" not in text
    assert "all: success is the mean of splits, the rest is over all episodes" in " ".join(text.split())


@pytest.mark.parametrize(("solved", "said"), [(1, "1.00 [0.21, 1.00]"), (0, "0.00 [0.00, 0.79]")])
def test_a_single_episode_says_little(solved: int, said: str) -> None:
    text = shown(scored([episode("simple", 0, None if solved else "parsing")], "simple"), CONFIG)
    assert " ".join(row(text, "simple")).startswith(f"simple 1 {said} ")
    assert "±" not in text


def test_the_interval_of_three_that_all_succeed_is_not_a_point() -> None:
    text = shown(scored([episode("simple", number, None) for number in range(3)], "simple"), CONFIG)
    assert "1.00 [0.44, 1.00]" in text


def test_columns_in_which_nothing_was_counted_are_left_out() -> None:
    text = shown(scored([proposing("simple", 0), proposing("simple", 1)], "simple"), CONFIG)
    assert row(text, "split") == ["split", "n", "success", "proposals", "illegal", "steps"]
    assert row(text, "simple")[-3:] == ["6.0", "3.0", "6.0"]
    assert "illegal: attempts that the world refused; means per episode zero" in " ".join(text.split())
    assert "zero throughout: questions, replans\n" in text


@pytest.mark.parametrize(
    ("width", "last"),
    [(90, "steps"), (80, "illegal"), (60, "illegal"), (50, "illegal"), (44, "accuracy"), (34, "success")],
)
def test_where_it_is_narrow_the_important_columns_stay(scores: RunScores, width: int, last: str) -> None:
    text = shown(scores, CONFIG, width=width)
    assert row(text, "split")[:3] == ["split", "n", "success"]
    assert row(text, "split")[-1] == last
    assert row(text, "simple")[:5] == ["simple", "2", "0.50", "[0.09,", "0.91]"]
    assert "…" not in text


def test_what_is_not_shown_is_not_explained(scores: RunScores) -> None:
    assert "official: enumeration only" in " ".join(shown(scores, CONFIG).split())
    assert "official" not in shown(scores, CONFIG, width=50)


def test_the_title_says_what_is_not_as_usual(scores: RunScores) -> None:
    usual = ViPlanSettings().model_dump(mode="json")
    other = {"rules": "official", "fail_probability": 0.1, "seed": 7, "steps": 30, "planner": "fd-opt", "limit": 2}

    def title(settings: dict[str, Any]) -> str:
        config = {"settings": {**usual, **SETTINGS, **settings}, "usual": usual}
        return shown(scores, config, width=200).partition("\n")[0].rstrip()

    assert title({}) == "ground, [red]m[/red], blocksworld"
    assert title({**other, "problems": "some/where/mine"}) == (
        "ground, [red]m[/red], blocksworld, limit 2, seed 7, planner fd-opt, steps 30, fail probability 0.1, "
        "problems mine, rules official"
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
    assert shown(scores, {**CONFIG, "model": "oracle:perfect eyes, blunder 0"}).startswith("CONTROL: ")
    assert "CONTROL" not in shown(scores, {**CONFIG, "model": "openai:oracle"})


def test_all_failures_are_named_where_two_lines_hold_them() -> None:
    def failures(width: int) -> str:
        many = [episode("simple", number, failure) for number, failure in enumerate(Failure)]
        told = shown(scored(many, "simple"), CONFIG, width=width)
        return " ".join(told.partition("failures: ")[2].partition("not scored")[0].split())

    named = [failure for failure in Failure if failure is not Failure.INFRASTRUCTURE]
    assert failures(200) == ", ".join(f"{name} 1" for name in sorted(str(one).replace("_", " ") for one in named))
    shortened = failures(60).split(", ")
    assert shortened[-1] == f"others {len(named) - len(shortened) + 1}"


def test_the_title_is_no_markup(scores: RunScores) -> None:
    assert "ground, [red]m[/red], blocksworld" in shown(scores, CONFIG)


def test_simulated_comes_first(scores: RunScores) -> None:
    assert shown(scores, {**CONFIG, "simulated": True}).startswith("SIMULATED")
    assert "SIMULATED" not in shown(scores, CONFIG)


def test_failures_and_what_broke_down_are_told_apart(scores: RunScores) -> None:
    text = shown(scores, CONFIG)
    assert "failures: attempted wrongly 2, no plan wrong belief 1\n" in text
    assert "not scored: 1 episode that model, planner, world or program cut short" in text
    assert "error of the agent" not in text


def test_errors_of_the_agent_are_said_with_the_first_of_them() -> None:
    detail = "KeyError: 'belief'\nand more about it"
    results = [episode("simple", 0, None), *(episode("simple", n, AGENT_ERROR, detail=detail) for n in (1, 2))]
    scores = scored(results, "simple")
    text = shown(scores, CONFIG, results)
    assert "not scored: 2 episodes that ended by an error of the agent, the first: KeyError: 'belief'\n" in text
    assert "cut short" not in text
    assert "failures:" not in text
    assert row(text, "simple")[:3] == ["simple", "1", "1.00"]


def test_a_single_split_needs_no_sum() -> None:
    text = shown(scored([episode("simple", 0, None)], "simple"), {})
    assert not any(line.split()[:1] == ["all"] for line in text.splitlines())


def test_nothing_finished() -> None:
    text = shown(scored([], "simple", "hard"), CONFIG)
    assert row(text, "all") == ["all", "0", "–"]


def test_nothing_is_known_of_a_run_without_judging(scores: RunScores) -> None:
    assert row(shown(scores, {"settings": SETTINGS}), "split") == ["split", "n", "success"]


def test_csv_has_what_the_table_shows(scores: RunScores) -> None:
    first = as_csv(score_table(scores, JUDGING)).splitlines()[0].split(",")
    assert first[:6] == ["split", "n", "success", "success SEM", "success low", "success high"]


# Question sets and worlds of options


def answered(number: int, right: bool, **tags: str) -> EpisodeResult:
    return result(
        "test",
        number,
        None if right else question.Failure.WRONG,
        tags={"picture": f"p{number // 2}", **tags},
        measures={"chance": 0.25, "unreadable": 0.0},
    )


QUESTIONS = Judging(
    classes=question.JUDGING.classes,
    measures=question.JUDGING.measures,
    dimensions={"skill": "what it takes", "hops": "how many steps of thought"},
    panels=("question",),
    overall=("skill",),
    cluster="picture",
)


def test_a_question_set_has_a_table_for_each_dimension() -> None:
    skills = ["count", "count", "where", "where", "where", "where"]
    results = [answered(n, n != 1, skill=skill, hops="two" if n % 2 else "one") for n, skill in enumerate(skills)]
    scores = scored(results, "test", judging=QUESTIONS)
    text = shown(scores, {"settings": {"agent": "answer", "model": "m"}, "judging": QUESTIONS.as_json()}, results)
    assert row(text, "split") == ["split", "n", "success", "by", "chance"]
    assert row(text, "test")[:3] == ["test", "6", "0.83"]
    assert row(text, "test")[-1] == "0.25"
    assert row(text, "all")[:3] == ["all", "6", "0.75"], "the mean of the skills, each the mean of its questions"
    assert "all: success is the mean of skills" in text
    assert "By what it takes\n" in text
    assert row(text, "count")[:3] == ["count", "2", "0.50"]
    assert row(text, "where")[:3] == ["where", "4", "1.00"]
    assert "By how many steps of thought\n" in text
    assert row(text, "two")[:3] == ["two", "3", "0.67"]


def test_a_tag_that_says_no_more_than_the_splits_has_no_table() -> None:
    results = [answered(n, True, skill="count") for n in range(3)]
    text = shown(scored(results, "test", judging=QUESTIONS), {"settings": {}, "judging": QUESTIONS.as_json()}, results)
    assert "By " not in text


def test_a_world_of_options_shows_how_far_it_came() -> None:
    counts = {"progress": 0.5, "steps": 7.0, "refused": 0.0, "attempts/executed": 7.0}
    half = result("test", 0, options.Failure.STEP_LIMIT, value=0.5, measures=counts)
    whole = result("test", 1, None, measures={**counts, "progress": 1.0})
    scores = score_run([half, whole], ["test"], judging=options.JUDGING)
    text = shown(scores, {"settings": {}, "judging": options.JUDGING.as_json()})
    assert row(text, "split") == ["split", "n", "success", "score", "progress", "steps"]
    assert row(text, "test") == ["test", "2", "0.50", "[0.09,", "0.91]", "0.75", "0.75", "7.0"]
