"""Data frames of real runs: every episode, attempt and question once, with the types that the page says."""

from __future__ import annotations

import builtins
import re
from pathlib import Path
from typing import Any

import pytest

from evals import frames
from evals.compare.arms import Unusable
from evals.run.directory import RunDirectory
from evals.run.judging import UNPLAYED
from evals.viplan.__main__ import main
from tests.conftest import ROOT
from tests.small_sets import FRUIT, Fruit, played
from tools.events import Acted, Asked, CalledOff, Replanned

FRAMES = (frames.runs, frames.episodes, frames.steps, frames.questions, frames.prompts)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    for agent in ("ground_mem_cot", "plan"):
        words = ["--agent", agent, "--model", "sim:qwen2.5-vl-72b", "--limit", "3", "--fail-probability", "0.2"]
        assert main([*words, "--split", "simple", "--seed", "3", "--out", str(folder / agent)]) == 0
    return folder


def records(folder: Path, kind: Any) -> list[Any]:
    return [
        record
        for run in map(RunDirectory.open, (folder / "ground_mem_cot", folder / "plan"))
        for result in run.results()
        for record in run.records(result.id)
        if isinstance(record.event, kind)
    ]


@pytest.mark.parametrize("make", FRAMES, ids=lambda make: make.__name__)
def test_columns_have_the_types_that_are_promised(make: Any, folder: Path) -> None:
    frame = make(folder)
    for column, kind in frames.COLUMNS[make.__name__].items():
        assert str(frame[column].dtype) == kind, column
    assert len(frame) > 1


@pytest.mark.parametrize("make", FRAMES, ids=lambda make: make.__name__)
def test_columns_are_on_their_page(make: Any) -> None:
    text = (ROOT / "docs" / "frames.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \|", text, re.MULTILINE)
    shown = {
        name
        for frame, columns in rows
        if frame == "all" or f"`{make.__name__}`" in frame
        for name in re.findall(r"`(\w+)`", columns)
    }
    assert frames.COLUMNS[make.__name__].keys() - shown == set()


def test_runs_have_their_settings_and_scores(folder: Path) -> None:
    runs = frames.runs(folder).set_index("run")
    assert list(runs.index) == ["ground_mem_cot", "plan"]
    row = runs.loc["ground_mem_cot"]
    assert (row["method"], row["cot"], row["seed"], row["fail_probability"]) == ("ground_mem", True, 3, 0.2)
    assert (row["expected"], row["finished"], row["simulated"]) == (3, 3, True)
    results = RunDirectory.open(folder / "ground_mem_cot").results()
    assert row["solved"] == sum(result.success for result in results)
    assert row["started"].year >= 2024


def test_every_reply_is_a_row(folder: Path) -> None:
    questions, asked = frames.questions(folder), records(folder, Asked)
    assert len(questions) == len(asked) > 150
    facts = questions[questions["kind"] == "yes_no"]
    of_facts = [record for record in asked if record.event.of_fact]
    assert facts["right"].sum() == sum(record.event.value == record.truth.value for record in of_facts)
    assert list(facts["about"]) == [record.event.about for record in of_facts]
    assert list(facts["truth"]) == [record.truth.value for record in of_facts]
    assert list(facts["value"]) == [record.event.value for record in of_facts]
    assert set(facts["topic"]) == {"on", "clear", "incolumn"}
    assert (facts.groupby("episode", observed=True)["number"].max() > 20).all()
    proposals = questions[questions["kind"] == "plan"]
    assert set(proposals["run"]) == {"plan"}
    assert list(proposals["value"]) == [record.event.actions for record in asked if record.event.proposes]
    assert proposals["right"].isna().all(), "a plan is neither right nor wrong by itself"


def test_every_reply_leads_to_the_prompt_that_it_answers(folder: Path) -> None:
    questions, prompts = frames.questions(folder), frames.prompts(folder)
    assert not prompts.duplicated(["run", "prompt"]).any()
    both = questions.astype({"run": str, "prompt": str}).merge(
        prompts.astype({"run": str, "prompt": str}), on=["run", "prompt"], suffixes=("", "_of_prompt")
    )
    assert len(both) == len(questions), "every question has its prompt"
    assert (both["kind"] == both["kind_of_prompt"]).all()
    facts = both[both["kind"] == "yes_no"]
    assert all(row.question in row.text for row in facts.itertuples())
    assert all(role in ("system", "user") for messages in prompts["messages"] for role, _ in messages)
    assert all(len(pictures) == 1 for pictures in prompts["pictures"])


