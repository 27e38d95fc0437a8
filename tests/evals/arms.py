"""Arms for tests: episodes without a run behind them, whose outcome and course are given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from evals.compare.arms import Arm, Part, Played, arms_of
from evals.compare.courses import Moment
from evals.viplan.settings import ViPlanSettings
from evals.viplan.splits import SPLITS

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
    usual = {"benchmark": "viplan", **ViPlanSettings().model_dump(mode="json")}
    return Part(
        name=name or agent,
        settings={**usual, "agent": agent, "model": "sim:gpt-4.1", "seed": seed, **settings},
        fingerprints=ALIKE if prints is None else prints,
        played=listed,
        expected=len(listed) + missing,
        looks=looks,
        path=path,
        splits=SPLITS,
        usual=usual,
    )


def arms(*parts: Part) -> list[Arm]:
    return arms_of(parts)


def course(*moments: Moment) -> Any:
    """What reads the course of an episode."""
    return lambda: list(moments)
