"""Question sets through the whole engine: scores, traces, prompts, resume, controls, repeats."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from evals.judges.question import QuestionJudge
from evals.run.benchmark import Supplies
from evals.run.directory import RunDirectory
from evals.run.prompts import read_prompts
from evals.run.scores import RunScores, score_run
from models.base import Kind, Reply, Request
from models.scripted import Scripted
from tests.small_sets import FRUIT, Fruit, played
from tools.events import Answered, Asked, Ended

SET = Fruit()


def scored(run: RunDirectory) -> RunScores:
    return score_run(run.results(), run.splits, run.episodes, run.judging)


def test_an_oracle_answers_every_question_of_every_form(tmp_path: Path) -> None:
    for agent in ("answer", "answer_cot"):
        scores = scored(played(SET, tmp_path / agent, agent=agent))
        assert (scores.success, scores.scored, scores.expected) == (1.0, 36, 36)
        assert scores.overall == "mean of episodes"


def test_a_question_has_one_line_and_its_messages_are_on_disk(tmp_path: Path) -> None:
    run = played(SET, tmp_path / "run", limit=2)
    assert list((run.path / "episodes").iterdir()) == []
    assert len((run.path / "items.jsonl").read_text().splitlines()) == 6
    events = [record.event for record in run.records("kind_1")]
    (asked,) = (event for event in events if isinstance(event, Asked))
    assert (asked.kind, asked.options, asked.value) == (Kind.CHOICE, FRUIT, "pear")
    assert [event.value for event in events if isinstance(event, Answered)] == ["pear"]
    assert isinstance(events[-1], Ended)
    prompt = read_prompts(run.path / "prompts.jsonl")[str(asked.prompt)]
    ((role, (picture, text)),) = prompt["messages"]
    assert role == "user"
    assert "bowl" not in picture["picture"]
    assert text["text"].startswith("Which fruit is it?\nA. apple\nB. pear")


def test_the_truth_stands_beside_answers_and_nowhere_in_what_the_agent_gets(tmp_path: Path) -> None:
    run = played(SET, tmp_path / "run", limit=1, model="scripted:B")
    asked, answered = (record for record in run.records("kind_0") if isinstance(record.event, Asked | Answered))
    assert (asked.truth.value, asked.truth.right) == ("apple", False)
    assert (answered.truth.value, answered.truth.right) == ("apple", False)
    episode = SET.episodes(SET.settings())[0]
    task, judge = SET.open(episode, SET.settings(), Supplies())
    assert isinstance(judge, QuestionJudge)
    assert "answer" not in dir(task)


def test_unreadable_truncated_and_wrong_are_classes_of_their_own(tmp_path: Path, monkeypatch: Any) -> None:
    replies = {"kind": Reply("banana"), "count": Reply("The number", truncated=True), "ripe": Reply("No")}

    def script(request: Request) -> Reply:
        return replies["kind" if "fruit" in request.text else "count" if "many" in request.text else "ripe"]

    monkeypatch.setattr("evals.run.equipment.load_model", lambda spec: Scripted(script))
    run = played(SET, tmp_path / "run", limit=4)
    found = Counter((result.split, result.failure) for result in run.results())
    assert found == {("kind", "unreadable"): 4, ("count", "truncated"): 4, ("ripe", "wrong"): 2, ("ripe", None): 2}
    assert all(result.scored for result in run.results())


def test_a_reply_that_cannot_be_read_is_asked_for_again_as_an_event_of_its_own(
    tmp_path: Path, monkeypatch: Any
) -> None:
    seen: list[Request] = []

    def script(request: Request) -> str:
        seen.append(request)
        return "A" if request.attempt else "banana"

    monkeypatch.setattr("evals.run.equipment.load_model", lambda spec: Scripted(script))
    run = played(SET, tmp_path / "run", limit=1)
    asked = [record.event for record in run.records("kind_0") if isinstance(record.event, Asked)]
    assert [(event.attempt, event.value) for event in asked] == [(0, None), (1, "apple")]
    assert "could not be read" in seen[1].text
    assert asked[0].prompt != asked[1].prompt
    never = played(SET, tmp_path / "never", limit=1, reask=0)
    assert {result.failure for result in never.results()} == {"unreadable"}


def test_blind_guesses_and_other_pictures_are_controls(tmp_path: Path) -> None:
    guesses = scored(played(SET, tmp_path / "blind", control="blind"))
    assert guesses.splits["kind"].success is not None
    assert guesses.splits["kind"].success < 0.8
    assert guesses.splits["count"].success is not None
    assert guesses.splits["count"].success < 0.4
    other = played(SET, tmp_path / "other", control="other-answers")
    assert {result.control for result in other.results()} == {"other-answers"}
    with pytest.raises(ValueError, match="no control 'oracle-planning'"):
        played(SET, tmp_path / "none", control="oracle-planning")


def test_an_agent_for_other_tasks_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"agent 'ground' is for symbolic worlds, and this benchmark has questions"):
        played(SET, tmp_path / "run", agent="ground")
    assert not (tmp_path / "run").exists()


def test_repeats_are_episodes_of_one_problem_with_replies_of_their_own(tmp_path: Path) -> None:
    run = played(SET, tmp_path / "run", limit=2, repeats=3, model="sim:gpt-4.1?blunder=0.5", temperature=0.7)
    results = [result for result in run.results() if result.split == "kind"]
    assert [result.id for result in results] == [
        "kind_0", "kind_0.repeat1", "kind_0.repeat2", "kind_1", "kind_1.repeat1", "kind_1.repeat2",
    ]  # fmt: skip
    assert Counter(result.problem for result in results) == {"kind_0": 3, "kind_1": 3}
    prompts = read_prompts(run.path / "prompts.jsonl")
    assert {prompt["temperature"] for prompt in prompts.values()} == {0.7}


def test_a_limit_can_grow_on_resume(tmp_path: Path) -> None:
    run = played(SET, tmp_path / "run", limit=2)
    started = run.config["started"]
    more = played(SET, tmp_path / "run", resume=tmp_path / "run", limit=5)
    assert len(more.results()) == 15
    kept = json.loads((tmp_path / "run" / "run.json").read_text())
    assert (kept["settings"]["limit"], kept["started"], kept["episodes"]["kind"]) == (5, started, 5)
    assert len((tmp_path / "run" / "items.jsonl").read_text().splitlines()) == 15
    from evals.run.directory import RunError

    with pytest.raises(RunError, match=r"was started with --limit 5, not 3"):
        played(SET, tmp_path / "run", resume=tmp_path / "run", limit=3)


def test_intervals_are_clustered_by_picture() -> None:
    assert SET.judging(SET.settings()).cluster == "picture"
    tags = {episode.tags["picture"] for episode in SET.episodes(SET.settings())}
    assert len(tags) == 12


def test_no_planner_is_made_for_questions(tmp_path: Path, monkeypatch: Any) -> None:
    def none(name: str) -> Any:
        raise AssertionError("a planner was made")

    monkeypatch.setattr("evals.run.equipment.get_planner", none)
    run = played(SET, tmp_path / "run", limit=1)
    assert "planner" not in run.config["versions"]
