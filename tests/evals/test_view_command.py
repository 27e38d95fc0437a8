"""The command: what it shows, what it exports, and one line about whatever is wrong."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from evals.view.__main__ import main
from evals.view.graph import END, START, layout, shape_of
from evals.view.replies import CHUNK, LONGEST, SHORT, Replies
from evals.view.shown import find_runs
from evals.view.site import Site
from planners.outcome import Planner
from tests.conftest import ROOT
from tests.viewing import make_run


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory, planner: Planner) -> Path:
    return make_run(tmp_path_factory.mktemp("runs") / "run", planner).path


@pytest.mark.usefixtures("interruptible")
def test_it_serves_until_it_is_stopped(finished: Path) -> None:
    command = [sys.executable, "-m", "evals.view", str(finished), "--port", "0"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout
        told = process.stdout.readline()
        found = re.fullmatch(r"1 run at (http://127\.0\.0\.1:\d+/) \(Ctrl-C ends it\)\n", told)
        assert found, told
        with urllib.request.urlopen(found[1], timeout=30) as page:
            assert b"Runs" in page.read()
        process.send_signal(signal.SIGINT)
        _, complaints = process.communicate(timeout=30)
    assert (process.returncode, complaints) == (0, "")


def test_the_default_is_every_run_in_runs(
    finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(finished, tmp_path / "runs" / "one")
    shutil.copytree(finished, tmp_path / "runs" / "two")
    (tmp_path / "runs" / "notes").mkdir()
    monkeypatch.chdir(tmp_path)
    assert main(["--export", "pages"]) == 0
    assert "open pages/index.html" in capsys.readouterr().out
    assert (tmp_path / "pages" / "two" / "index.html").is_file()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nowhere"], "nowhere: there is no such directory"),
        (["."], ".: there is no run in it"),
        (["run", "--export", "full"], "full is not empty"),
        (["run", "--export", "full/letter"], "full/letter is a file"),
        (["run", "--port", "70000"], "--port 70000 cannot be used: ports go from 0 to 65535. "),
        (["run", "--draw"], "--draw goes with --export"),
    ],
)
def test_what_is_wrong_is_one_line(
    finished: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    said: str,
) -> None:
    (tmp_path / "run").symlink_to(finished)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter").write_text("Dear Ada")
    if words == ["."]:
        (tmp_path / "run").unlink()
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1


def test_a_port_that_is_taken_is_said(finished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert main([str(finished), "--port", str(taken.getsockname()[1])]) == 2
    assert "cannot be used" in capsys.readouterr().err


def test_drawing_says_how_far_it_is(finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = shutil.copytree(finished, tmp_path / "other")
    assert main([str(finished), str(other), "--export", str(tmp_path / "pages"), "--draw"]) == 0
    said = [line for line in capsys.readouterr().err.splitlines() if line.startswith("drawing")]
    assert said == ["drawing run 1 of 2, run: 8 episodes", "drawing run 2 of 2, other: 8 episodes"]


@pytest.mark.slow
def test_a_picture_drawn_later_is_the_one_that_would_have_been_shown(tmp_path: Path) -> None:
    words = ["--agent", "ground", "--model", "oracle", "--split", "simple", "--limit", "1", "--fail-probability", "0.3"]
    for name, more in (("blind", []), ("drawn", ["--pictures"])):
        command = [sys.executable, "-m", "evals.viplan", *words, *more, "--out", str(tmp_path / name)]
        subprocess.run(command, cwd=ROOT, capture_output=True, check=True, timeout=300)
    (run,) = find_runs([tmp_path / "blind"])
    site = Site.of([run])
    (episode,) = (result.id for result in run.contents().results)
    played = site.played(run, episode)
    assert played
    pictures = {path.stem for path in (tmp_path / "drawn" / "pictures").glob("*.png")}
    # Backwards first: going back opens the world anew.
    numbers = range(len(played.scenes[0]))
    drawn = {n: site.get(f"blind/data/{episode}/drawn-{n}.png") for n in (*reversed(numbers), *numbers)}
    assert len(pictures) > 2
    assert {hashlib.sha256(content.body).hexdigest() for content in drawn.values() if content} == pictures
    assert main([str(tmp_path / "blind"), "--export", str(tmp_path / "pages"), "--draw"]) == 0
    kept = sorted((tmp_path / "pages" / "blind" / "data" / episode).glob("drawn-*.png"))
    assert len(kept) == len(numbers)
    assert {hashlib.sha256(path.read_bytes()).hexdigest() for path in kept} == pictures


GROUND = {"agent": "ground"}


def test_a_graph_runs_from_start_to_end() -> None:
    nodes, edges = shape_of({"settings": GROUND})
    drawn = layout(nodes, edges)
    assert drawn
    assert [node["name"] for node in drawn["nodes"]] == [START, "ground", "plan", "check", "act", "verify", END]
    assert {(edge["from"], edge["to"]) for edge in drawn["edges"]} == set(edges)
    for node in drawn["nodes"]:
        assert node["x"] >= 0
        assert node["x"] + node["width"] <= drawn["width"]
        assert node["y"] + node["height"] <= drawn["height"]


def test_every_edge_is_drawn_within_the_picture() -> None:
    chain = [f"n{number}" for number in range(8)]
    edges = [(a, b) for a in chain for b in chain]
    drawn = layout([START, *chain, END], [(START, "n0"), *edges, ("n7", END)])
    assert drawn
    for edge in drawn["edges"]:
        numbers = [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", edge["line"] + edge["tip"])]
        assert all(-5 <= number <= max(drawn["width"], drawn["height"]) + 5 for number in numbers)


@pytest.mark.parametrize(
    "graph",
    [
        {},
        {"nodes": 7, "edges": "x"},
        {"nodes": ["a"], "edges": [["a"], 5, ["a", "b"]]},
        {"nodes": ["x"] * 5000, "edges": []},
    ],
)
def test_a_graph_that_makes_no_sense_is_not_drawn_or_drawn_as_far_as_it_does(graph: dict[str, object]) -> None:
    nodes, edges = shape_of({"settings": {"agent": "nobody.py:build"}, "graph": graph})
    drawn = layout(nodes, edges)
    assert drawn is None or [node["name"] for node in drawn["nodes"]] == ["a"]


def test_replies_are_kept_once_and_in_files_of_a_bearable_size() -> None:
    replies = Replies()
    texts = ["short", "x" * (SHORT + 1), "short", *(f"{n} " * 30_000 for n in range(10, 20)), "y" * (LONGEST + 5)]
    numbers = [replies.add(text) for text in texts]
    assert numbers[0] == numbers[2]
    beginnings = replies.beginnings()
    assert beginnings[numbers[0]] == "short"
    found: dict[int, str] = {}
    for chunk in range(replies.chunks):
        inside = replies.chunk(chunk)
        assert sum(len(str(text)) for _, text in inside) <= CHUNK or len(inside) == 1
        found |= {int(str(number)): str(text) for number, text in inside}
    assert all(
        found[number] == text[:LONGEST] for number, text in zip(numbers, texts, strict=True) if len(text) > SHORT
    )
    assert json.dumps(beginnings)
