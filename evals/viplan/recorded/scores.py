"""The paper's tables 6, 9–11 and 14–19, recomputed from the raw records.

Definition of the published cells: success is the share of a file's problems whose goal held at the end; a problem that
never started counts as a failure. Accuracy is the share of right answers among the enumeration questions, first and
replans together, over all problems; precondition and effect questions are excluded, and an invalid answer is wrong.
The error of both is sqrt(p(1-p)/n), where n is the number of problems or questions and p the share rounded to two
decimals. The tables per predicate do the same with the questions about that predicate.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from models.recorded.checkout import SPLITS, model_name
from models.recorded.records import GrounderEpisode, RecordedRun, Setting

SUCCESS_TABLES = {
    ("BW", "ground", 0.0): 6,
    ("BW", "plan", 0.0): 9,
    ("HH", "ground", 0.0): 10,
    ("HH", "plan", 0.0): 11,
    ("BW", "ground", 0.1): 14,
    ("BW", "plan", 0.1): 15,
}
PREDICATE_TABLES = {("BW", False): 16, ("BW", True): 17, ("HH", False): 18, ("HH", True): 19}
TABLES = tuple(sorted((*SUCCESS_TABLES.values(), *PREDICATE_TABLES.values())))
ALL = "all"

Key: TypeAlias = tuple[int, str, str, str, str, str, str]


@dataclass(frozen=True, slots=True)
class Cell:
    """One value of one table with its error. `n` is what was counted: problems, questions, or splits for `all`."""

    table: int
    domain: str
    method: str
    cot: str
    model: str
    split: str
    metric: str
    value: float
    err: float
    n: int

    @property
    def key(self) -> Key:
        """What identifies the cell in the published tables."""
        return self.table, self.domain, self.method, self.cot, self.model, self.split, self.metric

    @property
    def shown(self) -> tuple[str, str]:
        """Value and error as the paper prints them."""
        return f"{self.value:.2f}", f"{self.err:.2f}"


def standard_error(share: float, n: int) -> float:
    """The standard error of a share of n trials, from the rounded share, as in the paper."""
    printed = round(share, 2)
    return math.sqrt(printed * (1 - printed) / n)


def tables_of(setting: Setting) -> set[int]:
    """The tables that a run of this setting has cells in."""
    tables = {SUCCESS_TABLES[setting.domain, setting.method, setting.fail]}
    if setting.method == "ground" and not setting.fail:
        tables.add(PREDICATE_TABLES[setting.domain, setting.cot])
    return tables


def table_cells(runs: Iterable[RecordedRun]) -> list[Cell]:
    """All cells of the runs, including averages over splits, in the order of the tables."""
    cells = [cell for run in runs for cell in run_cells(run)]
    return sorted([*cells, *split_averages(cells)], key=_order)


def run_cells(run: RecordedRun) -> Iterator[Cell]:
    """The cells of one file."""
    setting, grounder = run.setting, run.grounder_episodes()
    table = SUCCESS_TABLES[setting.domain, setting.method, setting.fail]
    yield _cell(setting, table, "success", sum(episode.solved for episode in run.episodes), len(run.episodes))
    asked, right = enumeration_counts(grounder)
    if asked:
        yield _cell(setting, table, "accuracy", right.total(), asked.total())
    if not setting.fail:
        table = PREDICATE_TABLES[setting.domain, setting.cot]
        for predicate in sorted(asked):
            yield _cell(setting, table, f"acc_{predicate}", right[predicate], asked[predicate])


def enumeration_counts(episodes: Iterable[GrounderEpisode]) -> tuple[Counter[str], Counter[str]]:
    """Enumeration questions per predicate: how many were asked, and how many answered rightly."""
    asked: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for episode in episodes:
        for enumeration in episode.enumerations():
            for answer in enumeration.answers.values():
                predicate = answer.predicate
                asked[predicate] += 1
                right[predicate] += answer.right
    return asked, right


def split_averages(cells: Iterable[Cell]) -> Iterator[Cell]:
    """The mean over the splits with the propagated error, for cells with all splits."""
    groups: defaultdict[Key, list[Cell]] = defaultdict(list)
    for cell in cells:
        groups[replace(cell, split=ALL).key].append(cell)
    for group in groups.values():
        if {cell.split for cell in group} == set(SPLITS):
            m = len(group)
            value = sum(cell.value for cell in group) / m
            err = math.sqrt(sum(cell.err**2 for cell in group)) / m
            yield replace(group[0], split=ALL, value=value, err=err, n=m)


def _cell(setting: Setting, table: int, metric: str, right: int, n: int) -> Cell:
    method = setting.method.capitalize() + (f"(fail{setting.fail})" if setting.fail else "")
    share = right / n
    return Cell(
        table=table,
        domain=setting.domain,
        method=method,
        cot="yes" if setting.cot else "no",
        model=model_name(setting.model),
        split=setting.split,
        metric=metric,
        value=share,
        err=standard_error(share, n),
        n=n,
    )


def _order(cell: Cell) -> tuple[object, ...]:
    split = (*SPLITS, ALL).index(cell.split)
    # Success stands before accuracy in the paper; predicates go by name.
    return cell.table, cell.model.lower(), cell.cot, cell.metric != "success", cell.metric, split
