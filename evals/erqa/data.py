"""How ERQA was published: a TFRecord file, or FlagEval's parquet files on the hub."""

from __future__ import annotations

from evals.questions.readers import Form

FORM = Form(
    files=("erqa.tfrecord", "data/erqa.tfrecord", "*.tfrecord", "data/test-*.parquet", "test-*.parquet", "*.parquet"),
    expected=400,
    hub="FlagEval/ERQA",
    numbered="ERQA_",
    answer="answer",
    pictures=("image/encoded", "images"),
    places="visual_indices",
    letter="erqa_harness",
    tags={"category": "question_type", "sub_category": "question_type"},
    closing=(r"Please answer directly with only the letter of the correct option and nothing else\.?",),
)
