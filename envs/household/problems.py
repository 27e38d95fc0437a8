"""Problems of Household: ours, frozen in `problems/`, or a folder of files like them.

A problem consists of two files: PDDL with its objects, given facts and goal; JSON with its home:
the floor plan, the seed, and the needs with their places.

python -m envs.household.generate --out DIR    generates the frozen set again
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import TypeAdapter, ValidationError

from planners.files import Unreadable, read_json
from planners.formula import Formula, Literal, Objects, State, literals
from planners.names import unknown
from planners.pddl import PddlError, read_domain, read_problem
from planners.task import Domain

if TYPE_CHECKING:
    from envs.household.home.draft import Need
    from envs.household.home.model import Home

HERE = Path(__file__).parent
SPLITS = ("simple", "medium", "hard")


@cache
def domain() -> Domain:
    """The planning domain."""
    return read_domain(HERE / "domain.pddl")


@dataclass(frozen=True)
class Setting:
    """The home of a problem: a floor plan, a seed, and the needs."""

    layout: str
    seed: int
    needs: tuple[Need, ...]

    def build(self) -> Home:
        """The home, cached because homes are immutable."""
        return _built(self)


@lru_cache(maxsize=128)
def _built(setting: Setting) -> Home:
    # Runs with other agents or seeds use the same homes, so all 75 are cached.
    from envs.household.home.layout import build

    return build(setting.layout, setting.seed, setting.needs)


@dataclass(frozen=True)
class HouseholdProblem:
    """Objects, home and goal. `given` are the facts that hold at the start by construction."""

    name: str
    split: str
    task: str
    objects: Objects
    given: State
    goal: Formula
    setting: Setting

    @property
    def id(self) -> str:
        """A name that is unique over all splits."""
        return self.name if self.split in self.name else f"{self.split}_{self.name}"


def wanted_of(problem: HouseholdProblem) -> tuple[Literal, ...]:
    """The literals of the problem's goal."""
    return tuple(literals(problem.goal, problem.objects))


def load(path: Path, split: str) -> HouseholdProblem:
    """Load a problem from its PDDL file and the JSON file beside it; `PddlError` if one is invalid."""
    from envs.household.briefs import type_of

    problem = read_problem(domain(), path)
    beside = path.with_suffix(".json")
    try:
        written = read_json(beside)
        needs = tuple(_need(entry) for entry in written["needs"])
        setting = Setting(str(written["layout"]), int(written["seed"]), needs)
        task = str(written["task"])
    except Unreadable as error:
        raise PddlError(f"{beside}: cannot be used: {error}") from None
    except (ValueError, TypeError, KeyError) as error:
        raise PddlError(f"{beside}: cannot be used: {type(error).__name__}: {error}") from None
    missing = set(problem.objects) - {need.name for need in needs}
    if missing:
        raise PddlError(f"{beside}: it has no entry for {', '.join(sorted(missing))}, which {path.name} has as objects")
    for need in needs:
        declared = problem.objects.get(need.name)
        if declared is not None and declared != type_of(need):
            raise PddlError(f"{path}: {need.name} is declared {declared}, but a {need.kind} is of type {type_of(need)}")
    return HouseholdProblem(path.stem, split, task, problem.objects, problem.init, problem.goal, setting)


def files(split: str, folder: Path | None = None) -> list[Path]:
    """The problem files of a split: the first of each task, then the second of each, and so on.

    `folder` holds a folder for each split.
    """
    if split not in SPLITS:
        raise unknown("split", split, SPLITS)
    place = (folder or HERE / "problems") / split
    found = sorted(place.glob("*.pddl"), key=lambda path: _number_first(path.stem))
    if not found:
        raise FileNotFoundError(f"no problems: {place} has no .pddl files")
    return found


def _need(entry: object) -> Need:
    from envs.household.home.things import KINDS

    try:
        need = _needs().validate_python(entry, extra="forbid")
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        raise ValueError(f"a need's {'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    if need.kind not in KINDS:
        raise unknown("kind", need.kind, KINDS)
    if not 0.0 <= need.opening <= 1.0:
        raise ValueError(f"{need.name}: opening is between 0 and 1, not {need.opening}")
    return need


@cache
def _needs() -> TypeAdapter[Need]:
    """The validator for needs, cached because creating it is slow."""
    from envs.household.home.draft import Need

    return TypeAdapter(Need)


def _number_first(name: str) -> tuple[int, str]:
    """A sort key by the number at the end, so that the first files are of different tasks."""
    task, _, number = name.rpartition("_")
    return (int(number), task) if number.isdecimal() else (0, name)
