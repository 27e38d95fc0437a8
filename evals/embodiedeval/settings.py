"""The settings of EmbodiedEval."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Literal

from pydantic import model_validator

from evals.run.settings import Settings, option
from tools.base import Conduct, Feedback

EMBEDDED = "embedded"


class WorldFeedback(StrEnum):
    """The feedback on an interaction: none, `success` or `failed`, or also the reason for a failure."""

    NONE = "none"
    OFFICIAL = "official"
    REASONS = "reasons"


class EmbodiedEvalSettings(Settings):
    """The settings of EmbodiedEval."""

    agent: str = option("choose", "an agent, FILE.py:FUNCTION, or `list`", metavar="NAME")
    model: str = option("sim:gpt-4o", "a model, or `list`", metavar="SPEC")
    category: Literal["all", "attribute_qa", "spatial_qa", "navigation", "object_interaction", "social_interaction"] = (
        option("all", "attribute_qa, spatial_qa, navigation, object_interaction, social_interaction or all")
    )
    images: int = option(25, "the most pictures in a prompt, the present one included", metavar="N", ge=1, le=25)
    frames: int = option(24, "also show the model its last N pictures (follows from --images)", metavar="N", ge=0)
    feedback: WorldFeedback = option(  # type: ignore[assignment]
        WorldFeedback.OFFICIAL, "what the world says of an interaction: none, official (success or failed) or reasons"
    )
    rules: Literal[Conduct.MENDED, Conduct.OFFICIAL] = option(
        Conduct.MENDED, "mended, or official: the original's protocol, quirks included"
    )
    data: str = option(EMBEDDED, "embedded: our own tasks; or a folder of the original's task files", metavar="WHERE")
    game_port: int | None = option(
        None, "play the original's tasks in its game, which connects to this port", metavar="PORT", ge=1, le=65535
    )
    scenes: str = option("data/scenes", "where the game finds the original's scenes", metavar="DIR")

    @property
    def history(self) -> Feedback:
        """Without feedback, prompts list past actions without their outcomes."""
        return Feedback.ACTIONS if self.feedback is WorldFeedback.NONE else Feedback.FULL

    @model_validator(mode="before")
    @classmethod
    def _earlier_pictures(cls, given: Any) -> Any:
        """Set `frames` from `images`, which counts the present picture too."""
        if isinstance(given, dict) and given.get("images") is not None and given.get("frames") in (None, 24):
            try:
                return {**given, "frames": int(given["images"]) - 1}
            except (TypeError, ValueError):
                return given  # the field itself says what is wrong
        return given
