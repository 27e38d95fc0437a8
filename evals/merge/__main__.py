"""Put the shards of a run together into one run, as if one process had played it.

    python -m evals.merge runs/shard-1 runs/shard-2 --out runs/whole

The shards stay as they are.
"""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from evals.run.pipes import quietly

if TYPE_CHECKING:
    from evals.run.directory import RunDirectory

DESCRIPTION = """\
Put the shards of a run together: runs that were started with --shard 1/N to --shard N/N. The result is a run like any
other, with the same results, traces, prompts, pictures and answers as one process would have written. The shards stay
as they are. Shards of a sweep are put together cell by cell; its report is written by evals.sweep --resume.
"""
EPILOG = """\
examples:
  python -m evals.merge runs/erqa-1 runs/erqa-2 runs/erqa-3 --out runs/erqa
  python -m evals.merge runs/shards --out runs/erqa
  python -m evals.merge runs/methods-shard-1-of-2 runs/methods-shard-2-of-2 --out runs/methods

exit code: 0 merged, 2 the shards do not belong together, or some are missing or not finished
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m evals.merge",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("runs", nargs="+", type=Path, metavar="RUN", help="the shards, or a folder that holds them")
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="the new run (default: the first shard's name without its number)"
    )
    parser.add_argument("--json", action="store_true", help="print the scores as one JSON object on stdout")
    arguments = parser.parse_args(argv)
    from evals.run.prepare import BadInput, as_bad_input

    try:
        with as_bad_input():
            return _merge(arguments)
    except BadInput as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


def _merge(arguments: argparse.Namespace) -> int:
    from evals.merge.checking import checked, opened
    from evals.merge.sweeps import merge_sweeps, sweeps_at
    from evals.merge.writing import write

    sweeps = sweeps_at(arguments.runs)
    if sweeps:
        out = arguments.out or _named_after(sweeps[0])
        count = merge_sweeps(sweeps, out)
        print(f"{len(sweeps)} shards with {count:,} cells merged\nsweep: {out}", file=sys.stderr)
        print(f"its report: python -m evals.sweep CONFIG --out {shlex.quote(str(out))} --resume", file=sys.stderr)
        return 0
    shards = checked(opened(arguments.runs))
    out = arguments.out or _named_after(shards[0].path)
    run = write(shards, out)
    return _conclude(run, len(shards), as_json=arguments.json)


def _named_after(path: Path) -> Path:
    """The name of the first shard without its number, or with `-merged` at the end."""
    stem, found, _ = path.name.rpartition("-shard-")
    return path.with_name(stem if found else f"{path.name}-merged")


def _conclude(run: RunDirectory, count: int, *, as_json: bool) -> int:
    from evals.pages.terminal import console
    from evals.report import write_report
    from evals.report.figures import as_figures
    from evals.report.table import print_table
    from evals.run.scores import score_run

    results = run.results()
    scores = score_run(results, run.splits, run.episodes, run.judging)
    report = write_report(run, results, scores)
    print_table(scores, run.config, console(stderr=as_json), results)
    stream = sys.stderr if as_json else sys.stdout
    print(f"{count} shards with {len(results):,} episodes merged\nrun: {run.path}\nreport: {report}", file=stream)
    if as_json:
        print(json.dumps({**run.config, "run": str(run.path), **as_figures(scores, run.judging)}))
    return 0


if __name__ == "__main__":
    sys.exit(quietly(main))
