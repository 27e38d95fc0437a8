"""What a gateway has spent, counted on if the gateway is killed and started again with the same file of answers.

The file notes what its answers had cost when the gateway was started. A gateway that is stopped removes the note.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from models.cache import BUSY_SECONDS

_TOTAL = (
    "SELECT total(json_extract(reply, '$[1][2]')), "
    "CAST(total(json_extract(reply, '$[1][0]') + json_extract(reply, '$[1][1]')) AS INTEGER) "
    "FROM answers WHERE json_valid(reply)"
)


class Ledger:
    """The note in a file of answers."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def begin(self) -> tuple[float, int]:
        """Dollars and tokens that were spent by a gateway that was killed; nothing after one that ended."""
        with closing(self._connect()) as db, db:
            db.execute("CREATE TABLE IF NOT EXISTS gateway (cost REAL, tokens INTEGER)")
            cost, tokens = db.execute(_TOTAL).fetchone()
            noted = db.execute("SELECT cost, tokens FROM gateway").fetchone()
            if noted is None:
                db.execute("INSERT INTO gateway VALUES (?, ?)", (cost, tokens))
                return 0.0, 0
            return max(0.0, cost - noted[0]), max(0, tokens - noted[1])

    def end(self) -> None:
        """Remove the note."""
        with closing(self._connect()) as db, db:
            db.execute("DELETE FROM gateway")

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self._path, timeout=BUSY_SECONDS)
