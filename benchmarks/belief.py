"""Milliseconds to list the legal states, to repair answers to one of them, and to update a belief over all of them.

    python -m benchmarks.belief

Blocksworld, the first problem of each split, and a home of eleven things; the answers are true but for every
eighth. Listing states and finding laws are done once per set of objects; the others are medians. In a
home, and for `by laws` in Blocksworld, states are not listed: repairs are solved by MaxSAT, beliefs hold facts one by
one.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from statistics import median

from envs.blocksworld.problems import SPLITS, atoms_of, domain, files, load
from envs.household.problems import domain as household
from memory.belief import Belief
from memory.factored import Factored
from memory.rates import published_rates
from memory.repair import repair
from planners.formula import Atom, State
from planners.invariants import LegalStates, legal_states
from planners.mutexes import Laws, find_laws
from planners.task import Step

HOME = {
    **{f"thing_{number}": "movable" for number in range(1, 7)},
    **{f"cabinet_{number}": "container" for number in range(1, 4)},
    **{f"table_{number}": "object" for number in range(1, 3)},
}


def milliseconds(work: Callable[[], object], rounds: int) -> float:
    """The median of some rounds."""
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return 1000 * median(times)


def answers_of(state: State, atoms: tuple[Atom, ...]) -> dict[Atom, float]:
    """True answers, but for every eighth."""
    return {atom: float((atom in state) != (place % 8 == 7)) for place, atom in enumerate(atoms)}


def listed(space: LegalStates, answers: dict[Atom, float], rounds: int) -> dict[str, float]:
    """What each operation takes where all states are listed, looking at the result included."""
    blank = Belief.blank(space, slip=0.05)
    informed = blank.with_answers(answers)
    likely = next(step for step, leads in space.moves.items() if leads[informed.best] >= 0)
    other = next(step for step, leads in space.moves.items() if leads[informed.best] < 0)
    works: dict[str, Callable[[], object]] = {
        "repair": lambda: repair(space, answers),
        "answers": lambda: blank.with_answers(answers).best,
        "carried out": lambda: informed.moved(likely).best,
        "refused": lambda: informed.refused(other).best,
        "what to ask": lambda: blank.with_answers(answers).worth_asking(4, 0.01),
    }
    return {name: milliseconds(work, rounds) for name, work in works.items()}


def by_laws(laws: Laws, state: State, done: Step, refused: Step, rounds: int) -> dict[str, float]:
    """What each operation takes where states are not listed, looking at the result included."""
    answers = answers_of(state, laws.atoms)
    blank = Factored.from_prior(laws, state, rates=published_rates(laws.domain.name))
    informed = blank.with_answers(answers)
    works: dict[str, Callable[[], object]] = {
        "repair": lambda: repair(laws, answers),
        "answers": lambda: blank.with_answers(answers).state,
        "carried out": lambda: informed.moved(done).state,
        "refused": lambda: informed.refused(refused).state,
        "what to ask": lambda: blank.with_answers(answers).worth_asking(4, 0.01),
    }
    return {name: milliseconds(work, rounds) for name, work in works.items()}


def show(title: str, taken: dict[str, float]) -> None:
    print(title)
    for name, time_taken in taken.items():
        print(f"  {name:12} {time_taken:6.1f} ms")


def blocksworld(rounds: int) -> None:
    domain()
    for split in SPLITS:
        problem = load(files(split)[0], split)
        started = time.perf_counter()
        space = legal_states(domain(), problem.objects, problem.goal)
        listing = 1000 * (time.perf_counter() - started)
        state = atoms_of(problem.start, problem.columns)
        show(
            f"{split}: {len(space)} legal states listed in {listing:.0f} ms",
            listed(space, answers_of(state, space.atoms), rounds),
        )
    blocks, columns = problem.objects.of_type("block"), problem.objects.of_type("column")
    tower = atoms_of((tuple(blocks), *((),) * (len(columns) - 1)), columns)
    laws = find_laws(domain(), problem.objects, tower)
    moves = (Step("moveblock", (blocks[-1], columns[1])), Step("moveblock", (blocks[0], columns[1])))
    show("hard, by laws", by_laws(laws, tower, *moves, rounds))


def home(rounds: int) -> None:
    objects = household().objects(HOME)
    things = objects.of_type("movable")
    inside = {Atom(name, (thing, "cabinet_1")) for thing in things for name in ("inside", "nextto")}
    state = frozenset({*inside, Atom("open", ("cabinet_1",)), Atom("reachable", (things[0],))})
    started = time.perf_counter()
    laws = find_laws(household(), objects, state)
    found = 1000 * (time.perf_counter() - started)
    steps = Step("grasp", (things[0],)), Step("grasp", (things[1],))
    show(f"home: laws of {len(laws.atoms)} facts found in {found:.0f} ms", by_laws(laws, state, *steps, rounds))


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.belief", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=20, help="how often each is measured (default: 20)")
    rounds = max(1, parser.parse_args().rounds)
    blocksworld(rounds)
    home(rounds)


if __name__ == "__main__":
    main()
