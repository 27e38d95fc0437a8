"""Reruns and blame for questions and for worlds of options: the judge of each says what can be put right."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evals.blame.__main__ import main as blame
from evals.judges.question_changes import in_another_order
from evals.play import play_run
from evals.rerun.__main__ import main as rerun
from evals.run.benchmarks import find_benchmark
from evals.run.directory import RunDirectory
from tests.conftest import ROOT
from tools.events import Asked, Began

FILE = ROOT / "tests" / "evals" / "tiny_benchmarks.py"
QUESTIONS, CORRIDORS = f"{FILE.relative_to(ROOT)}:QUESTIONS", f"{FILE.relative_to(ROOT)}:Corridors"


@pytest.fixture(autouse=True)
def _in_the_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def played(folder: Path, benchmark: str, **options: Any) -> Path:
    run = play_run(find_benchmark(benchmark), out=folder / "run", no_cache=True, **options)
    assert run.config["source"] == benchmark
    return run.path


def said(command: Any, capsys: pytest.CaptureFixture[str], *words: object) -> Any:
    """What a command prints as JSON."""
    capsys.readouterr()
    code = command([*map(str, words), "--trust-agent", "--json"])
    out, err = capsys.readouterr()
    assert code == 0, err
    return json.loads(out)


def again(capsys: pytest.CaptureFixture[str], run: Path, episode: str, *changes: str, **options: object) -> Any:
    words = [word for change in changes for word in ("--with", change)]
    more = [word for name, value in options.items() for word in (f"--{name}", str(value))]
    return said(rerun, capsys, run, "--episode", episode, *words, *more)


def test_a_question_with_the_right_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = played(tmp_path, QUESTIONS, model="scripted:A")
    assert {result.id: result.success for result in RunDirectory.open(run).results()} == {
        "bottom": False,
        "count": False,
        "top": True,
    }
    told = again(capsys, run, "bottom", "oracle-answers")
    assert (told["before"]["failure"], [after["success"] for after in told["after"]]) == ("wrong", [True])
    other = {"step": 0, "was": "the question is answered red", "now": "the question is answered blue"}
    assert told["first_other_answer"] == other
    kept = RunDirectory.open(Path(told["run"]))
    assert kept.config["model"].startswith("oracle answers in place of scripted")
    assert [type(record.event) for record in kept.records("bottom")].count(Asked) == 1
    assert not (kept.path / "episodes" / "bottom.jsonl").exists()


def test_an_unreadable_reply_is_put_right_by_parsing_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = played(tmp_path, QUESTIONS, model="scripted:who knows")
    assert again(capsys, run, "top", "parsing")["after"][0]["success"]
    assert again(capsys, run, "count", "parsing")["after"][0]["success"]
    told = again(capsys, run, "top", "answering")
    assert told["after"][0]["failure"] == "unreadable", "that it cannot be read is not that it is wrong"
    assert told["first_other_answer"] is None
    assert again(capsys, run, "top", "oracle-answers")["after"][0]["success"]


def test_blame_for_questions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = played(tmp_path, QUESTIONS, model="scripted:A")
    told = said(blame, capsys, run)
    assert {episode["id"]: episode["saved_by"] for episode in told["episodes"]} == {
        "bottom": [["answering"]],
        "count": [["parsing"]],
    }
    assert {cause["cause"]: (cause["alone"], cause["blame"]) for cause in told["causes"]} == {
        "answering": (1, 0.5),
        "parsing": (1, 0.5),
    }
    assert {episode["id"]: episode["first_wrong_answer"] for episode in told["episodes"]} == {
        "bottom": "step 0, question: the question is answered red",
        "count": "step 0, question: the question is answered nothing that can be read",
    }
    page = (run / "blame" / "blame.html").read_text()
    assert "a reply to the question that can be read is the right answer" in page


def test_options_in_another_order(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A model that always says A is right by luck; with the options in another order it is wrong."""
    run = played(tmp_path, QUESTIONS, model="scripted:A")
    told = again(capsys, run, "top", "shuffled-options", seeds=4)
    assert told["before"]["success"]
    kept = RunDirectory.open(Path(told["run"]))
    for after in told["after"]:
        began = kept.records(after["id"])[0].event
        assert isinstance(began, Began)
        assert sorted(began.options) == ["blue", "green", "red"]
        assert began.options != ("red", "green", "blue")
        assert after["success"] == (began.options[0] == "red"), "the answer counts by its text, wherever it stands"
    assert len({str(kept.records(after["id"])[0]) for after in told["after"]}) > 1


