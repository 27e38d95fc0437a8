"""A cache of replies on disk. A question that was answered is not asked again, even after a crash."""

from __future__ import annotations

import asyncio
import json
import random
import shutil
import sqlite3
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Self

from models._filesystems import network_of
from models._replies import fault_in
from models.base import CannotKeep, Model, ModelUnavailable, Reply, Request, Usage
from models.wrapped import Wrapped

BUSY_SECONDS = 30.0
"""How long to wait for other processes that write to the same cache."""
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL}
_NO_CACHE = {sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR}


class DamagedCache(Exception):
    """The file cannot be used as a cache; the message says why."""


class CacheFailed(CannotKeep):
    """Replies cannot be saved any more: the disk is full, or the cache is gone. Further replies would be lost."""


class AnswerCache:
    """Replies by the fingerprint of their requests, in one SQLite file that several processes may share."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.under_way: dict[str, asyncio.Task[Reply]] = {}
        self.failure: CacheFailed | None = None
        if path.exists() and not path.is_file():
            raise DamagedCache(f"{path} is not a file")
        self._db = _opened(path)
        self._file_id = _file_id(path)
        self._arrived: list[tuple[str, Reply, asyncio.Future[None]]] = []

    @classmethod
    def shared(cls, path: Path) -> Self:
        """A cache that other processes may use, too: refused where their locks do not hold."""
        network = network_of(path)
        if network is not None:
            raise DamagedCache(
                f"{path} is on a network file system ({network}), where SQLite's locks do not hold; put --cache on a "
                "local disk, and share answers between machines with --gateway"
            )
        return cls(path)

    def get(self, key: str) -> Reply | None:
        """The reply saved under the key."""
        try:
            row = self._db.execute("SELECT reply FROM answers WHERE key = ?", (key,)).fetchone()
        except sqlite3.Error as error:
            raise self._failed(f"the cached answers can no longer be read: {error}") from None
        if row is None:
            return None
        # A reply of another version, or a damaged one, is requested again and replaced.
        return _read(row[0])

    def put(self, key: str, reply: Reply) -> None:
        """Save a reply. It is on disk when this returns."""
        self._write([(key, reply)])

    async def keep(self, key: str, reply: Reply) -> None:
        """Save a reply in one transaction with others that arrive at the same time. It is on disk when this returns."""
        loop = asyncio.get_running_loop()
        kept = loop.create_future()
        self._arrived.append((key, reply, kept))
        # Tasks that are ready run first, so that their replies share the commit.
        loop.call_soon(self._write_arrived)
        await kept

    async def settled(self) -> None:
        """Wait until the replies that have arrived so far are on disk, or could not be written."""
        if self._arrived:
            await asyncio.sleep(0)  # they are written before the event loop's next iteration

    def _write_arrived(self) -> None:
        arrived, self._arrived = self._arrived, []
        if not arrived:
            return
        waiting = [kept for _, _, kept in arrived if not kept.done()]
        try:
            self._write([(key, reply) for key, reply, _ in arrived])
        except CacheFailed as error:
            for kept in waiting:
                kept.set_exception(error)
        else:
            for kept in waiting:
                kept.set_result(None)

    def _write(self, replies: Sequence[tuple[str, Reply]]) -> None:
        """Write all of some replies, or none and raise `CacheFailed`."""
        rows = [(key, _row(reply)) for key, reply in replies]
        if _file_id(self.path) != self._file_id:
            # What is written to a deleted file is lost.
            raise self._failed("it was moved or deleted while it was in use")
        try:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?)", rows)
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            if self._db.in_transaction:
                with suppress(sqlite3.Error):
                    self._db.execute("ROLLBACK")
            raise self._failed(f"an answer could not be saved: {error}") from None

    def _failed(self, why: str) -> CacheFailed:
        self.failure = CacheFailed(f"{self.path}: {why}")
        return self.failure

    def __len__(self) -> int:
        return int(self._db.execute("SELECT count(*) FROM answers").fetchone()[0])

    def give_up(self) -> None:
        """Cancel the pending questions."""
        for task in list(self.under_way.values()):
            task.cancel()

    def close(self) -> None:
        """Write the replies that have arrived and close the file."""
        self._write_arrived()
        _close(self._db)


def copy_answers(source: Path, target: Path) -> None:
    """Copy a cache with the journal that a killed process left behind; the original is not changed."""
    part = target.with_name(f"{target.name}.part")
    for suffix in ("-journal", "-wal", "-shm", ""):
        old, new = (path.with_name(path.name + suffix) for path in (source, part))
        new.unlink(missing_ok=True)
        if old.exists() and suffix != "-shm":
            shutil.copyfile(old, new)
    _close(_opened(part))
    part.rename(target)


def merge_answers(sources: Sequence[Path], target: Path) -> None:
    """Merge caches into a new one. The originals are not changed; the first answer to a request wins."""
    copy_answers(sources[0], target)
    db = _opened(target)
    try:
        for source in sources[1:]:
            aside = target.with_name(f"{target.name}.other")
            copy_answers(source, aside)
            db.execute("ATTACH ? AS other", (str(aside),))
            db.execute("INSERT OR IGNORE INTO answers SELECT key, reply FROM other.answers")
            db.execute("DETACH other")
            aside.unlink()
    except sqlite3.Error as error:
        raise DamagedCache(f"{target}: answers could not be merged: {error}") from None
    finally:
        _close(db)


def _opened(path: Path) -> sqlite3.Connection:
    """Open the database of a cache, or create it; other processes may create it at the same time."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        db: sqlite3.Connection | None = None
        try:
            db = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
            _set_up(db)
            return db
        except sqlite3.DatabaseError as error:
            if db is not None:
                db.close()
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
            if code in _BUSY and time.monotonic() < deadline:
                # SQLite does not wait for a lock where waiting could deadlock.
                time.sleep(random.uniform(0.005, 0.05))
                continue
            raise DamagedCache(_open_error(path, code, error)) from None


