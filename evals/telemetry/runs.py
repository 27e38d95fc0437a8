"""What spans say of the run and the episode they belong to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evals.telemetry import attributes as said
from evals.telemetry.attributes import Attributes, Kind


def of_run(name: str, config: Mapping[str, Any]) -> Attributes:
    """The run: what was played, with what."""
    settings = config.get("settings", {})
    facts = {
        "run": name,
        "benchmark": config.get("benchmark"),
        "agent": settings.get("agent"),
        "model": settings.get("model"),
        "simulated": config.get("simulated"),
        "seed": settings.get("seed"),
        "git": config.get("git"),
    }
    return {**said.kind(Kind.CHAIN), "session.id": name, **said.metadata(**facts)}


def of_episode(run: str, config: Mapping[str, Any], id: str, problem: str, split: str, seed: int) -> Attributes:
    """The episode: which problem, by which agent."""
    agent = str(config.get("settings", {}).get("agent", ""))
    facts = {"run": run, "episode": id, "problem": problem, "split": split, "seed": seed}
    return {"session.id": run, "agent.name": agent, **said.metadata(**facts)}


def model_of(config: Mapping[str, Any]) -> str:
    """The model as the user named it."""
    return str(config.get("settings", {}).get("model", config.get("model", "")))
