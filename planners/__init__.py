"""Symbolic planning: problems, plans, validators. Knows nothing of pictures or models."""

from __future__ import annotations

from planners.names import unknown
from planners.outcome import Planner

PLANNERS = ("fd", "fd-opt", "up:ENGINE")


def get_planner(name: str = "fd") -> Planner:
    """A planner by name: `fd` (Fast Downward), `fd-opt` (shortest plans), `up:ENGINE` (any of unified-planning)."""
    if name in ("fd", "fd-opt"):
        from planners.fast_downward import FastDownward

        return FastDownward("default" if name == "fd" else "optimal")
    if name.startswith("up:") and len(name) > len("up:"):
        from planners.unified import UnifiedPlanning

        return UnifiedPlanning(name.removeprefix("up:"))
    raise unknown("planner", name, PLANNERS)
