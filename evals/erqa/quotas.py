"""How many questions of each category the embedded set has, as published, and which families they come from."""

from __future__ import annotations

from collections.abc import Mapping

from evals.families.base import TYPES

CATEGORIES: Mapping[str, Mapping[str, int]] = {
    "Spatial Reasoning": {"Relative distance": 28, "Relative direction": 36, "Relative shape": 20},
    "Action Reasoning": {"Goal Decomposition": 52, "Dynamic": 20},
    "Trajectory Reasoning": {"Dynamic": 34, "Future prediction": 20, "Navigation": 12},
    "State Estimation": {"State & Activity Understanding": 55},
    "Task Reasoning": {"Goal Decomposition": 38},
    "Multi-view Reasoning": {"Multi-view matching": 37},
    "Pointing": {"Relative distance": 18, "Object & Scene Recognition": 16},
    "Other": {"Object & Scene Recognition": 14},
}
"""Categories with their counts by sub-category of ERQA+."""


def quotas() -> dict[str, dict[str, int]]:
    """The multiple-choice questions that are needed of each sub-category, whatever category they go to."""
    found: dict[str, dict[str, int]] = {}
    for parts in CATEGORIES.values():
        for name, count in parts.items():
            of = found.setdefault(name, {TYPES[0]: 0})
            of[TYPES[0]] += count
    return found
