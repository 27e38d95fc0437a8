"""Runs, episodes, steps, questions and prompts as pandas data frames.

    from evals import frames
    questions = frames.questions("runs")
    questions.groupby(["model", "topic"])["right"].mean()

Give a run directory, a folder with runs below it, or several of either. `COLUMNS` has the columns of each frame and
their types. pandas is an extra: pip install -e '.[frames]'.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from evals.compare.arms import COT, Unusable
from evals.compare.own import every_run, stratum_of
from evals.run.directory import RunDirectory, RunError
from evals.run.prompts import NAME, read_prompts
from evals.run.results import EpisodeResult
from evals.run.scores import score_run
from evals.run.trace import DamagedTrace, Record
from tools.events import Acted, Asked, CalledOff, Planned, Replanned

if TYPE_CHECKING:
    import pandas as pd  # type: ignore[import-untyped]

Paths: TypeAlias = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]
Row: TypeAlias = dict[str, Any]

WORD, TEXT, FLAG, COUNT, NUMBER, TIME = "category", "string", "boolean", "Int64", "Float64", "datetime64[ns, UTC]"
ANY = "object"
_WHICH = {"run": WORD, "agent": WORD, "method": WORD, "cot": FLAG, "model": WORD, "seed": COUNT}
_WHERE = {**_WHICH, "domain": WORD, "split": WORD, "problem": WORD, "episode": WORD}
COLUMNS: Mapping[str, Mapping[str, str]] = {
    "runs": {
        **_WHICH,
        **{"path": TEXT, "benchmark": WORD, "started": TIME, "git": WORD, "scorer": WORD, "simulated": FLAG},
        **{"expected": COUNT, "finished": COUNT, "scored": COUNT, "solved": COUNT, "success": NUMBER, "sem": NUMBER},
        **{"low": NUMBER, "high": NUMBER, "value": NUMBER, "asked": COUNT},
        **{"prompt_tokens": COUNT, "completion_tokens": COUNT, "cost": NUMBER},
    },
    "episodes": {
        **_WHERE,
        **{"success": FLAG, "value": NUMBER, "scored": FLAG, "reason": WORD, "failure": WORD, "end": WORD},
        **{"detail": TEXT},
        **{"steps": COUNT, "asked": COUNT, "answered": COUNT, "right": COUNT, "unreadable": COUNT},
        **{"prompt_tokens": COUNT, "completion_tokens": COUNT, "cost": NUMBER},
    },
    "steps": {
        **_WHERE,
        **{"step": COUNT, "action": WORD, "outcome": WORD, "called_off": FLAG, "refused": FLAG, "legal": FLAG},
        **{"happened": WORD, "goal": FLAG, "planned": COUNT, "belief_errors": COUNT, "replans": COUNT},
        **{"asked": COUNT, "answered": COUNT, "wrong_answers": COUNT, "seconds": NUMBER, "cost": NUMBER},
    },
    "questions": {
        **_WHERE,
        **{"number": COUNT, "step": COUNT, "attempt": COUNT, "kind": WORD, "phase": WORD, "about": WORD, "topic": WORD},
        **{"question": TEXT, "options": ANY, "value": ANY, "truth": ANY, "right": FLAG, "expected": FLAG},
        **{"yes": NUMBER, "no": NUMBER, "reply": TEXT, "fault": TEXT, "truncated": FLAG, "reminded": FLAG},
        **{"prompt": WORD, "cached": FLAG, "seconds": NUMBER},
        **{"prompt_tokens": COUNT, "completion_tokens": COUNT, "cost": NUMBER},
    },
    "prompts": {
        **_WHICH,
        **{"prompt": WORD, "kind": WORD, "text": TEXT, "messages": ANY, "pictures": ANY, "tools": ANY},
        **{"max_tokens": COUNT, "temperature": NUMBER},
    },
}
"""The columns of each frame and their types in pandas.

`runs` also has a column for every other setting and measure, `episodes` for every tag and count of the benchmark; if
its name is taken, it is called `tag_…` or `measure_…`.
"""


class PandasMissing(ImportError):
    """pandas is not installed; the message says how to install it."""


def runs(paths: Paths) -> pd.DataFrame:
    """One row for each run: its settings and its scores."""
    return _frame("runs", _opened(paths), lambda run: iter([_run_row(run)]))


def episodes(paths: Paths) -> pd.DataFrame:
    """One row per finished episode. `success` is missing if the episode is not scored."""
    opened = _opened(paths)
    counted: dict[Any, dict[str, None]] = {}
    for run in opened:
        names = (name for result in _results(run) for name in result.measures if name != "steps")
        counted.setdefault(run.config.get("benchmark"), {}).update(dict.fromkeys(names))
    return _frame("episodes", opened, lambda run: _episode_rows(run, counted[run.config.get("benchmark")]))


def steps(paths: Paths) -> pd.DataFrame:
    """One row per attempt, including those called off, with the questions since the previous one."""
    return _frame("steps", _opened(paths), lambda run: _from_traces(run, _step_rows))


def questions(paths: Paths) -> pd.DataFrame:
    """One row per reply of a model. `right` is missing if the reply is neither right nor wrong."""
    return _frame("questions", _opened(paths), lambda run: _from_traces(run, _question_rows))


def prompts(paths: Paths) -> pd.DataFrame:
    """One row per distinct request of a run: its messages and their text.

    `questions` has the same column `prompt`: merge the two on `["run", "prompt"]`.
    """
    return _frame("prompts", _opened(paths), _prompt_rows)


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
    others = [column for column in frame if column not in columns]
    frame[others] = frame[others].convert_dtypes()
    return frame


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
    domain, split = stratum_of(result, run.config)
    return {**_which(run), "domain": domain, "split": split, "problem": result.problem, "episode": result.id}


def _added(kind: str, values: Mapping[str, Any], taken: Iterable[str]) -> Row:
    """The benchmark's columns, renamed if their names are taken."""
    names = set(taken)
    return {f"{kind}_{name}" if name in names else name: value for name, value in values.items()}


