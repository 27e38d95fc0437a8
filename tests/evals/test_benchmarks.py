"""Benchmarks by name, by file and by entry point; whatever is wrong with one is a line."""

from __future__ import annotations

from pathlib import Path

import pytest

from evals.run.benchmarks import GROUP, find_benchmark, installed, names, program_of, source_of
from evals.viplan.benchmark import BENCHMARK, ViPlan
from planners.names import UnknownName
from tests.conftest import ROOT

FILE = ROOT / "tests" / "evals" / "tiny_benchmarks.py"
TINY = FILE.read_text()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "own_set.py"
    path.write_text(TINY)
    return path


def test_ours_are_found_by_name() -> None:
    assert find_benchmark("viplan") is BENCHMARK
    assert "viplan" in names()
    with pytest.raises(UnknownName, match=r"no benchmark 'viplann'\. Did you mean 'viplan'"):
        find_benchmark("viplann")


@pytest.mark.parametrize("name", ["QUESTIONS", "Questions"])
def test_one_in_a_file_is_found_by_path(name: str, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = find_benchmark(f"{file}:{name}")
    assert found.name == "tiny_questions"
    assert [episode.id for episode in found.episodes(found.settings())] == ["top", "bottom", "count"]
    assert source_of(found) == f"{file}:{name}"
    monkeypatch.chdir(file.parent)
    assert source_of(found) == f"own_set.py:{name}"


def test_without_a_name_a_file_has_its_benchmark(file: Path) -> None:
    file.write_text(f"{TINY}\nBENCHMARK = Corridors()\n")
    assert find_benchmark(str(file)).name == "tiny_corridors"


def test_a_changed_file_is_read_anew(file: Path) -> None:
    find_benchmark(f"{file}:QUESTIONS")
    file.write_text(TINY.replace("tiny_questions", "other_questions"))
    assert find_benchmark(f"{file}:QUESTIONS").name == "other_questions"


@pytest.mark.parametrize(
    ("content", "name", "message"),
    [
        (None, ":ANY", "there is no file"),
        (TINY, "", "has no benchmark 'BENCHMARK'"),
        (TINY, ":NONE", "has no benchmark 'NONE'"),
        (TINY, ":COLOURS", "is no benchmark: it has no name"),
        (TINY, ":QuestionJudge", "cannot be created: TypeError"),
        ("raise SystemExit(3)", ":ANY", "cannot be imported: SystemExit: 3"),
        ("1 / 0", ":ANY", "cannot be imported: ZeroDivisionError"),
        ("class Half:\n    name = 'half'", ":Half", "is no benchmark: it has no settings"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(content: str | None, name: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "own_set.py"
    if content is not None:
        path.write_text(content)
    with pytest.raises(ValueError, match=message):
        find_benchmark(f"{path}{name}")


def test_a_command_begins_with_the_place_of_the_benchmark(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(file.parent)
    assert program_of(BENCHMARK) == ["python", "-m", "evals.viplan"]
    assert program_of(find_benchmark("own_set.py:Corridors")) == ["python", "own_set.py"]


def test_what_has_a_name_needs_no_file() -> None:
    assert source_of(BENCHMARK) == source_of(ViPlan()) == ""


def test_what_nobody_can_find_again_has_no_source() -> None:
    class Local(ViPlan):
        name = "local"

    assert source_of(Local()) == ""


@pytest.fixture
def distribution(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed distribution that offers benchmarks."""
    (tmp_path / "offered_sets.py").write_text(TINY)
    info = tmp_path / "offered-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: offered\nVersion: 1.0\n")
    entries = {
        "tiny_questions": "offered_sets:QUESTIONS",
        "tiny_corridors": "offered_sets:Corridors",
        "viplan": "offered_sets:QUESTIONS",
        "misnamed": "offered_sets:QUESTIONS",
        "gone": "no_such_module_at_all:X",
    }
    lines = [f"[{GROUP}]", *(f"{name} = {place}" for name, place in entries.items()), ""]
    (info / "entry_points.txt").write_text("\n".join(lines))
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("distribution")
def test_installed_ones_are_found_by_their_entry_points() -> None:
    assert sorted(installed()) == ["gone", "misnamed", "tiny_corridors", "tiny_questions"]
    for name in ("tiny_questions", "tiny_corridors"):
        found = find_benchmark(name)
        assert found.name == name
        assert source_of(found) == "", "it is found again by its name"
        assert program_of(found) == ["python", "-m", "offered_sets"]
        assert name not in names()
    assert find_benchmark("viplan") is BENCHMARK, "ours goes before"
    with pytest.raises(UnknownName, match=r"Did you mean 'tiny_corridors'.*viplan"):
        find_benchmark("tiny_corridor")
    with pytest.raises(ValueError, match="benchmark 'gone' cannot be loaded: ModuleNotFoundError"):
        find_benchmark("gone")
    with pytest.raises(ValueError, match="the entry point 'misnamed' has a benchmark of another name: tiny_questions"):
        find_benchmark("misnamed")
