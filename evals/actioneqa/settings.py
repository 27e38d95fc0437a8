"""The settings of ActionEQA."""

from __future__ import annotations

from typing import Literal

from evals.questions.settings import PromptedSettings
from evals.run.settings import option

CORE = "core"


class ActionSettings(PromptedSettings):
    """The settings of ActionEQA."""

    model: str = option("sim:gemini-2.5-pro", "a model, or `list`", metavar="SPEC")
    data: str = option(
        CORE,
        "core: our own questions; a folder that generate, curate or export wrote; or a data set in the hub's cache",
        metavar="WHERE",
    )
    source: Literal["bridge", "droid", "rt1"] | None = option(None, "only questions of bridge, droid or rt1")
    level: str | None = option(None, "only high, mid or low, or several: mid,low", metavar="LEVELS")
    direction: Literal["forward", "inverse"] | None = option(
        None, "forward: only state prediction; inverse: only action inference"
    )
    views: Literal["1", "2", "3", "4", "ego", "exo", "ego+exo"] = option(
        "1", "cameras side by side: 1 or exo; 2, 3, 4 (bridge); ego, ego+exo (droid)"
    )
    distractors: Literal["factors", "official"] = option(
        "factors", "factors: the four options of a set; official: other options by the published rules (inverse only)"
    )
