"""Ray itself, imported only where a cluster is used."""

from __future__ import annotations

import importlib
import os
from typing import Any

NO_RAY = "--engine ray needs Ray, which is not installed: pip install -e '.[ray]'"


def load_ray() -> Any:
    """The module; `ValueError` if it is not installed."""
    # Nothing about a run goes to anybody.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    try:
        return importlib.import_module("ray")
    except ImportError:
        raise ValueError(NO_RAY) from None


def on_node(node: str) -> Any:
    """The strategy that puts an actor on this machine and nowhere else."""
    strategies = importlib.import_module("ray.util.scheduling_strategies")
    return strategies.NodeAffinitySchedulingStrategy(node, soft=False)
