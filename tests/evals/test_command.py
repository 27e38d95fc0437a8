"""The command line of ViPlan: what comes out of a good run, and what is said to a bad one."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from evals.run.directory import RunDirectory
from evals.run.prepare import given_settings
from evals.viplan.__main__ import main
from evals.viplan.benchmark import ViPlan


def run(*words: object) -> int:
    return main([str(word) for word in words])


def run_json(capsys: pytest.CaptureFixture[str], *words: object) -> dict[str, object]:
    assert run(*words, "--json") == 0
    return json.loads(capsys.readouterr().out)  # type: ignore[no-any-return]


def test_an_oracle_run_is_right_everywhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = run_json(capsys, "--agent", "ground", "--model", "oracle", "--limit", 1, "--out", tmp_path / "run")
    splits = told["splits"]
    assert isinstance(splits, dict)
    assert list(splits) == ["simple", "medium", "hard"]
    for split in splits.values():
        assert {key: split[key] for key in ("n", "success", "sem", "predicate_accuracy", "replans")} == {
            "n": 1,
            "success": 1.0,
            "sem": None,
            "predicate_accuracy": 1.0,
            "replans": 0,
        }
        assert split["questions"] > 20
        assert split["failure_classes"] == {}
    assert told["simulated"] is False


def test_figures_have_the_names_they_always_had(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--agent", "ground", "--model", "sim:qwen2.5-vl-7b", "--split", "simple", "--limit", 3)
    told: Any = run_json(capsys, *words, "--out", tmp_path / "run")
    split = told["splits"]["simple"]
    opened = RunDirectory.open(tmp_path / "run")
    results = opened.results()
    for name in ("questions", "proposals", "replans", "steps"):
        assert split[name] == sum(result.count(name) for result in results)
        assert split["measures"][name] == pytest.approx(split[name] / 3)
    assert split["attempts"] == dict(sum((Counter(result.counts("attempts")) for result in results), Counter()))
    assert split["accuracy"]["all"]["total"] == split["questions"]
    assert split["accuracy"]["official"] == split["by_phase"]["enumeration"]
    assert split["official_accuracy"] == split["by_phase"]["enumeration"]["value"]
    assert sum(one["total"] for one in split["by_predicate"].values()) == split["questions"]
    assert split["interval"]["low"] <= split["success"] <= split["interval"]["high"]
    assert {"macro_accuracy", "action_accuracy", "illegal", "misjudged", "failure_classes", "cost"} <= set(split)
    assert told["overall"] == "mean of splits"
    assert told["pooled"]["questions"] == split["questions"]


def test_a_run_directory_holds_all_that_is_promised(tmp_path: Path) -> None:
    out = tmp_path / "run"
    assert (
        run("--agent", "ground", "--model", "oracle", "--split", "simple", "--limit", 2, "--pictures", "--out", out)
        == 0
    )
    assert {path.name for path in (out / "episodes").glob("*.jsonl")} == {"simple_00.jsonl", "simple_01.jsonl"}
    assert len((out / "results.jsonl").read_text().splitlines()) == 2
    assert (out / "report.html").exists()
    assert list((out / "pictures").glob("*.png"))
    config = json.loads((out / "run.json").read_text())
    assert config["settings"]["agent"] == "ground"
    assert set(config["fingerprints"]["prompts"]) == {
        "yes_no",
        "yes_no_cot",
        "plan",
        "plan_cot",
        "action",
        "action_cot",
        "problem",
        "problem_cot",
        "domain",
        "state_text",
    }
    assert str(tmp_path) not in (out / "run.json").read_text()


def test_a_simulated_run_says_so_everywhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "run"
    assert run("--split", "simple", "--limit", 1, "--out", out) == 0
    assert "SIMULATED" in capsys.readouterr().out
    assert "SIMULATED" in (out / "report.html").read_text().upper()
    assert json.loads((out / "run.json").read_text())["simulated"] is True


def test_json_is_all_there_is_on_stdout(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--split", "simple", "--limit", 1, "--out", tmp_path / "run", "--json") == 0
    said = capsys.readouterr()
    assert json.loads(said.out)["settings"]["split"] == "simple"
    assert "simple" in said.err


def test_the_same_seed_gives_the_same_results_however_many_episodes_run_at_once(tmp_path: Path) -> None:
    for name, at_once in (("one", 1), ("many", 8)):
        words = ("--split", "simple", "--limit", 4, "--fail-probability", 0.3, "--model", "sim:qwen2.5-vl-7b")
        assert run(*words, "--out", tmp_path / name, "--concurrency", at_once) == 0
    assert results(tmp_path / "one") == results(tmp_path / "many")


def test_a_users_own_agent_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.py").write_text(
        "from agents.ground import Grounder\n\n\ndef build():\n    return Grounder(memory=True).graph()\n"
    )
    told = run_json(
        capsys, "--agent", tmp_path / "mine.py:build", "--model", "oracle", "--limit", 1, "--out", tmp_path / "run"
    )
    assert told["success"] == 1.0


def test_lists_name_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--agent", "list") == 0
    agents = capsys.readouterr().out
    assert all(name in agents for name in ("plan_cot", "action", "ground_mem_cot"))
    assert run("--model", "list") == 0
    models = capsys.readouterr().out
    assert all(name in models for name in ("sim:", "oracle", "replay:", "scripted:", "pixels", "gpt-4.1"))


BAD = {
    "agent": (("--agent", "groundmem"), "Did you mean 'ground_mem'?"),
    "agent file": (("--agent", "nowhere.py:build"), "there is no file nowhere.py"),
    "model": (("--model", "simm:gpt-4.1"), "Did you mean 'sim'?"),
    "published model": (("--model", "sim:gpt4.1"), "Did you mean 'gpt-4.1'?"),
    "model option": (("--model", "sim:gpt-4.1?blunders=1"), "Did you mean 'blunder'?"),
    "replay file": (("--model", "replay:nowhere.json"), "there is no such file"),
    "split": (("--split", "easy"), "--split"),
    "domain": (("--domain", "kitchen"), "--domain"),
    "rules": (("--rules", "house"), "--rules"),
    "probability": (("--fail-probability", "2"), "--fail-probability"),
    "limit": (("--limit", "0"), "--limit"),
    "concurrency": (("--concurrency", "0"), "greater than 0"),
    "planner": (("--planner", "fdd"), "Did you mean 'fd'?"),
    "problems": (("--problems", "nowhere"), "has no .pddl files"),
    "viplan root": (("--viplan-root", "nowhere"), "there is no folder nowhere"),
    "resume": (("--resume", "nowhere"), "is not a run"),
    "resume elsewhere": (("--resume", "nowhere"), "do not go together"),
    "cost without a price": (
        ("--model", "openai:my-own@http://127.0.0.1:9/v1", "--max-cost", "1"),
        "no price is known",
    ),
    "password in the address": (("--model", "openai:m@http://me:secret@127.0.0.1:9/v1"), "remove user and password"),
    "tools without a model that calls them": (
        ("--agent", "tools", "--model", "oracle"),
        "needs a model that can call tools",
    ),
    "plans from a model that answers questions only": (("--agent", "plan", "--model", "pixels"), "answers yes_no only"),
    "prices": (("--prices", "nowhere.json"), "cannot be read as prices"),
    "hf options for another": (("--hf-args", "device=cpu"), "--hf-args needs"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_clear_message(case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words, message = BAD[case]
    where = () if case == "resume" else ("--out", tmp_path / "run")
    assert run(*words, *where) == 2
    said = capsys.readouterr()
    assert message in said.err
    assert said.err.startswith("error: ")
    assert "Traceback" not in said.err
    assert said.out == ""
    assert not (tmp_path / "run").exists()


def problem_file(folder: Path, text: str) -> Path:
    (folder / "simple").mkdir(parents=True)
    (folder / "simple" / "odd_0.pddl").write_text(text)
    return folder


PROBLEM = """(define (problem odd) (:domain blocksworld) (:objects r g - block c1 c2 - column)
  (:init (incolumn r c1) (incolumn g c2) (clear r) (clear g) (leftof c1 c2) (rightof c2 c1))
  (:goal (and {goal})))"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(define (problem", "odd_0.pddl"),
        (PROBLEM.format(goal="(on r g) (on g r)"), "has no plan"),
        (PROBLEM.format(goal="(hovers r)"), "hovers"),
        (PROBLEM.replace("(clear r)", "").format(goal="(on r g)"), "not an arrangement"),
        ("\x00\x01 binary", "odd_0.pddl"),
    ],
)
def test_a_bad_problem_is_found_before_anyone_is_asked(
    text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = problem_file(tmp_path / "problems", text)
    assert run("--problems", folder, "--split", "simple", "--out", tmp_path / "run") == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_a_place_that_cannot_be_written_to_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("in the way")
    assert run("--split", "simple", "--limit", 1, "--out", tmp_path / "file" / "run") == 2
    assert "cannot write to" in capsys.readouterr().err


def test_problems_of_a_users_own_are_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = problem_file(tmp_path / "problems", PROBLEM.format(goal="(on r g) (incolumn r c2)"))
    words = ("--problems", folder, "--split", "simple", "--model", "oracle", "--agent", "plan")
    told = run_json(capsys, *words, "--out", tmp_path / "run")
    assert told["success"] == 1.0


def results(folder: Path) -> list[str]:
    return sorted((folder / "results.jsonl").read_text().splitlines())


@pytest.mark.parametrize(
    ("model", "text", "spec"),
    [
        ("hf:tiny", "device=cpu,dtype=float32", "hf:tiny?device=cpu&dtype=float32"),
        ("hf:tiny?batch=4", '{"device": "cpu"}', "hf:tiny?batch=4&device=cpu"),
    ],
)
def test_options_of_hf_models_become_part_of_the_spec(model: str, text: str, spec: str) -> None:
    assert given_settings(ViPlan(), {"model": model, "hf_args": text})["model"] == spec


@pytest.mark.parametrize("text", ["device", "{device: cpu}", "a=b=c"])
def test_options_of_hf_models_that_cannot_be_read_are_said(text: str) -> None:
    with pytest.raises(ValueError, match="--hf-args must be"):
        given_settings(ViPlan(), {"model": "hf:tiny", "hf_args": text})


ODD = """from langgraph.graph import StateGraph


def odd(state):
    {body}


def build():
    graph = StateGraph(dict)
    graph.add_node("odd", odd)
    graph.set_entry_point("odd")
    graph.set_finish_point("odd")
    return graph.compile()
"""


@pytest.mark.parametrize(
    ("body", "said", "traced"),
    [
        ("raise KeyError('belief\\nand more')", "KeyError: 'belief", True),
        ("return {}", "the graph ended without calling toolbox.end", False),
    ],
)
def test_an_agent_that_breaks_is_told_as_that(
    body: str, said: str, traced: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "odd.py").write_text(ODD.format(body=body))
    out = tmp_path / "run"
    assert run("--agent", tmp_path / "odd.py", "--split", "simple", "--limit", 2, "--out", out) == 1
    told = capsys.readouterr()
    assert "2 episodes ended by an error of the agent, the first simple_00: " in told.err
    assert said in told.err
    assert "could not be played" not in told.err
    assert f"not scored: 2 episodes that ended by an error of the agent, the first: {said}" in " ".join(
        told.out.split()
    )
    assert ("the traceback is in" in told.err) == traced
    page = (out / "report.html").read_text()
    assert ("odd.py:5 in odd" in page) == traced
    assert "resume" not in told.err, "playing it again would come to the same"
