"""The pages of `docs/` do what they say: their files are written to a copy of the project and their commands are run.

A block ```` ```python file=NAME ```` is a file. A block ```` ```console ```` is a command after `$ ` and what it
prints, where … stands for anything; `exit=N` after `console` is its exit code.
"""

from __future__ import annotations

import ast
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from agents.registry import all_agents
from evals.guard import ROOMS
from evals.viplan.belief.cases import read_cases
from evals.viplan.domains.base import PLANNER_STEPS, ViPlanSettings
from evals.viplan.domains.blocksworld import GROUNDER_STEPS, problem_folder
from evals.viplan.recorded.published import COLUMNS
from models.registry import providers
from tests.conftest import ROOT
from tools.events import Reason
from tools.prompts import PromptSet
from tools.toolbox import Conduct

PAGES = sorted((ROOT / "docs").glob("*.md"))
BLOCK = re.compile(r"^```(\S+)[ ]?([^\n]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


class Block(NamedTuple):
    """A fenced block: its language, what stands behind that, and its lines."""

    language: str
    note: str
    body: str


def blocks(page: Path, *languages: str) -> list[Block]:
    found = [Block(*match.groups()) for match in BLOCK.finditer(page.read_text(encoding="utf-8"))]
    return [block for block in found if not languages or block.language in languages]


def page(name: str) -> Path:
    return ROOT / "docs" / f"{name}.md"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of the project to put a page's files into."""
    for folder in (*ROOMS, "examples", "tests"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    program, *words = shlex.split(command)
    assert program in ("python", "mv"), command
    quiet = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "PYTHONPATH"))}
    return subprocess.run(
        [sys.executable if program == "python" else program, *words],
        cwd=folder,
        env={**quiet, "COLUMNS": "80", "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        timeout=300,
    )


def matches(expected: str, printed: str) -> bool:
    """Whether what was printed is as expected; … stands for anything, lines included."""
    wanted, got = ("\n".join(line.rstrip() for line in text.strip().splitlines()) for text in (expected, printed))
    return re.fullmatch(re.escape(wanted).replace("…", ".*"), got, re.DOTALL) is not None


def check_console(block: Block, folder: Path) -> None:
    command, _, expected = block.body.partition("\n")
    ran = run(command.removeprefix("$ "), folder)
    code = int(block.note.removeprefix("exit=") or 0)
    assert ran.returncode == code, ran.stdout + ran.stderr
    printed = ran.stderr if code else ran.stdout
    assert matches(expected, printed), f"{command}\nprinted:\n{printed}\nand the page says:\n{expected}"


@pytest.mark.slow
@pytest.mark.parametrize("name", [path.stem for path in PAGES])
def test_a_page_does_what_it_says(name: str, checkout: Path) -> None:
    """Files and commands in the order of the page."""
    for block in blocks(page(name)):
        if block.language == "python" and block.note.startswith("file="):
            file = checkout / block.note.removeprefix("file=")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.body, encoding="utf-8")
        elif block.language == "console":
            check_console(block, checkout)


def test_there_is_a_page_for_each_thing_to_add() -> None:
    assert {"agents", "benchmarks", "environments", "models"} <= {path.stem for path in PAGES}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_the_code_of_a_page_is_python(path: Path) -> None:
    for block in blocks(path, "python"):
        compile(block.body, f"{path.name} {block.note}", "exec")


@pytest.mark.parametrize("path", [*PAGES, ROOT / "README.md"], ids=lambda path: path.stem)
def test_links_and_paths_of_a_page_lead_somewhere(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)]+)\)", text):
        assert target.startswith("https://") or (path.parent / target).exists(), target
    made = {block.note.removeprefix("file=") for block in blocks(path, "python")}
    prose = BLOCK.sub("", text)
    for target in re.findall(rf"`((?:{'|'.join(ROOMS)}|tests|examples)/[\w/]+\.(?:py|md))`", prose):
        assert (ROOT / target).exists() or target in made, target


@pytest.mark.parametrize("family", ["planner", "grounder"])
def test_the_diagrams_are_the_graphs_of_the_agents(family: str) -> None:
    (shown,) = (block.body for block in blocks(page("agents"), "mermaid") if block.note == family)
    eight = [f"{method}{cot}" for method in ("plan", "action", "ground", "ground_mem") for cot in ("", "_cot")]
    drawn = {name: all_agents()[name] for name in eight if all_agents()[name].family == family}
    assert len(drawn) == 4
    for name, agent in drawn.items():
        assert agent.build().get_graph().draw_mermaid().strip() == shown.strip(), name


def test_every_model_and_every_method_is_on_its_page() -> None:
    models, agents = (page(name).read_text(encoding="utf-8") for name in ("models", "agents"))
    assert [name for name in providers() if not re.search(rf"^\| `{name}\b", models, re.MULTILINE)] == []
    assert [name for name in all_agents() if f"`{name}`" not in agents] == []


def test_every_file_of_the_original_that_is_read_is_on_its_page() -> None:
    text = page("viplan").read_text(encoding="utf-8").replace("<world>", "blocksworld")
    prompts = PromptSet.of_original(Path(), "blocksworld")
    assert [str(path) for path in prompts._files.values() if f"`{path.as_posix()}`" not in text] == []
    problems = problem_folder(ViPlanSettings(viplan_root="."))
    assert f"`{problems}/<split>/*.pddl`" in text
    assert [column for column in COLUMNS if f"`{column}`" not in text] == []


def test_every_rule_and_every_end_of_an_episode_is_on_its_page() -> None:
    text = page("viplan").read_text(encoding="utf-8")
    assert [name for name in (*Conduct, *Reason) if f"`{name}`" not in text] == []
    rows = dict(re.findall(r"^\| ((?:Blocksworld|Household), .+?) \| (.+) \|$", text, re.MULTILINE))
    planner = " | ".join(map(str, PLANNER_STEPS.values()))
    assert list(rows.values()) == [" | ".join([str(GROUNDER_STEPS)] * 3), planner, planner]


@pytest.mark.slow
def test_the_eight_recorded_models_are_named_where_they_are_spoken_of(shared: Path) -> None:
    text = page("belief").read_text(encoding="utf-8")
    models = {case.model for case in read_cases(shared / "data" / "viplan" / "recorded")}
    assert len(models) == 8
    assert [model for model in models if f"`{model}`" not in text] == []
    assert text.index("one of the eight") < min(text.index(f"`{model}`") for model in models)


def test_filters_for_phoenix_are_comparisons_in_python() -> None:
    """Phoenix parses a filter as a Python expression, in which any other name would be an attribute."""
    rows = re.findall(r"^\| `(plumbline\.[^`]+)` \|", page("telemetry").read_text(encoding="utf-8"), re.MULTILINE)
    assert "plumbline.right == False" in rows
    for row in rows:
        nodes = list(ast.walk(ast.parse(row, mode="eval")))
        assert {node.id for node in nodes if isinstance(node, ast.Name)} == {"plumbline"}, row
        compared = [operator for node in nodes if isinstance(node, ast.Compare) for operator in node.ops]
        assert compared, row
        assert all(isinstance(operator, ast.Eq) for operator in compared), row


@pytest.mark.parametrize(
    ("expected", "printed", "same"),
    [
        ("a …\nb", "a anything  \nb\n", True),
        ("a\n…\nz", "a\nb\nc\nz", True),
        ("a.c", "abc", False),
        ("a", "a\nb", False),
    ],
)
def test_dots_stand_for_anything_and_nothing_else_does(expected: str, printed: str, same: bool) -> None:
    assert matches(expected, printed) is same
