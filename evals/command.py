"""What the commands of all benchmarks share: options, playing, the table and the report at the end."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evals.benchmark import Benchmark
    from evals.prepare import Prepared
    from evals.scores import RunScores

EXIT_CODES = """\
exit code: 0 all played, 1 some episodes could not be played (--resume tries them again), 2 the input cannot be used,
130 stopped by Ctrl-C (--resume goes on)
"""


def add_common_options(parser: argparse.ArgumentParser, what: argparse._ArgumentGroup) -> None:
    """The options of every benchmark; those without a default take it from the settings."""
    what.add_argument("--agent", metavar="NAME", help="an agent, FILE.py:FUNCTION, or `list` (default: ground_mem)")
    what.add_argument("--model", metavar="SPEC", help="a model, or `list` (default: sim:gpt-4.1, simulated)")
    what.add_argument("--limit", type=int, metavar="N", help="only the first N problems of each split")
    what.add_argument("--seed", type=int, metavar="N", help="decides failures and the looks of pictures (default: 0)")
    what.add_argument("--planner", metavar="NAME", help="fd (the default), fd-opt or up:ENGINE")
    what.add_argument("--steps", type=int, metavar="N", help="another step limit than the benchmark's")
    how = parser.add_argument_group("how to run it")
    how.add_argument("--concurrency", type=int, default=8, metavar="N", help="episodes at a time (default: 8)")
    how.add_argument("--requests", type=int, default=256, metavar="N", help="questions under way (default: 256)")
    how.add_argument("--pictures", action="store_true", help="draw every picture, even if the model does not look")
    where = parser.add_argument_group("where it goes")
    where.add_argument("--out", type=Path, metavar="DIR", help="the run directory (default: a new one below runs/)")
    where.add_argument("--resume", type=Path, metavar="DIR", help="go on with a run that was stopped")
    where.add_argument("--json", action="store_true", help="print the scores as one JSON object on stdout")


def run_command(arguments: dict[str, Any], benchmark: Callable[[], Benchmark[Any]]) -> int:
    """Do what the options say; the exit code. The benchmark is imported only when it is needed."""
    if "list" in (arguments["agent"], arguments["model"]):
        return _print_names(arguments)
    if arguments["concurrency"] < 1 or arguments["requests"] < 1:
        print("error: --concurrency and --requests have to be at least 1", file=sys.stderr)
        return 2
    from evals.prepare import BadInput, as_bad_input, prepare

    chosen = benchmark()
    try:
        with as_bad_input():
            prepared = prepare(chosen, arguments)
            with prepared.closing:
                return _play_and_tell(chosen, prepared, as_json=arguments["json"])
    except BadInput as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


def _print_names(arguments: dict[str, Any]) -> int:
    if arguments["agent"] == "list":
        from agents.registry import all_agents

        for agent in all_agents().values():
            print(f"{agent.name:16} {agent.summary}")
        print(f"{'FILE.py:FUNCTION':16} an agent of your own (docs/agents.md)")
    if arguments["model"] == "list":
        from models.registry import providers

        for module in providers().values():
            print(module.USAGE)
            names = getattr(module, "names", None)
            if names:
                print(f"    {', '.join(names())}")
    return 0


def _play_and_tell(benchmark: Benchmark[Any], prepared: Prepared, *, as_json: bool) -> int:
    try:
        _play(benchmark, prepared)
        stopped = False
    except KeyboardInterrupt:
        stopped = True
    _conclude(benchmark, prepared, as_json=as_json)
    run = prepared.run
    go_on = f"python -m evals.{benchmark.name} --resume {run.path}"
    if stopped:
        print(f"stopped; go on with: {go_on}", file=sys.stderr)
        return 130
    lost = [result for result in run.results() if not result.scored]
    if lost:
        print(f"{len(lost)} episodes could not be played, the first because: {lost[0].detail}", file=sys.stderr)
        print(f"try them again with: {go_on}", file=sys.stderr)
    return 1 if lost else 0


def _play(benchmark: Benchmark[Any], prepared: Prepared) -> None:
    from evals.progress import Progress
    from evals.runner import Runner

    settings, run, setup = prepared.settings, prepared.run, prepared.setup
    episodes = benchmark.episodes(settings, setup.agent, setup.model)
    done = {result.id: result for result in run.results() if result.scored}
    left = [episode for episode in episodes if episode.id not in done]

    async def play() -> None:
        runner = Runner(setup, run)
        try:
            await runner.play_all(left, progress.finished)
        finally:
            runner.close()

    with Progress(len(episodes), list(done.values()), f"{settings.agent} with {settings.model}") as progress:
        if left:
            asyncio.run(play())


def _conclude(benchmark: Benchmark[Any], prepared: Prepared, *, as_json: bool) -> None:
    from rich.console import Console

    from evals.report import write_report
    from evals.scores import score_run
    from evals.table import print_table

    run = prepared.run
    scores = score_run(run.results(), benchmark.splits(prepared.settings))
    report = write_report(run)
    print_table(scores, run.config, Console(stderr=as_json))
    print(f"run: {run.path}\nreport: {report}", file=sys.stderr if as_json else sys.stdout)
    if as_json:
        print(json.dumps({**run.config, "run": str(run.path), "report": str(report), **_as_json(scores)}))


def _as_json(scores: RunScores) -> dict[str, Any]:
    """The scores with accuracies as plain numbers; how many questions are behind them stands under `accuracy`."""
    content: dict[str, Any] = scores.model_dump(mode="json")
    for split in content["splits"].values():
        split["accuracy"] = {"all": split["predicate_accuracy"], "official": split["official_accuracy"]}
        split["predicate_accuracy"] = split["predicate_accuracy"]["value"]
        split["official_accuracy"] = split["official_accuracy"]["value"]
    return content
