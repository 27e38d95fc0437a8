"""Our agents' side: a world behind a server is the same world."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from envs.base import Outcome, WorldUnavailable
from envs.blocksworld import catalogue
from envs.blocksworld.world import Blocksworld
from envs.rest.client import RemoteWorld, Server
from envs.rest.server import serve
from envs.rest.wire import Reset
from planners.formula import State
from planners.outcome import Planner
from planners.task import Step, Task

TASK = Reset(task="simple", scene_id="table", instance_id=0)


class Told(Blocksworld):
    """A local world as the script of a remote one."""

    def hints(self, truth: State) -> tuple[str, ...]:
        return (f"{len(truth)} facts",)


def script() -> Told:
    from envs.blocksworld.problems import files, load

    return Told(load(files("simple", None)[0], "simple"))


@pytest.fixture
def server() -> Iterator[Server]:
    with serve(catalogue, "127.0.0.1", 0, seed=0) as serving:
        thread = threading.Thread(target=serving.serve_forever, args=(0.02,))
        thread.start()
        yield Server(f"http://127.0.0.1:{serving.server_address[1]}/")
        serving.shutdown()
        thread.join()


def test_a_remote_world_goes_the_way_of_the_local_one(server: Server, planner: Planner) -> None:
    local = script()
    plan = planner.solve(Task(local.domain, local.objects, local.truth(), local.goal)).plan
    assert plan
    remote = RemoteWorld(script(), TASK, server)
    reflexive = {atom for atom in local.truth() if len(set(atom.args)) < len(atom.args)}
    assert remote.prior == remote.truth() == local.truth() - reflexive
    for step in plan:
        assert remote.step(step) == local.step(step)
        assert remote.truth() == local.truth() - reflexive
        assert remote.happened() == "success"
    assert remote.step(Step("fly", ())).outcome is Outcome.UNKNOWN_ACTION
    assert remote.step(Step("moveblock", ("r",))).outcome is Outcome.BAD_PARAMETERS
    seen = remote.observe()
    assert seen.picture.png() == local.observe().picture.png()
    assert seen.visible == frozenset(local.objects)
    assert seen.hints == (f"{len(remote.truth())} facts",)


def test_a_task_that_starts_takes_the_server(server: Server) -> None:
    first = RemoteWorld(script(), TASK, server)
    RemoteWorld(script(), TASK, server)
    with pytest.raises(WorldUnavailable, match="one at a time"):
        first.observe()


def test_a_task_that_the_server_does_not_have_is_its_fault(server: Server) -> None:
    with pytest.raises(WorldUnavailable, match="400: no task 'tidying'"):
        RemoteWorld(script(), Reset(task="tidying", scene_id="table"), server)


def test_a_dead_server_is_named() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(WorldUnavailable, match=f"POST {url}/reset got no answer"):
            RemoteWorld(script(), TASK, Server(url))


def test_an_address_that_is_none_is_told_as_a_server_that_is_not_there() -> None:
    with pytest.raises(WorldUnavailable, match="nonnumeric port: 'eighty'"):
        RemoteWorld(script(), TASK, Server("http://127.0.0.1:eighty"))


def test_an_address_is_checked_at_once() -> None:
    with pytest.raises(ValueError, match="must start with http"):
        Server("file:///etc/passwd")


@pytest.fixture
def impostor() -> Iterator[Callable[[str], Server]]:
    """A server that gives the same answer to everything."""
    running: list[tuple[HTTPServer, threading.Thread]] = []

    def start(answer: str) -> Server:
        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.send_response(200)
                self.end_headers()
                self.wfile.write(answer.encode())

            do_GET = do_POST  # noqa: N815

            def log_message(self, format: str, *args: object) -> None:
                pass

        serving = HTTPServer(("127.0.0.1", 0), Handler)
        thread = threading.Thread(target=serving.serve_forever, args=(0.02,))
        thread.start()
        running.append((serving, thread))
        return Server(f"http://127.0.0.1:{serving.server_address[1]}")

    yield start
    for serving, thread in running:
        serving.shutdown()
        thread.join()
        serving.server_close()


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("<html>hello</html>", "answered with something else"),
        (json.dumps({"success": False}), "could not start simple in table, instance 0"),
        (json.dumps({"success": True}), "symbolic_state Field required"),
        (json.dumps({"success": True, "symbolic_state": {}, "image": "?"}), "not base64"),
    ],
)
def test_an_answer_that_nobody_understands_is_told(impostor: Callable[[str], Server], answer: str, reason: str) -> None:
    with pytest.raises(WorldUnavailable, match=reason):
        RemoteWorld(script(), TASK, impostor(answer))
