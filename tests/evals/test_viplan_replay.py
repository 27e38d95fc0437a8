"""Recorded runs of the original, played again by our agents."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evals.viplan.replay.command import main

FILE = Path("results/final/blocksworld/final_no_cot/predicates/simple/Qwen2.5-VL-72B-Instruct/results_7061200_3.json")


def replay(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, dict[str, object]]:
    code = main([*map(str, words), "--json"])
    return code, json.loads(capsys.readouterr().out)


@pytest.mark.slow
def test_all_recorded_runs_replay_alike_but_for_one_plan_that_cannot_be_done(
    shared: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = shared / "data" / "viplan"
    code, told = replay(capsys, data / "original", "--problems", data / "problems")
    assert code == 0
    assert (told["episodes"], told["alike"]) == (450, 449)
    assert told["causes"] == {"the recorded plan cannot be done": 1}
    # The original did not write down every replan that found no plan.
    assert told["alike_as_far_as_recorded"] == 61


@pytest.fixture
def three(shared: Path, tmp_path: Path) -> Path:
    """Three recorded episodes, in a checkout of their own that may be changed."""
    recorded = json.loads((shared / "data" / "viplan" / "original" / FILE).read_text())
    some = dict(list(recorded.items())[:3])
    (tmp_path / FILE).parent.mkdir(parents=True)
    (tmp_path / FILE).write_text(json.dumps(some))
    return tmp_path


def changed(checkout: Path, change: object) -> None:
    content = json.loads((checkout / FILE).read_text())
    change(next(iter(content.values())))  # type: ignore[operator]
    (checkout / FILE).write_text(json.dumps(content))


def test_a_few_recorded_episodes_replay_alike(three: Path, shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, told = replay(capsys, three, "--problems", shared / "data" / "viplan" / "problems")
    assert (code, told["episodes"], told["alike"]) == (0, 3, 3)


def test_the_first_episodes_of_one_model_are_replayed(
    three: Path, shared: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = (three, "--problems", shared / "data" / "viplan" / "problems", "--model")
    code, told = replay(capsys, *words, "Qwen2.5-VL-72B-Instruct", "--limit", "2")
    assert (code, told["episodes"], told["alike"]) == (0, 2, 2)
    assert main([*map(str, words), "Qwen2.5-VL-72B"]) == 2
    said = "no recorded model 'Qwen2.5-VL-72B'. Did you mean 'Qwen2.5-VL-72B-Instruct'?"
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("what", ["outcome", "question"])
def test_a_record_that_our_protocol_does_not_lead_to_is_told(
    three: Path, shared: Path, capsys: pytest.CaptureFixture[str], what: str
) -> None:
    def change(episode: dict[str, object]) -> None:
        attempts = episode["action_results"]
        assert isinstance(attempts, list)
        if what == "outcome":
            episode["goal_reached"] = not episode["goal_reached"]
        else:
            attempts[0]["effects_results"]["on g,g"] = ["no", 0.0, 1.0, None, True, "No", True]

    changed(three, change)
    code, told = replay(capsys, three, "--problems", shared / "data" / "viplan" / "problems")
    assert code == 1
    assert (told["alike"], told["causes"]) == (2, {"other": 1})


def test_another_plan_is_told_as_such(three: Path, shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def change(episode: dict[str, object]) -> None:
        attempts = episode["action_results"]
        assert isinstance(attempts, list)
        attempts[0]["action"] = (
            "moveblock(g, c3)" if attempts[0]["action"] != "moveblock(g, c3)" else "moveblock(g, c1)"
        )

    changed(three, change)
    code, told = replay(capsys, three, "--problems", shared / "data" / "viplan" / "problems")
    assert code == 0
    assert sum(told["causes"].values()) == 1  # type: ignore[attr-defined]
    assert "other" not in told["causes"]  # type: ignore[operator]


def test_what_is_no_checkout_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path)]) == 2
    assert "no results/final" in capsys.readouterr().err


def test_the_replayed_run_scores_what_the_record_scores(
    shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Success through the whole command is the recorded success, ends of records included."""
    from evals.viplan.__main__ import main as viplan

    data = shared / "data" / "viplan"
    path = data / "original" / FILE
    recorded = [
        value.get("goal_reached", False) for key, value in json.loads(path.read_text()).items() if ".pddl" in key
    ]
    words = ["--agent", "ground", "--rules", "official", "--problems", data / "problems", "--split", "simple"]
    assert viplan([*map(str, words), "--model", f"replay:{path}", "--out", str(tmp_path / "run"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["splits"]["simple"]
    assert (told["n"], told["success"]) == (25, sum(recorded) / 25)
