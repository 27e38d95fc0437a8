"""Where an extra is not installed, its tests are skipped with what to install; none of them errs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.console_scripts import Environment

EXTRAS = (
    *("torch", "torchvision", "transformers", "accelerate"),
    *("inspect_ai", "langgraph_api", "langgraph_cli", "grpc", "ray"),
)
"""What `.[dev]` does not bring, as it is imported."""
FILES = sorted(
    str(path.relative_to(ROOT))
    for path in (ROOT / "tests").rglob("test_*.py")
    if path != Path(__file__)
    and re.search(rf"NEEDS_TORCH|(find_spec|importorskip)\(.({'|'.join(EXTRAS)})", path.read_text())
)


def test_the_tests_of_extras_are_found() -> None:
    names = {Path(file).name for file in FILES}
    assert {
        "test_hf.py",
        "test_hf_loading.py",
        "test_inspect_log.py",
        "test_studio_server.py",
        "test_embodiedeval_game.py",
        "test_cluster_faults.py",
    } <= names


@pytest.mark.slow
def test_tests_without_their_extra_say_what_to_install(tmp_path: Path) -> None:
    environment = Environment(tmp_path / "environment", without=EXTRAS)
    words = ["-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *FILES]
    ran = environment.run(*words, folder=ROOT, CI="", PYTEST_ADDOPTS="", PYTEST_XDIST_WORKER="")
    assert ran.returncode == 0, ran.stdout
    for extra in ("hf", "inspect", "studio", "game", "ray"):
        assert f"not installed: pip install -e '.[{extra}]'" in ran.stdout, ran.stdout
    skips = [line for line in ran.stdout.splitlines() if line.startswith("SKIPPED")]
    assert [line for line in skips if "pip install" not in line] == []
