"""Milliseconds to list the legal states, to repair answers to one of them, and to update a belief over all of them.

    python -m benchmarks.belief

Blocksworld, the first problem of each split; the answers are the true ones with every eighth turned round. Listing is
done once per set of objects; the others are medians.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from statistics import median

from envs.blocksworld.problems import SPLITS, atoms_of, domain, files, load
from memory.belief import Belief
from memory.repair import repair
from planners.formula import Atom
from planners.invariants import LegalStates, legal_states


def milliseconds(work: Callable[[], object], rounds: int) -> float:
    """The median of some rounds."""
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return 1000 * median(times)


def measure(space: LegalStates, answers: dict[Atom, bool], rounds: int) -> dict[str, float]:
    """What each operation takes, looking at the result included."""
    blank = Belief.blank(space, slip=0.05)
    told = blank.told(answers)
    likely = next(step for step, leads in space.moves.items() if leads[told.best] >= 0)
    other = next(step for step, leads in space.moves.items() if leads[told.best] < 0)
    works: dict[str, Callable[[], object]] = {
        "repair": lambda: repair(space, answers),
        "answers": lambda: blank.told(answers).best,
        "carried out": lambda: told.moved(likely).best,
        "refused": lambda: told.refused(other).best,
        "what to ask": lambda: blank.told(answers).worth_asking(4, 0.01),
    }
    return {name: milliseconds(work, rounds) for name, work in works.items()}


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.belief", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=20, help="how often each is measured (default: 20)")
    rounds = max(1, parser.parse_args().rounds)
    domain()
    for split in SPLITS:
        problem = load(files(split)[0], split)
        started = time.perf_counter()
        space = legal_states(domain(), problem.objects, problem.goal)
        listing = 1000 * (time.perf_counter() - started)
        state = atoms_of(problem.start, problem.columns)
        answers = {atom: (atom in state) != (place % 8 == 7) for place, atom in enumerate(space.atoms)}
        print(f"{split}: {len(space)} legal states listed in {listing:.0f} ms")
        for name, taken in measure(space, answers, rounds).items():
            print(f"  {name:12} {taken:6.1f} ms")


if __name__ == "__main__":
    main()
