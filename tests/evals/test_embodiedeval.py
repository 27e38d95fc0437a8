"""EmbodiedEval on our own tasks: the benchmark, its judge, and the original's game played by ourselves."""

from __future__ import annotations

import json
import re
import threading
from pathlib import Path
from typing import Any

import pytest

from envs.embodied import tasks as embedded
from envs.embodied.model import CATEGORIES, Act
from evals.embodiedeval.__main__ import main
from evals.embodiedeval.answers import ANSWERING, quoted
from evals.embodiedeval.benchmark import BENCHMARK, interactions
from evals.embodiedeval.categories import QA, STEPS
from evals.embodiedeval.original.convert import instance, write_tasks
from evals.embodiedeval.original.results import read_run
from evals.embodiedeval.original.scores import figures
from evals.embodiedeval.original.tasks import read_tasks
from evals.embodiedeval.settings import EmbodiedEvalSettings
from evals.run.benchmark import Supplies
from evals.run.directory import RunDirectory
from evals.run.scores import score_run
from models.parsing import Profile
from models.scripted import Scripted
from tests.small_sets import played
from tools.events import Acted, Ended

QUESTION = next(task for task in embedded.tasks() if CATEGORIES[task.category] in QA)
ERRAND = next(task for task in embedded.tasks() if any(option.act is Act.PICK_UP for option in task.options))


def settings(**given: Any) -> EmbodiedEvalSettings:
    return EmbodiedEvalSettings(**given)


def opened(id: str, **given: Any) -> Any:
    chosen = settings(**given)
    episode = next(one for one in BENCHMARK.episodes(chosen) if one.id == id)
    return BENCHMARK.open(episode, chosen, Supplies())


@pytest.fixture(scope="module")
def expert(tmp_path_factory: pytest.TempPathFactory) -> RunDirectory:
    return played(BENCHMARK, tmp_path_factory.mktemp("runs") / "expert", control="expert", limit=1)


def scripted(monkeypatch: Any, *replies: str) -> list[Any]:
    left = iter(replies)
    asked: list[Any] = []

    def reply(request: Any) -> str:
        asked.append(request)
        return next(left, replies[-1])

    monkeypatch.setattr("evals.run.equipment.load_model", lambda spec: Scripted(reply))
    return asked


def test_the_expert_does_everything_on_a_shortest_way(expert: RunDirectory) -> None:
    results = expert.results()
    assert {result.success for result in results} == {True}
    scores = score_run(results, expert.splits, expert.episodes, expert.judging)
    assert scores.pooled.measures["gcs"] == scores.pooled.measures["spl"] == 1.0
    for result in results:
        assert result.steps == embedded.task(result.id).steps


def test_an_oracle_does_as_well_and_a_guesser_never_better(tmp_path: Path) -> None:
    assert {result.success for result in played(BENCHMARK, tmp_path / "o", model="oracle", limit=1).results()} == {True}
    guessed = played(BENCHMARK, tmp_path / "r", control="random", limit=1)
    assert all(result.measures["spl"] <= 0.5 for result in guessed.results())


def test_an_agent_sees_no_truth_and_questions_end_with_answers_only() -> None:
    view, _ = opened(QUESTION.id)
    assert not {"state", "best", "reached", "predicates", "world", "task", "rules"} & set(vars(view))
    answers = [option for option in view.options() if option.startswith(ANSWERING)]
    assert len(answers) == 8
    for _ in range(STEPS - 1):
        assert "turn left" in view.options()
        view.step("turn left")
    assert view.options() == answers
    view, _ = opened(QUESTION.id, rules="official")
    for _ in range(STEPS - 1):
        view.step("turn left")
    assert view.options() == answers[1:]  # the original cannot choose the first one then
    errand, _ = opened(ERRAND.id)
    for _ in range(STEPS - 1):
        errand.step("turn left")
    assert "turn left" in errand.options()


def test_a_wrong_answer_ends_the_episode_as_a_class_of_its_own(tmp_path: Path, monkeypatch: Any) -> None:
    wrong = next(answer for answer in QUESTION.answers if answer != QUESTION.answer)
    scripted(monkeypatch, "Choice: turn left", f'{ANSWERING}{wrong}"')
    split = CATEGORIES[QUESTION.category]
    run = played(BENCHMARK, tmp_path / "run", category=split, limit=1, agent="choose_direct")
    (result,) = run.results()
    assert (result.failure, result.success, result.value) == ("wrong_answer", False, 0.0)
    events = [record.event for record in run.records(result.id)]
    assert [event.reason for event in events if isinstance(event, Ended)] == ["finished"]


def test_interactions_are_counted_whatever_the_world_says_of_them(tmp_path: Path, monkeypatch: Any) -> None:
    (pick,) = [option.text for option in ERRAND.options if option.act is Act.PICK_UP][:1]
    assert pick in interactions(ERRAND)
    split = CATEGORIES[ERRAND.category]
    for feedback, heard in (("none", {""}), ("official", {"failed"})):
        scripted(monkeypatch, pick)
        run = played(
            BENCHMARK, tmp_path / feedback, category=split, limit=1, steps=2, agent="choose_direct", feedback=feedback
        )
        (result,) = run.results()
        assert (result.measures["interactions"], result.measures["interactions_done"]) == (2.0, 0.0)
        acted = [record.event for record in run.records(result.id) if isinstance(record.event, Acted)]
        assert {event.feedback for event in acted} == heard
    scripted(monkeypatch, pick)
    run = played(
        BENCHMARK, tmp_path / "why", category=split, limit=1, steps=1, agent="choose_direct", feedback="reasons"
    )
    (event,) = [r.event for r in run.records(ERRAND.id) if isinstance(r.event, Acted)]
    assert event.feedback.startswith("failed: ")


