"""What the commands of all benchmarks share: options, playing, the table and the report at the end."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evals.benchmark import Benchmark
    from evals.prepare import Prepared
    from evals.scores import RunScores

EXIT_CODES = """\
exit code: 0 all played, 1 some episodes could not be played (--resume tries them again), 2 the input cannot be used,
3 stopped by a cap or because the model cannot be asked at all, 130 stopped by Ctrl-C (--resume goes on after both)
"""


def add_common_options(
    parser: argparse.ArgumentParser, what: argparse._ArgumentGroup, model: str = "sim:gpt-4.1, simulated"
) -> None:
    """The options of every benchmark; those without a default take it from the settings."""
    what.add_argument("--agent", metavar="NAME", help="an agent, FILE.py:FUNCTION, or `list` (default: ground_mem)")
    what.add_argument("--model", metavar="SPEC", help=f"a model, or `list` (default: {model})")
    what.add_argument("--limit", type=int, metavar="N", help="only the first N problems of each split")
    what.add_argument("--seed", type=int, metavar="N", help="decides failures and the looks of pictures (default: 0)")
    what.add_argument("--planner", metavar="NAME", help="fd (the default), fd-opt or up:ENGINE")
    what.add_argument("--steps", type=int, metavar="N", help="another step limit than the benchmark's")
    what.add_argument(
        "--control",
        metavar="NAME",
        help="no result but a control: blind, other-answers, oracle-perception or oracle-planning (docs/belief.md)",
    )
    how = parser.add_argument_group("how to run it")
    how.add_argument("--concurrency", type=int, default=8, metavar="N", help="episodes at a time (default: 8)")
    how.add_argument("--requests", type=int, default=64, metavar="N", help="questions under way (default: 64)")
    how.add_argument("--pictures", action="store_true", help="draw every picture, even if the model does not look")
    how.add_argument("--cache", type=Path, metavar="FILE", help="keep answers there, for other runs too")
    how.add_argument("--no-cache", action="store_true", help="keep no answers: a resumed episode asks anew")
    how.add_argument("--hf-args", metavar="ARGS", help="options of hf models: device=cpu,dtype=float32 or JSON")
    add_endpoint_options(parser.add_argument_group("models over a network"))
    where = parser.add_argument_group("where it goes")
    where.add_argument("--out", type=Path, metavar="DIR", help="the run directory (default: a new one below runs/)")
    where.add_argument("--resume", type=Path, metavar="DIR", help="go on with a run that was stopped")
    where.add_argument("--json", action="store_true", help="print the scores as one JSON object on stdout")
    where.add_argument("--otel", action="store_true", help="send spans to OTEL_EXPORTER_OTLP_ENDPOINT as it is played")


def add_endpoint_options(group: argparse._ArgumentGroup) -> None:
    """The options of every command that may ask a model over a network."""
    group.add_argument("--dry-run", action="store_true", help="say what the run would need and cost, and ask nothing")
    group.add_argument("--max-cost", type=float, metavar="DOLLARS", help="stop before this call spends more")
    group.add_argument("--max-tokens", type=int, metavar="N", help="stop before this call uses more tokens")
    group.add_argument("--prices", type=Path, metavar="FILE", help="your own prices, laid over models/prices.json")
    group.add_argument("--per-minute", type=int, metavar="N", help="requests a minute at the most")
    group.add_argument("--tokens-per-minute", type=int, metavar="N", help="tokens a minute at the most")
    group.add_argument(
        "--deadline", type=float, default=300.0, metavar="S", help="seconds for a question (default: 300)"
    )
    group.add_argument(
        "--patience",
        type=float,
        default=3600.0,
        metavar="S",
        help="seconds to wait for a dead endpoint (default: 3600)",
    )


def run_command(arguments: dict[str, Any], benchmark: Callable[[], Benchmark[Any]]) -> int:
    """Do what the options say; the exit code. The benchmark is imported only when it is needed."""
    try:
        if "list" in (arguments["agent"], arguments["model"]):
            return _print_names(arguments)
        return _run(arguments, benchmark)
    except KeyboardInterrupt:
        print("stopped before anything was asked", file=sys.stderr)
        return 130


def _run(arguments: dict[str, Any], benchmark: Callable[[], Benchmark[Any]]) -> int:
    from evals.prepare import BadInput, as_bad_input, prepare

    chosen = benchmark()
    try:
        with as_bad_input():
            if arguments["dry_run"]:
                return _dry_run(chosen, arguments)
            prepared = prepare(chosen, arguments)
    except BadInput as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    with prepared.closing:
        return _play_and_tell(chosen, prepared, as_json=arguments["json"])


def _print_names(arguments: dict[str, Any]) -> int:
    try:
        _print_lists(arguments)
    except (ImportError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


def _print_lists(arguments: dict[str, Any]) -> None:
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
                print(textwrap.fill(", ".join(names()), 110, initial_indent="    ", subsequent_indent="    "))


def _dry_run(benchmark: Benchmark[Any], arguments: dict[str, Any]) -> int:
    from evals.dry_run import dry_run

    need_no_keys()
    needs = dry_run(benchmark, arguments)
    print(json.dumps(needs.as_json()) if arguments["json"] else needs.as_text())
    return 0


def need_no_keys() -> None:
    """Have models loaded without a key: nobody is going to be asked."""
    for key in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY"):
        os.environ.setdefault(key, "none")


def _play_and_tell(benchmark: Benchmark[Any], prepared: Prepared, *, as_json: bool) -> int:
    from models.base import RunMustStop

    run = prepared.run
    stopped, code = "", 0
    try:
        _play(prepared)
    except KeyboardInterrupt:
        stopped, code = "Ctrl-C", 130
    except RunMustStop as reason:
        stopped, code = str(reason), 3
    results = run.results()
    if results or not stopped:
        _conclude(benchmark, prepared, as_json=as_json)
    go_on = f"python -m evals.{benchmark.name} --resume {run.path}"
    if stopped:
        print(f"stopped: {stopped}\ngo on with: {go_on}", file=sys.stderr)
        return code
    lost = [result for result in results if not result.scored]
    if lost:
        many = "1 episode" if len(lost) == 1 else f"{len(lost)} episodes"
        print(f"{many} could not be played, the first because: {lost[0].detail}", file=sys.stderr)
        print(f"try them again with: {go_on}", file=sys.stderr)
    return 1 if lost else 0


def _play(prepared: Prepared) -> None:
    from evals.playing import play
    from evals.progress import Progress

    label = f"{prepared.settings.agent} with {prepared.settings.model}"
    budget = prepared.terms.budget
    with Progress(len(prepared.episodes), list(prepared.done), label, budget) as progress:
        prepared.terms.tell = progress.say
        asyncio.run(play(prepared, progress.finished))


def _conclude(benchmark: Benchmark[Any], prepared: Prepared, *, as_json: bool) -> None:
    from rich.console import Console

    from evals.report import write_report
    from evals.scores import score_run
    from evals.table import print_table

    run = prepared.run
    scores = score_run(run.results(), benchmark.splits(prepared.settings), run.episodes)
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
