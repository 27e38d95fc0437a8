"""Recorded answers as questions with traits: what was asked, of which moment, and whether the answer was wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from envs.blocksworld.problems import Columns
from evals.viplan.belief.cases import Problems
from evals.viplan.twins import blocks, homes
from models.base import Traits
from models.recorded.checkout import model_name, problems_beside
from models.recorded.packed import ANSWERS, EPISODES, lines_of
from models.recorded.reading import RecordError
from planners.formula import Atom
from planners.task import Step

STATIC = ("leftof", "rightof")
"""Facts that no action changes, so that no plan depends on them."""
WORLDS = {"BW": "blocksworld", "HH": "household"}
SKIPPED = (None, "not legal", "no-op")
"""What became of attempts that changed nothing."""


@dataclass(frozen=True, slots=True)
class Question:
    """A recorded question about one moment of one episode, and its answer; `said` is None if it could not be read."""

    model: str
    cot: bool
    world: str
    level: str
    problem: str
    slips: bool
    phase: str
    moment: int
    atom: Atom
    true: bool
    said: bool | None
    traits: Traits

    @property
    def wrong(self) -> bool:
        """Whether the answer is not the truth."""
        return self.said is not self.true


def short(model: str) -> str:
    """The name that `sim:` has for a recorded or published model."""
    return model_name(model).lower().replace(" ", "-")


def read_questions(path: Path, problems: Path | None = None) -> list[Question]:
    """Every recorded question whose truth is known; `RecordError` if there are none."""
    arrangements = dict(_arrangements(path, Problems(problems or problems_beside(path))))
    rows = lines_of(path / ANSWERS)
    header: Any = next(rows)
    found = []
    for values in rows:
        row = dict(zip(header["fields"], values, strict=True))
        if row["truth"] is not None:
            found.append(_question(row, arrangements))
    if not found:
        raise RecordError(f"{path}: no recorded answers")
    return found


def first_errors(path: Path) -> dict[tuple[str, bool, str], list[int]]:
    """For each model, with or without chain of thought, and level: the errors of each first enumeration of blocks.

    Facts that no action changes, and runs in which actions fail by chance, are left out.
    """
    rows = lines_of(path / ANSWERS)
    fields: Any = next(rows)
    at = {name: place for place, name in enumerate(fields["fields"])}
    found: dict[tuple[str, bool, str], dict[str, int]] = {}
    for row in rows:
        first = (row[at["domain"]], row[at["phase"]], row[at["fail"]]) == ("BW", "init", "0")
        if first and row[at["predicate"]] not in STATIC:
            key = short(row[at["model"]]), row[at["cot"]] == "yes", row[at["split"]]
            wrong = row[at["answer"]] != ("y" if row[at["truth"]] else "n")
            problems = found.setdefault(key, {})
            problems[row[at["problem"]]] = problems.get(row[at["problem"]], 0) + wrong
    return {key: list(problems.values()) for key, problems in found.items()}


def _question(row: dict[str, Any], arrangements: Mapping[tuple[str, ...], Sequence[Columns]]) -> Question:
    moment = row["step"] + (row["phase"] == "eff")
    atom = Atom(row["predicate"], tuple(row["args"].split(",")))
    if row["domain"] == "BW":
        stacks = arrangements[_key(row)][moment]
        traits = blocks.traits_of(atom, stacks, tuple(f"c{place + 1}" for place in range(len(stacks))))
    else:
        traits = homes.traits_of(atom, bool(row["truth"]), f"moment {moment}")
    return Question(
        row["model"],
        row["cot"] == "yes",
        WORLDS[row["domain"]],
        row["split"],
        row["problem"],
        row["fail"] != "0",
        row["phase"],
        moment,
        atom,
        bool(row["truth"]),
        {"y": True, "n": False}.get(row["answer"]),
        traits,
    )


def _arrangements(path: Path, problem: Problems) -> Iterator[tuple[tuple[str, ...], list[Columns]]]:
    """The arrangements of each recorded Blocksworld episode: before the first action, and after each."""
    for episode in lines_of(path / EPISODES):
        if (episode["domain"], episode["method"]) == ("BW", "Ground"):
            start = problem(episode["split"], episode["problem"])
            moments = [start.start]
            for action in episode["actions"]:
                info = action["info"]
                moved = None if info in SKIPPED else Step.parse(action["a"] if info == "success" else info)
                moments.append(moments[-1] if moved is None else _moved(moments[-1], start.columns, moved))
            yield _key(episode), moments


def _moved(stacks: Columns, columns: tuple[str, ...], step: Step) -> Columns:
    block, column = step.args
    without = [tuple(one for one in stack if one != block) for stack in stacks]
    without[columns.index(column)] += (block,)
    return tuple(without)


def _key(row: dict[str, Any]) -> tuple[str, ...]:
    return tuple(str(row[name]) for name in ("split", "cot", "fail", "model", "problem"))
