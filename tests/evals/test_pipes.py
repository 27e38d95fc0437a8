"""Commands whose reader leaves before the end."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from evals.run.pipes import READER_LEFT, quietly
from tests.conftest import ROOT

PRINTS = "print('words ' * 100_000)"
WITH_RICH = "from rich.console import Console; Console().print('words ' * 100_000)"
AT_THE_END = "print('few')"


def left_alone(*words: str) -> tuple[int, str]:
    """The exit code of a program whose output is closed at once, and what it complains about."""
    program = subprocess.Popen([sys.executable, *words], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert program.stdout is not None
    assert program.stderr is not None
    program.stdout.close()
    complaint = program.stderr.read().decode()
    program.stderr.close()
    return program.wait(timeout=60), complaint


@pytest.mark.parametrize("work", [PRINTS, WITH_RICH, AT_THE_END], ids=["print", "rich", "at the end"])
def test_a_reader_that_leaves_ends_a_command_quietly(work: str) -> None:
    program = (
        f"import sys; from evals.run.pipes import quietly\ndef main():\n {work}\n return 1\nsys.exit(quietly(main))"
    )
    assert left_alone("-c", program) == (READER_LEFT, "")


def test_the_tables_of_records_end_quietly(tmp_path: Path) -> None:
    folder = tmp_path / "results" / "final" / "blocksworld" / "final_no_cot" / "predicates" / "simple" / "gpt-4.1"
    folder.mkdir(parents=True)
    problem = {"initial_state_enum": {"results": {}}, "goal_reached": True, "action_results": []}
    (folder / "results_1.json").write_text(json.dumps({"x_0.pddl": problem}))
    for words in ([], ["--json"]):
        assert left_alone("-m", "evals.viplan_recorded", str(tmp_path), *words) == (READER_LEFT, "")


def test_all_else_passes() -> None:
    assert quietly(lambda: 3) == 3
    with pytest.raises(SystemExit, match="2"):
        quietly(lambda: sys.exit(2))


def test_another_broken_pipe_is_an_error() -> None:
    def main() -> int:
        raise BrokenPipeError("not ours")

    with pytest.raises(BrokenPipeError, match="not ours"):
        quietly(main)
