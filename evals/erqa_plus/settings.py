"""The settings of ERQA+."""

from __future__ import annotations

from evals.families.settings import SetSettings
from evals.run.settings import option


class ErqaPlusSettings(SetSettings):
    """The settings of ERQA+."""

    model: str = option("sim:gemini-3-pro-preview", "a model, or `list`", metavar="SPEC")
