"""Try everything that may befall a run, with real processes, and print what was survived.

    python -m benchmarks.faults [--minutes N] [--seed N] [--only FAULT]

Every agent plays in every benchmark that the registries know, against a server on loopback. A trial is survived if the
command ends as it should, says no more than a line about it, and its run comes to the same results in the end.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.faults import trials
from benchmarks.faults.answers import answer
from benchmarks.faults.finding import cells
from benchmarks.faults.hostile import hostile_runs
from benchmarks.faults.processes import Bench, Fault, Row, most_memory
from benchmarks.options import at_least_one, parser
from evals.pages.tables import print_table
from evals.pages.tables.table import Cell, Column, Table
from tests.conftest import ROOT
from tests.loopback import Loopback

FUZZED = 250
"""Files that a trial of fuzzing changes."""


def fuzzing(bench: Bench, row: Row) -> None:
    """Files of others, changed by chance, and all that read them."""
    words = ["--seed", str(bench.dice.randrange(10**6)), "--count", str(FUZZED)]
    ended = bench.end(bench.start([sys.executable, "-m", "benchmarks.faults.fuzz", *words]), 600)
    try:
        found = json.loads(ended.out.splitlines()[-1])
    except (ValueError, IndexError):
        row.note(False, f"{' '.join(words)}: {ended.err[-500:]}")
        return
    row.tried += found["tried"]
    row.survived += found["tried"] - found["failed"]
    row.notes += found["wrong"]


FAULTS: dict[str, Fault] = {
    "killed": trials.killed,
    "Ctrl-C": trials.interrupted,
    "faulty API": trials.faulty_api,
    "malformed replies": trials.malformed,
    "endless Retry-After": trials.endless_wait,
    "replies too large": trials.too_large,
    "full disk": trials.full_disk,
    "run moved away": trials.taken_away,
    "four on one run": trials.one_run_many,
    "four on one cache": trials.one_cache_many,
    "other surroundings": trials.surroundings,
    "hostile runs": hostile_runs,
    "changed files": fuzzing,
}


def rows(bench: Bench, only: list[str]) -> Iterator[Row]:
    """Each fault once, and then all again and again until the time is over."""
    found = {name: Row(name) for name in FAULTS if not only or name in only}
    first = True
    while first or not bench.late:
        for name, row in found.items():
            if first or not bench.late:
                started = time.monotonic()
                FAULTS[name](bench, row)
                row.seconds += time.monotonic() - started
                print(
                    f"{row.fault}: {row.survived:,} of {row.tried:,}, {row.seconds:.0f} s", file=sys.stderr, flush=True
                )
        first = False
    yield from found.values()


def table(found: list[Row]) -> Table:
    """What was tried, survived and lost."""
    names = ("tried", "survived", "lost", "asked again", "seconds")
    columns = (Column("fault", "left"), *map(Column, names))
    lines = tuple(
        (Cell(row.fault), *(Cell(f"{n:,.0f}") for n in (row.tried, row.survived, row.lost, row.again, row.seconds)))
        for row in found
    )
    return Table("", columns, lines, (f"the largest process took {most_memory()} MB",))


def main() -> int:
    options = parser("faults", __doc__)
    options.add_argument("--minutes", type=float, default=10.0, help="how long to go on (default: %(default)s)")
    options.add_argument("--seed", type=int, default=0, help="decides what is tried (default: %(default)s)")
    options.add_argument("--only", action="append", default=[], choices=FAULTS, help="only this fault; may be repeated")
    options.add_argument("--cells", type=at_least_one, help="only so many agents and benchmarks, by chance")
    arguments = options.parse_args()
    dice, (found, missing) = random.Random(arguments.seed), cells()
    chosen = dice.sample(found, min(arguments.cells or len(found), len(found)))
    for reason in missing:
        print(f"not played: {reason}", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder, Loopback(answer) as server:
        until = time.monotonic() + 60 * arguments.minutes
        bench = Bench(chosen, server, Path(folder), dice, until)
        done = list(rows(bench, arguments.only))
    print(f"{len(chosen)} of {len(found)} agents in benchmarks, seed {arguments.seed}, commit {_commit()}")
    print_table(table(done))
    for row in done:
        for note in row.notes:
            print(f"{row.fault}: {note}")
    return 1 if any(row.notes for row in done) else 0


def _commit() -> str:
    ran = subprocess.run(
        ["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return ran.stdout.strip() or "unknown"


if __name__ == "__main__":
    sys.exit(main())
