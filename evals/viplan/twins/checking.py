"""How a twin does beside the model it is named after: success by the published tables, enumerations by the records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from statistics import fmean
from typing import Any

from evals.questions.agreement import spearman
from evals.viplan.splits import SPLITS
from evals.viplan.twins.playing import Played, Table
from evals.viplan.twins.published import Setting

WORLD = "blocksworld"
GROUNDERS = ("ground", "ground_mem")
CLOSE, ALIKE = 0.08, 0.85
"""How close the mean absolute difference and the rank correlation over models are meant to be."""


@dataclass(frozen=True, slots=True)
class Row:
    """One method of one model on one level: what is published or recorded, of a twin, and with independent errors.

    `errors` are those of the first enumeration in facts that change, `exact` how often there are none.
    """

    model: str
    method: str
    cot: bool
    level: str
    published: float
    twin: float | None = None
    independent: float | None = None
    errors_recorded: float | None = None
    errors_twin: float | None = None
    errors_independent: float | None = None
    exact_recorded: float | None = None
    exact_twin: float | None = None
    exact_independent: float | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    """How close one way to err comes: over cells, and over models by their means."""

    method: str
    cells: int
    models: int
    difference: float
    rank: float
    """Spearman's correlation over models with and without chain of thought."""


async def checked(
    table: Table,
    published: Mapping[Setting, float],
    models: Sequence[str],
    methods: Sequence[str],
    seeds: Mapping[str, int],
    notify: Callable[[str], None] = lambda line: None,
) -> list[Row]:
    """Play methods on twins and, if `seeds` says how often, with independent errors."""
    rows = []
    for model in models:
        for method, cot in ((method, cot) for method in methods for cot in (False, True)):
            cells = {one.level: value for one, value in published.items() if one[:4] == (model, WORLD, method, cot)}
            if not cells:
                continue
            agent = f"{method}_cot" if cot else method
            found = [Row(model, method, cot, level, cells[level]) for level in SPLITS if level in cells]
            for errors, count in seeds.items():
                specs = [f"sim:{model}?errors={errors}&seed={seed}" for seed in range(count)]
                played = [episode for spec in specs for episode in await table.play(agent, spec)]
                if played:
                    found = [_with(row, "independent" if errors == "independent" else "twin", played) for row in found]
            rows += found
            notify("; ".join(f"{row.model} {agent} {row.level}: {row.published:.2f} {row.twin}" for row in found))
    return rows


def _with(row: Row, name: str, played: Iterable[Played]) -> Row:
    here = [episode for episode in played if episode.level == row.level]
    errors = [episode.errors for episode in here if episode.errors is not None]
    figures = {name: fmean(episode.solved for episode in here)} if here else {}
    if errors:
        figures[f"errors_{name}"] = fmean(errors)
        figures[f"exact_{name}"] = fmean(not one for one in errors)
    rounded: dict[str, Any] = {key: round(value, 3) for key, value in figures.items()}
    return replace(row, **rounded)


def beside_records(rows: Iterable[Row], wrong: Mapping[tuple[str, bool, str], Sequence[int]]) -> list[Row]:
    """The rows with what the records say of first enumerations; the same for all grounders of a model."""
    return [_recorded(row, wrong.get((row.model, row.cot, row.level), ())) for row in rows]


def _recorded(row: Row, wrong: Sequence[int]) -> Row:
    if not wrong or row.method not in GROUNDERS:
        return row
    errors, exact = fmean(wrong), fmean(not one for one in wrong)
    return replace(row, errors_recorded=round(errors, 3), exact_recorded=round(exact, 3))


def summaries(rows: Sequence[Row], errors: str) -> Iterator[Summary]:
    """How close the figures of one way to err are to the published ones, for each method."""
    for method in dict.fromkeys(row.method for row in rows):
        pairs = [(row, value) for row in rows if row.method == method and (value := getattr(row, errors)) is not None]
        models: dict[tuple[str, bool], list[tuple[float, float]]] = {}
        for row, value in pairs:
            models.setdefault((row.model, row.cot), []).append((row.published, value))
        if pairs:
            ours = [fmean(value for _, value in cells) for cells in models.values()]
            theirs = [fmean(value for value, _ in cells) for cells in models.values()]
            difference = fmean(abs(row.published - value) for row, value in pairs)
            yield Summary(
                method, len(pairs), len(models), round(difference, 3), round(spearman(theirs, ours) or 0.0, 3)
            )


def orders(rows: Sequence[Row], errors: str) -> dict[tuple[str, bool], tuple[float, float]]:
    """For each model with `ground` and `plan`, how far `ground` is ahead: published, and here."""
    means: dict[tuple[str, bool, str], list[tuple[float, float]]] = {}
    for row in rows:
        value = getattr(row, errors)
        if value is not None:
            means.setdefault((row.model, row.cot, row.method), []).append((row.published, value))
    found = {}
    for model, cot, method in means:
        if method == "ground" and (model, cot, "plan") in means:
            ground, plan = means[model, cot, "ground"], means[model, cot, "plan"]
            ahead = [fmean(cell[place] for cell in ground) - fmean(cell[place] for cell in plan) for place in (0, 1)]
            found[model, cot] = round(ahead[0], 3), round(ahead[1], 3)
    return found


def in_order(ahead: tuple[float, float]) -> bool:
    """Whether `ground` and `plan` are in the published order; equal counts as equal only to within one problem."""
    published, here = ahead
    return published * here > 0 or (abs(published) < 0.014 and abs(here) < 0.014)


def as_rows(rows: Iterable[Row]) -> list[dict[str, object]]:
    """The rows for a file."""
    return [asdict(row) for row in rows]
