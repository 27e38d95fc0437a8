"""Readers of published questions: rows with references, and pictures that are read on demand."""

from evals.questions.readers.forms import EVALUATORS, Form
from evals.questions.readers.reading import read
from evals.questions.readers.rows import BadData, Photo, Published, Row, answer_of

__all__ = ["EVALUATORS", "BadData", "Form", "Photo", "Published", "Row", "answer_of", "read"]
