"""The command of every benchmark: options, playing, table and report."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shlex
import sys
import textwrap
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evals.run.benchmark import Benchmark
    from evals.run.directory import RunDirectory
    from evals.run.prepare import Prepared
    from evals.run.results import EpisodeResult
    from evals.run.settings import Settings

EXIT_CODES = """\
exit code: 0 all played, 1 some episodes could not be played (--resume tries them again) or ended by an error of the
agent, 2 invalid input, 3 stopped by a cap, or because the model is unavailable or answers cannot be cached,
130 stopped by Ctrl-C (--resume continues after both)
"""


def parser_of(settings: type[Settings], program: str, description: str, examples: str = "") -> argparse.ArgumentParser:
    """The parser of a benchmark: options for its settings and for running it."""
    from evals.run.options import add_options
    from evals.run.settings import Running

    parser = argparse.ArgumentParser(
        prog=program,
        description=description,
        epilog=f"{examples}\n{EXIT_CODES}" if examples else EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_options(parser, settings, Running)
    return parser


def run_command(
    arguments: dict[str, Any],
    benchmark: Callable[[], Benchmark[Any]],
    after: Callable[[RunDirectory], int] | None = None,
) -> int:
    """Run the command; the exit code. The benchmark is imported only when it is needed.

    `after` is called with the finished run, and returns another exit code if something is wrong.
    """
    try:
        if "list" in (arguments["agent"], arguments["model"]):
            return _print_names(arguments)
        return _run(arguments, benchmark, after)
    except KeyboardInterrupt:
        print("stopped before anything was asked", file=sys.stderr)
        return 130


def _run(
    arguments: dict[str, Any], benchmark: Callable[[], Benchmark[Any]], after: Callable[[RunDirectory], int] | None
) -> int:
    from evals.otel.watching import watches
    from evals.run.prepare import BadInput, as_bad_input, prepare
    from models.base import CannotKeep

    chosen = benchmark()
    try:
        with as_bad_input():
            if arguments["dry_run"]:
                return _dry_run(chosen, arguments)
            otel = bool(arguments["otel"])
            prepared = prepare(chosen, arguments, watching=lambda closing: watches(closing, otel=otel))
    except BadInput as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    try:
        with prepared.closing:
            code = _play_and_tell(chosen, prepared, as_json=bool(arguments["json"]))
            return (after(prepared.run) if after is not None and code in (0, 1) else 0) or code
    except CannotKeep as error:
        return _stopped(str(error), 3, _resuming(chosen, prepared))


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
    from evals.run.dry_run import dry_run

    need_no_keys()
    needs = dry_run(benchmark, arguments)
    print(json.dumps(needs.as_json()) if arguments["json"] else needs.as_text())
    return 0


def need_no_keys() -> None:
    """Allow models to be loaded without a key, because they will not be asked."""
    for key in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY"):
        os.environ.setdefault(key, "none")


def _play_and_tell(benchmark: Benchmark[Any], prepared: Prepared, *, as_json: bool) -> int:
    from evals.pages.wording import plural
    from evals.report.table import first_line
    from evals.run.directory import RunError
    from evals.run.judging import AGENT_ERROR
    from models.base import CannotKeep, RunMustStop, UnfitModel
    from tools.events import Reason

    run = prepared.run
    stopped, code = "", 0
    try:
        _play(prepared)
    except UnfitModel as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        stopped, code = "Ctrl-C", 130
    except RunMustStop as reason:
        stopped, code = str(reason), 3
    resume = _resuming(benchmark, prepared)
    try:
        results = run.results()
        if results or not stopped:
            _conclude(prepared, results, as_json=as_json)
    except (CannotKeep, RunError) as error:
        return _stopped(stopped or str(error), code or 3, resume)
    if stopped:
        return _stopped(stopped, code, resume)
    broken = [result for result in results if result.failure == AGENT_ERROR]
    if broken:
        first = f"{broken[0].id}: {first_line(broken[0])}"
        print(f"{plural(len(broken), 'episode')} ended by an error of the agent, the first {first}", file=sys.stderr)
        if broken[0].reason == Reason.AGENT_ERROR:
            print(f"the traceback is in {run.path / 'report.html'} and at the end of its trace", file=sys.stderr)
    lost = [result for result in results if not result.settled]
    if lost:
        because = first_line(lost[0])
        print(f"{plural(len(lost), 'episode')} could not be played, the first because: {because}", file=sys.stderr)
        print(f"try again with: {resume}", file=sys.stderr)
    return 1 if lost or broken else 0


def _stopped(reason: str, code: int, resume: str) -> int:
    print(f"stopped: {reason}\nresume with: {resume}", file=sys.stderr)
    return code


def _resuming(benchmark: Benchmark[Any], prepared: Prepared) -> str:
    """The command that resumes the run, with options that confirm its code and addresses."""
    from evals.run.benchmarks import program_of
    from evals.run.resuming import to_confirm
    from models.batching import Batched

    words = [*program_of(benchmark), "--resume", str(prepared.run.path)]
    in_batches = ["--batch"] if isinstance(prepared.setup.model, Batched) else []
    return shlex.join([*words, *to_confirm(prepared.settings), *in_batches, *prepared.again])


def _play(prepared: Prepared) -> None:
    from evals.run.playing import play
    from evals.run.progress import Progress

    label = f"{prepared.settings.agent} with {prepared.settings.model}"
    budget = prepared.terms.budget
    asked = prepared.run.judging.of_questions
    with Progress(len(prepared.episodes), prepared.done, label, budget, questions=asked) as progress:
        prepared.terms.notify = progress.say
        asyncio.run(play(prepared, progress.finished))


def _conclude(prepared: Prepared, results: Sequence[EpisodeResult], *, as_json: bool) -> None:
    from evals.pages.terminal import console
    from evals.report import write_report
    from evals.report.figures import as_figures
    from evals.report.table import print_table
    from evals.run.scores import score_run

    run = prepared.run
    scores = score_run(results, run.splits, run.episodes, run.judging)
    report = write_report(run, results, scores)
    print_table(scores, run.config, console(stderr=as_json), results)
    print(f"run: {run.path}\nreport: {report}", file=sys.stderr if as_json else sys.stdout)
    if run.shard:
        print(f"shard {run.shard}: put all shards together with python -m evals.merge RUN RUN …", file=sys.stderr)
    if as_json:
        figures = as_figures(scores, run.judging)
        print(json.dumps({**run.config, "run": str(run.path), "report": str(report), **figures}))


def main_of(benchmark: Benchmark[Any], description: str, argv: Sequence[str] | None = None) -> int:
    """The command of a benchmark, with options from its settings and help from the description."""
    from evals.run.benchmarks import program_of

    parser = parser_of(benchmark.settings, shlex.join(program_of(benchmark)), description)
    arguments = vars(parser.parse_args(argv))
    return run_command(arguments, lambda: benchmark)
