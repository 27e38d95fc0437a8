"""What a user may choose for ERQA."""

from __future__ import annotations

from evals.families.settings import SetSettings
from evals.run.settings import option


class ErqaSettings(SetSettings):
    """What a user may choose for ERQA."""

    model: str = option("sim:gemini-2.0-pro", "a model, or `list`", metavar="SPEC")
