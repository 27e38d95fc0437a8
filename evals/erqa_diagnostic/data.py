"""How ERQA-Plus was published: one JSON file with pictures beside it, or parquet files on the hub."""

from __future__ import annotations

from evals.questions.readers import Form

FORM = Form(
    files=(
        "erqa_plus_gpt_1766_revised_gemini.json",
        "questions.json",
        "data/train-*.parquet",
        "train-*.parquet",
        "*.parquet",
    ),
    expected=1766,
    own=("questions.json",),
    hub="huggingdas/erqa-plus",
    id="qid",
    numbered="question_",
    options="choices",
    answer="answer",
    pictures=("all_images", "image"),
    paths=("image_paths",),
    letter="letter",
    tags={"sub_category": "question_type"},
    more=("explanation",),
)
