"""ViPlan's household as a domain of the benchmark: what it plays, what it refuses, and both domains in one run."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from agents.registry import find_agent
from envs.household.problems import files
from evals.run.benchmark import Supplies
from evals.run.episodes import Episode
from evals.run.prepare import list_episodes
from evals.viplan.__main__ import main
from evals.viplan.benchmark import ViPlan
from evals.viplan.domains.base import ViPlanSettings
from evals.viplan.homes.command import main as study
from evals.viplan.homes.figures import TRUE, Census, lines
from evals.viplan.homes.playing import _by_plan as play_by_plan
from planners.outcome import Planner
from tests.envs.household.small_world import small_problem

SPLITS = ["simple", "medium", "hard"]


def episodes(agent: str = "ground", **chosen: Any) -> list[Episode]:
    return list_episodes(ViPlan(), ViPlanSettings(**chosen), find_agent(agent))


def test_household_has_75_problems_and_its_own_step_limits() -> None:
    for agent in ("ground", "plan"):
        played = episodes(agent, domain="household")
        assert len(played) == 75
        assert {episode.split: episode.step_limit for episode in played} == {"simple": 10, "medium": 20, "hard": 30}


def test_both_domains_are_counted_apart() -> None:
    played = episodes(domain="all", limit=2)
    splits = [f"{domain} {split}" for domain in ("blocksworld", "household") for split in SPLITS]
    assert ViPlan().splits(ViPlanSettings(domain="all")) == splits
    assert [episode.split for episode in played] == [split for split in splits for _ in range(2)]
    assert {
        (episode.tags["level"], episode.step_limit) for episode in played if episode.split.startswith("blocks")
    } == {(split, 20) for split in SPLITS}
    assert len({episode.id for episode in played}) == len(played)


def test_the_default_is_still_blocksworld() -> None:
    settings = ViPlanSettings(limit=1)
    opened = [ViPlan().open(episode, settings, Supplies())[0].name for episode in episodes(limit=1)]
    assert opened == ["blocksworld"] * 3


def test_fingerprints_of_both_domains_hold_those_of_each() -> None:
    each = [ViPlan().fingerprints(ViPlanSettings(domain=domain)) for domain in ("blocksworld", "household")]
    both = ViPlan().fingerprints(ViPlanSettings(domain="all"))
    assert both["problems"] == f"{each[0]['problems']} + {each[1]['problems']}"
    assert each[0].keys() < each[1].keys() == both.keys()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ("--domain", "household", "--env-url", "http://127.0.0.1:1", "--fail-probability", "0.1"),
            "--fail-probability is for worlds of our own",
        ),
        (("--domain", "household", "--renderer", "blender"), "--renderer blender draws blocksworld only"),
        (("--domain", "household", "--model", "pixels"), "--model pixels reads pictures of blocksworld only"),
        (("--domain", "all", "--problems", "somewhere"), "--problems is a folder for one domain"),
        (("--domain", "household", "--problems", "nowhere"), "no problems: nowhere/simple has no .pddl files"),
        (("--domain", "kitchen"), "--domain: input should be 'blocksworld', 'household' or 'all'"),
    ],
)
def test_what_cannot_be_played_is_said_in_a_line(
    words: tuple[str, ...], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--agent", "ground", "--model", "oracle", "--out", str(tmp_path / "run"), *words]) == 2
    said = capsys.readouterr().err
    assert told in said
    assert said.count("\n") == 1
    assert not (tmp_path / "run").exists()


def test_a_home_that_cannot_be_built_is_told_with_the_name_of_its_problem(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = next(file for file in files("simple") if file.stem == "locking_every_door_simple_0")
    folder = tmp_path / "simple"
    folder.mkdir()
    shutil.copy(source, folder)
    setting = json.loads(source.with_suffix(".json").read_text())
    (folder / source.name).with_suffix(".json").write_text(json.dumps({**setting, "layout": "castle"}))
    words = ["--domain", "household", "--agent", "plan", "--model", "oracle", "--split", "simple"]
    assert main([*words, "--problems", str(tmp_path), "--out", str(tmp_path / "run")]) == 2
    assert "problem locking_every_door_simple_0: no layout 'castle'" in capsys.readouterr().err


@pytest.mark.slow
def test_a_run_over_both_domains_has_a_table_and_pages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--domain", "all", "--agent", "ground_mem", "--model", "sim:gpt-4.1", "--limit", "1"]
    assert main([*words, "--split", "simple", "--out", str(tmp_path / "run")]) == 0
    shown = capsys.readouterr().out
    assert "blocksworld simple" in shown
    assert "household simple" in shown
    results = [json.loads(line) for line in (tmp_path / "run" / "results.jsonl").read_text().splitlines() if line]
    assert {result["split"] for result in results} == {"blocksworld simple", "household simple"}
    home = next(result for result in results if result["split"].startswith("household"))
    assert {tally["by"]["predicate"] for tally in home["tallies"]} <= set(TRUE)
    assert "navigate-to" in (tmp_path / "run" / "episodes" / f"{home['id']}.jsonl").read_text()
    assert "household simple" in (tmp_path / "run" / "report.html").read_text()


@pytest.mark.slow
@pytest.mark.parametrize("agent", ["plan", "action_cot", "ground_cot"])
def test_an_oracle_plays_household_problems(agent: str, tmp_path: Path) -> None:
    words = ["--domain", "household", "--agent", agent, "--model", "oracle", "--limit", "2"]
    assert main([*words, "--out", str(tmp_path / "run"), "--concurrency", "2"]) == 0
    results = [json.loads(line) for line in (tmp_path / "run" / "results.jsonl").read_text().splitlines() if line]
    assert len(results) == 6
    assert [result["id"] for result in results if not result["success"]] == []


def test_a_census_of_nothing_has_no_rates() -> None:
    assert {line.ours for line in lines(Census())} == {None}
    assert len(lines(Census())) == 17


def test_a_problem_without_a_plan_is_played_and_not_solved(planner: Planner) -> None:
    counted = Census()
    came = play_by_plan(small_problem("holding book_1", "inside book_1,carton_1"), 0, planner, counted)
    assert (came.solved, came.steps, counted.tried.total()) == (False, 0, 0)


def test_a_study_says_what_it_cannot_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert study(["--split", "easy"]) == 2
    assert "no split 'easy'" in capsys.readouterr().err
    assert study(["--csv", "nowhere/rates.csv"]) == 2
    assert "--csv: there is no folder nowhere" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        study(["--walk", "-1"])
    assert "--walk: must be at least 0, not -1" in capsys.readouterr().err


@pytest.mark.slow
def test_a_study_counts_what_happens(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--split", "simple", "--limit", "1", "--seeds", "1", "--walk", "3"]
    assert study([*words, "--csv", str(tmp_path / "rates.csv"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [episode["solved"] for episode in told["episodes"]] == [True]
    rows = (tmp_path / "rates.csv").read_text().splitlines()
    assert rows[0] == "by,group,name,ours,n,recorded"
    assert len(rows) == 1 + 3 * 17
    tried = {row["by"]: 0 for row in told["rates"]}
    for row in told["rates"]:
        if row["group"] == "a legal action fails":
            tried[row["by"]] += row["n"]
    assert tried == {"plans": told["episodes"][0]["steps"], "random": 3, "both": told["episodes"][0]["steps"] + 3}
    assert study(words) == 0
    assert "Beside the original's records" in capsys.readouterr().out
