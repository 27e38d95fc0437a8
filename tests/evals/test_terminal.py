"""What goes to a terminal: text of runs and servers shows, and never acts; a terminal without a letter ends nothing."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from evals.pages.tables import as_csv, as_latex, as_markdown, print_table
from evals.pages.tables.table import Cell, Column, Table
from evals.pages.terminal import Inert, console, inert
from tests.conftest import ROOT
from tests.loopback import Fault, Loopback, always

HOSTILE = "\x1b]0;title\x07\x1b[2J\x9b31m\x7f\r\u202e\ud800[/x][red]"
ACTS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e\ud800]")


def test_control_characters_are_shown() -> None:
    assert inert("\x1b[31m\x07\x7f\x9b\u202e\ud800\r") == "␛[31m␇␡\ufffd\ufffd\ufffd␍"
    assert inert("one\ttwo\nthrée ✓") == "one\ttwo\nthrée ✓"


def test_a_stream_takes_inert_text_only() -> None:
    raw = io.StringIO()
    print(HOSTILE, HOSTILE, file=Inert(raw))  # type: ignore[arg-type]
    assert not ACTS.search(raw.getvalue())
    assert raw.getvalue().endswith("\n")


@pytest.mark.parametrize("write", [as_csv, as_latex, as_markdown])
def test_tables_in_files_are_inert(write: object) -> None:
    table = Table("name", (Column(f"=1{HOSTILE}"),), ((Cell(f"=cmd{HOSTILE}"),), (Cell(HOSTILE),)), HOSTILE, (HOSTILE,))
    text = write(table)  # type: ignore[operator]
    assert not ACTS.search(text)
    if write is as_csv:
        assert "\n'=cmd" in text


def test_tables_in_a_terminal_are_inert_and_in_colour() -> None:
    out = io.StringIO()
    screen = console(file=out, width=200)
    screen._force_terminal = True
    table = Table("name", (Column("a"),), ((Cell(HOSTILE, bold=True),),), f"title {HOSTILE}", (HOSTILE,))
    print_table(table, screen)
    screen.print(f"text {HOSTILE}", markup=False)
    said = out.getvalue()
    assert "\x1b]0" not in said
    assert "\x1b[2J" not in said
    assert "[/x][red]" in said
    assert not ACTS.search(re.sub("\x1b\\[[0-9;]*m", "", said))


def run(*words: object, **environment: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", *map(str, words)]
    environ = {**os.environ, **environment}
    return subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, timeout=120, check=False)


@pytest.mark.slow
def test_what_a_server_says_does_not_act(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body = b'{"error": {"message": "\\u001b]0;title\\u0007 \\u009b31m [/x] no"}}'
    monkeypatch.setattr("tests.loopback.error_body", lambda *words, **more: body)
    with Loopback() as server:
        server.faults = always(Fault.MALFORMED)
        words = ("evals.viplan", "--agent", "ground", "--limit", 1, "--split", "simple", "--out", tmp_path / "run")
        ran = run(*words, "--model", f"openai:any@{server.url}")
    assert ran.returncode == 3
    assert b"no" in ran.stderr
    assert not ACTS.search(ran.stderr.decode())


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_terminal_of_another_encoding_is_no_error(encoding: str) -> None:
    ran = run("evals.viplan", "--agent", "list", "--model", "list", PYTHONIOENCODING=encoding, LC_ALL="C")
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert b"openai:MODEL[@URL]" in ran.stdout
