"""The rooms inside `evals/`: each imports only from those before it, and what is generic knows no benchmark."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from evals.run.benchmarks import names
from tests.conftest import ROOT
from tests.contracts.test_rooms import imported, tree

EVALS = ROOT / "evals"
NEW = ("actioneqa", "embodiedeval", "erqa_diagnostic")
"""Benchmarks that begin with parts, before they can be played."""
ORDER = (
    ("guard",),
    ("pages",),
    ("run",),
    ("judges",),
    ("questions",),
    ("otel",),
    ("report",),
    ("command", "play"),
    ("families",),
    (*names(), *(name for name in NEW if (EVALS / name).is_dir())),
    ("labels", "compare", "frames", "effort", "inspect_log", "rerun", "studio"),
    ("blame", "sweep", "merge", "cluster", "robustness"),
    ("view",),
)
"""From the ground up. Parts of one floor may import each other."""
DOORS = {"actioneqa_study", "belief_study", "household_study", "viplan_recorded", "viplan_replay"}
"""Commands that only open a part of a benchmark's package."""

GENERIC = ("pages", "run", "questions", "otel", "report", "command", "play", "labels", "compare", "frames", "effort",
           "inspect_log", "rerun", "blame", "sweep", "merge", "cluster", "robustness", "view")  # fmt: skip
FOREIGN = re.compile(
    r"(?<![a-zA-Z])(predicates?|viplan|blocksworld|household|incolumn|leftof|simple|medium|hard)(?![a-zA-Z])"
)
"""Words of one benchmark, also as a part of a longer name."""
PLUGINS = {
    "viplan/comparison": "compare",  # what ViPlan adds to comparisons is built from their parts
    "viplan/belief/page.py": "compare",  # its plots are written as those of comparisons are
}
"""Parts of a benchmark that stand on a tool, because the tool looks them up."""
KNOWN = {
    "labels.py": {"viplan"},  # the example of its help
    "view/__main__.py": {"viplan"},  # the example of its help
    "view/shown.py": {"viplan"},  # says how to play a run where there is none
    "studio.py": {"viplan"},  # what the studio opens unless told otherwise
    "sweep/config.py": {"viplan"},  # the benchmark of a sweep that names none
    "compare/__main__.py": {"hard"},  # the example of its help
    "rerun/__main__.py": {"simple", "hard"},  # the example of its help
}
"""Words that a generic file may use, each for a reason."""


def part_of(path: Path) -> str:
    return path.relative_to(EVALS).parts[0].removesuffix(".py")


def plugged_into(path: Path) -> str | None:
    """The tool that a part of a benchmark belongs to."""
    place = path.relative_to(EVALS).as_posix()
    return next((tool for start, tool in PLUGINS.items() if place.startswith(start)), None)


def floors() -> dict[str, int]:
    return {name: floor for floor, parts in enumerate(ORDER) for name in parts}


FILES = sorted(path for path in EVALS.rglob("*.py"))


def test_every_part_has_its_floor() -> None:
    parts = {part_of(path) for path in FILES} - {"__init__"} - DOORS
    assert parts == set(floors())


@pytest.mark.parametrize("part", sorted(floors()))
def test_a_part_imports_only_from_those_below_it(part: str) -> None:
    floor = floors()[part]
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in FILES
        if part_of(path) == part
        for line, name in imported(path)
        if name.startswith("evals.")
        and floors().get(name.split(".")[1], -1) > floor
        and name.split(".")[1] != plugged_into(path)
    ]
    assert wrong == []


def names_of(path: Path) -> set[str]:
    """The names and words of a file's code: identifiers and texts, docstrings and examples in them left out."""
    found: set[str] = set()
    documented = {
        id(node.value)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.ImportFrom):
            found |= {node.module or "", *(alias.name for alias in node.names)}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documented:
            found.add(node.value)
    return found


@pytest.mark.parametrize("part", GENERIC)
def test_what_is_generic_names_no_predicate_no_split_and_no_benchmark(part: str) -> None:
    wrong = {
        f"{path.relative_to(EVALS)}: {word}"
        for path in FILES
        if part_of(path) == part
        for name in names_of(path)
        for word in FOREIGN.findall(name)
        if word not in KNOWN.get(str(path.relative_to(EVALS)), set())
    }
    assert sorted(wrong) == []


def test_pages_in_the_browser_name_none_either() -> None:
    """Scripts and styles have no docstrings: every word counts."""
    files = [
        path for path in EVALS.rglob("*.*") if path.suffix in (".js", ".css", ".html") and part_of(path) in GENERIC
    ]
    assert len(files) > 20
    wrong = {
        f"{path.relative_to(EVALS)}: {word}" for path in files for word in FOREIGN.findall(path.read_text("utf-8"))
    }
    assert sorted(wrong) == []
