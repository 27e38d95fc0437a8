"""What CI installs is written down: every requirement has a version, and the bill of materials names the same ones."""

from __future__ import annotations

import json
import tomllib

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.conftest import ROOT


def pins() -> dict[str, str]:
    """The versions in constraints.txt by name."""
    lines = (ROOT / "constraints.txt").read_text().split()
    return {line.partition("==")[0]: line.partition("==")[2] for line in lines if "==" in line}


def test_every_requirement_is_pinned_to_a_version_that_it_allows() -> None:
    known = pins()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for text in (*project["dependencies"], *project["optional-dependencies"]["dev"]):
        wanted = Requirement(text)
        pin = known.get(canonicalize_name(wanted.name))
        assert pin is not None, f"{wanted.name} has no version in constraints.txt: run python .ci/supply.py"
        assert wanted.specifier.contains(pin, prereleases=True), f"{wanted} does not allow {pin}"


def test_the_bill_of_materials_names_the_same_versions() -> None:
    bill = json.loads((ROOT / "docs" / "sbom.json").read_text())
    assert bill["bomFormat"] == "CycloneDX"
    assert {part["name"]: part["version"].partition("+")[0] for part in bill["components"]} == pins()
    assert all(part["licenses"][0]["license"]["name"] for part in bill["components"])


def test_ci_installs_these_versions() -> None:
    assert "pip install --quiet --no-compile -c constraints.txt -e" in (ROOT / ".ci" / "run").read_text()
