"""What a user may choose for any question set."""

from __future__ import annotations

from evals.run.settings import Settings, option
from models.parsing import Profile


class QuestionSettings(Settings):
    """What a user may choose for any question set."""

    agent: str = option("answer", "an agent, FILE.py:FUNCTION, or `list`", metavar="NAME")
    model: str = option("oracle", "a model, or `list`", metavar="SPEC")
    parsing: Profile = option(Profile.ROBUST, "how replies are read: robust, or official as the authors' program does")
