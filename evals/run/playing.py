"""Play a prepared run, alone or as part of a sweep that shares models and planners."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from evals.run.prepare import Prepared
from evals.run.results import EpisodeResult
from evals.run.runner import Runner


async def play(prepared: Prepared, callback: Callable[[EpisodeResult], None], *, keep_model: bool = False) -> None:
    """Play the remaining episodes of a run. With `keep_model` the model stays open for other runs."""
    done = {result.id for result in prepared.done}
    remaining = [episode for episode in prepared.episodes if episode.id not in done]
    if not remaining:
        return
    if prepared.cluster is not None:
        from evals.run.cluster.driver import Driver

        await Driver(prepared, prepared.cluster, callback).play(remaining)
        return
    runner = Runner(prepared.setup, prepared.run, prepared.cache)
    try:
        await runner.play_all(remaining, callback)
    finally:
        await runner.close(keep_model=keep_model)


def run_until_done(work: Coroutine[Any, Any, None]) -> None:
    """`asyncio.run`, in a separate thread if a loop is already running, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        asyncio.run(work)
        return
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work).result()
