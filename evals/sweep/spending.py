"""What a sweep has spent so far, so that its cap also holds after resuming."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from evals.run.directory import RunDirectory
from models.base import Usage


def spent(runs: Iterable[Path]) -> Usage:
    """Tokens and dollars, from cached answers, or from finished episodes if answers are cached elsewhere."""
    prompt = completion = 0
    cost = 0.0
    for folder in runs:
        used = _answers(folder / "answers.sqlite") or _episodes(folder)
        prompt, completion, cost = prompt + used.prompt_tokens, completion + used.completion_tokens, cost + used.cost
    return Usage(prompt, completion, cost)


def _answers(path: Path) -> Usage | None:
    if not path.is_file():
        return None
    parts = ", ".join(f"total(json_extract(reply, '$[1][{place}]'))" for place in range(3))
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=30)) as db:
            prompt, completion, cost = db.execute(f"SELECT {parts} FROM answers WHERE json_valid(reply)").fetchone()
    except sqlite3.Error:
        return None  # killed at its start, or damaged: preparing the run will report it
    return Usage(int(prompt), int(completion), float(cost))


def _episodes(folder: Path) -> Usage:
    results = RunDirectory.open(folder).results()
    return Usage(
        sum(result.prompt_tokens for result in results),
        sum(result.completion_tokens for result in results),
        sum(result.cost for result in results),
    )
