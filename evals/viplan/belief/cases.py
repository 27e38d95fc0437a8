"""Recorded first enumerations of Blocksworld problems, from either of two kinds of folder.

Both give the same cases: the answers of one model about the first picture of one problem, the truth, and whether the
published method solved it. Runs with chain of thought or slipping moves are separate.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from envs.blocksworld.problems import BlocksProblem, atoms_of, domain, load
from models.recorded.checkout import model_name, open_checkout, problems_beside
from models.recorded.packed import ANSWERS, EPISODES, lines_of
from models.recorded.reading import RecordError
from planners.formula import Atom
from planners.pddl import PddlError


@dataclass(frozen=True, slots=True)
class Case:
    """One model on one problem. Answers that are neither yes nor no, or not recorded, are not in `answers`."""

    model: str
    split: str
    problem: BlocksProblem
    answers: Mapping[Atom, bool]
    truth: Mapping[Atom, bool]
    solved: bool


def read_cases(path: Path, problems: Path | None = None, *, cot: bool = False) -> list[Case]:
    """The cases in a folder of either kind; `RecordError` for any other."""
    folder = problems or problems_beside(path)
    if (path / ANSWERS).is_file():
        found = list(_from_files(path, folder, "yes" if cot else "no"))
    else:
        found = list(_from_checkout(path, folder, cot))
    if not found:
        raise RecordError(f"{path}: no first enumerations of Blocksworld problems {'with' if cot else 'without'} cot")
    return found


class Problems:
    """Problem files by name, each read once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[str, BlocksProblem] = {}

    def __call__(self, split: str, name: str) -> BlocksProblem:
        """The problem of this name; `RecordError` if there is none."""
        stem = Path(name).stem
        if stem not in self._known:
            path = self._folder / split / f"{stem}.pddl"
            try:
                self._known[stem] = load(path, split)
            except PddlError as error:
                raise RecordError(str(error)) from error
        return self._known[stem]


def _from_files(path: Path, folder: Path, cot: str) -> Iterator[Case]:
    problems = Problems(folder)
    asked: dict[tuple[str, str, str], dict[Atom, tuple[str, bool]]] = {}
    rows = lines_of(path / ANSWERS)
    header: Any = next(rows)
    names = header["fields"]
    for values in rows:
        row = dict(zip(names, values, strict=True))
        if (row["domain"], row["cot"], row["fail"], row["phase"]) == ("BW", cot, "0", "init"):
            atom = Atom(row["predicate"], tuple(row["args"].split(",")))
            case = asked.setdefault((row["model"], row["split"], row["problem"]), {})
            case[atom] = row["answer"], bool(row["truth"])
    for episode in lines_of(path / EPISODES):
        kind = episode["domain"], episode["method"], episode["cot"], episode["fail"]
        key = episode["model"], episode["split"], episode["problem"]
        if kind == ("BW", "Ground", cot, "0"):
            found = asked.get(key, {})
            answers = {atom: letter == "y" for atom, (letter, _) in found.items() if letter in ("y", "n")}
            problem = problems(key[1], key[2])
            truth = {atom: true for atom, (_, true) in found.items()} or _truth(problem)
            yield Case(key[0], key[1], problem, answers, truth, bool(episode["success"]))


def _truth(problem: BlocksProblem) -> dict[Atom, bool]:
    """The initial state of a problem without recorded answers, which still counts."""
    state = atoms_of(problem.start, problem.columns)
    return {atom: atom in state for atom in domain().atoms(problem.objects)}


def _from_checkout(path: Path, folder: Path, cot: bool) -> Iterator[Case]:
    problems = Problems(folder)
    for file in open_checkout(path).files:
        setting = file.setting
        if (setting.domain, setting.method, setting.cot, setting.fail) != ("BW", "ground", cot, 0.0):
            continue
        for episode in file.read().grounder_episodes():
            recorded = episode.initial.answers if episode.initial else {}
            asked = {Atom.parse(text): answer for text, answer in recorded.items()}
            answers = {atom: answer.value for atom, answer in asked.items() if answer.value is not None}
            problem = problems(setting.split, episode.problem)
            truth = {atom: bool(answer.truth) for atom, answer in asked.items()} or _truth(problem)
            yield Case(model_name(setting.model), setting.split, problem, answers, truth, episode.solved)
