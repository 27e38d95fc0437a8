"""Fills a table of quotas with questions: `sub-category -> type -> how many`.

    recipes = generate({"Counting": {"counting": 100}}, seed=0, folder=Path("work"), workers=2)
    differences = verify(recipes)

For each scene, a family proposes questions and verifies each by its second method; those that pass are saved, so
that an interrupted run can be resumed. The selection depends on the files alone, so it is the same for one
worker or several. A scene has at most `per_scene` questions, no answer and no letter is too frequent (`evenness`), 15 %
of the choices have several right options, and each text occurs in three scenes with different answers.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from evals.families import families, family
from evals.families.base import TYPES, Answer, Recipe, from_json, named, to_json
from evals.families.evenness import with_places, without_places
from evals.families.filling import PER_SCENE, chosen_from, dealt
from planners.names import unknown

Quotas: TypeAlias = Mapping[str, Mapping[str, int]]
"""The number of questions of each type, by sub-category."""

_BATCH = 6
"""The number of scenes between attempts to fill the table."""
_BARREN = 60
"""The number of scenes per wanted question after which generation fails."""


Change: TypeAlias = Callable[[Recipe], Recipe | None]


class NotFilled(ValueError):
    """A family does not find enough questions."""


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a family: scenes tried, questions taken, questions wanted."""

    family: str
    scenes: int
    taken: int
    wanted: int


Reporter: TypeAlias = Callable[[Progress], None]


def of_family(quotas: Quotas, name: str | None) -> Quotas:
    """The part of a table for one family; all of it without a name."""
    if name is None:
        return quotas
    sub = family(name).sub_category
    if sub not in quotas:
        raise unknown("sub-category of this set", sub, quotas)
    return {sub: quotas[sub]}


def generate(
    quotas: Quotas,
    seed: int,
    *,
    folder: Path | None = None,
    workers: int = 1,
    per_scene: int = PER_SCENE,
    report: Reporter | None = None,
    change: Change | None = None,
) -> list[Recipe]:
    """Questions that fill the table, by sub-category and type; deterministic for quotas and seed.

    `change` is applied to each proposal; a result of None excludes it.
    """
    recipes: list[Recipe] = []
    with ExitStack() as stack:
        run = runner(workers, stack)
        for name, types in _by_family(quotas).items():
            candidates = _Candidates(name, seed, tuple(types), folder, run, change)
            taken = _filled(name, types, seed, candidates, per_scene, report)
            recipes += [named(recipe, f"{name}_{number:04}") for number, recipe in enumerate(taken, 1)]
    return recipes


@dataclass(frozen=True, slots=True)
class Difference:
    """A recipe whose recomputed answer differs, or cannot be computed (`fault`)."""

    recipe: Recipe
    answer: Answer | None
    fault: str = ""

    def __str__(self) -> str:
        found = self.fault or f"{self.answer} when computed again"
        return f"{self.recipe.id}: {self.recipe.answer} in the recipe, {found}"


def verify(recipes: Sequence[Recipe], *, workers: int = 1) -> list[Difference]:
    """The recipes whose answers differ when computed by the second method."""
    with ExitStack() as stack:
        run = runner(workers, stack)
        # Group recipes by home, so that each is built once.
        ordered = sorted(recipes, key=lambda recipe: (recipe.situation.home, recipe.id))
        found = list(run(_verified, [to_json(recipe) for recipe in ordered]))
    return [
        Difference(recipe, _tupled(answer), fault)
        for recipe, (answer, fault) in zip(ordered, found, strict=True)
        if fault or _tupled(answer) != recipe.answer
    ]


def _tupled(answer: Any) -> Answer | None:
    return None if answer is None else tuple(tuple(part) if isinstance(part, list) else part for part in answer)


def _verified(entry: dict[str, Any]) -> tuple[Any, str]:
    recipe = from_json(entry)
    try:
        return family(recipe.family).verify(recipe), ""
    except (ValueError, AssertionError, KeyError) as error:
        return None, f"{type(error).__name__}: {error}"


