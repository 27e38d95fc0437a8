"""The settings of a set with an embedded and a published form."""

from __future__ import annotations

from evals.questions.settings import PromptedSettings
from evals.run.settings import option

EMBEDDED = "embedded"


class SetSettings(PromptedSettings):
    """The settings of a set with an embedded and a published form."""

    data: str = option(
        EMBEDDED,
        "embedded: our own questions; or published ones: a folder, a file, or a data set's name in the hub's cache",
        metavar="WHERE",
    )
    partial: bool = option(False, "accept files with fewer or more questions than were published")
    category: str | None = option(None, "only questions of this category or sub-category", metavar="NAME")
    type: str | None = option(None, "only questions of this type, such as sorting", metavar="NAME")
