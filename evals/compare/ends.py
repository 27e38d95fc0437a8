"""How the episodes of each arm ended: what agents claimed, apart from what was true."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from evals.compare.arms import Arm
from evals.pages.tables import Cell, Table
from evals.pages.wording import spaced

NOTE = "Scored episodes; success is what holds at the end, whatever the agent claimed."


def ends_table(arms: Sequence[Arm]) -> Iterator[Table]:
    """A row for each arm, a column for each end; nothing if no judge tells how episodes ended."""
    names = _names(arms)
    if names:
        yield Table.of(
            "How episodes ended",
            ("agent", "model", "episodes", *map(spaced, names)),
            ((Cell(arm.agent), Cell(arm.model), *_cells(arm, names)) for arm in arms if _ends(arm)),
            words=2,
            notes=[f"{NOTE} {_meanings(arms, names)}"],
            name="ends",
        )


def ends_figures(arm: Arm) -> dict[str, Any]:
    """The counts of an arm, for JSON."""
    return dict(_ends(arm))


def _ends(arm: Arm) -> Counter[str]:
    return Counter(played.end for played in arm.played if played.end)


def _names(arms: Sequence[Arm]) -> list[str]:
    """The ends that occur, in the order of the judges."""
    order = dict.fromkeys(end for arm in arms for end in (*arm.judging.ends, *sorted(_ends(arm))))
    found = {end for arm in arms for end in _ends(arm)}
    return [end for end in order if end in found]


def _cells(arm: Arm, names: Sequence[str]) -> Iterator[Cell]:
    found = _ends(arm)
    yield Cell.count(found.total())
    yield from (Cell.count(found[name]) for name in names)


def _meanings(arms: Sequence[Arm], names: Sequence[str]) -> str:
    known = {end: meaning for arm in arms for end, meaning in arm.judging.ends.items()}
    return " ".join(f"{spaced(name).capitalize()}: {known[name]}" for name in names if name in known)
