"""Replies of a run written as evaluators of question sets read them, and such files replayed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from envs.base import Question
from evals.judges.question import QuestionJudge
from evals.questions.predictions import predictions_of, write_predictions
from evals.run.benchmark import Supplies
from evals.run.directory import RunDirectory
from evals.run.episodes import Episode
from models.base import Kind, Message, Model, ModelUnavailable, Request
from models.recorded.predictions import read_predictions
from models.registry import load_model
from models.replay import ReplayedQuestions
from models.scripted import Scripted
from tests.evals.quiz import COLOURS, Quiz, QuizSettings, a_run


class Named(Quiz):
    """The quiz, whose judge knows which question it is."""

    def open(self, episode: Episode, settings: QuizSettings, supplies: Supplies) -> tuple[Question, QuestionJudge]:
        question, judge = super().open(episode, settings, supplies)
        return question, replace(judge, tags={**judge.tags, "problem": episode.id.partition(".repeat")[0]})


REPLIES = ["A", "I say: B", "no idea", "**Final Answer: D**", "A", "C"]


def recorded(folder: Path, monkeypatch: pytest.MonkeyPatch, **options: Any) -> RunDirectory:
    """A run of six questions with replies of all sorts."""

    def script(request: Request) -> str:
        number = int(request.text.partition("Picture ")[2].partition(":")[0])
        return REPLIES[number]

    with monkeypatch.context() as patched:
        patched.setattr("evals.run.equipment.load_model", lambda spec: Scripted(script))
        return a_run(folder, Named(), model="scripted:A", **options)


def outcomes(run: RunDirectory) -> dict[str, tuple[bool, str | None]]:
    return {result.id: (result.success, result.failure) for result in run.results()}


def test_replies_are_written_and_replayed_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = recorded(tmp_path / "run", monkeypatch)
    file = tmp_path / "predictions.json"
    assert write_predictions(run, file) == 6
    written = json.loads(file.read_text())
    assert [entry["question_id"] for entry in written] == [f"q{number:04}" for number in range(6)]
    assert all(set(entry) == {"question_id", "answer"} for entry in written)
    assert written[2]["answer"] == "no idea"
    again = a_run(tmp_path / "again", Named(), model=f"replay:{file}")
    assert outcomes(again) == outcomes(run)
    assert outcomes(again)["q0002"] == (False, "unreadable")
    assert predictions_of(again) == written
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_of_repeats_the_first_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = recorded(tmp_path / "run", monkeypatch, repeats=2, questions=2)
    assert [entry["question_id"] for entry in predictions_of(run)] == ["q0000", "q0001"]


def test_a_question_without_a_reply_could_not_be_played(tmp_path: Path) -> None:
    file = tmp_path / "predictions.json"
    file.write_text(json.dumps([{"question_id": "q0000", "answer": "A"}]))
    run = a_run(tmp_path / "run", Named(), model=f"replay:{file}", questions=2)
    first, second = run.results()
    assert first.success
    assert not second.settled
    assert second.detail.endswith("there is no recorded reply to q0001")
    assert predictions_of(run) == [{"question_id": "q0000", "answer": "A"}]


def test_questions_are_found_by_their_text(tmp_path: Path) -> None:
    file = tmp_path / "predictions.json"
    entries = [
        {
            "question_id": str(number),
            "question": f"picture {number}:  Which colour\nis it?",
            "answer": "ABCD"[number % 4],
        }
        for number in range(12)
    ]
    file.write_text(json.dumps(entries))
    run = a_run(tmp_path / "run", Quiz(), model=f"replay:{file}", questions=12)
    assert all(result.success for result in run.results())
    assert len(run.results()) == 12


class Witnessed:
    """Who knows which question it is, and nothing else."""

    tags: Mapping[str, str] = {"problem": "q1"}

    async def right(self, request: Request, mind: Any) -> str:
        raise AssertionError("a replay asks for no truth")


def replay(tmp_path: Path, text: str = '[{"question_id": "q1", "answer": "B"}]') -> Model:
    file = tmp_path / "predictions.json"
    file.write_text(text, encoding="utf-8")
    model = load_model(f"replay:{file}")
    assert isinstance(model, ReplayedQuestions)
    return model.for_episode(Witnessed())


def ask(model: Model, place: str = "question 0", options: tuple[str, ...] = COLOURS, attempt: int = 0) -> str:
    request = Request((Message("user", ("Which?",)),), Kind.CHOICE, None, place, options=options, attempt=attempt)
    return asyncio.run(model.ask(request)).text


def test_the_recorded_reply_is_given_however_often_it_is_asked_for(tmp_path: Path) -> None:
    model = replay(tmp_path)
    assert [ask(model), ask(model, attempt=1), ask(model, "question 1")] == ["B"] * 3


def test_nothing_else_is_answered(tmp_path: Path) -> None:
    model = replay(tmp_path)
    with pytest.raises(ModelUnavailable, match="one recorded reply to q1, and none to what is asked at free 0"):
        ask(model, "free 0")
    ask(model)
    with pytest.raises(ModelUnavailable, match="the recorded reply to q1 is about the options in another order"):
        ask(model, options=COLOURS[::-1])


@pytest.mark.parametrize(
    "text",
    [
        '[{"question_id": "q1", "answer": "B"}, {"question_id": 2, "answer": ""}]',
        '{"question_id": "q1", "answer": "B"}\n\n{"question_id": "q2", "answer": "C"}\n',
        '{"question_id": "q1", "answer": "B"}',
        '\ufeff{"q1": {"question_id": "q1", "answer": "B"}, "q2": {"answer": "C"}}'.lstrip("\ufeff"),
    ],
)
def test_every_published_shape_is_read(text: str, tmp_path: Path) -> None:
    assert ask(replay(tmp_path, text)) == "B"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "there are no predictions in it"),
        ("[1]", "entry 1: a prediction is a JSON object, not '1'"),
        ('[{"question_id": "a"}]', "entry 1: it has no 'answer'"),
        ('[{"answer": "a"}]', "entry 1: it has no 'question_id'"),
        ('[{"question_id": "a", "answer": 3}]', "entry 1 (a): the answer must be a text, not '3'"),
        ('[{"question_id": "a", "answer": ""}, {"question_id": "a", "answer": ""}]', "entry 2: a second answer to a"),
        ('[{"question_id": "a", "answer"', "broken JSON"),
        ('{"question_id": "a", "answer": ""}\n{"question_id": \n', "line 2: broken JSON"),
    ],
)
def test_a_file_that_cannot_be_used_is_one_line(text: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "predictions.json"
    file.write_text(text)
    with pytest.raises(ValueError, match=r"^[^\n]*$") as error:
        load_model(f"replay:{file}")
    assert str(error.value).startswith(str(file))
    assert message in str(error.value)


def test_the_longest_text_is_the_question(tmp_path: Path) -> None:
    file = tmp_path / "predictions.json"
    file.write_text(json.dumps([{"question_id": str(n), "question": text, "answer": text} for n, text in
                                enumerate(("Which?", "Which? And why?"))]))  # fmt: skip
    predictions = read_predictions(file)
    assert predictions.reply("", "Look. Which?  And why? Say.") == "Which? And why?"
    assert predictions.reply("", "Look. Which? Say.") == "Which?"
    assert predictions.reply("", "Who?") is None
    assert predictions.reply("1", "Who?") == "Which? And why?"
