"""How ERQA+ was published: parquet files on the hub, or FlagEvalMM's `data.json` with a folder of pictures."""

from __future__ import annotations

from evals.questions.readers import Form

FORM = Form(
    files=("data/test-*.parquet", "test-*.parquet", "data.json", "*.parquet"),
    expected=800,
    hub="FlagEval/ERQAPlus",
    paths=("img_path", "image_paths"),
    tags={"type": "question_type", "category": "task_category", "sub_category": "task_sub_category"},
    spelling={
        "Multiple-choice": "multiple-choice",
        "Sorting": "sorting",
        "Matching": "matching",
        "Counting": "counting",
        "Composite-judgement": "composite-judgement",
        "Composite-judgment": "composite-judgement",
        "Open": "open",
    },
)
