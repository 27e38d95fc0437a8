"""The settings for making questions."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import model_validator

from evals.curation.commission import BLIND, GENERATE, JUDGE, REVISE, SOLVE
from evals.run.settings import Settings, option

WRITER = "quality:?sound=0.6&fixes=0.6"
JUDGE_DEFAULT = "quality:?hits=0.8&alarms=0.1"
CHECKS = ("form", "equal options", "cue", "truth", "blind", "solve")
PLAIN = ("form", "equal options", "cue", "truth")
"""Checks that cost nothing."""


class CurationSettings(Settings):
    """The settings for making questions."""

    agent: str = option("evals.curation.graph", "the pipeline, or one of your own: FILE.py:build", metavar="NAME")
    model: str = option(
        "", "set from the four models below; needed only to confirm somebody else's run", metavar="SPEC"
    )
    images: str = option(
        "embedded", "a folder of pictures, one a question set, or a folder for each set; embedded: our own",
        metavar="IMAGES",
    )  # fmt: skip
    generator: str = option(WRITER, "the model that writes questions", metavar="SPEC")
    judge: str = option(JUDGE_DEFAULT, "the model that judges them", metavar="SPEC")
    reviser: str = option(WRITER, "the model that revises them", metavar="SPEC")
    solver: str | None = option(
        None, "a model that answers each version twice blind and twice from the pictures", metavar="SPEC"
    )
    accept: int = option(9, "the score from which a question is accepted", metavar="N", ge=0, le=10)
    rounds: int = option(3, "versions of a question at the most", metavar="N", gt=0)
    per_image: str = option("2-5", "questions about each set of pictures", metavar="N-M")
    sub_type: str | None = option(None, "only questions of this sub-type, such as spatial", metavar="NAME")
    check: Literal["on", "off"] = option("on", "off: only the judge decides, as in the paper")
    task: Literal["build", "exam"] = option("build", "exam: have the judge judge questions with planted faults")
    each: int = option(6, "questions with each planted fault in an exam", metavar="N", gt=0)

    @model_validator(mode="before")
    @classmethod
    def _compose(cls, given: Any) -> Any:
        """Compose the model of the run from the models of its parts."""
        if not isinstance(given, dict) or given.get("model"):
            return given
        from models.roles import spec_of

        def chosen(name: str) -> Any:
            return given.get(name) or cls.model_fields[name].default

        parts = {GENERATE: chosen("generator"), JUDGE: chosen("judge"), REVISE: chosen("reviser")}
        solver = given.get("solver")
        return {**given, "model": spec_of({**parts, **({BLIND: solver, SOLVE: solver} if solver else {})})}

    @property
    def span(self) -> tuple[int, int]:
        """The fewest and the most questions about a set of pictures."""
        least, _, most = self.per_image.partition("-")
        try:
            found = int(least), int(most or least)
        except ValueError:
            found = (0, 0)
        if not 1 <= found[0] <= found[1]:
            raise ValueError(f"--per-image is a number or two, such as 2-5, not {self.per_image!r}")
        return found

    @property
    def checks(self) -> tuple[str, ...]:
        """The names of the checks that the node `check` runs."""
        if self.check == "off":
            return ()
        chosen = CHECKS if self.solver else PLAIN
        return chosen if self.images == "embedded" else tuple(name for name in chosen if name != "truth")
