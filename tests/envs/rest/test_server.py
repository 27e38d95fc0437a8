"""The server over a real socket, by a client that knows nothing of our code."""

from __future__ import annotations

import base64
import http.client
import io
import json
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest
from PIL import Image

from envs.blocksworld import catalogue
from envs.rest.server import LONGEST_REQUEST, serve
from envs.serve import main

START = {"task": "simple", "scene_id": "table", "instance_id": 3}


class Client:
    """Speaks the protocol as the original's client does."""

    def __init__(self, port: int) -> None:
        self.port = port

    def send(self, method: str, path: str, body: bytes | None = None, **headers: str) -> tuple[int, Any]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            return response.status, json.loads(response.read())
        finally:
            connection.close()

    def get(self, path: str) -> tuple[int, Any]:
        return self.send("GET", path)

    def post(self, path: str, body: object) -> tuple[int, Any]:
        return self.send("POST", path, json.dumps(body).encode(), **{"Content-Type": "application/json"})


@contextmanager
def serving() -> Iterator[Client]:
    with serve(catalogue, "127.0.0.1", 0, seed=0) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        yield Client(server.server_address[1])
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with serving() as client:
        yield client


def test_a_task_is_played_to_its_first_move(client: Client) -> None:
    assert client.post("/reset", START) == (200, {"success": True})
    status, before = client.get("/get_state")
    assert status == 200
    picture = Image.open(io.BytesIO(base64.b64decode(before["image"])))
    assert (picture.format, picture.size) == ("PNG", (480, 480))
    state = before["symbolic_state"]
    assert set(state) == {"on", "clear", "incolumn", "leftof", "rightof"}
    block = next(block for block, clear in state["clear"].items() if clear)
    column = next(pair.split(",")[1] for pair, there in state["incolumn"].items() if f"{block}," in pair and not there)
    status, after = client.post("/execute_action", {"action": "moveblock", "params": [block, column]})
    assert (status, after["success"], after["info"]) == (200, True, "success")
    assert after["symbolic_state"]["incolumn"][f"{block},{column}"] is True
    assert after["image"] != before["image"]
    assert client.get("/get_state")[1] == {"symbolic_state": after["symbolic_state"], "image": after["image"]}
    assert set(client.get("/get_visible_objects")[1]["objects"]) >= {block, column}


def test_an_illegal_action_is_told_and_changes_nothing(client: Client) -> None:
    client.post("/reset", START)
    state = client.get("/get_state")[1]["symbolic_state"]
    here = next(pair.split(",") for pair, there in state["incolumn"].items() if there)
    status, came = client.post("/execute_action", {"action": "moveblock", "params": here})
    assert (status, came["success"], came["info"]) == (200, False, "not legal")
    assert came["symbolic_state"] == state


def test_every_listed_task_is_known(client: Client) -> None:
    tasks = client.get("/tasks")[1]["tasks"]
    assert len(tasks) == 75
    assert START in tasks


@pytest.mark.parametrize(
    ("path", "body", "reason"),
    [
        ("/reset", {"task": "simpel", "scene_id": "table", "instance_id": 0}, "Did you mean 'simple'"),
        ("/reset", {"task": "simple", "scene_id": "Rs_int", "instance_id": 0}, "no scene_id 'Rs_int'"),
        ("/reset", {"task": "simple", "scene_id": "table", "instance_id": 99}, "no instance 99"),
        ("/reset", {"task": "simple"}, "scene_id: Field required"),
        ("/reset", {**START, "instance_id": "3"}, "instance_id: Input should be a valid integer"),
        ("/reset", [], "the body: "),
        ("/execute_action", {"action": "fly", "params": []}, "no action 'fly'"),
        ("/execute_action", {"action": "moveblock", "params": ["r"]}, "takes 2 arguments"),
        ("/execute_action", {"action": "moveblock", "params": ["c1", "c2"]}, "'c1' is not a block"),
        ("/execute_action", {"action": "moveblock", "params": "r,c1"}, "params: Input should be a valid list"),
        ("/execute_action", {"action": "moveblock", "params": ["r", 1]}, "params.1: Input should be a valid string"),
        ("/execute_action", {"action": "moveblock", "parameters": []}, "parameters: Extra inputs"),
    ],
)
def test_a_bad_request_gets_a_reason_and_leaves_the_world(client: Client, path: str, body: object, reason: str) -> None:
    client.post("/reset", START)
    before = client.get("/get_state")
    status, answer = client.post(path, body)
    assert status == 400
    assert reason in answer["detail"]
    assert client.get("/get_state") == before


