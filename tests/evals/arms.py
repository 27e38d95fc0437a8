"""Arms for tests: episodes without a run behind them, whose outcome and course are given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from evals.comparison.arms import Arm, Part, Played, arms_of
from evals.comparison.stages import Stage

ALIKE: dict[str, Any] = {
    "scorer": "1",
    "problems": "p1",
    "texts": "t1",
    "pictures": "ray 2",
    "prompts": {"yes_no": "a", "plan": "b"},
}


def played(problem: str, success: bool | None, split: str = "simple", seed: int = 0, **other: Any) -> Played:
    return replace(Played("blocksworld", split, problem, seed, success, asks=True), **other)


def part(
    outcomes: Mapping[str, bool | None] | Sequence[Played],
    *,
    agent: str = "ground",
    seed: int = 0,
    name: str = "",
    prints: Mapping[str, Any] | None = None,
    missing: int = 0,
    looks: bool = True,
    path: str = "",
    **settings: Any,
) -> Part:
    """A run of an agent: what became of each problem."""
    if isinstance(outcomes, Mapping):
        listed = tuple(played(problem, success, seed=seed) for problem, success in outcomes.items())
    else:
        listed = tuple(outcomes)
    chosen = {"agent": agent, "model": "sim:gpt-4.1", "domain": "blocksworld", "split": "all", "seed": seed, **settings}
    known = ALIKE if prints is None else prints
    return Part(name or agent, chosen, known, listed, len(listed) + missing, looks=looks, path=path)


def arms(*parts: Part) -> list[Arm]:
    return arms_of(parts)


def course(*stages: Stage) -> Any:
    """What reads the course of an episode."""
    return lambda: list(stages)
