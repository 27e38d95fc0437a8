"""What a user may choose for ERQA+."""

from __future__ import annotations

from evals.families.settings import SetSettings
from evals.run.settings import option


class ErqaPlusSettings(SetSettings):
    """What a user may choose for ERQA+."""

    model: str = option("sim:gemini-3-pro-preview", "a model, or `list`", metavar="SPEC")
