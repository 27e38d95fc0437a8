"""LangSmith, where its variables are set: graphs, nodes and questions arrive; keys and the bytes of pictures do not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.evals.collectors import collecting
from tests.evals.test_network import KEY
from tests.loopback import Loopback

LANGSMITH_KEY = "lsv2_pt_0123456789abcdef"


def play(folder: Path, collector: str, *words: str) -> None:
    """A run in a process of its own: LangSmith reads its variables once."""
    told = {
        "LANGSMITH_TRACING": "true",
        "LANGSMITH_ENDPOINT": collector,
        "LANGSMITH_API_KEY": LANGSMITH_KEY,
        "LANGSMITH_PROJECT": "plumb",
        "OPENAI_API_KEY": KEY,
    }
    command = [sys.executable, "-m", "evals.viplan", *words, "--out", str(folder)]
    ran = subprocess.run(command, cwd=ROOT, env={**os.environ, **told}, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr


@pytest.mark.slow
def test_graphs_nodes_and_questions_arrive(tmp_path: Path) -> None:
    with collecting() as collector, Loopback(lambda body: "No") as server:
        server.key = KEY
        words = ("--agent", "ground", "--split", "simple", "--limit", "1", "--model", f"openai:any@{server.url}")
        play(tmp_path / "run", collector.url, *words)
        runs, everything = collector.runs(), collector.everything()
        questions = server.count
    graphs = [run for run in runs.values() if "parent_run_id" not in run]
    nodes = [run for run in runs.values() if run["run_type"] == "chain" and "parent_run_id" in run]
    asked = [run for run in runs.values() if run["run_type"] == "llm"]
    assert [run["name"] for run in graphs] == ["ground simple_00"]
    assert {run["name"] for run in nodes} >= {"ground", "plan"}
    assert len(asked) == questions > 50
    by_id = {run["id"]: run for run in nodes}
    for run in asked:
        assert by_id[run["parent_run_id"]]["name"] in ("ground", "check", "verify")
        assert run["outputs"]["messages"] == [{"role": "assistant", "content": "No"}]
        assert run["outputs"]["usage_metadata"]["total_tokens"] > 0
        assert run["extra"]["metadata"]["ls_model_name"]
        (picture,) = (
            part for message in run["inputs"]["messages"] for part in message["content"] if "[picture" in part["text"]
        )
        assert picture["text"].startswith("[picture sha256:")
    for secret in (KEY.encode(), LANGSMITH_KEY.encode(), b"iVBOR", b"base64", b"Bearer"):
        assert secret not in everything
