"""Question sets: questions about pictures with known answers. A new set is one file and its data."""

from evals.questions.sets import Item, QuestionSet
from evals.questions.settings import QuestionSettings

__all__ = ["Item", "QuestionSet", "QuestionSettings"]
