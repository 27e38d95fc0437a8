"""Time of planning: ours, unified-planning's, from the cache, and optimal.

    python -m benchmarks.planning [TASKS]

Every task is planned by both in turn, so that other load slows both. That excludes starting the processes and reading
the domain, which a run does once. The time of reading, with imports, is printed first, since every command that plays
waits for it.
"""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from statistics import mean, median

from benchmarks.options import at_least_one, parser
from planners.cache import CachedPlanner
from planners.fast_downward import FastDownward
from planners.outcome import Planner, PlanOutcome
from planners.pddl import read_domain, read_problem
from planners.task import Step, Task
from planners.unified import UnifiedPlanning

WORLD = Path(__file__).parent.parent / "envs" / "blocksworld"

OURS = "from planners.pddl import read_domain; read_domain(sys.argv[1])"
THEIRS = "from unified_planning.io import PDDLReader; PDDLReader().parse_problem(sys.argv[1])"
TIMED = "import sys, time; start = time.perf_counter(); {}; print(time.perf_counter() - start)"


def measure_reading(times: int = 5) -> None:
    """Measure both in turn, each time in a new process."""
    found: dict[str, list[float]] = {OURS: [], THEIRS: []}
    for _ in range(times):
        for code, seconds in found.items():
            words = [sys.executable, "-W", "ignore", "-c", TIMED.format(code), str(WORLD / "domain.pddl")]
            seconds.append(float(subprocess.check_output(words, text=True, cwd=WORLD.parent.parent)))
    ours, theirs = (1000 * median(found[code]) for code in (OURS, THEIRS))
    print("reading a domain in a new process")
    print(f"  ours               {ours:8.1f} ms")
    print(f"  unified-planning   {theirs:8.1f} ms   {theirs / ours:6.1f} times ours")


def tasks(split: str, number: int) -> list[Task]:
    """Replanning tasks: a problem's goal after three random moves, deterministic."""
    domain = read_domain(WORLD / "domain.pddl")
    choose = random.Random(split)
    files = sorted((WORLD / "problems" / split).glob("*.pddl"))
    return [astray(read_problem(domain, files[index % len(files)]).task(domain), choose) for index in range(number)]


def astray(task: Task, choose: random.Random) -> Task:
    state = task.init
    for _ in range(3):
        steps = (
            Step("moveblock", (block, column))
            for block in task.objects.of_type("block")
            for column in task.objects.of_type("column")
        )
        moves = [move for move in (task.domain.ground(step, task.objects) for step in steps) if move.applicable(state)]
        state = choose.choice(moves).apply(state)
    return replace(task, init=state)


def milliseconds(outcomes: Iterable[PlanOutcome]) -> float:
    return 1000 * median(outcome.seconds for outcome in outcomes)


def measure(split: str, number: int, planners: dict[str, Planner]) -> None:
    several = tasks(split, number)
    for planner in planners.values():
        planner.solve(several[0])
    found: dict[str, list[PlanOutcome]] = {name: [] for name in planners}
    for task in several:
        for name, planner in planners.items():
            found[name].append(planner.solve(task))
    ours, theirs, shortest = found["ours"], found["unified-planning"], found["optimal"]
    cache = CachedPlanner(planners["ours"])
    for task in several:
        cache.solve(task)
    cached = [cache.solve(task) for task in several]
    same = sum(one.solved and one.plan == other.plan for one, other in zip(ours, theirs, strict=True))
    length = mean(len(one.plan) for one in ours) / mean(len(one.plan) for one in shortest)
    fast = milliseconds(ours)
    print(f"{split}: {number} tasks, median per plan")
    print(f"  ours               {fast:8.1f} ms")
    print(f"  unified-planning   {milliseconds(theirs):8.1f} ms   {milliseconds(theirs) / fast:6.1f} times ours")
    print(f"  cached             {milliseconds(cached):8.3f} ms   1/{fast / milliseconds(cached):.0f} of ours")
    print(f"  shortest plans     {milliseconds(shortest):8.1f} ms   {milliseconds(shortest) / fast:6.1f} times ours")
    print(f"  same plan as unified-planning: {same} of {number}; ours are {length:.2f} times as long as the shortest")


def main() -> None:
    options = parser("planning", __doc__)
    options.add_argument(
        "tasks", type=at_least_one, nargs="?", default=15, metavar="TASKS", help="per split (default: 15)"
    )
    number = options.parse_args().tasks
    planners: dict[str, Planner] = {
        "ours": FastDownward(workers=1),
        "unified-planning": UnifiedPlanning("fast-downward"),
        "optimal": FastDownward("optimal", workers=1),
    }
    measure_reading()
    for split in ("medium", "hard"):
        measure(split, number, planners)
    for planner in planners.values():
        planner.close()


if __name__ == "__main__":
    main()
