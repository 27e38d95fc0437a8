"""The settings of ERQA-Plus."""

from __future__ import annotations

from typing import Literal

from evals.families.settings import SetSettings
from evals.run.settings import option


class ErqaDiagnosticSettings(SetSettings):
    """The settings of ERQA-Plus."""

    model: str = option("sim:qwen3-vl-32b-thinking", "a model, or `list`", metavar="SPEC")
    mode: Literal["choice", "open"] = option(
        "choice", "choice: four options; open: answers in at most 20 words, compared by sentence embeddings"
    )
