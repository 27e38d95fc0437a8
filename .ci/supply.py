"""Writes down what this environment has of what Plumbline needs: constraints.txt and docs/sbom.json.

    python .ci/supply.py

Run it in an environment in which the tests have passed. CI installs the versions of constraints.txt; .ci/newest tries
the newest ones.
"""

from __future__ import annotations

import json
import tomllib
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
HEAD = "# Versions that the tests have passed with. Written by .ci/supply.py; CI installs them (pip install -c).\n"


def closure(requirements: list[str]) -> dict[str, Distribution]:
    """All distributions that some requirements lead to, by name."""
    found: dict[tuple[str, frozenset[str]], Distribution] = {}
    waiting = [(Requirement(text), frozenset[str]()) for text in requirements]
    while waiting:
        wanted, extras = waiting.pop()
        if wanted.marker and not any(wanted.marker.evaluate({"extra": extra}) for extra in extras or {""}):
            continue
        key = (canonicalize_name(wanted.name), frozenset(wanted.extras))
        if key not in found:
            found[key] = distribution(wanted.name)
            waiting += [(Requirement(text), key[1]) for text in found[key].requires or ()]
    return {name: one for (name, _), one in sorted(found.items(), key=lambda item: item[0][0])}


def licence(one: Distribution) -> str:
    """The licence of a distribution, as it says itself."""
    told = one.metadata
    short = told.get("License-Expression") or ""
    named = [line.rpartition("::")[2].strip() for line in told.get_all("Classifier") or () if "License ::" in line]
    plain = (told.get("License") or "").strip().splitlines()
    return short or ", ".join(named) or (plain[0][:60] if plain else "see its files")


def main() -> None:
    """Write both files."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    run = closure(project["dependencies"])
    every = closure(project["dependencies"] + project["optional-dependencies"]["dev"])
    pins = [f"{name}=={one.version.partition('+')[0]}\n" for name, one in every.items()]
    (ROOT / "constraints.txt").write_text(HEAD + "".join(pins))
    components = [
        {
            "type": "library",
            "name": name,
            "version": one.version,
            "purl": f"pkg:pypi/{name}@{one.version}",
            "scope": "required" if name in run else "excluded",
            "licenses": [{"license": {"name": licence(one)}}],
        }
        for name, one in every.items()
    ]
    made = {"type": "application", "name": project["name"], "version": project["version"]}
    bill = {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "metadata": {"component": made}}
    (ROOT / "docs" / "sbom.json").write_text(json.dumps({**bill, "components": components}, indent=1) + "\n")


if __name__ == "__main__":
    main()
