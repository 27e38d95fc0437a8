"""The settings of a run: what `run.json` keeps so that the same numbers can be had again."""

from __future__ import annotations

import hashlib
import platform
import shlex
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from evals.controls import Control
from evals.following import shape
from evals.guard import ROOT
from evals.scores import SCORER

if TYPE_CHECKING:
    from evals.runner import Setup

PACKAGES = ("plumbline", "langgraph", "langchain-core", "unified-planning", "up-fast-downward", "embreex", "numpy")


class Settings(BaseModel):
    """What every benchmark lets a user choose; a benchmark adds its own.

    Everything here changes the numbers of a run; how fast it goes is not in it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    agent: str = "ground_mem"
    model: str = "sim:gpt-4.1"
    limit: int | None = Field(default=None, ge=1)
    seed: int = 0
    planner: str = "fd"
    steps: int | None = Field(default=None, ge=1)
    control: Control | None = None

    def command(self, benchmark: str) -> str:
        """The command line that asks for this again."""
        default = type(self)()
        words = ["python", "-m", f"evals.{benchmark}", "--agent", self.agent]
        for name, value in self.model_dump(mode="json", exclude={"agent"}).items():
            if value != getattr(default, name):
                words += [f"--{name.replace('_', '-')}", str(value)]
        return shlex.join(words)


def explain(error: ValidationError) -> str:
    """A wrong setting in one line."""
    first = error.errors(include_url=False)[0]
    name = "--" + "-".join(str(part) for part in first["loc"]).replace("_", "-")
    return f"{name}: {first['msg'][:1].lower()}{first['msg'][1:]}, not {first['input']!r}"


def describe(benchmark: str, settings: Settings, setup: Setup, fingerprints: Mapping[str, str]) -> dict[str, Any]:
    """What `run.json` says of how the numbers come about."""
    model = setup.model
    return {
        "benchmark": benchmark,
        "settings": settings.model_dump(mode="json"),
        "control": settings.control,
        "simulated": model.simulated,
        "looks": model.looks,
        "graph": shape(setup.graph),
        "model": model.identity,
        "command": settings.command(benchmark),
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": {**_versions(), "python": platform.python_version(), "planner": setup.planner.engine},
        "fingerprints": {
            **fingerprints,
            "agent": fingerprint(Path(setup.agent.source).read_bytes()) if setup.agent.source else "",
            "prompts": setup.prompts.fingerprints(),
            "scorer": SCORER,
        },
        "git": _commit(),
    }


def changed(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """What makes the rest of a run unlike its beginning."""
    kept, now = old.get("fingerprints", {}), new["fingerprints"]
    told = [f"the {name} changed" for name in now if kept.get(name) != now[name]]
    if old.get("model") != new["model"]:
        told.append(f"the model is {new['model']!r}, not {old.get('model')!r}")
    if old.get("versions", {}).get("planner") != new["versions"]["planner"]:
        told.append("the planner's version changed")
    return told


def _stem(name: str) -> str:
    """A short name for an agent or model: of a path only its last part."""
    kind, colon, rest = name.partition(":")
    if kind.endswith(".py"):
        return Path(kind).stem
    return f"{kind}{colon}{rest.rpartition('/')[2]}"


def fingerprint(*contents: bytes) -> str:
    """A short hash of some contents, in their order."""
    digest = hashlib.sha256()
    for content in contents:
        digest.update(len(content).to_bytes(8))
        digest.update(content)
    return digest.hexdigest()[:12]


def _versions() -> dict[str, str | None]:
    found: dict[str, str | None] = {}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = None
    return found


def _commit() -> str | None:
    """The commit of the checkout, marked if there are changes on top of it; None outside a checkout."""
    if not (ROOT / ".git").exists():
        return None
    try:
        ran = subprocess.run(
            ["git", "-C", str(ROOT), "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"],
            capture_output=True,
            text=True,
            timeout=5,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return ran.stdout.strip()


def default_directory(benchmark: str, settings: Settings, parent: Path) -> Path:
    """`<time>-<benchmark>-<agent>-<model>`, with what a file system does not take left out."""
    moment = datetime.now().strftime("%Y%m%d-%H%M%S")
    control = f"-control-{settings.control}" if settings.control else ""
    name = f"{moment}-{benchmark}-{_stem(settings.agent)}-{_stem(settings.model)}{control}"
    safe = "".join(char if char.isalnum() or char in "-_." else "_" for char in name)[:120]
    path, number = parent / safe, 2
    while path.exists():
        path, number = parent / f"{safe}-{number}", number + 1
    return path
