"""The settings of ViPlan."""

from __future__ import annotations

from typing import Literal

from evals.run.settings import Settings, option
from tools.base import Conduct


class ViPlanSettings(Settings):
    """The settings of ViPlan."""

    domain: Literal["blocksworld", "household", "all"] = option("blocksworld", "blocksworld, household or all")
    split: Literal["simple", "medium", "hard", "all"] = option("all", "simple, medium, hard or all")
    fail_probability: float = option(0.0, "how often an action fails by bad luck", metavar="P", ge=0.0, le=1.0)
    problems: str | None = option(
        None, "a folder of problems, DIR/SPLIT/*.pddl, or generate:N for N new ones per split", metavar="DIR"
    )
    viplan_root: str | None = option(None, "a checkout of the original: its problems and its prompts", metavar="DIR")
    renderer: Literal["ray", "blender"] = option("ray", "ray or blender (pip install -e '.[blender]')")
    env_url: str | None = option(None, "act in a home that a server has: the original's or envs.serve", metavar="URL")
    rules: Conduct = option(Conduct.MENDED, "mended, or official: the original's protocol, quirks included")
