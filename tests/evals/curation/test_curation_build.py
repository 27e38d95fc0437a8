"""Builds by the command: the published figures of rounds, kills, faults of a server, and what is written."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from evals.curation.command import main
from evals.curation.drafts import Draft, Status
from evals.curation.outputs import made_by, rounds
from evals.erqa_diagnostic.benchmark import BENCHMARK
from evals.run.directory import RunDirectory
from tests.evals.curation.paper_build import CALLS, OPTIONS, ROLES, SCORES, pictures, served
from tests.loopback import Loopback, sometimes
from tests.stopping import SlowCommand

WRITTEN = ("rounds.csv", "issues.csv", "versions.jsonl", "calls.csv")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build that nothing disturbed."""
    folder = tmp_path_factory.mktemp("built")
    out = folder / "run"
    assert main([str(pictures(folder / "photos")), *ROLES, *OPTIONS, "--out", str(out)]) == 0
    return out


def drafts(out: Path) -> list[Draft]:
    return [Draft.from_json(json.loads(line)) for line in (out / "versions.jsonl").read_text().splitlines()]


def test_rounds_are_as_specified(built: Path) -> None:
    rows = list(csv.DictReader((built / "rounds.csv").read_text().splitlines()))
    assert [row["needing revision"] for row in rows] == ["6", "4", "2"]
    assert [float(row["mean score"]) for row in rows] == [5.625, 7.375, 8.375]
    assert [int(row["judged"]) for row in rows] == [8, 6, 4]
    assert [int(row["revised"]) for row in rows] == [6, 4, 0]
    assert rows[-1]["accepted"] == "6"
    assert {
        row["part"]: int(row["calls"]) for row in csv.DictReader((built / "calls.csv").read_text().splitlines())
    } == CALLS


def test_every_version_is_kept_with_its_verdict(built: Path) -> None:
    found = drafts(built)
    assert [tuple(version.score for version in draft.versions) for draft in found] == list(SCORES)
    assert {draft.status for draft in found} == {Status.ACCEPTED, Status.GIVEN_UP}
    assert found[6].reason == "no version was accepted within the rounds"
    repaired = {version.verdict.repaired for draft in found for version in draft.versions if version.verdict}
    assert repaired == {"", "taken out of the text round it"}
    page = (built / "questions.html").read_text()
    assert "<ins>" in page
    assert "It is a 10." in page
    assert "Version 3" in page


def test_the_data_set_is_read_as_published_data(built: Path) -> None:
    folder = built / "dataset"
    rows = json.loads((folder / "questions.json").read_text())
    assert len(rows) == 6
    items = BENCHMARK.items(BENCHMARK.settings(model="oracle", data=str(folder)))
    assert [item.id for item in items] == [row["qid"] for row in rows]
    assert [item.answer for item in items] == [row["choices"]["ABCD".index(row["answer"])] for row in rows]
    settings = BENCHMARK.settings(model="oracle", data=str(folder))
    assert BENCHMARK.picture(items[0].pictures[0], settings).startswith(b"\x89PNG")
    assert "6 multiple-choice questions" in (folder / "README.md").read_text()


def test_the_parquet_file_holds_the_same_questions(built: Path) -> None:
    pytest.importorskip("pyarrow", reason="pip install -e '.[data]'")
    (whole,) = (built / "dataset" / "data").glob("*.parquet")
    settings = BENCHMARK.settings(model="oracle", data=str(whole), partial=True)
    items = BENCHMARK.items(settings)
    assert [item.id for item in items] == [
        row["qid"] for row in json.loads((built / "dataset" / "questions.json").read_text())
    ]
    assert BENCHMARK.picture(items[0].pictures[0], settings).startswith(b"\x89PNG")


@pytest.mark.slow
def test_a_build_killed_in_round_two_ends_as_one_that_was_not(built: Path, tmp_path: Path) -> None:
    photos, out = pictures(tmp_path / "photos"), tmp_path / "run"
    with SlowCommand("evals.curation", tmp_path) as command:
        # Two questions take two calls each; the third one is written, judged and revised, and is being judged again.
        command.start_and_kill(photos, *ROLES, *OPTIONS, out=out, answers=7)
        killed = command.asked()
        confirmed = RunDirectory.open(out).config["settings"]["model"]
        process = command.start("--resume", out, photos, "--model", confirmed, *ROLES, "--concurrency", "1")
        assert process.wait() == 0, command.said()
        resumed = command.asked()
    assert len(killed) == 8
    asked = [*killed[:-1], *resumed]
    assert len(asked) == len(set(asked)) == sum(CALLS.values())
    for name in WRITTEN:
        assert (out / name).read_bytes() == (built / name).read_bytes(), name


