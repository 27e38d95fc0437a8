"""LangSmith, where its variables are set: graphs, nodes and questions arrive; keys and the bytes of pictures do not."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evals.run.directory import RunDirectory
from models._langsmith import HidePictures, without_pictures
from tests.conftest import ROOT
from tests.evals.collectors import collecting
from tests.evals.quiz import dot
from tests.evals.test_network import KEY
from tests.loopback import Loopback

LANGSMITH_KEY = "lsv2_pt_0123456789abcdef"


FAKE = 'langchain:langchain_core.language_models.fake_chat_models:FakeListChatModel?responses=["No"]'
IN_PYTHON = """
import sys
from pathlib import Path
from evals.play import play_run
from evals.viplan.benchmark import ViPlan

play_run(ViPlan(), agent="ground", split="simple", limit=1, model=sys.argv[1], out=Path(sys.argv[2]))
"""


def play(folder: Path, collector: str, *words: str) -> None:
    """A run in a process of its own: LangSmith reads its variables once."""
    run([sys.executable, "-m", "evals.viplan", *words, "--out", str(folder)], collector)


def run(command: list[str], collector: str) -> None:
    told = {
        "LANGSMITH_TRACING": "true",
        "LANGSMITH_ENDPOINT": collector,
        "LANGSMITH_API_KEY": LANGSMITH_KEY,
        "LANGSMITH_PROJECT": "plumb",
        "OPENAI_API_KEY": KEY,
    }
    ran = subprocess.run(command, cwd=ROOT, env={**os.environ, **told}, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr


@pytest.mark.slow
def test_graphs_nodes_and_questions_arrive(tmp_path: Path) -> None:
    with collecting() as collector, Loopback(lambda body: "No") as server:
        server.key = KEY
        model = f"openai:any@{server.url}?key_env=OPENAI_API_KEY"
        words = ("--agent", "ground", "--split", "simple", "--limit", "1", "--model", model)
        play(tmp_path / "run", collector.url, *words)
        runs, everything = collector.runs(), collector.everything()
        questions = server.count
    graphs = [run for run in runs.values() if "parent_run_id" not in run]
    nodes = [run for run in runs.values() if run["run_type"] == "chain" and "parent_run_id" in run]
    asked = [run for run in runs.values() if run["run_type"] == "llm"]
    assert [run["name"] for run in graphs] == ["ground simple_00"]
    assert {run["name"] for run in nodes} >= {"ground", "plan"}
    assert len(asked) == questions > 15
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


def from_the_command(folder: Path, collector: str) -> None:
    play(folder, collector, "--agent", "ground", "--split", "simple", "--limit", "1", "--model", FAKE)


def from_python(folder: Path, collector: str) -> None:
    run([sys.executable, "-c", IN_PYTHON, FAKE, str(folder)], collector)


@pytest.mark.slow
@pytest.mark.parametrize("how", [from_the_command, from_python])
def test_pictures_that_langchain_is_given_arrive_as_hashes(how: Callable[[Path, str], None], tmp_path: Path) -> None:
    with collecting() as collector:
        how(tmp_path / "run", collector.url)
        runs, everything = collector.runs(), collector.everything()
    pictures = {f"[picture sha256:{path.stem}]" for path in (tmp_path / "run" / "pictures").glob("*.png")}
    asked = [run for run in runs.values() if run["run_type"] == "llm"]
    questions = RunDirectory.open(tmp_path / "run").results()[0].asked
    assert len(asked) == questions > 15
    for run in asked:
        assert run["name"] == "FakeListChatModel"
        assert runs[run["parent_run_id"]]["run_type"] == "chain"
        (picture,) = re.findall(r"\[picture sha256:\w+\]", json.dumps(run["inputs"]))
        assert picture in pictures
    for secret in (b"iVBOR", b"\x89PNG", LANGSMITH_KEY.encode()):
        assert secret not in everything


PIXELS = base64.b64encode(b"pixels").decode()
NAMED = f"[picture sha256:{hashlib.sha256(b'pixels').hexdigest()}]"
PNG = base64.b64encode(dot(7)).decode()


@pytest.mark.parametrize(
    "block",
    [
        {"type": "image", "base64": PIXELS, "mime_type": "image/png"},
        {"type": "image", "source_type": "base64", "data": PIXELS, "mime_type": "image/png"},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PIXELS}},
        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PIXELS}"}},
        {"type": "image_url", "image_url": f"data:image/png;base64,{PIXELS}"},
        {"type": "input_image", "image_url": f"data:image/jpeg;base64,{PIXELS}"},
        {"type": "media", "data": PIXELS, "mime_type": "image/png"},
    ],
)
def test_a_picture_is_named_in_whatever_form_it_is_sent(block: dict[str, Any]) -> None:
    said = {"messages": [[{"kwargs": {"content": [{"type": "text", "text": "Is it so?"}, block]}}]]}
    content = without_pictures(said)["messages"][0][0]["kwargs"]["content"]
    assert content == [{"type": "text", "text": "Is it so?"}, {"type": "text", "text": NAMED}]


def test_a_picture_in_the_middle_of_words_is_named_too() -> None:
    named = f"[picture sha256:{hashlib.sha256(dot(7)).hexdigest()}]"
    assert without_pictures({"error": f"ValueError: {PNG} is too big"}) == {"error": f"ValueError: {named} is too big"}
    assert without_pictures([f"see data:image/png;base64,{PNG}."]) == [f"see {named}."]


def test_what_is_no_picture_stays() -> None:
    said = {
        "text": "iVBORw0KGgo is how a PNG begins",
        "number": 3,
        "none": None,
        "elsewhere": [{"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}],
    }
    assert without_pictures(said) == said


def test_what_a_client_hid_before_stays_hidden() -> None:
    hide = HidePictures(lambda content: {name: "***" if name == "key" else value for name, value in content.items()})
    assert hide({"key": "secret", "picture": f"data:image/png;base64,{PIXELS}"}) == {"key": "***", "picture": NAMED}
