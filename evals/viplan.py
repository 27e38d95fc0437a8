"""Run the ViPlan benchmark.

    python -m evals.viplan --agent ground_mem

Plays every problem of the chosen splits with one agent and one model, writes a run directory with the trace of every
episode, and ends with a table and a report to look at.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evals.run_directory import RunDirectory
    from evals.runner import Setup
    from evals.settings import Settings

DESCRIPTION = """\
Run the ViPlan benchmark: an agent and a model on every problem of the chosen splits.

Without options it plays our 75 Blocksworld problems with a simulated model: no key, no GPU, no download. Every
answer is on disk before the next question; a run that was stopped or killed goes on with --resume.
"""
EPILOG = """\
examples:
  python -m evals.viplan --agent ground_mem
  python -m evals.viplan --agent plan_cot --split simple --limit 5 --model sim:qwen2.5-vl-72b
  python -m evals.viplan --agent ground --model oracle --fail-probability 0.1
  python -m evals.viplan --agent ground --model pixels --split simple
  python -m evals.viplan --agent ground --rules official --viplan-root ViPlan --model replay:results_1.json
  python -m evals.viplan --agent my_agent.py:build --limit 2
  python -m evals.viplan --resume runs/20260101-120000-viplan-ground_mem-sim_gpt-4.1

exit code: 0 all played, 1 some episodes could not be played (--resume tries them again), 2 the input cannot be used,
130 stopped by Ctrl-C (--resume goes on)
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit code."""
    arguments = vars(_parser().parse_args(argv))
    if "list" in (arguments["agent"], arguments["model"]):
        return _print_names(arguments)
    from evals.inputs import BadInput, as_bad_input

    try:
        with as_bad_input():
            return _run(arguments)
    except BadInput as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m evals.viplan",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    what = parser.add_argument_group("what to run")
    what.add_argument("--agent", metavar="NAME", help="an agent, FILE.py:FUNCTION, or `list` (default: ground_mem)")
    what.add_argument("--model", metavar="SPEC", help="a model, or `list` (default: sim:gpt-4.1, simulated)")
    what.add_argument("--domain", help="blocksworld (the default)")
    what.add_argument("--split", help="simple, medium, hard or all (the default)")
    what.add_argument("--limit", type=int, metavar="N", help="only the first N problems of each split")
    what.add_argument("--seed", type=int, metavar="N", help="decides failures and the looks of pictures (default: 0)")
    what.add_argument(
        "--fail-probability", type=float, metavar="P", help="how often a legal move goes wrong (default: 0)"
    )
    what.add_argument("--problems", metavar="DIR", help="a folder of problems: DIR/SPLIT/*.pddl (default: our own)")
    what.add_argument("--viplan-root", metavar="DIR", help="a checkout of the original: its problems and its prompts")
    what.add_argument("--rules", help="mended (the default) or official: the original's protocol, quirks included")
    what.add_argument("--planner", metavar="NAME", help="fd (the default), fd-opt or up:ENGINE")
    what.add_argument("--steps", type=int, metavar="N", help="another step limit than the benchmark's")
    what.add_argument("--renderer", help="ray (the default) or blender (pip install 'plumbline[blender]')")
    how = parser.add_argument_group("how to run it")
    how.add_argument("--concurrency", type=int, default=8, metavar="N", help="episodes at a time (default: 8)")
    how.add_argument(
        "--requests", type=int, default=256, metavar="N", help="questions under way at once (default: 256)"
    )
    how.add_argument(
        "--pictures", action="store_true", help="draw every picture, even if the model does not look at it"
    )
    where = parser.add_argument_group("where it goes")
    where.add_argument("--out", type=Path, metavar="DIR", help="the run directory (default: a new one below runs/)")
    where.add_argument("--resume", type=Path, metavar="DIR", help="go on with a run that was stopped")
    where.add_argument("--json", action="store_true", help="print the scores as one JSON object on stdout")
    return parser


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


def _run(arguments: dict[str, Any]) -> int:
    from evals.inputs import prepare

    if arguments["concurrency"] < 1 or arguments["requests"] < 1:
        raise ValueError("--concurrency and --requests have to be at least 1")
    settings, run, setup = prepare(arguments)
    try:
        code = _play(settings, run, setup)
        _conclude(settings, run, as_json=arguments["json"])
    finally:
        run.close()
        setup.planner.close()
        setup.stand_in_planner.close()
    return code


def _play(settings: Settings, run: RunDirectory, setup: Setup) -> int:
    from evals.progress import Progress
    from evals.runner import Runner
    from evals.viplan_episodes import episodes_of

    episodes = episodes_of(settings, setup.agent, setup.model)
    done = {result.id: result for result in run.results() if result.scored}
    left = [episode for episode in episodes if episode.id not in done]

    async def play() -> None:
        runner = Runner(setup, run)
        try:
            await runner.play_all(left, progress.finished)
        finally:
            runner.close()

    try:
        with Progress(len(episodes), list(done.values()), f"{settings.agent} with {settings.model}") as progress:
            if left:
                asyncio.run(play())
    except KeyboardInterrupt:
        print(f"\nstopped; go on with: python -m evals.viplan --resume {run.path}", file=sys.stderr)
        return 130
    lost = [result for result in run.results() if not result.scored]
    if lost:
        print(f"{len(lost)} episodes could not be played, the first because: {lost[0].detail}", file=sys.stderr)
        print(f"try them again with: python -m evals.viplan --resume {run.path}", file=sys.stderr)
    return 1 if lost else 0


def _conclude(settings: Settings, run: RunDirectory, *, as_json: bool) -> None:
    from rich.console import Console

    from evals.report import write_report
    from evals.scores import score_run
    from evals.table import print_table
    from evals.viplan_episodes import splits_of

    scores = score_run(run.results(), splits_of(settings))
    report = write_report(run)
    print_table(scores, run.config, Console(stderr=as_json))
    print(f"run: {run.path}\nreport: {report}", file=sys.stderr if as_json else sys.stdout)
    if as_json:
        print(json.dumps({**run.config, "run": str(run.path), "report": str(report), **_as_json(scores)}))


def _as_json(scores: Any) -> dict[str, Any]:
    """The scores, the accuracies as plain numbers where the table has them."""
    content: dict[str, Any] = scores.model_dump(mode="json")
    for split in content["splits"].values():
        split["accuracy"] = {"all": split["predicate_accuracy"], "official": split["official_accuracy"]}
        split["predicate_accuracy"] = split["predicate_accuracy"]["value"]
        split["official_accuracy"] = split["official_accuracy"]["value"]
    return content


if __name__ == "__main__":
    sys.exit(main())
