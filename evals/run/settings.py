"""The settings of a run, and what `run.json` stores to reproduce it."""

from __future__ import annotations

import hashlib
import platform
import re
import shlex
import subprocess
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from evals.guard import ROOT
from evals.run.following import shape
from evals.run.scores import SCORER
from evals.run.shards import Shard
from tools.base import Feedback

if TYPE_CHECKING:
    from evals.run.runner import Setup

PACKAGES = ("plumbline", "langgraph", "langchain-core", "unified-planning", "up-fast-downward", "embreex", "numpy")


def option(default: Any, help: str, *, metavar: str = "", group: str = "what to run", **limits: Any) -> Any:
    """A setting with its help and group on the command line."""
    return Field(default=default, description=help, json_schema_extra={"metavar": metavar, "group": group}, **limits)


class Settings(BaseModel):
    """The settings of every benchmark; a benchmark adds its own.

    Everything here affects the numbers of a run; what does not is in `Running`. The command line, `play_run` and sweep
    files take their options from these fields.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    agent: str = option("ground_mem", "an agent, FILE.py:FUNCTION, or `list`", metavar="NAME")
    model: str = option("sim:gpt-4.1", "a model, or `list`", metavar="SPEC")
    limit: int | None = option(None, "only the first N problems of each split", metavar="N", ge=1)
    seed: int = option(0, "random seed of failures and of the looks of pictures", metavar="N")
    planner: str = option("fd", "fd, fd-opt or up:ENGINE", metavar="NAME")
    steps: int | None = option(None, "another step limit than the benchmark's", metavar="N", ge=1)
    control: str | None = option(None, "run a control, such as blind or other-answers (docs/belief.md)", metavar="NAME")
    temperature: float = option(0.0, "sampling temperature of the model", metavar="T", ge=0.0, le=2.0)
    repeats: int = option(1, "play every problem N times, each with new replies", metavar="N", ge=1)
    reask: int | None = option(
        None, "ask again up to N times if a reply cannot be read (default: 1; official rules: 0)", metavar="N", ge=0
    )
    window: int | None = option(None, "show the model its last N attempts only", metavar="N", ge=0)
    frames: int = option(0, "also show the model its last N pictures", metavar="N", ge=0)
    feedback: Feedback = option(Feedback.FULL, "feedback on earlier attempts: full, actions (without outcomes) or none")

    @property
    def history(self) -> Feedback:
        """How much prompts say about earlier attempts."""
        return self.feedback

    def command(self, program: Sequence[str]) -> str:
        """The command line of a run with these settings; `program` is its beginning."""
        default = type(self)()
        words = [*program, "--agent", self.agent]
        for name, value in self.model_dump(mode="json", exclude={"agent"}).items():
            if value != getattr(default, name):
                words += [f"--{name.replace('_', '-')}", str(value)]
        return shlex.join(words)


HOW, NETWORK, WHERE, MACHINES = "how to run it", "models over a network", "where it goes", "many machines"


class Engine(StrEnum):
    """What plays the episodes of a run: this process, or players on a cluster of Ray."""

    LOCAL = "local"
    RAY = "ray"


class Asking(BaseModel):
    """How models over a network are asked: options of every command that may ask one."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    dry_run: bool = option(False, "estimate requests and cost, and ask nothing", group=NETWORK)
    max_cost: float | None = option(None, "stop before spending more than this", metavar="DOLLARS", group=NETWORK, gt=0)
    max_tokens: int | None = option(None, "stop before using more tokens than this", metavar="N", group=NETWORK, gt=0)
    prices: Path | None = option(
        None, "your own prices, which override models/prices.json", metavar="FILE", group=NETWORK
    )
    per_minute: int | None = option(None, "limit of requests per minute", metavar="N", group=NETWORK, gt=0)
    tokens_per_minute: int | None = option(None, "limit of tokens per minute", metavar="N", group=NETWORK, gt=0)
    deadline: float = option(300.0, "seconds per request, retries included", metavar="S", group=NETWORK, gt=0)
    patience: float = option(3600.0, "seconds to wait for an endpoint that is down", metavar="S", group=NETWORK, ge=0)
    gateway: str | None = option(
        None, "ask through a gateway (python -m models.gateway), which has the keys", metavar="URL", group=NETWORK
    )


