"""Runs, episodes, steps and answers as pandas data frames, for whoever asks questions that no report answers.

    from evals import frames
    answers = frames.answers("runs")
    answers.groupby(["model", "predicate"])["right"].mean()

Give a run directory, a folder with runs below it, or several of either. `COLUMNS` has the columns of each frame and
their types. pandas is an extra: pip install -e '.[frames]'.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from evals.comparison.arms import COT, Unusable
from evals.comparison.own import every_run, stratum_of
from evals.report import splits_of
from evals.results import EpisodeResult
from evals.run_directory import RunDirectory, RunError
from evals.scores import score_run
from evals.trace import DamagedTrace, Record, read_trace
from tools.events import Acted, Asked, CalledOff, Decided, Planned, Proposed, Replanned

if TYPE_CHECKING:
    import pandas as pd  # type: ignore[import-untyped]

Paths: TypeAlias = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]
Row: TypeAlias = dict[str, Any]

WORD, TEXT, FLAG, COUNT, NUMBER, TIME = "category", "string", "boolean", "Int64", "Float64", "datetime64[ns, UTC]"
_WHICH = {"run": WORD, "agent": WORD, "method": WORD, "cot": FLAG, "model": WORD, "seed": COUNT}
_WHERE = {**_WHICH, "domain": WORD, "split": WORD, "problem": WORD, "episode": WORD}
COLUMNS: Mapping[str, Mapping[str, str]] = {
    "runs": {
        **_WHICH,
        **{"path": TEXT, "benchmark": WORD, "started": TIME, "git": WORD, "scorer": WORD, "simulated": FLAG},
        **{"expected": COUNT, "finished": COUNT, "scored": COUNT, "solved": COUNT, "success": NUMBER, "sem": NUMBER},
        **{"questions": COUNT, "prompt_tokens": COUNT, "completion_tokens": COUNT, "cost": NUMBER},
    },
    "episodes": {
        **_WHERE,
        **{"success": FLAG, "scored": FLAG, "reason": WORD, "failure": WORD, "detail": TEXT, "steps": COUNT},
        **{"executed": COUNT, "replans": COUNT, "questions": COUNT, "right": COUNT, "proposals": COUNT},
        **{"unreadable": COUNT, "prompt_tokens": COUNT, "completion_tokens": COUNT, "cost": NUMBER},
    },
    "steps": {
        **_WHERE,
        **{"step": COUNT, "action": WORD, "outcome": WORD, "called_off": FLAG, "refused": FLAG, "legal": FLAG},
        **{"happened": WORD, "goal": FLAG, "planned": COUNT, "belief_errors": COUNT, "replans": COUNT},
        **{"questions": COUNT, "wrong_answers": COUNT, "seconds": NUMBER, "cost": NUMBER},
    },
    "answers": {
        **_WHERE,
        **{"number": COUNT, "step": COUNT, "phase": WORD, "predicate": WORD, "atom": WORD, "question": TEXT},
        **{"answer": FLAG, "truth": FLAG, "right": FLAG, "expected": FLAG, "yes": NUMBER, "no": NUMBER},
        **{"reply": TEXT, "fault": TEXT, "truncated": FLAG, "reminded": FLAG, "cached": FLAG, "seconds": NUMBER},
        **{"prompt_tokens": COUNT, "completion_tokens": COUNT, "cost": NUMBER},
    },
}
"""The columns of each frame and their types in pandas. `runs` also has a column for every other setting."""


class PandasMissing(ImportError):
    """pandas is not installed; the message says how to install it."""


def runs(paths: Paths) -> pd.DataFrame:
    """One row a run: what it was, and what it came to."""
    return _frame("runs", _opened(paths), lambda run: iter([_run_row(run)]))


def episodes(paths: Paths) -> pd.DataFrame:
    """One row a finished episode. `success` is missing where model, planner or program broke down."""
    return _frame("episodes", _opened(paths), _episode_rows)


def steps(paths: Paths) -> pd.DataFrame:
    """One row an attempt, called off ones included, with what was asked since the one before it."""
    return _frame("steps", _opened(paths), lambda run: _from_traces(run, _step_rows))


def answers(paths: Paths) -> pd.DataFrame:
    """One row a question. `right` is false where the reply could not be read."""
    return _frame("answers", _opened(paths), lambda run: _from_traces(run, _answer_rows))


def _opened(paths: Paths) -> list[RunDirectory]:
    listed = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    try:
        return [RunDirectory.open(folder) for folder in every_run(map(Path, listed))]
    except RunError as error:
        raise Unusable(str(error)) from None


def _frame(name: str, opened: list[RunDirectory], rows: Callable[[RunDirectory], Iterator[Row]]) -> pd.DataFrame:
    try:
        import pandas as pd
    except ImportError:
        raise PandasMissing("evals.frames needs pandas: pip install -e '.[frames]'") from None
    columns = COLUMNS[name]
    filled: dict[str, list[Any]] = {column: [] for column in columns}
    for run in opened:
        for row in rows(run):
            for column in [column for column in row if column not in filled]:
                filled[column] = [None] * len(filled["run"])
            for column, values in filled.items():
                values.append(row.get(column))
    frame = pd.DataFrame({column: pd.Series(values, dtype="object") for column, values in filled.items()})
    known = {column: kind for column, kind in columns.items() if kind != TIME}
    frame = frame.astype(known)
    for column in columns.keys() - known.keys():
        frame[column] = pd.to_datetime(frame[column], utc=True).astype(TIME)
    return frame.infer_objects()


def _which(run: RunDirectory) -> Row:
    settings = run.config["settings"]
    agent = str(settings.get("agent", ""))
    return {
        "run": run.path.resolve().name,
        "agent": agent,
        "method": agent.removesuffix(COT),
        "cot": agent.endswith(COT),
        "model": settings.get("model"),
        "seed": settings.get("seed"),
    }


def _where(run: RunDirectory, result: EpisodeResult) -> Row:
    settings = {"benchmark": run.config.get("benchmark"), **run.config["settings"]}
    domain, split = stratum_of(result, settings)
    return {**_which(run), "domain": domain, "split": split, "problem": result.problem, "episode": result.id}


def _run_row(run: RunDirectory) -> Row:
    results = _results(run)
    scores = score_run(results, splits_of(run), run.episodes)
    config = run.config
    return {
        **config["settings"],
        **_which(run),
        "path": str(run.path),
        "benchmark": config.get("benchmark"),
        "started": config.get("started"),
        "git": config.get("git"),
        "scorer": (config.get("fingerprints") or {}).get("scorer"),
        "simulated": config.get("simulated"),
        "expected": scores.expected,
        "finished": len(results),
        "scored": scores.scored,
        "solved": sum(result.success for result in results if result.scored),
        "success": scores.success,
        "sem": scores.sem,
        **{name: sum(getattr(result, name) for result in results) for name in ("questions", "cost")},
        **{name: sum(getattr(result, name) for result in results) for name in ("prompt_tokens", "completion_tokens")},
    }


def _results(run: RunDirectory) -> list[EpisodeResult]:
    try:
        return run.results()
    except RunError as error:
        raise Unusable(str(error)) from None


def _episode_rows(run: RunDirectory) -> Iterator[Row]:
    same = ("reason", "detail", "steps", "replans", "questions", "proposals", "unreadable")
    spent = ("prompt_tokens", "completion_tokens", "cost")
    for result in _results(run):
        yield {
            **_where(run, result),
            **{name: getattr(result, name) for name in (*same, *spent)},
            "success": result.success if result.scored else None,
            "scored": result.scored,
            "failure": str(result.failure) if result.failure else None,
            "executed": result.attempts.get("executed", 0),
            "right": sum(tally.right for tally in result.tallies),
        }


def _from_traces(run: RunDirectory, rows: Callable[[list[Record]], Iterator[Row]]) -> Iterator[Row]:
    for result in _results(run):
        try:
            records = read_trace(run.trace(result.id))
        except (OSError, DamagedTrace) as error:
            raise Unusable(f"the trace of an episode cannot be read: {error}") from None
        where = _where(run, result)
        yield from ({**where, **row} for row in rows(records))


def _step_rows(records: list[Record]) -> Iterator[Row]:
    plan: Row = {"planned": None, "belief_errors": None}
    since = _nothing_yet()
    for record in records:
        event, truth = record.event, record.truth
        if isinstance(event, Asked | Proposed | Decided):
            since["seconds"] += event.seconds
            since["cost"] += event.cost
            since["questions"] += isinstance(event, Asked)
            since["wrong_answers"] += isinstance(event, Asked) and event.answer != truth.value
        elif isinstance(event, Replanned):
            since["replans"] += 1
        elif isinstance(event, Planned):
            plan = {"planned": len(event.plan), "belief_errors": len(truth.wrong or ())}
        elif isinstance(event, Acted | CalledOff):
            off = isinstance(event, CalledOff)
            yield {
                **plan,
                **since,
                "step": event.step,
                "action": event.action,
                "outcome": "called off" if isinstance(event, CalledOff) else event.outcome,
                "called_off": off,
                "refused": not isinstance(event, CalledOff) and event.refused,
                "legal": truth.legal,
                "happened": truth.happened,
                "goal": truth.goal,
            }
            since = _nothing_yet()


def _nothing_yet() -> Row:
    return {"questions": 0, "wrong_answers": 0, "replans": 0, "seconds": 0.0, "cost": 0.0}


_ASKED = (
    *("step", "atom", "question", "answer", "expected", "yes", "no", "reply", "fault", "truncated"),
    *("reminded", "cached", "seconds", "prompt_tokens", "completion_tokens", "cost"),
)


def _answer_rows(records: list[Record]) -> Iterator[Row]:
    number = 0
    for record in records:
        event = record.event
        if isinstance(event, Asked):
            yield {
                **{name: getattr(event, name) for name in _ASKED},
                "number": number,
                "phase": str(event.phase),
                "predicate": event.atom.partition(" ")[0],
                "truth": record.truth.value,
                "right": event.answer is not None and event.answer == record.truth.value,
            }
            number += 1
