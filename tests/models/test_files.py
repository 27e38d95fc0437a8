"""Files that specs name: whatever is in them, or instead of them, is one line and no waiting."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from models.prices import read_prices
from models.recorded.reading import RecordError, read_file
from models.registry import load_model
from tests.conftest import ROOT

DEEP = b"[" * 100_000 + b"]" * 100_000
CONTENTS = {
    "nested": (DEEP, "nested too deeply"),
    "nested in an object": (b'{"a": ' * 50_000 + b"1" + b"}" * 50_000, "nested too deeply"),
    "latin-1": ('{"grün": "Ja"}'.encode("latin-1"), "it is no text in UTF-8 (byte 4)"),
    "half a file": (b'{"*": "Yes', "broken JSON"),
    "nothing": (b"", "broken JSON"),
    "zeros": (bytes(100), "broken JSON"),
    "a number too long": (b'{"*": ' + b"1" * 10_000 + b"}", "broken JSON"),
}


@pytest.mark.parametrize("provider", ["scripted", "replay"])
@pytest.mark.parametrize("name", CONTENTS)
def test_content_that_is_none_is_one_line(tmp_path: Path, provider: str, name: str) -> None:
    content, words = CONTENTS[name]
    file = tmp_path / "answers.json"
    file.write_bytes(content)
    with pytest.raises(ValueError, match=r"answers\.json: ") as refused:
        load_model(f"{provider}:{file}")
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", ["token", "use_auth_token"])
def test_a_token_of_the_hub_does_not_belong_in_a_spec(name: str) -> None:
    with pytest.raises(ValueError, match=r"must not hold a token.*set HF_TOKEN") as refused:
        load_model(f'hf:some/model?model={{"{name}": "hf_abcdefgh"}}')
    assert "abcdefgh" not in str(refused.value)


@pytest.mark.parametrize("provider", ["scripted", "replay"])
@pytest.mark.parametrize("what", ["pipe", "folder", "loop", "nothing"])
def test_what_is_no_file_is_not_waited_for(tmp_path: Path, provider: str, what: str) -> None:
    file = tmp_path / "answers.json"
    if what == "pipe":
        os.mkfifo(file)
    elif what == "folder":
        file.mkdir()
    elif what == "loop":
        file.symlink_to(file)
    with pytest.raises(ValueError, match=r"answers\.json: ") as refused:
        load_model(f"{provider}:{file}")
    assert "\n" not in str(refused.value)


def test_text_in_another_unicode_is_read(tmp_path: Path) -> None:
    for encoding in ("utf-8-sig", "utf-16"):
        (tmp_path / "answers.json").write_text('{"*": "Ja, grün"}', encoding=encoding)
        assert load_model(f"scripted:{tmp_path / 'answers.json'}").identity.startswith("scripted:answers.json")


@pytest.mark.parametrize("chance", ['"high"', "true", "NaN", "[1]"])
def test_a_record_with_odd_probabilities_is_named(tmp_path: Path, chance: str) -> None:
    answer = f'["yes", {chance}, 0.1, "", true, "Yes", true]'
    attempt = '{"action": "moveblock(r, c1)", "preconditions_results": {"clear r": ' + answer + "}}"
    file = tmp_path / "results_1.json"
    file.write_text('{"simple_problem_1.pddl": {"action_results": [' + attempt + "]}}")
    with pytest.raises(RecordError, match="is not a probability"):
        read_file(file)


@pytest.mark.parametrize("number", ["-1", "NaN", "Infinity", '"inf"'])
def test_prices_are_prices(tmp_path: Path, number: str) -> None:
    (tmp_path / "mine.json").write_text(f'{{"openai": {{"m": [1, 1, {number}]}}}}')
    with pytest.raises(ValueError, match=r"mine\.json: cannot be read as prices"):
        read_prices(tmp_path / "mine.json")


def test_prices_in_a_pipe_are_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "mine.json")
    with pytest.raises(ValueError, match="no file that can be read"):
        read_prices(tmp_path / "mine.json")


def test_a_command_says_it_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "deep.json").write_bytes(DEEP)
    command = [sys.executable, "-m", "evals.viplan", "--agent", "ground", "--model", f"scripted:{tmp_path}/deep.json"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert ran.returncode == 2
    assert "deep.json: cannot be read as a script: its JSON is nested too deeply" in ran.stderr
    assert "Traceback" not in ran.stderr
