"""Faults during a run. Each function is one trial; the bench repeats it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from benchmarks.faults.processes import Bench, Cell, Ended, kept_answers, results
from benchmarks.faults.record import Row
from evals.run.judging import UNPLAYED
from tests.loopback import PASSING, Fault, always, sometimes
from tests.models.malformed import OPENAI

EIGHTEEN = tuple(OPENAI)[:18]
FOURTEEN = (*PASSING, Fault.HALF, Fault.NO_REPLY, Fault.TIMEOUT, Fault.OVERLOADED, Fault.BOMB, Fault.ZIPPED)
"""Faults that retries overcome; a compressed reply is none, and has to be read."""


def killed(bench: Bench, row: Row) -> None:
    """Kill a run once or twice, and resume it: the same results, and no cached answer requested again."""
    cell = bench.pick(row)
    expected, questions = bench.expected(cell)
    out, times, kills = bench.place(), bench.dice.choice((1, 1, 2)), 0
    bench.server.latency = 0.02
    for _ in range(times):
        asked = bench.server.count + bench.dice.randint(0, max(1, questions // 2))
        start = ("--resume", out) if (out / "run.json").exists() else (*cell.words, "--out", out)
        process = bench.start(bench.words(cell, *start))
        bench.reach(process, asked)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        kills += bench.end(process).code == -signal.SIGKILL
        if not (out / "run.json").exists():
            shutil.rmtree(out, ignore_errors=True)
    bench.server.latency = 0.0
    resumed(bench, row, cell, out, expected, questions, tried=kills)


def interrupted(bench: Bench, row: Row) -> None:
    """Stop a run with Ctrl-C, and resume it."""
    cell = bench.pick(row)
    expected, questions = bench.expected(cell)
    out = bench.place()
    bench.server.latency = 0.01
    process = bench.start(bench.words(cell, *cell.words, "--out", out))
    bench.reach(process, bench.server.count + max(1, questions // 3))
    with suppress(ProcessLookupError):
        os.kill(process.pid, signal.SIGINT)
    ended = bench.end(process)
    bench.server.latency = 0.0
    if ended.code not in (0, 130) or not ended.clean or _left(process.pid):
        row.note(False, f"{cell}: Ctrl-C ended with {ended.code}: {ended.last}; left {_left(process.pid)}")
        return
    resumed(bench, row, cell, out, expected, questions)


def _left(group: int) -> list[str]:
    """The remaining processes of a group."""
    found = subprocess.run(["pgrep", "-g", str(group)], capture_output=True, text=True, check=False)
    return found.stdout.split()


def resumed(
    bench: Bench,
    row: Row,
    cell: Cell,
    out: Path,
    expected: list[object],
    questions: int,
    *,
    tried: int = 1,
    cache: Path | None = None,
) -> None:
    """Resume a run, or play it if it had not started, and compare it with the expected results."""
    kept, before = kept_answers(cache or out / "answers.sqlite"), bench.server.count
    more = ("--cache", cache) if cache else ()
    ended = bench.resume(cell, out, *more) if (out / "run.json").exists() else bench.play(cell, out, *more)
    again = bench.server.count - before - (questions - kept)
    came = results(out) == expected
    row.note(
        came and again <= 0 and ended.code == 0 and ended.clean,
        f"{cell}: exit code {ended.code}, results {'the same' if came else 'not the same'}, {again} asked again, "
        f"{ended.last}",
        tried=tried,
        lost=not came,
        again=max(0, again),
    )


def faulty_api(bench: Bench, row: Row) -> None:
    """A server with faults in half of its replies: the results are the same."""
    cell = replace(bench.pick(row), limit=8 if bench.thorough else 2)
    expected, _ = bench.expected(cell)
    out, before = bench.place(), sum(bench.server.failed.values())
    bench.server.retry_after, bench.server.slowness = "0.01", 0.05
    bench.server.faults = sometimes(0.5, bench.dice.randrange(10**6), FOURTEEN)
    ended = bench.play(cell, out)
    bench.server.faults = lambda number: None
    faults = sum(bench.server.failed.values()) - before
    same = ended.code == 0 and ended.clean and results(out) == expected
    row.tried += faults
    row.survived += faults if same else 0
    if not same:
        row.lost += 1
        row.notes.append(f"{cell}: exit code {ended.code} after {faults} faults: {ended.last}")


def malformed(bench: Bench, row: Row) -> None:
    """A server with only malformed replies, then repaired: none of them was cached or scored."""
    cell, name = bench.pick(row), EIGHTEEN[row.tried % len(EIGHTEEN)]
    expected, _ = bench.expected(cell)
    out = bench.place()
    bench.server.mangle = OPENAI[name]
    ill = bench.play(cell, out, "--deadline", 0.3)
    bench.server.mangle = None
    scored = [result for result in results(out) if result["failure"] != UNPLAYED and result["asked"]]
    kept = kept_answers(out / "answers.sqlite")
    well = bench.resume(cell, out)
    fine = ill.clean and well.clean and well.code == 0 and results(out) == expected
    message = f"{cell}, {name}: exit codes {ill.code}, {well.code}; kept {kept}, scored {len(scored)}: {ill.last}"
    # Without requested log-probabilities none can be malformed, and the run plays.
    needs = "probabilit" in name or "rivals" in name
    row.note(fine and (needs or not kept), message, lost=results(out) != expected)


def endless_wait(bench: Bench, row: Row) -> None:
    """A server that asks to wait for eleven days: the wait ends after the patience."""
    cell = bench.pick(row)
    expected, questions = bench.expected(cell)
    out = bench.place()
    bench.server.retry_after, bench.server.faults = "1000000", always(Fault.TOO_MANY_WAIT)
    ended = bench.play(cell, out, "--deadline", 1, "--patience", 0.5)
    bench.server.faults, bench.server.retry_after = (lambda number: None), "0.01"
    if ended.code not in (1, 3) or not ended.clean:
        row.note(False, f"{cell}: exit code {ended.code}: {ended.last}")
        return
    resumed(bench, row, cell, out, expected, questions)


def too_large(bench: Bench, row: Row) -> None:
    """Replies of 100 MB, endless ones, and zip bombs of 64 MB: refused, with little memory."""
    cell = bench.pick(row)
    expected, questions = bench.expected(cell)
    out = bench.place()
    bench.server.faults = always((Fault.LARGE, Fault.ENDLESS, Fault.BOMB)[row.tried % 3])
    ended = bench.play(cell, out, "--deadline", 1, "--requests", 4)
    bench.server.faults = lambda number: None
    if ended.code not in (1, 3) or not ended.clean:
        row.note(False, f"{cell}: exit code {ended.code}: {ended.last}")
        return
    resumed(bench, row, cell, out, expected, questions)


def taken_away(bench: Bench, row: Row) -> None:
    """A run directory that is moved during the run: it stops, and can be resumed at its new place."""
    cell = bench.pick(row)
    expected, questions = bench.expected(cell)
    out, now = bench.place(), bench.place()
    bench.server.latency = 0.02
    process = bench.start(bench.words(cell, *cell.words, "--requests", 2, "--out", out))
    bench.reach(process, bench.server.count + max(1, questions // 3))
    moved = (out / "run.json").exists()
    if moved:
        out.rename(now)
    ended = bench.end(process)
    bench.server.latency = 0.0
    if ended.code not in (0, 1, 3) or not ended.clean:
        row.note(False, f"{cell}: exit code {ended.code}: {ended.last}")
        return
    resumed(bench, row, cell, now if moved else out, expected, questions)


def one_run_many(bench: Bench, row: Row) -> None:
    """Four processes that resume one run: one plays, the others report the lock."""
    cell = bench.pick(row)
    expected, _ = bench.expected(cell)
    out = bench.place()
    process = bench.start(bench.words(cell, *cell.words, "--out", out))
    bench.reach(process, bench.server.count + 1)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    bench.end(process)
    if not (out / "run.json").exists():
        return
    running = [bench.start(bench.words(cell, "--resume", out)) for _ in range(4)]
    ended = [bench.end(one) for one in running]
    fine = all(one.clean and (one.code == 0 or "another process" in one.err) for one in ended)
    row.note(fine and results(out) == expected, f"{cell}: {[(one.code, one.last) for one in ended]}")


def one_cache_many(bench: Bench, row: Row) -> None:
    """Four processes that create and share one cache: the same results in each, without damage."""
    cell = bench.pick(row)
    expected, _ = bench.expected(cell)
    cache, outs = bench.place(), [bench.place() for _ in range(4)]
    running = [bench.start(bench.words(cell, *cell.words, "--out", out, "--cache", f"{cache}.sqlite")) for out in outs]
    ended = [bench.end(one) for one in running]
    fine = all(one.clean and one.code == 0 for one in ended) and all(results(out) == expected for out in outs)
    row.note(fine, f"{cell}: {[(one.code, one.last) for one in ended]}")


SURROUNDINGS: tuple[tuple[tuple[object, ...], dict[str, str]], ...] = (
    (("--concurrency", 1, "--requests", 1), {"PYTHONHASHSEED": "1"}),
    (("--concurrency", 16, "--requests", 64), {"PYTHONHASHSEED": "2", "LC_ALL": "C", "PYTHONIOENCODING": "ascii"}),
    (("--concurrency", 3), {"OMP_NUM_THREADS": "1", "LC_ALL": "C.UTF-8", "TZ": "Asia/Tokyo"}),
    (("--no-cache",), {"OMP_NUM_THREADS": "4", "PYTHONUTF8": "0", "LANG": "C"}),
)


def surroundings(bench: Bench, row: Row) -> None:
    """Other concurrency, hash seed, locale, time zone, threads: the same results."""
    cell = bench.pick(row)
    expected, _ = bench.expected(cell)
    words, environment = SURROUNDINGS[row.tried % len(SURROUNDINGS)]
    out = bench.place()
    ended: Ended = bench.play(cell, out, *words, **environment)
    fine = ended.code == 0 and ended.clean and results(out) == expected
    row.note(fine, f"{cell} with {words} {environment}: exit code {ended.code}: {ended.last}")