def test_pictures_in_a_prompt_are_as_many_as_wanted(tmp_path: Path, monkeypatch: Any) -> None:
    split = CATEGORIES[QUESTION.category]
    for images, most in ((25, 6), (3, 3), (1, 1)):
        asked = scripted(monkeypatch, "turn left")
        played(
            BENCHMARK, tmp_path / f"{images}", category=split, limit=1, steps=6, images=images, agent="choose_direct"
        )
        assert max(len(request.pictures) for request in asked) == most


def test_settings_that_make_no_sense_are_refused_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words, fault in (
        (["--data", str(tmp_path)], "--data: the original's tasks can only be played in its game: give --game-port"),
        (["--game-port", "50051"], "--game-port plays the original's tasks: give their folder with --data"),
        (["--images", "26"], "--images"),
        (["--model", "sim:gpt-9"], "published model"),
    ):
        assert main([*words, "--out", str(tmp_path / "run")]) == 2
        assert fault in capsys.readouterr().err


# The original's form


def test_our_tasks_are_written_as_the_originals_files_and_read_back(tmp_path: Path) -> None:
    chosen = (QUESTION, ERRAND)
    assert write_tasks(tmp_path / "tasks", chosen) == 2
    for ours, entry in zip(chosen, read_tasks(tmp_path / "tasks"), strict=True):
        assert (entry.task.text, entry.category) == (ours.text, CATEGORIES[ours.category])
        assert [option.text for option in entry.task.options] == [option.text for option in ours.options]
        assert [str(one.type) for one in entry.task.predicates] == [str(one.check) for one in ours.predicates]
        assert entry.task.position[1] == 0.0


def test_a_run_exported_in_the_originals_form_has_the_same_scores(
    tmp_path: Path, expert: RunDirectory, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "original"
    assert main(["export", str(expert.path), "--out", str(out)]) == 0
    episodes = read_run(out)
    assert len(episodes) == len(expert.results())
    found = figures(episodes, {one.task_id: len(one.steps) for one in episodes})
    assert (found["overall"].success, found["overall"].gcs, found["overall"].spl) == (100.0, 100.0, 100.0)
    step = episodes[-1].steps[0]
    assert step.options[0] == "idle"
    assert step.options[step.action_choice] == step.action
    capsys.readouterr()
    assert main(["scores", str(expert.path)]) == 0
    assert re.search(r"All +\d+ +100.00 +100.00 +100.00", capsys.readouterr().out)
    assert main(["export", str(expert.path), "--out", str(out)]) == 2
    assert "exists already" in capsys.readouterr().err


def test_an_unreadable_reply_is_exported_as_the_original_records_it(tmp_path: Path, monkeypatch: Any) -> None:
    scripted(monkeypatch, "turn left", "I do not know.")
    split = CATEGORIES[QUESTION.category]
    run = played(BENCHMARK, tmp_path / "run", category=split, limit=1, agent="choose_direct", rules="official")
    assert main(["export", str(run.path), "--out", str(tmp_path / "original")]) == 0
    (episode,) = read_run(tmp_path / "original")
    # Officially `turn left` names no number either: the first reply ends the episode.
    assert [(step.action_choice, step.action) for step in episode.steps] == [(-2, None)]
    assert figures([episode], None, Profile.OFFICIAL)["overall"].success == 0


# The original's game, with our world behind it


def test_our_world_serves_as_the_game_and_both_sides_agree_at_every_step() -> None:
    pytest.importorskip("grpc", reason="grpcio is not installed: pip install -e '.[game]'")
    from envs.embodied.expert import plan
    from envs.embodied.world import EmbodiedWorld
    from envs.pictures import PictureStore
    from evals.embodiedeval.original.game import Game, GameWorld
    from evals.embodiedeval.original.serve import Server
    from evals.embodiedeval.original.wire import connect

    game, server = Game(0, seconds=60), Server()
    client = threading.Thread(target=connect, args=(f"127.0.0.1:{game.listener.port}", server), daemon=True)
    client.start()
    for task in (QUESTION, ERRAND):
        raw = instance(task)
        seen = GameWorld(game, {"task_instance": raw}, PictureStore())
        ours = EmbodiedWorld(quoted(task))
        assert seen.options() == list(ours.options())
        for option in plan(ours.rules, ours.rules.start()) or ():
            told, expected = seen.step(option), ours.step(option)
            assert seen.predicates() == ours.predicates()
            assert told == expected
            assert seen.options() == list(ours.options())
        assert seen.reached()
        assert seen.observe().picture.sha256 == ours.observe().picture.sha256
    assert server.resets == 2
    game.choose(-1)  # keeps the game alive and changes nothing
    assert server.world is not None
    assert server.world.reached()
    game.close()
    client.join(10)
    assert not client.is_alive()


def test_a_task_that_is_not_ours_is_refused_in_words() -> None:
    pytest.importorskip("grpc", reason="grpcio is not installed: pip install -e '.[game]'")
    from envs.base import WorldUnavailable
    from evals.embodiedeval.original.serve import Server
    from evals.embodiedeval.original.wire import messages

    for text in ("{", "[]", "{}", json.dumps({"task_instance": {"plumbline_task": "nowhere"}})):
        with pytest.raises(WorldUnavailable, match="none of ours"):
            Server()(messages()[1](type="RESET", json_actions=text))
