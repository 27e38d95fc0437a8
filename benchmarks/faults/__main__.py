"""Inject faults into runs, in real processes, and print how many were survived.

    python -m benchmarks.faults [--minutes N] [--seed N] [--only FAULT] [--state FILE] [--table]

Every agent plays in every benchmark that the registries know, against a server on loopback. A trial is survived if the
command ends with the right exit code and one line of error, and its run has the same results in the end. With
`--state` each call adds to the table of the file, until every fault was tried as often as the table wants.
"""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.faults import limits, trials
from benchmarks.faults.answers import answer
from benchmarks.faults.browser import hostile_pages
from benchmarks.faults.finding import cells_elsewhere
from benchmarks.faults.hostile import READERS, hostile_runs, kinds
from benchmarks.faults.processes import Bench, CannotPlay, Fault, NotHere
from benchmarks.faults.record import Record, Row, held
from benchmarks.options import at_least_one, parser
from evals.pages.tables import print_table
from tests.conftest import ROOT
from tests.loopback import Loopback

FUZZED = {False: 250, True: 1000}
"""Files per fuzzing trial, by whether it is thorough."""


def fuzzing(bench: Bench, row: Row) -> None:
    """Randomly changed files, and everything that reads them."""
    words = ["--seed", str(bench.dice.randrange(10**6)), "--count", str(FUZZED[bench.thorough])]
    ended = bench.end(bench.start([sys.executable, "-m", "benchmarks.faults.fuzz", *words]), 600)
    try:
        found = json.loads(ended.out.splitlines()[-1])
    except (ValueError, IndexError):
        row.note(False, f"{' '.join(words)}: {ended.err[-500:]}")
        return
    row.tried += found["tried"]
    row.survived += found["tried"] - found["failed"]
    row.notes += [f"--seed {words[1]}: {name}: {fault}" for name, fault in found["wrong"].items()]


FAULTS: dict[str, tuple[Fault, int]] = {
    "killed": (trials.killed, 200),
    "Ctrl-C": (trials.interrupted, 40),
    "faulty API": (trials.faulty_api, 5000),
    "malformed replies": (trials.malformed, 4 * len(trials.EIGHTEEN)),
    "endless Retry-After": (trials.endless_wait, 20),
    "replies too large": (trials.too_large, 12),
    "full disk": (limits.full_disk, 40),
    "full cache": (limits.full_cache, 20),
    "out of memory": (limits.out_of_memory, 10),
    "run moved away": (trials.taken_away, 20),
    "four on one run": (trials.one_run_many, 20),
    "four on one cache": (trials.one_cache_many, 10),
    "other surroundings": (trials.surroundings, 10 * len(trials.SURROUNDINGS)),
    "hostile runs": (hostile_runs, READERS * len(kinds(""))),
    "hostile pages": (hostile_pages, 500),
    "changed files": (fuzzing, 20_000),
}
"""The faults, and how often each is to be tried."""


def once(bench: Bench, record: Record, names: Sequence[str]) -> None:
    """Try each fault once, regardless of time."""
    for name in names:
        _try(bench, record, name)


def more(bench: Bench, record: Record, names: Sequence[str], state: Path, commit: str) -> None:
    """Try the least complete fault, until all are complete or the time is over."""
    while not bench.late:
        rows = [record.row(name, FAULTS[name][1]) for name in names]
        least = min(rows, key=lambda row: row.share, default=None)
        if least is None or least.share >= 1:
            return
        if not _try(bench, record, least.fault):
            names = [name for name in names if name != least.fault]
        record.trials[commit] = record.trials.get(commit, 0) + 1
        record.write(state)


def _try(bench: Bench, record: Record, name: str) -> bool:
    """Try a fault once; False if it cannot be tried here."""
    fault, wanted = FAULTS[name]
    row, started = record.row(name, wanted), time.monotonic()
    try:
        fault(bench, row)
    except CannotPlay as error:
        row.note(False, str(error))
    except NotHere as reason:
        print(f"{name}: not tried: {reason}", file=sys.stderr)
        return False
    row.seconds += time.monotonic() - started
    if bench.megabytes > record.megabytes:
        record.megabytes, record.largest = bench.megabytes, bench.largest
    print(f"{row.fault}: {row.survived:,} of {row.tried:,}, {row.seconds:.0f} s", file=sys.stderr, flush=True)
    return True


def main() -> int:
    options = parser("faults", __doc__)
    options.add_argument("--minutes", type=float, default=10.0, help="how long to go on (default: %(default)s)")
    options.add_argument("--seed", type=int, default=0, help="decides what is tried (default: %(default)s)")
    options.add_argument("--only", action="append", default=[], choices=FAULTS, help="only this fault; may be repeated")
    options.add_argument("--cells", type=at_least_one, help="only so many agents and benchmarks, by chance")
    options.add_argument("--state", type=Path, metavar="FILE", help="add to the table in this file")
    options.add_argument("--table", action="store_true", help="print the table of --state, and try nothing")
    arguments = options.parse_args()
    if arguments.table:
        if arguments.state is None:
            options.error("--table prints the table of a --state FILE")
        return _show(Record.read(arguments.state))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # what is under way is killed on the way out
    with held(arguments.state):
        return _bench(
            arguments.state, arguments.seed, arguments.minutes, arguments.only or list(FAULTS), arguments.cells
        )


def _bench(state: Path | None, seed: int, minutes: float, names: Sequence[str], count: int | None) -> int:
    record, commit = Record.read(state) if state else Record(), _commit()
    dice, (found, missing) = random.Random(f"{seed} {record.calls}"), cells_elsewhere()
    chosen = dice.sample(found, min(count or len(found), len(found)))
    for reason in missing:
        print(f"not played: {reason}", file=sys.stderr)
    record.calls += 1
    with tempfile.TemporaryDirectory() as folder, Loopback(answer, kept=100) as server:
        until = time.monotonic() + 60 * minutes
        bench = Bench(chosen, server, Path(folder), dice, until)
        try:
            if state is not None:
                if not commit.endswith("dirty"):
                    bench.kept = record.expected.setdefault(commit, {})
                bench.thorough = True
                more(bench, record, names, state, commit)
            else:
                once(bench, record, names)
                record.trials[commit] = 1
                while not bench.late:
                    once(bench, record, names)
        finally:
            bench.kill()
    print(f"{len(chosen)} of {len(found)} agents in benchmarks, seed {seed}, commit {commit}")
    return _show(record)


def _show(record: Record) -> int:
    print_table(record.table())
    for row in record.rows.values():
        for note in row.notes:
            print(f"{row.fault}: {note}")
    return 1 if any(row.notes for row in record.rows.values()) else 0


def _commit() -> str:
    ran = subprocess.run(
        ["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return ran.stdout.strip() or "unknown"


if __name__ == "__main__":
    sys.exit(main())
