"""Batches under way, on disk beside the cache: which request is in which batch, and answers that nobody has read yet.

A batch is written down before it is sent, so that whatever happens to the process, it can be found again and no
request goes into a second one. One process holds the file at a time.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from models._batch_api import Batch, is_id
from models.base import CannotKeep

SUFFIX = ".batches"
"""Follows the name of the cache."""
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_TABLES = (
    "CREATE TABLE IF NOT EXISTS batches "
    "(name TEXT PRIMARY KEY, created REAL, remote TEXT, others TEXT NOT NULL DEFAULT '[]')",
    "CREATE TABLE IF NOT EXISTS requests (key TEXT PRIMARY KEY, batch TEXT) WITHOUT ROWID",
    "CREATE INDEX IF NOT EXISTS by_batch ON requests (batch)",
    "CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, answer TEXT) WITHOUT ROWID",
)


class BatchStore:
    """The batches of one cache."""

    def __init__(self, cache: Path) -> None:
        self.path = self.path_for(cache)
        try:
            self._db = sqlite3.connect(self.path, timeout=0.5, isolation_level=None, check_same_thread=False)
            # The lock of the first transaction is held until the file is closed, or the process ends.
            self._db.execute("PRAGMA locking_mode=EXCLUSIVE")
            self._db.execute("PRAGMA mmap_size=0")
            self._db.execute("BEGIN EXCLUSIVE")
            for table in _TABLES:
                self._db.execute(table)
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            raise ValueError(self._open_error(error)) from None

    @staticmethod
    def path_for(cache: Path) -> Path:
        """Where the batches of a cache are written down."""
        return cache.with_name(cache.name + SUFFIX)

    def begin(self, batch: Batch) -> None:
        """Write down a batch that is about to be sent."""
        with self._writing() as db:
            db.execute("INSERT INTO batches (name, created) VALUES (?, ?)", (batch.name, batch.created))
            db.executemany("INSERT INTO requests VALUES (?, ?)", [(key, batch.name) for key in batch.keys])

    def sent(self, name: str, remote: str) -> None:
        """Write down under which id a batch is known to the provider."""
        with self._writing() as db:
            db.execute("UPDATE batches SET remote = ? WHERE name = ?", (remote, name))

    def disown(self, batch: Batch) -> None:
        """Note that what was taken for this batch is someone else's."""
        others = json.dumps([*batch.others, batch.remote])
        with self._writing() as db:
            db.execute("UPDATE batches SET remote = NULL, others = ? WHERE name = ?", (others, batch.name))

    def end(self, name: str, answers: Mapping[str, str]) -> None:
        """Keep the answers of a batch that has ended. Requests without an answer are free to go into another one."""
        with self._writing() as db:
            db.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?)", list(answers.items()))
            db.execute("DELETE FROM requests WHERE batch = ?", (name,))
            db.execute("DELETE FROM batches WHERE name = ?", (name,))

    def forget(self, key: str) -> None:
        """Drop an answer that cannot be used."""
        with self._writing() as db:
            db.execute("DELETE FROM answers WHERE key = ?", (key,))

    def answer(self, key: str) -> str | None:
        """The answer that came for a request."""
        row = self._read("SELECT answer FROM answers WHERE key = ?", key)
        return str(row[0][0]) if row else None

    def batch_with(self, key: str) -> Batch | None:
        """The batch that a request is in."""
        row = self._read("SELECT batch FROM requests WHERE key = ?", key)
        return self.batch(str(row[0][0])) if row else None

    def batch(self, name: str) -> Batch | None:
        """A batch by our name for it."""
        rows = self._read("SELECT created, remote, others FROM batches WHERE name = ?", name)
        if not rows:
            return None
        created, remote, others = rows[0]
        # The file may come from somebody else: an id becomes a part of an address.
        known = str(remote) if remote and is_id(str(remote)) else None
        keys = tuple(str(key) for (key,) in self._read("SELECT key FROM requests WHERE batch = ?", name))
        try:
            return Batch(name, float(str(created)), keys, known, tuple(map(str, json.loads(str(others)))))
        except (ValueError, TypeError) as error:
            raise CannotKeep(f"{self.path}: batches cannot be read: {error}") from None

    def remotes(self) -> Iterable[str]:
        """The ids of all batches that have one."""
        return [str(remote) for (remote,) in self._read("SELECT remote FROM batches WHERE remote IS NOT NULL")]

    def under_way(self) -> tuple[int, int]:
        """How many batches have not ended, and how many requests are in them."""
        batches, requests = self._read("SELECT (SELECT count(*) FROM batches), (SELECT count(*) FROM requests)")[0]
        return int(str(batches)), int(str(requests))

    def close(self, kept: Callable[[str], bool] = lambda key: False) -> None:
        """Let go of the file, and remove it if all is over: no batch under way, and every answer `kept` elsewhere."""
        over = False
        with suppress(CannotKeep):
            over = not self.under_way()[0] and all(kept(str(key)) for (key,) in self._read("SELECT key FROM answers"))
        self._db.close()
        if over:
            self.path.unlink(missing_ok=True)

    def _read(self, query: str, *values: str) -> list[tuple[object, ...]]:
        try:
            return self._db.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise CannotKeep(f"{self.path}: batches cannot be read: {error}") from None

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction: all of it is written, or none."""
        try:
            self._db.execute("BEGIN IMMEDIATE")
            yield self._db
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            with suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")
            raise CannotKeep(f"{self.path}: batches could not be written: {error}") from None

    def _open_error(self, error: sqlite3.Error) -> str:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        if code in _BUSY:
            return f"{self.path} is in use: the batches of a cache are collected by one run at a time"
        return f"{self.path} cannot be used for batches: {error}"
