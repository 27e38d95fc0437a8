"""Play recorded Blocksworld runs of the original again, with its answers and our agents, and compare.

    python -m evals.viplan_replay path/to/ViPlan --problems path/to/problems

Every recorded episode is played by our graphs under the official rules, with the recorded answers in place of a
model and the recorded slips in place of chance. It agrees if actions, questions, answers and outcome are the same.
Some records break off after a failed action: the original did not always write down a replan that found no plan.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evals.viplan.arguments import at_least

if TYPE_CHECKING:
    from evals.viplan.replay.replaying import Replayed

DESCRIPTION = """\
Play recorded Blocksworld runs of the original again: our agents, planner and world under the official rules, the
recorded answers of a real model, the recorded slips. Prints for every run how many episodes replay alike, and
for the others where they differ and why.
"""
EPILOG = """\
causes:
  our planner plans otherwise        both plans are good; the engine differs
  the recorded plan cannot be done   it does not follow from the recorded answers
  other                              our protocol is not the original's: a bug

exit code: 0 all alike or parted over plans, 1 something else differs, 2 invalid input
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m evals.viplan_replay",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("path", type=Path, help="a checkout of the original, or its results/final")
    parser.add_argument("--problems", type=Path, help="its problems (default: PATH/data/planning/blocksworld/problems)")
    parser.add_argument("--split", help="only this split")
    parser.add_argument("--model", metavar="NAME", help="only runs of this model, by the name of its folder")
    parser.add_argument("--limit", type=at_least(1), metavar="N", help="only the first N episodes of each run")
    parser.add_argument("--json", action="store_true", help="print one JSON object on stdout")
    arguments = parser.parse_args(argv)
    from evals.run.prepare import BadInput, as_bad_input

    try:
        with as_bad_input():
            return _run(arguments)
    except BadInput as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


def _run(arguments: argparse.Namespace) -> int:
    results: list[Replayed] = []
    for name, run in _replay(arguments):
        results += run
        cut = sum(one.alike and one.cut for one in run)
        note = f", {cut} of them as far as the record goes" if cut else ""
        print(f"{name}: {sum(one.alike for one in run)} of {len(run)} alike{note}", file=sys.stderr)
    if not results:
        raise ValueError(
            f"{arguments.path}: no recorded Blocksworld runs" + (" of that split" if arguments.split else "")
        )
    parted = [one for one in results if not one.alike]
    causes = Counter(str(one.cause) for one in parted)
    if arguments.json:
        print(json.dumps(_as_json(results, causes)))
    else:
        for one in parted:
            print(f"{one.run} {one.problem}: {one.cause}: {one.detail}")
        cut = sum(one.alike and one.cut for one in results)
        note = f"; in {cut} of them the record breaks off where our agent would look again" if cut else ""
        print(f"{len(results) - len(parted)} of {len(results)} episodes replay alike{note}")
    return 1 if causes["other"] else 0


def _replay(arguments: argparse.Namespace) -> Iterator[tuple[str, list[Replayed]]]:
    from evals.viplan.replay.replaying import Replayer
    from models.recorded import open_checkout
    from planners import get_planner
    from planners.cache import CachedPlanner
    from planners.names import unknown

    recorded = [file for file in open_checkout(arguments.path).files if file.setting.domain == "BW"]
    models = sorted({file.setting.model for file in recorded})
    if arguments.model and recorded and arguments.model not in models:
        raise unknown("recorded model", arguments.model, models)
    files = [
        file
        for file in recorded
        if arguments.split in (None, file.setting.split) and arguments.model in (None, file.setting.model)
    ]
    problems = arguments.problems or arguments.path / "data" / "planning" / "blocksworld" / "problems"
    planner = CachedPlanner(get_planner("fd"))
    try:
        replayer = Replayer(planner, problems)
        for file in files:
            run = file.read()
            if arguments.limit:
                run = replace(run, episodes=run.episodes[: arguments.limit])
            yield replayer.name(run), asyncio.run(replayer.replay(run))
    finally:
        planner.close()


def _as_json(results: Sequence[Replayed], causes: Counter[str]) -> dict[str, Any]:
    parted = [one for one in results if not one.alike]
    return {
        "episodes": len(results),
        "alike": len(results) - len(parted),
        "alike_as_far_as_recorded": sum(one.alike and one.cut for one in results),
        "causes": dict(causes),
        "parted": [
            {"run": one.run, "problem": one.problem, "cause": one.cause, "detail": one.detail} for one in parted
        ],
    }
