"""Applies filter steps in sequence, with a log of every decision.

The log is a JSONL file: first the questions and steps, then a line for each decision, written immediately.
A pipeline that was stopped resumes from its log and asks no model twice.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from evals.pages.tables import Content, Table
from evals.questions.filters.steps import Decision, Step
from evals.questions.known import Known


@dataclass(frozen=True, slots=True)
class Passed:
    """The result of a step: the number of questions before it, and the dropped ones with the reason."""

    step: str
    entered: int
    dropped: tuple[Decision, ...]


@dataclass(frozen=True, slots=True)
class Filtered:
    """The remaining questions, and the result of each step."""

    kept: tuple[Known, ...]
    passed: tuple[Passed, ...]


def winnow(questions: Sequence[Known], steps: Sequence[Step], log: Path | None = None) -> Filtered:
    """Apply the steps in order. Decisions that a `log` already has are reused."""
    if len({question.id for question in questions}) < len(questions):
        raise ValueError("two questions have the same id")
    known = _read(log, _heading(questions, steps)) if log is not None else {}
    out = log.open("a", encoding="utf-8") if log is not None else None
    try:
        if out is not None and not out.tell():
            _write(out, _heading(questions, steps))
        left, passed = list(questions), []
        for number, step in enumerate(steps):
            decided = _decided(step, number, left, known, out)
            passed.append(Passed(step.name, len(left), tuple(one for one in decided.values() if not one.kept)))
            left = [question for question in left if decided[question.id].kept]
    finally:
        if out is not None:
            out.close()
    return Filtered(tuple(left), tuple(passed))


def table_of(filtered: Filtered) -> Table:
    """A table of the questions before each step and those that it dropped."""
    rows: list[list[Content]] = [
        [one.step, one.entered, len(one.dropped), one.entered - len(one.dropped)] for one in filtered.passed
    ]
    return Table.of("Filters", ["step", "in", "dropped", "left"], rows, name="filters")


def _decided(
    step: Step, number: int, left: Sequence[Known], known: dict[tuple[int, str], Decision], out: IO[str] | None
) -> dict[str, Decision]:
    """All decisions of a step, in the order of the questions; each new one is written to the log."""
    missing = [question for question in left if (number, question.id) not in known]
    for decision in step.decide(missing if step.alone else left) if missing else ():
        if (number, decision.id) not in known:
            known[number, decision.id] = decision
            if out is not None:
                line = {
                    "step": number,
                    "name": step.name,
                    "id": decision.id,
                    "kept": decision.kept,
                    "why": decision.why,
                }
                _write(out, line)
    return {question.id: known[number, question.id] for question in left}


def _heading(questions: Sequence[Known], steps: Sequence[Step]) -> dict[str, Any]:
    """The identity of the questions and steps, for which decisions are valid."""
    digest = hashlib.sha256("\n".join(repr(question) for question in questions).encode()).hexdigest()[:16]
    return {"questions": digest, "steps": [f"{step.name}: {step.settings}" for step in steps]}


def _write(out: IO[str], line: dict[str, Any]) -> None:
    out.write(json.dumps(line, ensure_ascii=False) + "\n")
    out.flush()


def _read(log: Path, heading: dict[str, Any]) -> dict[tuple[int, str], Decision]:
    """The decisions in a log. A last line truncated by a kill is removed."""
    if not log.exists():
        log.parent.mkdir(parents=True, exist_ok=True)
        return {}
    data = log.read_bytes()
    whole = data.rfind(b"\n") + 1
    if whole < len(data):
        with log.open("r+b") as file:
            file.truncate(whole)
    found: dict[tuple[int, str], Decision] = {}
    for number, line in enumerate(data[:whole].decode(errors="replace").split("\n")[:-1], 1):
        try:
            entry = json.loads(line)
            if number > 1:
                found[int(entry["step"]), str(entry["id"])] = Decision(entry["id"], entry["kept"], entry["why"])
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"{log}, line {number} is damaged ({error}); remove the line to decide again") from None
        if number == 1 and entry != heading:
            raise ValueError(f"{log} is the log of other questions or other steps; choose another file")
    return found