@pytest.mark.parametrize(
    ("body", "headers", "reason"),
    [
        (b"{", {"Content-Type": "application/json"}, "not JSON"),
        (b"\xff\xfe", {"Content-Type": "application/json"}, "not JSON"),
        (b"[" * 100_000, {"Content-Type": "application/json"}, "not JSON"),
        (json.dumps(START).encode(), {"Content-Type": "text/plain"}, "Content-Type"),
        (json.dumps(START).encode(), {}, "Content-Type"),
        (None, {"Content-Type": "application/json", "Content-Length": str(LONGEST_REQUEST + 1)}, "at most"),
        (None, {"Content-Type": "application/json", "Content-Length": "-5"}, "at most"),
    ],
)
def test_rubbish_is_refused(client: Client, body: bytes | None, headers: dict[str, str], reason: str) -> None:
    status, answer = client.send("POST", "/reset", body, **headers)
    assert status == 400
    assert reason in answer["detail"]


def test_the_body_of_a_refused_request_is_not_taken_for_another(client: Client) -> None:
    client.post("/reset", START)
    before = client.get("/get_state")
    other = json.dumps({**START, "instance_id": 4}).encode()
    head = b"POST /reset HTTP/1.1\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n"
    hidden = head % (b"application/json", len(other)) + other
    with socket.create_connection(("127.0.0.1", client.port), timeout=30) as plain:
        plain.sendall(head % (b"text/plain", len(hidden)) + hidden)
        answers = b"".join(iter(lambda: plain.recv(65536), b""))
    assert answers.count(b"HTTP/1.1 ") == 1
    assert client.get("/get_state") == before


def test_nothing_stands_before_the_first_reset() -> None:
    with serving() as client:
        status, answer = client.get("/get_state")
    assert status == 400
    assert "/reset first" in answer["detail"]


def test_paths_and_methods_are_told_apart(client: Client) -> None:
    assert client.get("/../../etc/passwd")[0] == 404
    assert client.get("/reset") == (405, {"detail": "/reset takes POST, not GET"})
    for method in ("PUT", "PATCH", "DELETE", "OPTIONS"):
        assert client.send(method, "/get_state") == (405, {"detail": f"/get_state takes GET, not {method}"})


@pytest.mark.usefixtures("interruptible")
def test_the_command_serves_until_it_is_interrupted() -> None:
    command = [sys.executable, "-m", "envs.serve", "blocksworld", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        told = process.stdout.readline()
        assert told.startswith("blocksworld at http://127.0.0.1:")
        port = int(told.split("127.0.0.1:")[1].split(";")[0])
        assert len(Client(port).get("/tasks")[1]["tasks"]) == 75
        process.send_signal(signal.SIGINT)
        try:
            assert process.wait(timeout=30) == 0
        finally:
            # Otherwise the end of the block would wait for it for ever.
            process.kill()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [(["blocksword"], "Did you mean 'blocksworld'"), (["blocksworld", "--port", "99999"], "cannot bind to")],
)
def test_a_mistake_at_the_command_line_is_one_line(
    arguments: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(arguments)
    assert reason in capsys.readouterr().err.splitlines()[-1]


@pytest.mark.parametrize(
    ("bound", "host", "answered"),
    [
        ("127.0.0.1", "localhost:{}", True),
        ("127.0.0.1", "127.0.0.1:{}", True),
        ("127.0.0.1", "evil.example:{}", False),
        ("127.0.0.1", "192.168.7.7:{}", False),
        ("127.0.0.1", "", False),
        ("127.0.0.1", "[::1", False),
        ("0.0.0.0", "192.168.7.7:{}", True),
        ("0.0.0.0", "evil.example:{}", False),
        ("0.0.0.0", f"{socket.gethostname()}:{{}}", True),
    ],
)
def test_it_answers_to_its_own_names_only(bound: str, host: str, answered: bool) -> None:
    with serve(catalogue, bound, 0, seed=0) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        port = server.server_address[1]
        status, said = Client(port).send("GET", "/tasks", Host=host.format(port))
        assert (status == 200) is answered, said
        if not answered:
            assert (status, said) == (421, {"detail": "this server answers to its own names only"})
        server.shutdown()
        thread.join()


@pytest.mark.slow
def test_clients_who_say_nothing_do_not_keep_others_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("envs.rest.server._RequestHandler.timeout", 0.5)
    monkeypatch.setattr("envs.rest.server.MOST_CLIENTS", 8)
    with serving() as client:
        idle = [socket.create_connection(("127.0.0.1", client.port)) for _ in range(30)]
        for one in idle:
            one.settimeout(30)
            with suppress(OSError):
                one.sendall(b"POST /reset HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n")
        for one in idle:  # each is let go of, sooner or later
            with suppress(ConnectionError):
                while one.recv(1000):
                    pass
            one.close()
        assert client.get("/tasks")[0] == 200