def _set_up(db: sqlite3.Connection) -> None:
    # No write-ahead log, because its index is mapped into memory: a full disk, or a file that another process
    # truncates, must be an error to report, not a crash.
    db.execute("PRAGMA mmap_size=0")
    # The empty journal stays between transactions: creating and deleting it would take most of the time.
    db.execute("PRAGMA journal_mode=TRUNCATE")
    # With NORMAL, a killed process loses nothing.
    db.execute("PRAGMA synchronous=NORMAL")
    db.execute("CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, reply TEXT) WITHOUT ROWID")


def _close(db: sqlite3.Connection) -> None:
    """Close a database and remove its empty journal, unless another process is writing."""
    with suppress(sqlite3.Error):
        db.execute("PRAGMA journal_mode=DELETE")
    db.close()


def _open_error(path: Path, code: int, error: Exception) -> str:
    if code in _BUSY:
        return f"{path} has been in use by another process for {BUSY_SECONDS:g} s"
    if code in _NO_CACHE:
        return f"{path} is not a cache of answers ({error}); move it away to start a new one"
    return f"{path} cannot be opened: {error}"


def _file_id(path: Path) -> tuple[int, int] | None:
    """The device and inode of a file; None if it does not exist."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _row(reply: Reply) -> str:
    """A reply as a row."""
    usage = (reply.usage.prompt_tokens, reply.usage.completion_tokens, reply.usage.cost)
    return json.dumps((reply.text, usage, reply.yes, reply.no, reply.truncated, reply.seconds))


def _read(row: object) -> Reply | None:
    """The reply in a row; None if it holds no valid one."""
    try:
        text, usage, yes, no, truncated, seconds = json.loads(str(row))
        reply = Reply(text, Usage(*usage), yes, no, truncated, cached=True, seconds=seconds)
    except (TypeError, ValueError, RecursionError):
        return None
    return None if fault_in(reply) else reply


class CachedModel(Wrapped):
    """A model that looks in the cache first. Equal questions that are pending at the same time are asked once."""

    def __init__(self, model: Model, cache: AnswerCache) -> None:
        super().__init__(model)
        self._cache = cache

    async def ask(self, request: Request) -> Reply:
        """The cached reply, or the model's."""
        if self._cache.failure is not None:
            raise self._cache.failure
        key = request.fingerprint(self.identity, looks=self.looks)
        found = self._cache.get(key)
        if found is not None:
            return found
        # In a separate task, so that other callers get the answer even if the first one is cancelled.
        waiting = key in self._cache.under_way
        if not waiting:
            task = self._cache.under_way[key] = asyncio.create_task(self._ask(key, request))
            # Waiting callers get the task's error; without any, the error is dropped.
            task.add_done_callback(lambda done: done.cancelled() or done.exception())
        reply = await asyncio.shield(self._cache.under_way[key])
        return replace(reply, cached=True) if waiting else reply

    async def _ask(self, key: str, request: Request) -> Reply:
        try:
            reply = await self._model.ask(request)
            fault = fault_in(reply)
            if fault:
                raise ModelUnavailable(f"{self.identity} gave a malformed reply: {fault}")
            await self._cache.keep(key, reply)
        finally:
            del self._cache.under_way[key]
        return reply
