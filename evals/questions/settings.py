"""The settings of any question set."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import model_validator

from evals.run.settings import Settings, option
from models.parsing import Profile


class QuestionSettings(Settings):
    """The settings of any question set."""

    agent: str = option("answer", "an agent, FILE.py:FUNCTION, or `list`", metavar="NAME")
    model: str = option("oracle", "a model, or `list`", metavar="SPEC")
    parsing: Profile = option(Profile.ROBUST, "how replies are read: robust, or official as the authors' program does")


class PromptedSettings(QuestionSettings):
    """Settings with `prompt`, which selects one of the two published agents."""

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