@pytest.mark.slow
def test_a_server_with_faults_gives_the_same_build(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with Loopback(served) as server:
        server.faults = sometimes(0.3, seed=4)
        spec = f"openai:any@{server.url}"
        roles = ("--generator", spec, "--judge", spec, "--reviser", spec)
        words = [str(pictures(tmp_path / "photos")), *roles, "--per-image", "1", "--requests", "4"]
        assert main([*words, "--out", str(tmp_path / "run")]) == 0
        assert len(server.seen) > 1.2 * sum(CALLS.values())
    for name in ("rounds.csv", "issues.csv", "versions.jsonl"):
        assert (tmp_path / "run" / name).read_bytes() == (built / name).read_bytes(), name


OWN = """
from evals.curation.drafts import Finding
from evals.curation.graph import Curator

NEEDS = "question"

def odd(candidate):
    return (Finding("odd", "scene 1 is not wanted"),) if "scene 1" in candidate.question else ()

def build():
    \"\"\"Two versions at the most, and another check.\"\"\"
    return Curator(rubric="0-10: taste", stop=lambda draft: len(draft.versions) > 1, checks=(odd,)).graph()
"""


def test_another_pipeline_is_a_file_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(OWN)
    out = tmp_path / "run"
    words = [str(pictures(tmp_path / "photos")), *ROLES, "--per-image", "1", "--agent", f"{tmp_path / 'mine.py'}:build"]
    # The first question is refused twice; its second version has no score in the table.
    assert main([*words, "--limit", "7", "--out", str(out)]) in (0, 1)
    found = {draft.last.candidate.question[30:38]: draft for draft in drafts(out)}
    assert max(len(draft.versions) for draft in found.values()) == 2
    assert {draft.reason for draft in found.values() if draft.status is Status.GIVEN_UP} == {"the score does not rise"}
    assert "0-10: taste" in (out / "prompts.jsonl").read_text()


def test_a_run_is_listed_round_by_round(built: Path) -> None:
    found = rounds([draft for one in made_by(RunDirectory.open(built)) for draft in one.drafts])
    assert [one.needing for one in found] == [6, 4, 2]
    assert rounds([]) == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nowhere"], "nowhere: there is no such folder of pictures"),
        (["--per-image", "5-2"], "--per-image is a number or two, such as 2-5, not '5-2'"),
        (["--sub-type", "spacial"], "no sub-type 'spacial'. Sub-types: Action Recognition, "),
        (["--accept", "11"], "--accept: input should be less than or equal to 10"),
    ],
)
def test_what_cannot_be_used_is_one_line(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main([*words, "--out", str(tmp_path / "run")]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"error: {message}")
    assert error.count("\n") == 1


def test_simulated_models_know_only_our_pictures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(pictures(tmp_path / "photos")), "--out", str(tmp_path / "run")]) == 2
    assert "is simulated and knows our own pictures only" in capsys.readouterr().err


def test_no_picture_is_no_set(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "notes.txt").write_text("x")
    assert main([str(tmp_path / "photos"), *ROLES]) == 2
    assert "has no pictures" in capsys.readouterr().err
    (tmp_path / "photos" / "a.png").write_bytes(b"no picture")
    assert main([str(tmp_path / "photos"), *ROLES]) == 2
    assert "a.png is no picture" in capsys.readouterr().err


def test_a_dry_run_counts_and_asks_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [str(pictures(tmp_path / "photos")), *ROLES, "--per-image", "1"]
    assert main([*words, "--dry-run"]) == 0
    assert "8 episodes" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["A", "[1]", '[{"id": "1"}]'])
def test_an_agent_that_hands_in_something_else_has_made_nothing(tmp_path: Path, text: str) -> None:
    out = tmp_path / "run"
    assert main(["--agent", "answer", "--model", f"scripted:{text}", "--limit", "1", "--out", str(out)]) == 0
    result = json.loads((out / "results.jsonl").read_text())
    assert (result["value"], result["failure"]) == (0.0, "no_answer")
