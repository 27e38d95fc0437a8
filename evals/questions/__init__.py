"""Question sets: questions about pictures with known answers. A new set is one file and its data."""

from evals.questions.sets import Item, QuestionSet, QuestionSettings

__all__ = ["Item", "QuestionSet", "QuestionSettings"]
