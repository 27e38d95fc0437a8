"""Question sets: questions about pictures with known answers. A new set is one file and its data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evals.questions.sets import Item, QuestionSet
    from evals.questions.settings import QuestionSettings

__all__ = ["Item", "QuestionSet", "QuestionSettings"]


def __getattr__(name: str) -> Any:
    # The engine behind question sets is imported when one is made: commands on replies do without it.
    if name in __all__:
        from evals.questions import sets

        return getattr(sets, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
