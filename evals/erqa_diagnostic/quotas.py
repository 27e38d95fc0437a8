"""How many questions each sub-type has, and which families of questions about our homes they come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from evals.erqa_diagnostic.taxonomy import COUNTS


@dataclass(frozen=True, slots=True)
class Part:
    """Questions of a sub-type from one family: those whose text has one of `words`, or all if there are none.

    With `options`, only these are offered.
    """

    sub_type: str
    family: str
    count: int
    words: tuple[str, ...] = ()
    options: tuple[str, ...] = ()


ROOMS = ("a kitchen", "a living room", "a bedroom", "a garage")
"""Rooms that can be recognised by their furniture."""
PARTS: Mapping[str, Part] = {
    "distance": Part("Spatial Reasoning", "distance", 192),
    "direction": Part("Spatial Reasoning", "direction", 155),
    "shape": Part("Spatial Reasoning", "shape", 110),
    "views": Part("Spatial Reasoning", "multiview", 18),
    "support": Part("Spatial Reasoning", "state", 85, ("rest on", "does not touch", "resting directly")),
    "recognition": Part("Object Reasoning", "objects", 165, ("What is the", "same kind", "in the picture?")),
    "traits": Part("Object Reasoning", "traits", 220),
    "frames": Part("Temporal Reasoning", "frames", 15),
    "events": Part("Action Recognition", "events", 6),
    "handling": Part("Action Recognition", "state", 29, ("holding in its", "open widest")),
    "motion": Part("Action Recognition", "dynamic", 95, ("How did the camera move", "moved from the first picture")),
    "moves": Part("Action Recognition", "state", 40, ("What was done between",)),
    "steps": Part("Procedural Reasoning", "decomposition", 115),
    "goals": Part("Intention Reasoning", "intention", 38),
    "gaze": Part("Attention and Role Understanding", "gaze", 15),
    "layout": Part("Layout Understanding", "layouts", 126),
    "rooms": Part("Layout Understanding", "objects", 30, ("In which room",), ROOMS),
    "paths": Part("Path Planning", "navigation", 15),
    "uses": Part("Functional Context", "uses", 243),
    "outcomes": Part("Plausible Event Prediction", "future", 38),
    "belonging": Part("World Knowledge Grounding", "belonging", 16),
}
"""Parts by name; the ids of their questions begin with it."""


def counts() -> dict[str, int]:
    """How many questions of each sub-type the parts give."""
    found = dict.fromkeys(COUNTS, 0)
    for part in PARTS.values():
        found[part.sub_type] += part.count
    return found
