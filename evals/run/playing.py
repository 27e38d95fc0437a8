"""Playing a run that is prepared, alone or as a part of something larger that shares models and planners."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from evals.run.prepare import Prepared
from evals.run.results import EpisodeResult
from evals.run.runner import Runner


async def play(prepared: Prepared, callback: Callable[[EpisodeResult], None], *, keep_model: bool = False) -> None:
    """Play the remaining episodes of a run. A model that others need too is kept open."""
    done = {result.id for result in prepared.done}
    left = [episode for episode in prepared.episodes if episode.id not in done]
    if not left:
        return
    runner = Runner(prepared.setup, prepared.run, prepared.cache)
    try:
        await runner.play_all(left, callback)
    finally:
        await runner.close(keep_model=keep_model)


def run_until_done(work: Coroutine[Any, Any, None]) -> None:
    """`asyncio.run`, in a thread of its own where a loop is running already, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        asyncio.run(work)
        return
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work).result()
