"""Filters for building a question set: composable steps that drop questions and record why."""

from evals.questions.filters.pipeline import Filtered, table_of, winnow
from evals.questions.filters.steps import (
    Answers,
    Decision,
    Quotas,
    RightOut,
    Step,
    TrivialCounts,
    WeakPanel,
    captions,
    members_of,
    programs_of,
    text_only,
)

__all__ = [
    "Answers",
    "Decision",
    "Filtered",
    "Quotas",
    "RightOut",
    "Step",
    "TrivialCounts",
    "WeakPanel",
    "captions",
    "members_of",
    "programs_of",
    "table_of",
    "text_only",
    "winnow",
]
