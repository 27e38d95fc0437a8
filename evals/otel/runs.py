"""The attributes of runs and episodes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evals.otel import attributes as attrs
from evals.otel.attributes import Attributes, Kind
from evals.run.episodes import Episode
from evals.run.results import EpisodeResult


def of_run(name: str, config: Mapping[str, Any]) -> Attributes:
    """The attributes of a run."""
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
    return {**attrs.kind(Kind.CHAIN), "session.id": name, **attrs.metadata(**facts)}


def of_episode(run: str, config: Mapping[str, Any], episode: Episode | EpisodeResult) -> Attributes:
    """The attributes of an episode, with one for each tag, to filter by."""
    agent = str(config.get("settings", {}).get("agent", ""))
    facts = {
        "run": run,
        "episode": episode.id,
        "problem": episode.problem,
        "split": episode.split,
        "seed": episode.seed,
        "tags": dict(episode.tags) or None,
    }
    tags = {f"plumbline.tag.{name}": value for name, value in episode.tags.items()}
    return {"session.id": run, "agent.name": agent, **attrs.metadata(**facts), **tags}


def model_of(config: Mapping[str, Any]) -> str:
    """The model as the user named it."""
    return str(config.get("settings", {}).get("model", config.get("model", "")))
