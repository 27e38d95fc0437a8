"""The command that computes the published tables again: on the real records, and on small made-up ones."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from evals.viplan.recorded.command import main
from evals.viplan.recorded.published import COLUMNS

MODEL = "Qwen2.5-VL-72B-Instruct"


def write(root: Path, folders: str, solved: int, name: str = "results_1.json", **extra: Any) -> Path:
    """A grounder or planner file of four problems, so many of them solved, one question each."""
    problems = {
        f"data/x_{number}.pddl": {
            "initial_state_enum": {"results": {"clear r": ["yes" if number < solved else "no", "yes"]}},
            "goal_reached": number < solved,
            "completed": number < solved,
            "action_results": [],
        }
        for number in range(4)
    }
    path = root / "results" / "final" / folders / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({**problems, **extra}))
    return path


def publish(path: Path, *rows: str) -> str:
    path.write_text("\n".join([",".join(COLUMNS), *rows]) + "\n")
    return str(path)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    write(tmp_path, f"blocksworld/final_no_cot/predicates/simple/{MODEL}", solved=3)
    return tmp_path


@pytest.mark.slow
def test_every_published_cell_agrees(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = shared / "data" / "viplan"
    assert main([str(data / "original"), "--compare", str(data / "published_tables.csv")]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[-1] == "111 of 111 cells agree"
    assert "Table 19: Household, Ground" in out
    assert err == ""


def test_json_holds_what_the_tables_hold(shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = shared / "data" / "viplan"
    root = data / "original" / "results" / "final"
    table = ["--json", "--csv", str(tmp_path / "out.csv"), "--table", "11", "15"]
    assert main([str(root), *table, "--compare", str(data / "published_tables.csv")]) == 0
    out, err = capsys.readouterr()
    report = json.loads(out)
    assert err == "9 of 9 cells agree\n"
    assert report["comparison"] == {"agree": 9, "covered": 9, "differences": []}
    assert {cell["table"] for cell in report["cells"]} == {11, 15}
    with (tmp_path / "out.csv").open(newline="") as file:
        written = [row for row in csv.DictReader(file) if row["split"] != "all"]
    with (data / "published_tables.csv").open(newline="") as file:
        published = [
            row for row in csv.DictReader(file) if row["model"] == "Qwen2.5-VL 72B" and row["table"] in {"11", "15"}
        ]
    order = ("table", "cot", "split")
    bare = [{key: row[key] for key in COLUMNS} for row in written]
    assert sorted(bare, key=lambda row: [row[key] for key in order]) == sorted(
        published, key=lambda row: [row[key] for key in order]
    )


def test_own_csv_compares_equal(checkout: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(checkout), "--csv", str(tmp_path / "own.csv")]) == 0
    assert main([str(checkout), "--compare", str(tmp_path / "own.csv")]) == 0
    assert capsys.readouterr().out.endswith("3 of 3 cells agree\n")


def test_a_differing_cell_is_listed(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    published = publish(
        checkout / "p.csv",
        "6,BW,Ground,no,Qwen2.5-VL 72B,simple,success,0.75,0.22",
        "6,BW,Ground,no,Qwen2.5-VL 72B,simple,accuracy,0.75,0.21",
        "6,BW,Ground,no,GPT-4.1,simple,success,0.10,0.06",
        "3,BW,Ground,diff,(mean over all),simple,abs_ratio,2.8,",
    )
    assert main([str(checkout), "--compare", published]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[-2:] == [
        "table 6, BW Ground, cot no, Qwen2.5-VL 72B, simple, accuracy: ours 0.75 ± 0.22, published 0.75 ± 0.21 (n = 4)",
        "1 of 2 cells agree",
    ]
    assert main([str(checkout), "--compare", published, "--json"]) == 1
    (difference,) = json.loads(capsys.readouterr().out)["comparison"]["differences"]
    assert (difference["metric"], difference["published_err"]) == ("accuracy", 0.21)


def test_the_last_name_counts(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(checkout, f"blocksworld/final_no_cot/predicates/simple/{MODEL}", solved=1, name="results_2.json")
    assert main([str(checkout), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["files"] == 1
    assert {cell["metric"]: cell["value"] for cell in report["cells"]}["success"] == 0.25


def test_unknown_folders_models_and_mislabelled_runs_are_noted(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(checkout, f"blocksworld/final_mem/predicates/simple/{MODEL}", solved=1)
    write(checkout, f"blocksworld/final_cot/oracle/simple/{MODEL}", solved=1)
    write(checkout, "igibson/final_cot/vila/hard/my-model", solved=1, metadata={"prompt_path": "x/json.md"})
    assert main([str(checkout), "--json"]) == 0
    out, err = capsys.readouterr()
    ignored, strangers, mislabelled = err.splitlines()
    assert ignored.endswith("by that name: blocksworld/final_mem, blocksworld/final_cot/oracle")
    assert strangers.endswith("nothing to compare: my-model")
    assert mislabelled.endswith("its folder says cot, its prompt was x/json.md")
    assert len(json.loads(out)["notes"]) == 3


def test_a_planner_run_has_no_accuracy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for split, solved in (("simple", 4), ("medium", 2), ("hard", 0)):
        write(tmp_path, f"igibson/final_no_cot/vila/{split}/gpt-4.1", solved=solved)
    assert main([str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "accuracy" not in out
    (row,) = [line.split() for line in out.splitlines() if "GPT-4.1" in line]
    assert row == ["GPT-4.1", "no", "success", "1.00±0.00", "0.50±0.25", "0.00±0.00", "0.50±0.08"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [("{", "broken JSON"), ("[]", "holds a list"), ("{}", "no problem in it"), ('{"a.pddl": 3}', "problem a.pddl")],
)
def test_a_broken_file_is_named(checkout: Path, text: str, reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    broken = write(checkout, "igibson/final_no_cot/vila/hard/gpt-4.1", solved=0)
    broken.write_text(text)
    assert_refused([str(checkout)], capsys, str(broken), reason)


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ("", "no column table"),
        ("table,domain\n6,BW\n", "no column method"),
        (f"{','.join(COLUMNS)}\n6,BW,Ground,no,m,simple,success,high,0.1\n", "line 2: value and err must be numbers"),
        (f"{','.join(COLUMNS)}\n6,BW\n", "line 2: value and err must be numbers"),
        (f'{",".join(COLUMNS)}\n6,"BW\n', "broken CSV"),
        (f"{','.join(COLUMNS)}\n6,BW,Ground,no,m,simple,success,0.1,0.1\n", "no cell that the records"),
    ],
)
def test_a_broken_csv_is_refused(checkout: Path, rows: str, reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = checkout / "p.csv"
    path.write_text(rows)
    assert_refused([str(checkout), "--compare", str(path)], capsys, str(path), reason)


def test_paths_that_lead_nowhere_are_refused(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    nowhere = str(checkout / "nowhere")
    (checkout / "empty" / "results" / "final" / "igibson").mkdir(parents=True)
    (checkout / "other").mkdir()
    assert_refused([nowhere], capsys, nowhere, "no such folder")
    assert_refused([str(checkout / "other")], capsys, "no results/final")
    assert_refused([str(checkout / "empty")], capsys, "no results_*.json")
    assert_refused([str(checkout), "--compare", nowhere], capsys, nowhere, "cannot be read")
    assert_refused([str(checkout), "--csv", f"{nowhere}/out.csv"], capsys, nowhere, "cannot be written")


def assert_refused(arguments: list[str], capsys: pytest.CaptureFixture[str], *said: str) -> None:
    assert main(arguments) == 2
    (error,) = [line for line in capsys.readouterr().err.splitlines() if not line.startswith("note:")]
    assert error.startswith("error: ")
    assert all(part in error for part in said)


def test_unknown_tables_are_refused_with_the_known_ones(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main([str(checkout), "--table", "5"])
    assert stop.value.code == 2
    assert "19" in capsys.readouterr().err


def test_help_starts_without_heavy_imports() -> None:
    code = (
        "import sys, evals.viplan_recorded; "
        "print([name for name in ('rich', 'numpy', 'langgraph', 'unified_planning') if name in sys.modules])"
    )
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_table_without_runs_is_refused(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert_refused([str(checkout), "--table", "11"], capsys, "no runs for table 11")
