"""Sync files in the background, for many results at once.

A flushed result survives a killed process. To survive a power cut it has to be synced, which may take longer than a
question, so that syncing each result would block the others.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Syncing:
    """Calls a sync function in a thread, and again if something was written meanwhile."""

    def __init__(self, sync: Callable[[], None]) -> None:
        self._sync = sync
        self._task: asyncio.Task[None] | None = None
        self._wanted = False

    def soon(self) -> None:
        """Request a sync. An error of an earlier sync is raised here."""
        self._wanted = True
        if self._task is not None and self._task.done():
            self._task.result()
            self._task = None
        if self._task is None:
            self._task = asyncio.create_task(self._in_turn())

    async def finish(self) -> None:
        """Wait until everything is synced."""
        if self._task is not None:
            await self._task

    async def _in_turn(self) -> None:
        while self._wanted:
            self._wanted = False
            await asyncio.to_thread(self._sync)
