"""Nothing of a planner may outlive it: not after a timeout, a cancellation, a close, or the death of its owner."""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from planning_worlds import blocks_task, endless_task

from planners import _worker
from planners._pool import Worker
from planners._worker import GONE
from planners.fast_downward import FastDownward
from planners.outcome import PlannerUnavailable, Status
from planners.unified import UnifiedPlanning

Group = Callable[..., list[str]]
Until = Callable[[Callable[[], bool]], None]
EASY = blocks_task((("r", "g"), (), ()), (("g",), ("r",), ()))


@pytest.fixture
def slow_planner():
    planner = FastDownward("optimal", workers=1)
    yield planner
    planner.close()


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Worker]:
    """The workers started during the test."""
    workers: list[Worker] = []
    real = Worker.__init__

    def noted(self: Worker, command: list[str]) -> None:
        real(self, command)
        workers.append(self)

    monkeypatch.setattr(Worker, "__init__", noted)
    return workers


def pid(worker: Worker) -> int:
    return worker._process.pid


@pytest.mark.parametrize("timeout", [0.0, 0.001, 0.7])
def test_out_of_time(slow_planner: FastDownward, started: list[Worker], group: Group, timeout: float):
    outcome = slow_planner.solve(endless_task(), timeout=timeout)
    assert (outcome.status, outcome.plan) == (Status.TIMEOUT, ())
    assert outcome.seconds < timeout + 30
    [worker] = started
    assert group(pid(worker)) == []
    assert not worker._directory.exists()
    assert slow_planner.solve(EASY).solved


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not say what limits a process has")
def test_memory_is_limited(started: list[Worker], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLUMBLINE_PLANNER_MEMORY", "300")
    planner = FastDownward(workers=1)
    assert planner.solve(EASY).solved
    limits = Path(f"/proc/{pid(started[0])}/limits").read_text().splitlines()
    (line,) = [line for line in limits if line.startswith("Max address space")]
    assert line.split()[3] == str(300 * 2**20), "what it starts inherits it"
    planner.close()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not limit memory in the same way")
def test_a_search_that_needs_more_memory_is_out_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLUMBLINE_PLANNER_MEMORY", "34")
    planner = FastDownward("optimal", workers=1)
    task = blocks_task((tuple("ahcfj"), tuple("begdi"), ()), (tuple("dbjea"), (), tuple("gicfh")))
    outcome = planner.solve(task, timeout=900)
    assert (outcome.status, outcome.plan) == (Status.OUT_OF_MEMORY, ())
    assert planner.solve(EASY).solved, "the same worker plans on"
    planner.close()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not limit memory in the same way")
def test_memory_that_is_too_little_for_a_worker_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLUMBLINE_PLANNER_MEMORY", "20")
    planner = FastDownward(workers=1)
    outcome = planner.solve(EASY)
    assert outcome.failed
    assert "\n" not in outcome.message, outcome.message
    planner.close()


def test_a_worker_without_memory_does_not_outlive_its_parent(tmp_path: Path) -> None:
    """What is to end it fails, too: it ends all the same."""
    script = (
        "import shutil, sys; sys.path.insert(0, sys.argv[1])\n"
        "import _worker\n"
        "def full(*words, **more): raise MemoryError\n"
        "shutil.rmtree = full\n"
        "_worker.main(*sys.argv[2:5])\n"
    )
    engine = tmp_path / "engine.py"
    engine.write_text(
        "class Engine:\n"
        "    def __init__(self, argument): pass\n"
        "    def answer(self, request):\n"
        "        while True: pass\n"
    )
    planners = Path(_worker.__file__).parent
    words = [sys.executable, "-c", script, str(planners), str(engine), "", str(tmp_path)]
    pipe = subprocess.PIPE
    worker = subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, start_new_session=True)
    worker.communicate(b"{}\n", timeout=60)
    assert worker.returncode in (GONE, -signal.SIGTERM, -signal.SIGKILL)


