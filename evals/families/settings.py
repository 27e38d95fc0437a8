"""What a user may choose for a set that has an embedded and a published form."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import model_validator

from evals.questions.settings import QuestionSettings
from evals.run.settings import option

EMBEDDED = "embedded"


class SetSettings(QuestionSettings):
    """What a user may choose for a set that has an embedded and a published form."""

    data: str = option(
        EMBEDDED,
        "embedded: our own questions; or published ones: a folder, a file, or a data set's name in the hub's cache",
        metavar="WHERE",
    )
    category: str | None = option(None, "only questions of this category or sub-category", metavar="NAME")
    type: str | None = option(None, "only questions of this type, such as sorting", metavar="NAME")
    prompt: Literal["direct", "cot"] | None = option(
        None, "direct or cot: answer at once or reason first (the agents answer and answer_cot)"
    )

    @model_validator(mode="before")
    @classmethod
    def _choose_agent(cls, given: Any) -> Any:
        """`prompt` is another name for one of the published agents."""
        if not isinstance(given, dict) or given.get("prompt") is None:
            return given
        wanted = {"direct": "answer", "cot": "answer_cot"}.get(given["prompt"])
        agent = given.get("agent", wanted)
        if wanted and agent not in ("answer", "answer_cot"):
            raise ValueError(f"prompt chooses between the agents answer and answer_cot, and the agent is {agent!r}")
        return {**given, "agent": wanted or agent}
