"""A run in one call from Python.

    from evals.play import play_run
    from evals.viplan.benchmark import ViPlan

    run = play_run(ViPlan(), agent="ground", model="sim:gpt-4.1", split="simple", limit=5, out=Path("runs/mine"))
    print(run.results())

Options have the names and types of the command line, since both are made from the benchmark's settings.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evals.otel.watching import watches
from evals.report import write_report
from evals.run.benchmark import Benchmark
from evals.run.directory import RunDirectory
from evals.run.options import options_of
from evals.run.playing import play, run_until_done
from evals.run.prepare import prepare
from evals.run.results import EpisodeResult
from evals.run.settings import Running


def play_run(
    benchmark: Benchmark[Any], callback: Callable[[EpisodeResult], None] = lambda result: None, **options: Any
) -> RunDirectory:
    """Play a run and write its report. `resume` continues one."""
    arguments = options_of(options, benchmark.settings, Running)
    otel = bool(arguments["otel"])
    prepared = prepare(benchmark, arguments, watching=lambda closing: watches(closing, otel=otel))
    with prepared.closing:
        run_until_done(play(prepared, callback))
        write_report(prepared.run)
    return prepared.run
