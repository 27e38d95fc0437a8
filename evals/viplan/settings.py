"""The settings of ViPlan."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from envs.base import Announcing
from evals.run.settings import Settings, option
from tools.base import Conduct, Feedback


class WorldFeedback(StrEnum):
    """What the world says of attempts, and what prompts say of earlier ones."""

    FULL = "full"
    ACTIONS = "actions"
    LEGALITY = "legality"
    NONE = "none"


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
    start: Literal["told", "seen"] = option(
        "told", "told: the state at the start is given; seen: nothing is, look for it (household)"
    )
    feedback: WorldFeedback = option(  # type: ignore[assignment]
        WorldFeedback.FULL,
        "what the world announces: full, legality (only that an action was not legal) or none; actions: as full, but "
        "prompts list actions without outcomes",
    )
    rules: Conduct = option(Conduct.MENDED, "mended, or official: the original's protocol, quirks included")

    @property
    def announces(self) -> Announcing:
        """What the world announces of an attempt."""
        return {"legality": Announcing.LEGALITY, "none": Announcing.NONE}.get(self.feedback, Announcing.FULL)

    @property
    def history(self) -> Feedback:
        """What prompts say of earlier attempts: no more than the world has announced."""
        return Feedback.ACTIONS if self.feedback in ("actions", "none") else Feedback.FULL