def _by_family(quotas: Quotas) -> dict[str, Mapping[str, int]]:
    """The quotas of each family."""
    known = {one.sub_category: name for name, one in families().items()}
    for sub, types in quotas.items():
        if sub not in known:
            raise unknown("sub-category", sub, known)
        for kind in types:
            if kind not in TYPES:
                raise unknown("type of question", kind, TYPES)
    return {known[sub]: {kind: n for kind, n in types.items() if n} for sub, types in quotas.items()}


Run: TypeAlias = Callable[[Callable[[Any], Any], Sequence[Any]], Iterator[Any]]


def runner(workers: int, stack: ExitStack) -> Run:
    """A function like `map`, in order, in this process or in several."""
    if workers <= 1:
        return lambda function, entries: map(function, entries)
    import multiprocessing

    pool = stack.enter_context(multiprocessing.get_context("spawn").Pool(workers))
    return lambda function, entries: pool.imap(function, entries)


def proposals(name: str, seed: int, scene: int, types: Sequence[str]) -> list[Recipe]:
    """The verified proposals of a family about one scene; none if the home cannot be built."""
    from envs.household.home.layout import NoRoom

    made: list[Recipe] = []
    try:
        for recipe in family(name).propose(Random(f"{name}/{seed}/{scene}"), frozenset(types)):
            if _verified(to_json(recipe)) == (recipe.answer, ""):
                made.append(with_places(recipe))
    except NoRoom:
        pass
    return made


def _propose(job: tuple[str, int, int, tuple[str, ...]]) -> list[dict[str, Any]]:
    return [to_json(recipe) for recipe in proposals(*job)]


class _Candidates:
    """The proposals of a family by scene, saved to a file if there is a folder."""

    def __init__(
        self,
        name: str,
        seed: int,
        types: tuple[str, ...],
        folder: Path | None,
        run: Run,
        change: Change | None = None,
    ) -> None:
        self._job, self._run, self._change = (name, seed), run, change
        self._types = tuple(sorted(types))
        self.scenes: list[list[Recipe]] = []
        self._file: Path | None = None
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            key = hashlib.sha256("/".join((name, str(seed), *self._types)).encode()).hexdigest()[:8]
            self._file = folder / f"{name}-{key}.jsonl"
            self.scenes = [self._changed(entries) for entries in _lines(self._file)]

    def first(self, number: int) -> list[list[Recipe]]:
        """The proposals of the first scenes; missing ones are computed."""
        self._look(range(len(self.scenes), number))
        return self.scenes[:number]

    def _look(self, scenes: range) -> None:
        jobs = [(*self._job, scene, self._types) for scene in scenes]
        for entries in self._run(_propose, jobs):
            if self._file is not None:
                with self._file.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(entries) + "\n")
            self.scenes.append(self._changed(entries))

    def _changed(self, entries: Sequence[dict[str, Any]]) -> list[Recipe]:
        recipes = map(from_json, entries)
        if self._change is None:
            return list(recipes)
        return [changed for recipe in recipes if (changed := self._change(recipe)) is not None]


def _lines(file: Path) -> list[Any]:
    """The complete lines of a file; an incomplete last line is removed from it."""
    if not file.exists():
        return []
    text = file.read_text(encoding="utf-8")
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        file.write_text(whole, encoding="utf-8")
    return [json.loads(line) for line in whole.splitlines()]


def _filled(
    name: str,
    types: Mapping[str, int],
    seed: int,
    candidates: _Candidates,
    per_scene: int,
    report: Reporter | None,
) -> list[Recipe]:
    wanted = sum(types.values())
    # Always the same number of scenes at a time, so that interruptions do not change the selection.
    for number in count(0, _BATCH):
        scenes = candidates.first(number)
        chosen = chosen_from(types, scenes, per_scene)
        if report is not None:
            report(Progress(name, number, len(chosen), wanted))
        if len(chosen) == wanted:
            return dealt(list(map(without_places, chosen)), Random(f"{name}/{seed}/deal"))
        if number >= _BARREN * wanted:
            found = Counter(recipe.type for recipe in chosen)
            lacking = ", ".join(f"{n - found[kind]} {kind}" for kind, n in types.items() if found[kind] < n)
            raise NotFilled(f"family {name}: {lacking} still missing after {number} scenes")
    raise AssertionError("unreachable")