def test_an_oracle_answers_right_in_any_order(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = played(tmp_path, QUESTIONS, model="oracle")
    told = again(capsys, run, "bottom", "shuffled-options", seeds=3)
    assert [after["success"] for after in told["after"]] == [True, True, True]


@pytest.mark.parametrize("options", [(), ("one",), ("same", "same"), ("a", "b"), ("a", "b", "c", "d")])
def test_another_order_is_another_one_if_there_is_one(options: tuple[str, ...]) -> None:
    for seed in range(20):
        found = in_another_order(options, seed)
        assert sorted(found) == sorted(options)
        assert (found != options) == (len(set(options)) > 1)
        assert found == in_another_order(options, seed)


class Looking:
    """Answers A to its own picture, B to another one, C where there is none."""

    looks = True
    simulated = cacheable = False
    identity = "looking"

    async def ask(self, request: Any) -> Any:
        from models.base import Reply

        shown = [picture.png() for picture in request.pictures]
        return Reply("C" if not shown else "A" if shown == [b"top"] else "B")


@pytest.mark.parametrize(
    ("change", "value"), [("no-picture", "blue"), ("blind", "green"), ("other-picture", "green"), ("parsing", "red")]
)
def test_what_a_model_says_to_other_pictures(
    change: str, value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("evals.run.equipment.load_model", lambda spec: Looking())
    run = played(tmp_path, QUESTIONS)
    told = again(capsys, run, "top", change)
    asked = [r.event for r in RunDirectory.open(Path(told["run"])).records("top") if isinstance(r.event, Asked)]
    assert [event.value for event in asked] == [value]


@pytest.mark.parametrize(
    ("episode", "changes", "message"),
    [
        ("count", ("shuffled-options",), "the question has no options to put in another order"),
        ("top", ("planning",), "no change 'planning'. Did you mean 'parsing'?"),
        ("top", ("protocol",), "no change 'protocol'"),
    ],
)
def test_what_makes_no_sense_is_said(
    episode: str, changes: tuple[str, ...], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = played(tmp_path, QUESTIONS, model="scripted:A")
    capsys.readouterr()
    words = [word for change in changes for word in ("--with", change)]
    assert rerun([str(run), "--trust-agent", "--episode", episode, *words]) == 2
    assert message in capsys.readouterr().err


def test_two_ways_to_look_do_not_go_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = played(tmp_path, QUESTIONS, model="scripted:A")
    words = ["--episode", "top", "--with", "blind", "--with", "no-picture"]
    assert rerun([str(run), "--trust-agent", *words]) == 2
    assert "blind and no-picture do not go together" in capsys.readouterr().err


def test_the_changes_of_a_run_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for benchmark, named in ((QUESTIONS, "shuffled-options"), (CORRIDORS, "deciding")):
        run = played(tmp_path / named, benchmark, agent="answer" if benchmark is QUESTIONS else "choose")
        capsys.readouterr()
        assert rerun([str(run), "--trust-agent", "--with", "list"]) == 0
        names = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
        assert names == [*find_benchmark(benchmark).judging(None).changes, "model:SPEC", "agent:NAME"]
        assert named in names


def test_a_corridor_with_the_best_choices(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = played(tmp_path, CORRIDORS, agent="choose", model="scripted:Choice: [3]")
    told = again(capsys, run, "corridor_0", "deciding", **{"from-step": 1})
    assert (told["before"]["failure"], told["after"][0]["success"]) == ("step_limit", True)
    assert told["first_other_action"] == {"step": 1, "was": "wait is executed", "now": "go on is executed"}
    assert again(capsys, run, "corridor_0", "deciding", **{"from-step": 2})["after"][0]["failure"] == "step_limit"


def test_another_agent_continues_in_a_corridor(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = played(tmp_path, CORRIDORS, agent="choose", model="scripted:Choice: [2]", steps=2)
    told = again(capsys, run, "corridor_0", "agent:choose_direct", "model:oracle", **{"from-step": 1})
    (after,) = told["after"]
    assert (after["steps"], after["progress"]) == (1, pytest.approx(2 / 3))


def test_blame_for_worlds_of_options(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wait = played(tmp_path / "wait", CORRIDORS, agent="choose", model="scripted:Choice: [3]")
    assert [episode["saved_by"] for episode in said(blame, capsys, wait)["episodes"]] == [[["deciding"]]] * 2
    short = played(tmp_path / "short", CORRIDORS, agent="choose", model="oracle", steps=1)
    told = said(blame, capsys, short)
    assert [episode["saved_by"] for episode in told["episodes"]] == [[["protocol"]]] * 2
    assert [cause["cause"] for cause in told["causes"]] == ["protocol"]
    murmur = played(tmp_path / "murmur", CORRIDORS, agent="choose", model="scripted:hm")
    told = said(blame, capsys, murmur)
    assert [episode["saved_by"] for episode in told["episodes"]] == [[["parsing"]]] * 2