class Running(Asking):
    """How a run is played and where it is stored. Nothing here affects its numbers."""

    concurrency: int = option(8, "concurrent episodes", metavar="N", group=HOW, gt=0)
    requests: int = option(64, "concurrent requests", metavar="N", group=HOW, gt=0)
    pictures: bool = option(False, "draw every picture, even if the model does not look", group=HOW)
    cache: Path | None = option(None, "cache answers in this file, which runs can share", metavar="FILE", group=HOW)
    no_cache: bool = option(False, "do not cache answers: a resumed episode asks again", group=HOW)
    batch: bool = option(
        False, "ask in batches: half the price, replies within a day (openai: and anthropic:)", group=NETWORK
    )
    batch_wait: float = option(
        5.0, "seconds without a new request after which a batch is sent", metavar="S", group=NETWORK, gt=0
    )
    batch_least: int = option(
        1, "fewer requests than this are sent without a batch, at the full price", metavar="N", group=NETWORK, ge=1
    )
    batch_plain: bool = option(
        False, "send what a batch did not answer without one, instead of in another", group=NETWORK
    )
    hf_args: str | None = option(
        None, "options of hf models: device=cpu,dtype=float32 or JSON", metavar="ARGS", group=HOW
    )
    shard: str | None = option(
        None, "play part K of N only; python -m evals.merge puts the parts together", metavar="K/N", group=MACHINES
    )
    engine: Engine = option(
        Engine.LOCAL, "what plays the episodes: local, or ray (docs/scale.md)", metavar="NAME", group=MACHINES
    )
    ray_address: str | None = option(
        None,
        "play on this cluster: HOST:PORT or auto (default: one on this machine)",
        metavar="ADDRESS",
        group=MACHINES,
    )
    players: int | None = option(
        None, "most players at a time (default: one for each processor)", metavar="N", group=MACHINES, gt=0
    )
    out: Path | None = option(None, "the run directory (default: a new one below runs/)", metavar="DIR", group=WHERE)
    resume: Path | None = option(None, "resume a run that was stopped", metavar="DIR", group=WHERE)
    json_: bool = option(False, "print the scores as one JSON object on stdout", group=WHERE)
    otel: bool = option(False, "send spans to OTEL_EXPORTER_OTLP_ENDPOINT during the run", group=WHERE)

    @field_validator("shard")
    @classmethod
    def _is_a_part(cls, value: str | None) -> str | None:
        return None if value is None else str(Shard.parse(value))


def explain(error: ValidationError) -> str:
    """The first invalid setting, in one line."""
    first = error.errors(include_url=False)[0]
    name = "--" + "-".join(str(part) for part in first["loc"]).rstrip("_").replace("_", "-")
    return f"{name}: {first['msg'][:1].lower()}{first['msg'][1:]}, not {first['input']!r}"


def describe(
    benchmark: str, program: Sequence[str], settings: Settings, setup: Setup, fingerprints: Mapping[str, str]
) -> dict[str, Any]:
    """The part of `run.json` about settings, versions and fingerprints."""
    model = setup.model
    planner = {"planner": setup.planner.engine} if setup.planner else {}
    return {
        "benchmark": benchmark,
        "settings": settings.model_dump(mode="json"),
        "usual": type(settings)().model_dump(mode="json"),
        "control": settings.control,
        "simulated": model.simulated,
        "looks": model.looks,
        "graph": shape(setup.graph),
        "model": model.identity,
        "command": settings.command(program),
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": {**_versions(), "python": platform.python_version(), **planner},
        "fingerprints": {
            **fingerprints,
            "agent": fingerprint(Path(setup.agent.source).read_bytes()) if setup.agent.source else "",
            "prompts": setup.prompts.fingerprints(),
            "scorer": SCORER,
        },
        "git": _commit(),
    }


def changed(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """What has changed since the start of a run and would affect its numbers."""
    kept, now = old.get("fingerprints", {}), new["fingerprints"]
    found = [f"the {name} changed" for name in now if kept.get(name) != now[name]]
    if old.get("model") != new["model"]:
        found.append(f"the model is {new['model']!r}, not {old.get('model')!r}")
    if old.get("versions", {}).get("planner") != new["versions"].get("planner"):
        found.append("the planner's version changed")
    return found


def _stem(name: str) -> str:
    """A short name for an agent or model: the last part of a path, without any address."""
    kind, colon, rest = name.partition(":")
    if kind.endswith(".py"):
        return Path(kind).stem
    rest = re.split(r"@(?=\w+://)", rest, maxsplit=1)[0]
    return f"{kind}{colon}{rest.rpartition('/')[2]}"


def fingerprint(*contents: bytes) -> str:
    """A short hash of contents, in order."""
    digest = hashlib.sha256()
    for content in contents:
        digest.update(len(content).to_bytes(8))
        digest.update(content)
    return digest.hexdigest()[:12]


@cache
def _versions() -> dict[str, str | None]:
    found: dict[str, str | None] = {}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = None
    return found


@cache
def _commit() -> str | None:
    """The commit of the checkout, marked if there are changes on top of it; None outside a checkout.

    Asked once: what the process has loaded stays the same.
    """
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


def default_directory(benchmark: str, settings: Settings, parent: Path, shard: str | None = None) -> Path:
    """A new directory `<time>-<benchmark>-<agent>-<model>`, with unsafe characters replaced."""
    moment = datetime.now().strftime("%Y%m%d-%H%M%S")
    control = f"-control-{settings.control}" if settings.control else ""
    name = f"{moment}-{benchmark}-{_stem(settings.agent)}-{_stem(settings.model)}{control}"
    name += f"-shard-{shard.replace('/', '-of-')}" if shard else ""
    safe = "".join(char if char.isalnum() or char in "-_." else "_" for char in name)[:120]
    path, number = parent / safe, 2
    while path.exists():
        path, number = parent / f"{safe}-{number}", number + 1
    return path
