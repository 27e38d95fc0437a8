"""The settings of ERQA."""

from __future__ import annotations

from evals.families.settings import SetSettings
from evals.run.settings import option


class ErqaSettings(SetSettings):
    """The settings of ERQA."""

    model: str = option("sim:gemini-2.0-pro", "a model, or `list`", metavar="SPEC")