def test_every_attempt_is_a_row(folder: Path) -> None:
    steps, tried = frames.steps(folder), records(folder, Acted | CalledOff)
    assert list(steps["action"]) == [record.event.action for record in tried]
    assert steps["called_off"].sum() == sum(isinstance(record.event, CalledOff) for record in tried)
    assert list(steps["legal"]) == [record.truth.legal for record in tried]
    assert steps["replans"].sum() <= len(records(folder, Replanned))
    planners = steps[steps["agent"] == "plan"]
    assert planners["planned"].isna().all()
    assert (planners["answered"] == 0).all()
    assert planners["asked"].sum() > 0


def test_episodes_agree_with_results(folder: Path) -> None:
    episodes = frames.episodes([folder / "ground_mem_cot", str(folder / "plan")])
    results = [result for name in ("ground_mem_cot", "plan") for result in RunDirectory.open(folder / name).results()]
    assert list(episodes["success"]) == [result.success for result in results]
    assert list(episodes["steps"]) == [result.steps for result in results]
    assert episodes["failure"].isna().sum() == sum(result.success for result in results)
    assert set(episodes["domain"]) == {"blocksworld"}
    assert set(episodes["level"]) == {"simple"}, "tags are columns"
    for name in ("questions", "proposals", "replans", "attempts/executed", "attempts/not legal"):
        assert list(episodes[name]) == [result.count(name) for result in results], "and so are counts"
    assert list(episodes["answered"]) == [result.count("questions") for result in results]


def test_question_sets_have_frames_of_their_own_columns(tmp_path: Path, folder: Path) -> None:
    played(Fruit(), tmp_path / "fruit", model="scripted:A")
    episodes, questions = frames.episodes(tmp_path), frames.questions(tmp_path)
    assert len(episodes) == 36
    assert set(episodes["asks"]) == {"kind", "count", "ripe"}
    assert episodes["chance"].sum() == 12 / 4 + 12 / 2
    assert list(episodes["measure_unreadable"]) == [float(failure == "unreadable") for failure in episodes["failure"]]
    assert set(episodes["domain"]) == {"fruit"}
    # Two kinds of question have replies that cannot be read, and are asked again once.
    assert len(questions) == 12 + 2 * 24
    assert questions["right"].sum() == episodes["success"].sum() == 3
    choices = questions[questions["kind"] == "choice"]
    assert set(choices["value"]) == {"apple"}
    assert set(choices["truth"]) == {"apple", "pear", "plum", "fig"}
    assert set(choices["options"]) == {FRUIT}
    assert frames.steps(tmp_path).empty
    assert frames.runs(tmp_path)["chance"][0] == pytest.approx(1 / 4)
    both = frames.episodes([folder, tmp_path])
    assert both["level"].isna().sum() == 36, "what a benchmark does not have is missing"
    assert both["questions"].isna().sum() == 36


def test_what_was_cut_short_has_no_success(tmp_path: Path) -> None:
    words = ["--agent", "plan", "--model", "scripted:Yes", "--split", "simple", "--limit", "1"]
    assert main([*words, "--out", str(tmp_path / "run")]) == 0
    run = RunDirectory.open(tmp_path / "run")
    run.append(run.results()[0].model_copy(update={"failure": UNPLAYED, "success": False}))
    run.close()
    assert frames.episodes(tmp_path)["success"].isna().all()


def test_a_run_given_twice_counts_once(folder: Path) -> None:
    assert len(frames.runs([folder, folder / "plan"])) == 2


def test_where_there_is_no_run_it_is_said(tmp_path: Path) -> None:
    with pytest.raises(Unusable, match="no run there"):
        frames.runs(tmp_path)


def test_without_pandas_it_is_said_how_to_get_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any, **more: Any) -> Any:
        if name == "pandas":
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(frames.PandasMissing, match=r"pip install -e '\.\[frames\]'"):
        frames.runs(folder)
