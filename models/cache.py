"""Answers kept on disk: a model is never asked the same thing twice, whatever happens to the run in between."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from dataclasses import replace
from pathlib import Path

from models.base import Model, Reply, Request, Usage
from models.wrapped import Wrapped


class DamagedCache(Exception):
    """The file is no cache of answers."""


class AnswerCache:
    """Replies by the fingerprint of their requests, in one SQLite file that several processes may share."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.under_way: dict[str, asyncio.Task[Reply]] = {}
        try:
            self._db = sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False)
        except sqlite3.OperationalError as error:
            raise DamagedCache(f"{path} cannot be opened: {error}") from None
        try:
            self._db.execute("PRAGMA journal_mode=WAL")
            # A killed process loses nothing with NORMAL; only a machine that loses power may lose the last answers.
            self._db.execute("PRAGMA synchronous=NORMAL")
            self._db.execute("CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, reply TEXT) WITHOUT ROWID")
        except sqlite3.DatabaseError as error:
            self.close()
            raise DamagedCache(f"{path} is not a cache of answers ({error}); move it away to start a new one") from None

    def get(self, key: str) -> Reply | None:
        """The reply kept under the key."""
        row = self._db.execute("SELECT reply FROM answers WHERE key = ?", (key,)).fetchone()
        if row is None:
            return None
        try:
            text, usage, yes, no, truncated, seconds = json.loads(row[0])
            return Reply(text, Usage(*usage), yes, no, truncated, cached=True, seconds=seconds)
        except (TypeError, ValueError):
            return None  # of another version, or damaged: it is asked for again and written over

    def put(self, key: str, reply: Reply) -> None:
        """Keep a reply. It is on disk when this returns."""
        usage = (reply.usage.prompt_tokens, reply.usage.completion_tokens, reply.usage.cost)
        content = json.dumps((reply.text, usage, reply.yes, reply.no, reply.truncated, reply.seconds))
        self._db.execute("INSERT OR REPLACE INTO answers VALUES (?, ?)", (key, content))

    def __len__(self) -> int:
        return int(self._db.execute("SELECT count(*) FROM answers").fetchone()[0])

    def give_up(self) -> None:
        """Cancel the questions that are still under way."""
        for task in list(self.under_way.values()):
            task.cancel()

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()


class CachedModel(Wrapped):
    """A model that asks the cache first. Equal questions that are under way at the same time are asked once."""

    def __init__(self, model: Model, cache: AnswerCache) -> None:
        super().__init__(model)
        self._cache = cache

    async def ask(self, request: Request) -> Reply:
        """The kept reply, or the model's."""
        key = request.fingerprint(self.identity, looks=self.looks)
        found = self._cache.get(key)
        if found is not None:
            return found
        # In a task of its own: whoever else waits for the answer gets it even if the first to ask is cancelled.
        waiting = key in self._cache.under_way
        if not waiting:
            task = self._cache.under_way[key] = asyncio.create_task(self._ask(key, request))
            # Whoever waits gets its error; if nobody does any more, nobody needs to hear of it.
            task.add_done_callback(lambda done: done.cancelled() or done.exception())
        reply = await asyncio.shield(self._cache.under_way[key])
        return replace(reply, cached=True) if waiting else reply

    async def _ask(self, key: str, request: Request) -> Reply:
        try:
            reply = await self._model.ask(request)
            self._cache.put(key, reply)
        finally:
            del self._cache.under_way[key]
        return reply