def test_out_of_memory_is_a_status(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search says it by its exit code."""
    from planners._fd_engine import _result

    for code in (20, 22, 24):
        assert _result(code, "") == {"status": Status.OUT_OF_MEMORY}
    planner = FastDownward(workers=1)
    monkeypatch.setattr(planner._pool, "ask", lambda *words: {"status": "out of memory"})
    outcome = planner.solve(EASY)
    assert outcome.failed
    with pytest.raises(PlannerUnavailable, match="out of memory"):
        outcome.checked()
    planner.close()


def test_cancelling_ends_the_search(slow_planner: FastDownward, started: list[Worker], group: Group, until: Until):
    async def cancel_in_the_middle() -> None:
        planning = asyncio.create_task(slow_planner.plan(endless_task()))
        await asyncio.to_thread(until, lambda: bool(started) and "downward" in group(pid(started[0])))
        planning.cancel()
        with pytest.raises(asyncio.CancelledError):
            await planning
        assert group(pid(started[0])) == []
        assert (await slow_planner.plan(EASY)).solved

    asyncio.run(cancel_in_the_middle())
    assert len(started) == 2


def test_cancelling_while_waiting_for_a_worker(
    slow_planner: FastDownward, started: list[Worker], group: Group, until: Until
):
    async def cancel_all() -> None:
        planning = [asyncio.create_task(slow_planner.plan(endless_task())) for _ in range(4)]
        await asyncio.to_thread(until, lambda: bool(started))
        for one in planning:
            one.cancel()
        results = await asyncio.gather(*planning, return_exceptions=True)
        assert all(isinstance(result, asyncio.CancelledError) for result in results)

    asyncio.run(cancel_all())
    assert [group(pid(worker)) for worker in started] == [[] for _ in started]


def test_closing_and_going_on(started: list[Worker], group: Group):
    planner = FastDownward(workers=1)
    assert planner.solve(EASY).solved
    planner.close()
    assert group(pid(started[0])) == []
    assert planner.solve(EASY).solved
    planner.close()
    assert len(started) == 2


def test_a_planner_that_is_forgotten_ends_its_worker(started: list[Worker], group: Group):
    assert FastDownward(workers=1).solve(EASY).solved
    assert group(pid(started[0])) == []


def test_a_worker_that_dies_between_two_requests_is_replaced(started: list[Worker], until: Until, group: Group):
    planner = FastDownward(workers=1)
    assert planner.solve(EASY).solved
    os.kill(pid(started[0]), signal.SIGKILL)
    until(lambda: started[0]._process.poll() is not None)
    assert planner.solve(EASY).solved
    planner.close()
    assert [group(pid(worker)) for worker in started] == [[], []]


def test_a_worker_that_dies_at_work_is_an_error(
    slow_planner: FastDownward, started: list[Worker], group: Group, until: Until
):
    async def kill_it() -> None:
        planning = asyncio.create_task(slow_planner.plan(endless_task()))
        await asyncio.to_thread(until, lambda: bool(started) and "downward" in group(pid(started[0])))
        os.kill(pid(started[0]), signal.SIGKILL)
        outcome = await planning
        assert (outcome.status, outcome.plan) == (Status.ERROR, ())
        # Its search is an orphan: ended, though only the system can clear it away.
        until(lambda: group(pid(started[0]), zombies=False) == [])

    asyncio.run(kill_it())


OWNER = """
import pickle, sys, threading, time
from planners.fast_downward import FastDownward
planner = FastDownward("optimal", workers=1)
task = pickle.load(open(sys.argv[1], "rb"))
threading.Thread(target=planner.solve, args=(task,), daemon=True).start()
while not planner._pool._busy:
    time.sleep(0.01)
[worker] = planner._pool._busy
print(worker._process.pid, worker._directory, flush=True)
time.sleep(60)
"""


def test_the_sudden_death_of_the_owner_leaves_no_orphans(tmp_path: Path, group: Group, until: Until):
    task = tmp_path / "task.pickle"
    task.write_bytes(pickle.dumps(endless_task()))
    with subprocess.Popen([sys.executable, "-c", OWNER, str(task)], stdout=subprocess.PIPE, text=True) as owner:
        assert owner.stdout is not None
        number, directory = owner.stdout.readline().split()
        until(lambda: "downward" in group(int(number)))
        owner.kill()
    until(lambda: group(int(number), zombies=False) == [])
    assert not Path(directory).exists()


def test_leaving_the_interpreter_ends_the_workers(tmp_path: Path, group: Group):
    code = OWNER.replace("threading.Thread", "planner.solve(task) #").replace("while not", "while False and not")
    code = code.replace("_busy", "_idle").replace("time.sleep(60)", "")
    task = tmp_path / "task.pickle"
    task.write_bytes(pickle.dumps(EASY))
    done = subprocess.run([sys.executable, "-c", code, str(task)], capture_output=True, text=True, check=True)
    number, directory = done.stdout.split()
    assert group(int(number)) == []
    assert not Path(directory).exists()
    assert done.stderr == ""


@pytest.mark.slow
def test_engines_of_unified_planning_end_too(started: list[Worker], group: Group, until: Until):
    planner = UnifiedPlanning()

    async def cancel_in_the_middle() -> None:
        planning = asyncio.create_task(planner.plan(endless_task()))
        await asyncio.to_thread(until, lambda: bool(started) and len(group(pid(started[0]))) >= 2)
        planning.cancel()
        with pytest.raises(asyncio.CancelledError):
            await planning

    asyncio.run(cancel_in_the_middle())
    assert group(pid(started[0])) == []
    assert planner.solve(EASY, timeout=0.1).status is Status.TIMEOUT
    planner.close()
    assert [group(pid(worker)) for worker in started] == [[], []]


def test_no_directories_are_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    planner = FastDownward(workers=1)
    assert planner.solve(EASY).solved
    assert len(list(tmp_path.iterdir())) == 1
    planner.close()
    assert list(tmp_path.iterdir()) == []
