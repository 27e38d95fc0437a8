"""The record of faults: a table, and a file to continue it from.

Hundreds of kills take long. With a file, each call adds to the same table.
"""

from __future__ import annotations

import fcntl
import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from evals.pages.tables.table import Cell, Column, Table


@dataclass
class Row:
    """The record of one fault: how often it was tried and survived, and its losses.

    `lost` are runs with other results; `again` are cached answers that were requested again. `cells` counts the trials
    of each agent in each benchmark.
    """

    fault: str
    wanted: int = 0
    tried: int = 0
    survived: int = 0
    lost: int = 0
    again: int = 0
    seconds: float = 0.0
    notes: list[str] = field(default_factory=list)
    cells: dict[str, int] = field(default_factory=dict)

    def note(self, fine: bool, what: str, *, tried: int = 1, lost: int = 0, again: int = 0) -> None:
        """Add a trial with `tried` faults."""
        self.tried += tried
        self.survived += tried if fine else 0
        self.lost += lost
        self.again += again
        if not fine:
            self.notes.append(what)

    @property
    def share(self) -> float:
        """The share of the wanted trials that are done."""
        return self.tried / self.wanted if self.wanted else 1.0


@dataclass
class Record:
    """Rows by fault, with the number of trials by commit, memory, and calls so far."""

    rows: dict[str, Row] = field(default_factory=dict)
    calls: int = 0
    megabytes: int = 0
    largest: str = ""
    trials: dict[str, int] = field(default_factory=dict)
    expected: dict[str, dict[str, Any]] = field(default_factory=dict)
    """By commit: the results of each agent and benchmark without a fault, and how many questions they take."""

    def row(self, fault: str, wanted: int) -> Row:
        """The row of a fault."""
        row = self.rows.setdefault(fault, Row(fault))
        row.wanted = wanted
        return row

    def write(self, path: Path) -> None:
        """Write the record atomically."""
        part = path.with_name(f"{path.name}.part")
        part.write_text(json.dumps(asdict(self)), encoding="utf-8")
        part.replace(path)

    @classmethod
    def read(cls, path: Path) -> Record:
        """The record in a file, or an empty one."""
        if not path.exists():
            return cls()
        try:
            known: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            return cls(**{**known, "rows": {name: Row(**row) for name, row in known["rows"].items()}})
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise SystemExit(f"error: {path} is no state of this bench: {error}. Choose another --state") from None

    def table(self) -> Table:
        """The table of trials, survivals and losses."""
        names = ("tried", "of", "survived", "lost", "asked again", "minutes")
        columns = (Column("fault", "left"), *map(Column, names))
        lines = tuple(
            (
                Cell(row.fault),
                *(Cell(f"{n:,}") for n in (row.tried, row.wanted, row.survived, row.lost, row.again)),
                Cell(f"{row.seconds / 60:.1f}"),
            )
            for row in self.rows.values()
        )
        commits = ", ".join(f"{commit} ({trials:,} trials)" for commit, trials in self.trials.items())
        largest = f"the largest process took {self.megabytes} MB ({self.largest})"
        return Table("", columns, lines, (f"{largest}; commits: {commits}",))


@contextmanager
def held(path: Path | None) -> Iterator[None]:
    """Locks a state against other benches."""
    if path is None:
        yield
        return
    with path.with_name(f"{path.name}.lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            sys.exit(f"error: another bench works on {path}; choose another --state, or wait for its end")
        yield
