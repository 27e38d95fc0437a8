"""Has the disk keep what was written, in the background and for many results at once.

A result that is written and flushed survives a killed process. To survive a power cut it has to be synced, which takes
longer than many a question: doing that for each would hold up all others.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Syncing:
    """Calls a function that syncs in a thread, once more whenever something was written meanwhile."""

    def __init__(self, sync: Callable[[], None]) -> None:
        self._sync = sync
        self._task: asyncio.Task[None] | None = None
        self._wanted = False

    def soon(self) -> None:
        """Something was written. An error of an earlier sync is raised here."""
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
