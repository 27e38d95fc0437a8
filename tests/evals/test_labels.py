"""Labels of people: kept line by line, corrected by one more, and exported with what the trace says."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.judges.failures import MEANING
from evals.labels import (
    COLUMNS,
    BadLabel,
    Label,
    add_label,
    current,
    label_sets,
    main,
    new_label,
    own_set,
    read_labels,
    rows,
    write_csv,
)
from evals.run.directory import RunDirectory
from evals.run.episodes import Episode
from evals.run.judging import AGENT_ERROR
from evals.run.results import unplayed
from planners.outcome import Planner
from tests.evals.quiz import a_run
from tests.viewing import CONFIG, make_run

SETS = label_sets(CONFIG)
GIVEN = {"episode": "one", "set": "viplan", "label": "parsing", "who": "Ada", "comment": "see the reply"}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, planner: Planner) -> RunDirectory:
    return make_run(tmp_path_factory.mktemp("labels") / "run", planner)


def label(**changes: object) -> Label:
    return new_label({**GIVEN, **changes}, ["one", "two"], SETS)


@pytest.mark.parametrize("name", sorted(SETS))
def test_a_set_says_what_its_labels_mean(name: str) -> None:
    found = SETS[name]
    assert found.title
    assert found.source
    assert all(meaning.endswith(".") for meaning in found.labels.values())
    grouped = [label for group in found.groups.values() for label in group]
    assert not grouped or sorted(grouped) == sorted(found.labels)


def test_the_taxonomies_are_complete() -> None:
    assert next(iter(SETS)) == "viplan"
    assert set(SETS["viplan"].labels) == {*map(str, MEANING), AGENT_ERROR}
    sizes = {name: len(found.labels) for name, found in SETS.items() if name != "viplan"}
    assert sizes == {"embodiedeval": 4, "actioneqa": 18, "erqa_plus": 11, "erqa_diagnostic": 12}


def test_what_is_added_is_read_in_order(tmp_path: Path) -> None:
    labels = [label(), label(label="oscillation", comment="no: “this”\nand\u2028that", step=3), label(label=None)]
    for one in labels:
        add_label(tmp_path, one)
    assert read_labels(tmp_path) == (labels, [])
    assert (tmp_path / "labels.jsonl").read_text(encoding="utf-8").count("\n") == 3


def test_the_last_word_of_each_person_counts() -> None:
    said = [
        label(),
        label(who="Bea"),
        label(label="oscillation"),
        label(set="embodiedeval", label="wrong_planning"),
        label(who="Bea", label=None),
        label(episode="two", who="Bea"),
    ]
    assert [(one.episode, one.set, one.who, one.label) for one in current(said)] == [
        ("one", "viplan", "Ada", "oscillation"),
        ("one", "embodiedeval", "Ada", "wrong_planning"),
        ("two", "viplan", "Bea", "parsing"),
    ]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"episode": "three"}, "no episode 'three'"),
        ({"set": "viplen"}, "Did you mean 'viplan'"),
        ({"label": "wrong_planning"}, "no label 'wrong_planning'"),
        ({"who": "  "}, "needs the name"),
        ({"who": None}, "who has to be a text"),
        ({"who": "x" * 101}, "who may have 100 characters"),
        ({"comment": "x" * 4001}, "comment may have 4,000 characters"),
        ({"comment": ["x"]}, "comment has to be a text"),
        ({"step": 0}, "a step is a number"),
        ({"step": True}, "a step is a number"),
        ({"at": "yesterday"}, "a label has no 'at'"),
    ],
)
def test_a_label_that_makes_no_sense_is_refused(changes: dict[str, object], said: str) -> None:
    with pytest.raises(BadLabel, match=said):
        label(**changes)


@given(st.binary(max_size=200))
def test_damaged_lines_are_told_and_left_out(tmp_path_factory: pytest.TempPathFactory, rubbish: bytes) -> None:
    folder = tmp_path_factory.mktemp("damaged")
    add_label(folder, label())
    path = folder / "labels.jsonl"
    path.write_bytes(path.read_bytes() + rubbish.replace(b"\n", b" ") + b"\n" + path.read_bytes())
    labels, notices = read_labels(folder)
    assert len(labels) == 2
    assert len(notices) <= 1
    assert bool(notices) == bool(rubbish.decode("utf-8", "replace").strip())


@pytest.mark.parametrize("line", [b'{"label": []}', b'{"label": 0}', b'{"step": "3"}', b"[" * 50_000])
def test_a_line_that_is_no_label_is_left_out(line: bytes, tmp_path: Path) -> None:
    given = {"episode": "one", "set": "viplan", "label": "parsing", "who": "Ada", "at": "2026-01-01"}
    changed = json.dumps({**given, **json.loads(line)}).encode() if line.startswith(b"{") else line
    (tmp_path / "labels.jsonl").write_bytes(json.dumps(given).encode() + b"\n" + changed + b"\n")
    labels, notices = read_labels(tmp_path)
    assert [one.label for one in labels] == ["parsing"]
    assert "line 2" in notices[0]


def test_a_link_is_not_written_through(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text("")
    run = tmp_path / "run"
    run.mkdir()
    (run / "labels.jsonl").symlink_to(outside)
    with pytest.raises(OSError, match="symbolic"):
        add_label(run, label())
    assert outside.read_text() == ""
    assert read_labels(run) == ([], [])


def test_the_command_exports_what_counts_with_what_the_trace_says(
    run: RunDirectory, capsys: pytest.CaptureFixture[str]
) -> None:
    path = run.path
    (path / "labels.jsonl").unlink(missing_ok=True)
    for episode, said in [("hostile", "token_budget"), ("hostile", "parsing"), ("misled", "attempted_wrongly")]:
        given = {**GIVEN, "episode": episode, "label": said, "comment": 'a, "quoted"\nremark'}
        add_label(path, new_label(given, ["hostile", "misled"], SETS))
    assert main([str(path), "--csv"]) == 0
    lines = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert tuple(lines[0]) == COLUMNS
    told = [(line["episode"], line["automatic"], line["label"], line["outcome"]) for line in lines]
    results = {result.id: str(result.failure) for result in run.results()}
    assert told == [
        ("hostile", "parsing", "parsing", "failure"),
        ("misled", results["misled"], "attempted_wrongly", "failure"),
    ]
    assert lines[0]["comment"] == 'a, "quoted"\nremark'
    assert main([str(path), "--csv", "--history"]) == 0
    assert len(list(csv.DictReader(io.StringIO(capsys.readouterr().out)))) == 3
    assert main([str(path)]) == 0
    assert "1 of 2 labels of viplan say what the trace says" in capsys.readouterr().out


def test_questions_are_labelled_with_their_own_classes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = a_run(tmp_path / "run", questions=3)
    sets = label_sets(run.config)
    assert {"wrong", "unreadable", "truncated", "no_answer"} < set(sets["quiz"].labels)
    episodes = [result.id for result in run.results()]
    for episode, said in [("q0001", "wrong"), ("q0002", "unreadable")]:
        given = {"episode": episode, "set": "quiz", "label": said, "who": "Ada"}
        add_label(run.path, new_label(given, episodes, sets))
    assert main([str(run.path)]) == 0
    assert "1 of 2 labels of quiz say what the trace says" in capsys.readouterr().out
    assert main([str(run.path), "--csv"]) == 0
    lines = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(line["episode"], line["automatic"], line["label"]) for line in lines] == [
        ("q0001", "wrong", "wrong"),
        ("q0002", "wrong", "unreadable"),
    ]


def test_classes_and_a_published_set_of_the_same_name_stay_apart() -> None:
    sets = label_sets({"benchmark": "erqa_plus"})
    assert next(iter(sets)) == own_set({"benchmark": "erqa_plus"}) == "erqa_plus_classes"
    assert "counting" in sets["erqa_plus"].labels
    assert "counting" not in sets["erqa_plus_classes"].labels


def test_a_folder_that_is_no_run_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path)]) == 2
    told = capsys.readouterr().err
    assert "is not a run" in told
    assert told.count("\n") == 1


def test_labels_are_plain_json(tmp_path: Path) -> None:
    add_label(tmp_path, label())
    (line,) = (tmp_path / "labels.jsonl").read_text().splitlines()
    assert {"episode", "set", "label", "who", "at", "comment", "step"} == set(json.loads(line))


@pytest.mark.parametrize("comment", ["=1+1", "@SUM(A1)", "+1", "-1", "\t=1", "\n=1", "＝1+1"])
def test_no_comment_is_a_formula(comment: str) -> None:
    file = io.StringIO()
    write_csv([{"episode": "one", "comment": comment, "step": 3}], file)
    (line,) = csv.DictReader(io.StringIO(file.getvalue()))
    assert (line["comment"], line["episode"], line["step"]) == (f"'{comment}", "one", "3")


def test_what_broke_down_is_no_failure(tmp_path: Path) -> None:
    broken = unplayed(Episode("one", "simple"), "the model is down")
    (line,) = rows(tmp_path, {"one": broken}, [label()])
    assert line["outcome"] == "not scored"
