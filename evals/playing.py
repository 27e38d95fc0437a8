"""Playing a run: one call from Python, or a part of something larger that shares models and planners.

from evals.playing import play_run
from evals.viplan_benchmark import ViPlan

run = play_run(ViPlan(), agent="ground", model="sim:gpt-4.1", split="simple", limit=5, out=Path("runs/mine"))
print(run.results())
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from evals.benchmark import Benchmark
from evals.command import add_common_options
from evals.prepare import Prepared, prepare
from evals.report import write_report
from evals.results import EpisodeResult
from evals.run_directory import RunDirectory
from evals.runner import Runner
from planners.names import unknown


def options_of(benchmark: Benchmark[Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """All options of a run: those given, the others as the command line has them; `ValueError` for an unknown one."""
    parser = argparse.ArgumentParser()
    add_common_options(parser, parser.add_argument_group())
    usual = vars(parser.parse_args([]))
    possible = {*usual, *benchmark.settings.model_fields}
    for name in given:
        if name not in possible:
            raise unknown("option", name, tuple(sorted(possible)))
    return {**usual, **given}


async def play(prepared: Prepared, told: Callable[[EpisodeResult], None], *, keep_model: bool = False) -> None:
    """Play what is left of a run. A model that others need too is kept open."""
    done = {result.id for result in prepared.done}
    left = [episode for episode in prepared.episodes if episode.id not in done]
    if not left:
        return
    runner = Runner(prepared.setup, prepared.run, prepared.cache)
    try:
        await runner.play_all(left, told)
    finally:
        await runner.close(keep_model=keep_model)


def play_run(
    benchmark: Benchmark[Any], told: Callable[[EpisodeResult], None] = lambda result: None, **options: Any
) -> RunDirectory:
    """Play a run to its end and write its report. Options are those of the command line, `resume` included."""
    prepared = prepare(benchmark, options_of(benchmark, options))
    with prepared.closing:
        run_until_done(play(prepared, told))
        write_report(prepared.run)
    return prepared.run


def run_until_done(work: Coroutine[Any, Any, None]) -> None:
    """`asyncio.run`, in a thread of its own where a loop is running already, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        asyncio.run(work)
        return
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work).result()
