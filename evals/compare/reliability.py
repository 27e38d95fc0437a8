"""How reliable the arms of a comparison are that play every problem several times (`--repeats`)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

from evals.compare.arms import Arm
from evals.pages.tables import Cell, Table
from evals.run.repeated import Attempts, Chance, reliability

NOTE = (
    "Attempts are the repeats of a problem with one seed. pass@k is the chance that at least one of k attempts "
    "succeeds, pass^k that all of them do; in brackets: the 95% interval over problems. Problems with fewer scored "
    "repeats than others are left out."
)


def reliability_table(arms: Sequence[Arm]) -> Iterator[Table]:
    """Rows for each arm, one for each k; nothing if no arm has repeats."""
    rows = [
        (
            Cell(arm.agent),
            Cell(arm.model),
            Cell.count(one.k),
            Cell.count(one.problems),
            _cell(one.some),
            _cell(one.every),
        )
        for arm in arms
        for one in reliability_of(arm)
    ]
    if rows:
        head = ("agent", "model", "k", "problems", "pass@k", "pass^k")
        yield Table.of("Reliability over repeats", head, rows, words=2, notes=[NOTE], name="reliability")


def reliability_figures(arm: Arm) -> list[dict[str, Any]]:
    """The same of one arm, for JSON."""
    return [one.model_dump() for one in reliability_of(arm)]


def reliability_of(arm: Arm) -> list[Attempts]:
    """pass@k and pass^k of an arm. Other seeds are other problems, not further attempts."""
    tries: defaultdict[Hashable, list[bool]] = defaultdict(list)
    for played in arm.played:
        if played.success is not None:
            tries[played.stratum, played.problem, played.seed].append(played.success)
    return reliability(tries.values())


def _cell(chance: Chance) -> Cell:
    return Cell.of(chance.value, interval=(chance.low, chance.high))
