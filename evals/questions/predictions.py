"""Exports the replies of a run in the format of common evaluators: `[{"question_id": …, "answer": …}]`.

Such a file can be replayed: `--model replay:FILE`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from evals.run.directory import RunDirectory
from evals.run.trace import Record
from tools.events import Answered, Asked

PHASE = "question"


def predictions_of(run: RunDirectory) -> list[dict[str, str]]:
    """The reply to every played question, in the order of the run's results; of repeats, the first."""
    return [
        {"question_id": result.id, "answer": reply_in(run.records_of(result))}
        for result in run.results()
        if result.settled and "repeat" not in result.tags
    ]


def reply_in(records: Sequence[Record]) -> str:
    """The text that is scored: the answer, else the last reply to the question; empty if there is none."""
    events = [record.event for record in records]
    answers = [event.text for event in events if isinstance(event, Answered) and event.text]
    replies = [event.reply for event in events if isinstance(event, Asked) and event.phase == PHASE]
    return (answers or replies or [""])[-1]


def write_predictions(run: RunDirectory, path: Path) -> int:
    """Write the replies of a run to a file; returns their number."""
    predictions = predictions_of(run)
    # Written to a temporary file first, so that an existing file is always complete.
    aside = path.with_name(f".{path.name}.part")
    aside.write_text(json.dumps(predictions, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    aside.replace(path)
    return len(predictions)
