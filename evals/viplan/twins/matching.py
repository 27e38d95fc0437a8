"""Match twins of models without records to their published accuracy.

A published accuracy is over all enumerations of a run. A run that goes well enumerates once, one that goes badly again
and again, so pictures that a model misreads count more often than others. The common coefficients are moved until the
twin's own runs have the published accuracy. Whether a run succeeds plays no part.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable
from pathlib import Path

from evals.viplan.twins.learning import LEAST
from evals.viplan.twins.playing import Played, Table
from evals.viplan.twins.records import STATIC
from models import _twins
from models.sim import published

WORLD = "blocksworld"
FURTHEST = 2.0
"""The furthest that log-odds are moved at once."""


async def match(table: Table, folder: Path, rounds: int, notify: Callable[[str], None] = lambda line: None) -> None:
    """Move the offsets of all published columns in the files of a folder, a few times."""
    path = folder / _twins.GROUPS.name
    for turn in range(rounds):
        facts = json.loads(path.read_text(encoding="utf-8"))
        for column, offsets in facts[WORLD]["published"].items():
            name, form = column.split(" ")
            played = await table.play("ground_cot" if form == _twins.COT else "ground", f"sim:{name}?blunder=0")
            for level, shift in shifts(played, name, cot=form == _twins.COT).items():
                for feature in [one for one in offsets if one.endswith(f" {level}") and not one.startswith(STATIC)]:
                    offsets[feature] = round(offsets[feature] + shift, 2)
                notify(f"round {turn + 1}: {column} {level} {shift:+.2f}")
        path.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
        _twins.twins.cache_clear()


def shifts(played: Iterable[Played], name: str, *, cot: bool) -> dict[str, float]:
    """For each level, how far log-odds have to be moved so that the errors of all enumerations are as published."""
    rates = published()[name]
    wanted: dict[str, float] = {}
    found: dict[str, float] = {}
    for episode in played:
        for predicate, (wrong, asked) in episode.enumerated.items():
            rate = max(1.0 - rates[WORLD, cot, episode.level, predicate], LEAST)
            wanted[episode.level] = wanted.get(episode.level, 0.0) + rate * asked
            found[episode.level] = found.get(episode.level, 0.0) + wrong
    return {level: _bounded(math.log(wanted[level] / max(found[level], 0.5))) for level in wanted}


def _bounded(shift: float) -> float:
    return min(max(shift, -FURTHEST), FURTHEST)
