"""Agents in a home that a server has: the same episodes as in a home of their own."""

from __future__ import annotations

import json
import socket
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from envs.household import catalogue
from envs.household.problems import files, load
from envs.household.remote import RemoteHousehold, RemoteTask, address, tasks_of_original
from envs.household.world import Household
from envs.rest.client import Server
from envs.rest.server import serve
from evals.viplan.__main__ import main
from planners.outcome import Planner
from planners.pddl import PddlError
from planners.task import Step, Task


@pytest.fixture
def url() -> Iterator[str]:
    with serve(catalogue, "127.0.0.1", 0, seed=0) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


@pytest.mark.slow
@pytest.mark.parametrize("official", [False, True])
def test_a_home_behind_a_server_is_the_same_home(url: str, official: bool, planner: Planner) -> None:
    problem = load(files("simple")[0], "simple")
    local = Household(problem, seed=0, official=official)
    remote = RemoteHousehold(RemoteTask.ours(problem), Server(url), rules_of_original=official)
    assert remote.prior == local.prior
    plan = planner.solve(Task(local.domain, local.objects, local.truth(), local.goal)).plan
    assert plan
    for step in (*plan, plan[-1], Step("grasp", ("nothing_1",)), Step("dance", ())):
        assert remote.step(step) == local.step(step)
        assert remote.truth() == local.truth()
        here, there = local.observe(), remote.observe()
        assert (here.visible, here.hints, here.unseen) == (there.visible, there.hints, there.unseen)
        assert here.picture.png() == there.picture.png()


def asked(url: str, path: str, body: object = None) -> tuple[int, dict[str, Any]]:
    """As a client that knows nothing of our code."""
    content = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url + path, content, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)


@pytest.mark.slow
def test_what_makes_no_sense_in_a_home_is_refused_and_the_home_stays_as_it_was(url: str) -> None:
    start = {"task": "locking_every_door_simple", "scene_id": "wing", "instance_id": 0}
    assert asked(url, "/reset", start) == (200, {"success": True})
    drive = {"action": "navigate-to", "params": ["door_1"]}
    status, came = asked(url, "/execute_action", drive)
    assert (status, came["success"], came["info"]) == (200, True, "success")
    assert came["symbolic_state"]["reachable"]["door_1"] is True
    assert "door_1" in asked(url, "/get_visible_objects")[1]["objects"]
    before = asked(url, "/get_state")
    assert before[1] == {"image": came["image"], "symbolic_state": came["symbolic_state"]}
    for path, body, reason in (
        ("/reset", {**start, "task": "locking_every_dor_simple"}, "Did you mean 'locking_every_door_simple'"),
        ("/reset", {**start, "scene_id": "Rs_int"}, "no scene_id 'Rs_int'"),
        ("/execute_action", {"action": "dance", "params": []}, "no action 'dance'"),
        ("/execute_action", {**drive, "params": []}, "takes 1 arguments, not 0"),
        ("/execute_action", {**drive, "params": ["moon_1"]}, "'moon_1' is not"),
    ):
        status, told = asked(url, path, body)
        assert (status, reason in told["detail"]) == (400, True), told
    assert asked(url, "/get_state") == before
    status, came = asked(url, "/execute_action", {"action": "open-container", "params": ["door_1"]})
    assert (status, came["success"], came["info"]) == (200, False, "not legal")
    assert asked(url, "/get_state") == before


def results(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / "results.jsonl").read_text().splitlines()]


def test_every_problem_has_an_address_of_its_own() -> None:
    problems = [load(file, split) for split in ("simple", "medium", "hard") for file in files(split)]
    assert len({str(address(problem)) for problem in problems}) == len(problems) == 75
    assert catalogue.tasks() == [address(problem) for problem in problems]


@pytest.mark.slow
@pytest.mark.parametrize("agent", ["ground", "plan"])
@pytest.mark.parametrize("rules", ["mended", "official"])
def test_episodes_are_played_in_what_a_server_has(url: str, agent: str, rules: str, tmp_path: Path) -> None:
    words = (
        f"--domain household --env-url {url} --agent {agent} --rules {rules} --model oracle --split simple --limit 2"
    )
    assert main([*words.split(), "--out", str(tmp_path / "run")]) == 0
    played = results(tmp_path / "run")
    assert len(played) == 2
    assert all(result["reason"] in ("finished", "step_limit") and result["steps"] for result in played)
    assert json.loads((tmp_path / "run" / "run.json").read_text())["settings"]["env_url"] == url


def refusal(words: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(words.split()) == 2
    return capsys.readouterr().err


def test_a_server_that_is_not_there_is_told_before_anything_is_asked(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        told = refusal(f"--domain household --env-url {url} --model oracle", capsys)
    assert "got no answer" in told
    assert "--viplan-root" in told


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("--env-url http://127.0.0.1:1", "goes with --domain household"),
        ("--domain household --env-url ftp://x", "must start with http"),
        ("--domain household --env-url http://me:secret@127.0.0.1:1", "leave user and password out"),
        ("--domain household --env-url http://127.0.0.1:1 --problems here", "--problems is for homes of our own"),
        ("--domain household --env-url http://127.0.0.1:1 --viplan-root nowhere", "no folder nowhere"),
    ],
)
def test_what_does_not_fit_is_one_line(words: str, reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    told = refusal(f"{words} --model oracle", capsys)
    assert reason in told
    assert "secret" not in told


def test_the_originals_tasks_are_read_with_their_scenes(shared: Path, tmp_path: Path) -> None:
    place = tmp_path / "data" / "planning"
    place.mkdir(parents=True)
    (place / "igibson").symlink_to(shared / "data" / "viplan" / "household")
    tasks = {split: tasks_of_original(tmp_path, split) for split in ("simple", "medium", "hard")}
    assert [len(found) for found in tasks.values()] == [25, 25, 25]
    first = next(task for task in tasks["hard"] if task.id == "organizing_file_cabinet_hard_Beechwood_0_int_20")
    assert (first.reset.task, first.reset.scene_id, first.reset.instance_id) == (
        "organizing_file_cabinet",
        "Beechwood_0_int",
        20,
    )
    assert first.objects["cabinet_1"] == "container"
    assert len({task.id for found in tasks.values() for task in found}) == 75


def test_a_broken_list_of_scenes_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "planning" / "igibson" / "simple"
    folder.mkdir(parents=True)
    with pytest.raises(FileNotFoundError, match=r"there is no .*metadata\.json"):
        tasks_of_original(tmp_path, "simple")
    (folder / "metadata.json").write_text('{"a.pddl": []}')
    with pytest.raises(PddlError, match=r"metadata\.json: cannot be used"):
        tasks_of_original(tmp_path, "simple")
