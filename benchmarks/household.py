"""Times of the household: building, opening, stepping and drawing.

    python -m benchmarks.household [problems] [--out docs/pictures]

Plays the first problems of each split (default: 3) by plans from the true state and draws every picture. Prints the
time of a reset (the home is built anew), of a step with its picture and without, and the memory in use. Planning is
not counted. With `--out` it measures nothing and saves a sheet of eight pictures, each from another task.
"""

from __future__ import annotations

import io
import statistics
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

from PIL import Image

from benchmarks.options import at_least_one, parser
from envs.household import problems
from envs.household.problems import SPLITS, HouseholdProblem, files, load
from envs.household.rollout import by_plan
from envs.household.world import Household
from evals.viplan.domains.base import PLANNER_STEPS
from evals.viplan.homes.playing import peak_megabytes
from planners import get_planner
from planners.cache import CachedPlanner
from planners.outcome import Planner
from planners.task import Step

Times = dict[str, list[float]]

SHOWN = {
    "cleaning_out_drawers_simple_1": 3,
    "locking_every_window_simple_1": 5,
    "sorting_books_simple_2": 3,
    "packing_food_for_work_medium_1": 8,
    "collect_misplaced_items_medium_0": 3,
    "sorting_groceries_hard_0": 6,
    "organizing_file_cabinet_hard_0": 6,
    "putting_away_toys_hard_1": 3,
}
"""The problems of the sheet, with the number of steps before the picture."""
SIDE = 320


def chosen(count: int) -> Iterator[HouseholdProblem]:
    for split in SPLITS:
        yield from (load(file, split) for file in islice(files(split), count))


def rehearsed(problem: HouseholdProblem, planner: Planner) -> list[Step]:
    """The steps of a plan, to be repeated without planning."""
    return [played.step for played in by_plan(Household(problem), planner, PLANNER_STEPS[problem.split])]


def measure(problem: HouseholdProblem, steps: list[Step], times: Times) -> None:
    problems._built.cache_clear()
    start = time.perf_counter()
    world = Household(problem)
    world.observe()
    times["reset"].append(time.perf_counter() - start)
    start = time.perf_counter()
    world.observe().picture.png()
    times["first picture"].append(time.perf_counter() - start)
    for step in steps:
        start = time.perf_counter()
        world.step(step)
        world.truth()
        looked = time.perf_counter()
        world.observe().picture.png()
        end = time.perf_counter()
        times["step"].append(looked - start)
        times["picture"].append(end - looked)
        times["step with picture"].append(end - start)
        times[f"  {step.action}"].append(looked - start)


def pictured(name: str, steps: int, planner: Planner) -> Image.Image:
    split = name.split("_")[-2]
    problem = load(next(file for file in files(split) if file.stem == name), split)
    world = Household(problem)
    for _ in islice(by_plan(world, planner, steps), steps):
        pass
    return Image.open(io.BytesIO(world.observe().picture.png()))


def save_sheet(folder: Path, planner: Planner) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    sheet = Image.new("RGB", (4 * SIDE, 2 * SIDE))
    for place, (name, steps) in enumerate(SHOWN.items()):
        picture = pictured(name, steps, planner).resize((SIDE, SIDE), Image.Resampling.LANCZOS)
        sheet.paste(picture, (SIDE * (place % 4), SIDE * (place // 4)))
    sheet.save(folder / "household_tasks.png", optimize=True)


def main() -> None:
    options = parser("household", __doc__)
    options.add_argument("problems", nargs="?", type=at_least_one, default=3, help="of each split (default: 3)")
    options.add_argument("--out", type=Path, metavar="DIR", help="save a sheet of pictures there instead")
    arguments = options.parse_args()
    times: Times = defaultdict(list)
    with closing(CachedPlanner(get_planner("fd-opt"))) as planner:
        if arguments.out:
            save_sheet(arguments.out, planner)
            return
        plans = [(problem, rehearsed(problem, planner)) for problem in chosen(arguments.problems)]
    for problem, steps in plans:
        measure(problem, steps, times)
    for title, spent in sorted(times.items(), key=lambda item: (item[0].startswith(" "), item[0])):
        print(f"{title:20}{statistics.median(spent):6.2f} s median  {max(spent):6.2f} s most  of {len(spent)}")
    print(f"{'memory':20}{peak_megabytes():6.0f} MB at the most")


if __name__ == "__main__":
    main()
