"""`langgraph dev`, really started on loopback, in an environment with a `models.py` beside its console scripts."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

import pytest

from evals.guard import ROOMS
from tests.conftest import ROOT
from tests.console_scripts import Environment, quiet_environment

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (os.environ.get("CI") or find_spec("langgraph_api")),
        reason="`langgraph dev` is not installed: pip install -e '.[studio]'",
    ),
]

PATIENCE = 120
"""How many seconds the server may take to start."""
LANGGRAPH = "import sys\nfrom langgraph_cli.cli import cli\nsys.exit(cli())\n"
"""The console script that pip makes of langgraph-cli."""
QUIET = {"LANGGRAPH_CLI_NO_ANALYTICS": "1", "LANGSMITH_TRACING": "false", "LANGCHAIN_TRACING_V2": "false"}


class Studio:
    """A server in a process of its own, and its HTTP API."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.log = folder / "checkout", folder / "log"
        for room in ROOMS:
            shutil.copytree(ROOT / room, self.folder / room, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "langgraph.json", self.folder)
        self._environment = Environment(folder / "environment")
        self._script = self._environment.script("langgraph", LANGGRAPH)

    def start(self) -> None:
        """Start the server and wait until it serves."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        words = ["dev", "--no-browser", "--no-reload", "--host", "127.0.0.1", "--port", str(self.port)]
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                [self._environment.python, self._script, *words],
                cwd=self.folder,
                env={**quiet_environment(), **QUIET},
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        deadline = time.monotonic() + PATIENCE
        while not self._serves():
            assert self._process.poll() is None, f"it ended by itself:\n{self.log.read_text()[-3000:]}"
            assert time.monotonic() < deadline, f"it does not serve:\n{self.log.read_text()[-3000:]}"
            time.sleep(0.1)

    def stop(self) -> None:
        """Stop the server, which writes its threads to disk."""
        self._process.terminate()
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _serves(self) -> bool:
        try:
            return bool(self.ask("/ok")["ok"])
        except URLError:
            return False

    def text(self, path: str, body: object = None) -> str:
        """What the server replies."""
        data = None if body is None else json.dumps(body).encode()
        request = Request(f"http://127.0.0.1:{self.port}{path}", data, {"Content-Type": "application/json"})
        with urlopen(request, timeout=PATIENCE) as response:
            return str(response.read().decode())

    def ask(self, path: str, body: object = None) -> Any:
        """What the server replies, as JSON."""
        return json.loads(self.text(path, body))

    def run(self, graph: str, thread: str = "", **context: object) -> Any:
        """Run a graph to its end; its result."""
        place = f"/threads/{thread}" if thread else ""
        return self.ask(f"{place}/runs/wait", {"assistant_id": graph, "input": {}, "context": context})


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    studio = Studio(tmp_path_factory.mktemp("studio"))
    try:
        studio.start()
        yield studio
    finally:
        studio.stop()


def test_a_run_says_how_the_episode_ended(server: Studio) -> None:
    result = server.run("ground_mem", episode="simple_01", model="oracle")
    assert set(result) == {"memory", "ended"}
    assert result["ended"] == {"reason": "finished", "detail": "", "step": 4}


def test_all_graphs_are_offered_with_what_can_be_chosen(server: Studio) -> None:
    assistants = server.ask("/assistants/search", {"limit": 100})
    assert {one["graph_id"] for one in assistants} == set(json.loads((ROOT / "langgraph.json").read_text())["graphs"])
    schemas = server.ask(f"/assistants/{assistants[0]['assistant_id']}/schemas")
    assert {"benchmark", "episode", "model", "domain"} <= set(schemas["context_schema"]["properties"])
    assert not schemas["input_schema"].get("properties")


def test_an_agent_that_looks_can_act_in_a_home(server: Studio) -> None:
    """Nothing of ours may block the server's event loop, which would end the run."""
    result = server.run("ground_belief", domain="household", model="sim:gpt-4.1", fail_probability=0.1)
    assert result["ended"]["reason"] in ("finished", "step_limit")
    seen = server.run("ground", episode="simple_01", model="pixels")
    assert seen["ended"]["reason"] == "finished"


def test_what_cannot_be_played_is_named(server: Studio) -> None:
    error = server.run("plan", episode="simple_77")["__error__"]
    assert "no episode 'simple_77'. Did you mean" in error["message"]


def test_a_thread_is_there_after_a_restart(server: Studio) -> None:
    """What is kept on disk is read before anything of ours is imported, so that it must not need our classes."""
    thread = server.ask("/threads", {})["thread_id"]
    options = {"stream_mode": ["values", "updates", "debug", "custom"], "stream_subgraphs": True}
    streamed = server.text(f"/threads/{thread}/runs/stream", {"assistant_id": "hybrid", "input": {}, **options})
    assert "event: error" not in streamed
    before = server.ask(f"/threads/{thread}/state")["values"]
    server.stop()
    server.start()
    assert server.ask(f"/threads/{thread}/state")["values"] == before
    assert before["ended"]["reason"] == "finished"
    assert server.run("plan", thread, model="oracle", steps=1)["ended"]["reason"] == "step_limit"
