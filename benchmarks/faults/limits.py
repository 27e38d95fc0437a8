"""Exhausted resources: a full disk for the run, for the cache, and memory of the planner."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from benchmarks.faults.processes import Bench, Cell, Ended, results
from benchmarks.faults.record import Row
from benchmarks.faults.trials import resumed
from tests.models.test_cache_failures import mounts_are_allowed

ROOMS = ("size=40k", "size=80k", "size=160k", "size=400k", "nr_inodes=9", "nr_inodes=12")
MOUNTED = 'mount -t tmpfs -o {room} tmpfs "$0"; "$@"; code=$?; cp -r "$0/." "{kept}"; exit $code'
LIMITED = 'ulimit -f {blocks}; exec "$@"'


def full_disk(bench: Bench, row: Row) -> None:
    """A full file system, of bytes or inodes: one line, exit code 3, and resumable.

    If none can be mounted, and sometimes otherwise, the size of files is limited.
    """
    cell = bench.pick(row)
    expected, questions = bench.expected(cell)
    what, folder, ended = _in_little_room(bench, cell, bench.dice.choice(ROOMS), "--out")
    run = folder / "small"
    if ended.code == 0:
        row.note(results(run) == expected, f"{cell}, {what}: not full, and other results")
    elif ended.code == 2 and not (run / "run.json").exists():
        row.note(ended.clean, f"{cell}, {what}: {ended.last}")
    elif ended.code != 3 or not ended.clean:
        row.note(False, f"{cell}, {what}: exit code {ended.code}: {ended.last}")
    else:
        resumed(bench, row, cell, run, expected, questions)


def full_cache(bench: Bench, row: Row) -> None:
    """A full disk for the cache: the run stops, and cached answers are not requested again."""
    cell = bench.pick(row)
    expected, questions = bench.expected(cell)
    out = bench.place()
    what, folder, ended = _in_little_room(bench, cell, bench.dice.choice(ROOMS[:3]), "--cache", "--out", out)
    cache = folder / "small"
    if ended.code == 0:
        row.note(results(out) == expected, f"{cell}, {what}: not full, and other results")
    elif ended.code == 2 and not (out / "run.json").exists():
        row.note(ended.clean, f"{cell}, {what}: {ended.last}")
    elif ended.code not in (2, 3) or not ended.clean:
        row.note(False, f"{cell}, {what}: exit code {ended.code}: {ended.last}")
    else:
        resumed(bench, row, cell, out, expected, questions, cache=cache)


def _in_little_room(bench: Bench, cell: Cell, room: str, option: str, *more: object) -> tuple[str, Path, Ended]:
    """Play with an option's file on a small disk: its size, the folder afterwards, and the end."""
    small, kept = bench.place(), bench.place()
    small.mkdir()
    kept.mkdir()
    command = bench.words(cell, *cell.words, option, small / "small", *more)
    if bench.dice.random() < 0.75 and mounts_are_allowed():
        script = MOUNTED.format(room=room, kept=kept)
        return room, kept, bench.end(bench.start(["unshare", "-rm", "sh", "-c", script, str(small), *command]))
    blocks = bench.dice.choice((40, 100, 300))
    ended = bench.end(bench.start(["sh", "-c", LIMITED.format(blocks=blocks), "sh", *command]))
    return f"files of {blocks} blocks", small, ended


PLANNING = """
import json, sys
from envs.blocksworld.problems import domain
from planners import get_planner
from planners.formula import Atom, conjunction, Literal
from planners.task import Task

def task(names):
    objects = domain().objects({**dict.fromkeys(names, "block"), **dict.fromkeys(("c1", "c2", "c3"), "column")})
    def pile(order, column):
        on = {Atom("on", (upper, lower)) for lower, upper in zip(order, order[1:])}
        return on | {Atom("incolumn", (name, column)) for name in order} | {Atom("clear", (order[-1],))}
    sides = {Atom("leftof", pair) for pair in (("c1", "c2"), ("c2", "c3"))}
    sides |= {Atom("rightof", pair) for pair in (("c2", "c1"), ("c3", "c2"))}
    start = pile(names, "c1") | sides
    goal = conjunction(Literal(atom) for atom in pile((*names[2::2], *names[:2], *names[3::2]), "c2"))
    return Task(domain(), objects, frozenset(start), goal)

planner = get_planner("fd-opt")
found = [planner.solve(task(tuple("abcdefghijklm")[:count])) for count in (int(sys.argv[1]), 2)]
planner.close()
print(json.dumps([[str(outcome.status), outcome.message] for outcome in found]))
"""


def out_of_memory(bench: Bench, row: Row) -> None:
    """A search beyond the memory limit of planners: an ordinary result, and the next plan is found."""
    megabytes, blocks = bench.dice.choice((30, 32, 34, 36)), bench.dice.choice((10, 11, 12))
    command = [sys.executable, "-c", PLANNING, str(blocks)]
    ended = bench.end(bench.start(command, PLUMBLINE_PLANNER_MEMORY=str(megabytes)))
    try:
        (status, message), (then, _) = json.loads(ended.out)
    except ValueError:
        status = message = then = ended.last
    fine = ended.code == 0 and ended.clean and (status, then) == ("out of memory", "solved")
    row.note(fine, f"{blocks} blocks in {megabytes} MB: {status} {message[:200]}, and then {then}")