def _run_row(run: RunDirectory) -> Row:
    results = _results(run)
    scores = score_run(results, run.splits, run.episodes, run.judging)
    config, columns = run.config, COLUMNS["runs"]
    settings = {name: value for name, value in config["settings"].items() if name not in _WHICH}
    sums = ("asked", "cost", "prompt_tokens", "completion_tokens")
    return {
        **_added("setting", settings, columns),
        **_added("measure", scores.pooled.measures, [*columns, *settings]),
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
        "low": scores.interval.low if scores.interval else None,
        "high": scores.interval.high if scores.interval else None,
        "value": scores.value,
        **{name: sum(getattr(result, name) for result in results) for name in sums},
    }


def _results(run: RunDirectory) -> list[EpisodeResult]:
    try:
        return run.results()
    except RunError as error:
        raise Unusable(str(error)) from None


def _episode_rows(run: RunDirectory, counted: Iterable[str]) -> Iterator[Row]:
    """The rows of a run; counts that an episode does not have are 0."""
    columns = COLUMNS["episodes"]
    same = ("value", "reason", "detail", "steps", "asked", "unreadable", "prompt_tokens", "completion_tokens", "cost")
    for result in _results(run):
        tags = {name: value for name, value in result.tags.items() if name not in _WHERE}
        measures = {name: result.measures.get(name, 0.0) for name in counted}
        yield {
            **_where(run, result),
            **{name: getattr(result, name) for name in same},
            "success": result.success if result.scored else None,
            "scored": result.scored,
            "failure": result.failure,
            "end": result.end,
            "answered": sum(tally.total for tally in result.tallies),
            "right": sum(tally.right for tally in result.tallies),
            **_added("tag", tags, columns),
            **_added("measure", measures, [*columns, *tags]),
        }


def _from_traces(run: RunDirectory, rows: Callable[[list[Record]], Iterator[Row]]) -> Iterator[Row]:
    for result in _results(run):
        try:
            records = run.records_of(result)
        except (OSError, DamagedTrace) as error:
            raise Unusable(f"the trace of an episode cannot be read: {error}") from None
        where = _where(run, result)
        yield from ({**where, **row} for row in rows(records))


def _step_rows(records: list[Record]) -> Iterator[Row]:
    plan: Row = {"planned": None, "belief_errors": None}
    since = _nothing_yet()
    for record in records:
        event, truth = record.event, record.truth
        if isinstance(event, Asked):
            since["seconds"] += event.seconds
            since["cost"] += event.cost
            since["asked"] += 1
            since["answered"] += truth.right is not None
            since["wrong_answers"] += truth.right is False
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
    return {"asked": 0, "answered": 0, "wrong_answers": 0, "replans": 0, "seconds": 0.0, "cost": 0.0}


_ASKED = (
    *("step", "attempt", "question", "options", "value", "expected", "yes", "no", "reply", "fault", "truncated"),
    *("reminded", "prompt", "cached", "seconds", "prompt_tokens", "completion_tokens", "cost"),
)


def _question_rows(records: list[Record]) -> Iterator[Row]:
    number = 0
    for record in records:
        event = record.event
        if isinstance(event, Asked):
            yield {
                **{name: getattr(event, name) for name in _ASKED},
                "number": number,
                "kind": str(event.kind),
                "phase": str(event.phase),
                "about": event.about or None,
                "topic": event.about.partition(" ")[0] or None,
                "truth": record.truth.value,
                "right": record.truth.right,
            }
            number += 1


def _prompt_rows(run: RunDirectory) -> Iterator[Row]:
    for name, content in read_prompts(run.path / NAME).items():
        parts = [part for _, listed in content["messages"] for part in listed]
        yield {
            **_which(run),
            "prompt": name,
            "kind": content.get("kind"),
            "text": "\n".join(part["text"] for part in parts if "text" in part),
            "messages": content["messages"],
            "pictures": tuple(part.get("sha256") or part["picture"] for part in parts if "picture" in part),
            "tools": tuple(part["text"] for part in content.get("tools", ())),
            "max_tokens": content.get("max_tokens"),
            "temperature": content.get("temperature", 0.0),
        }
