"""What a simulated planner knows in a world that does not tell where things are: what it saw, and guesses.

A stand-in for a model that plans must not know more than its pictures showed. It remembers what it took to be true of
things in view; where a hidden thing was never seen it guesses a place, and looks there. No record tells how real models
search, so this is an assumption: whoever it stands for may search better or worse.
"""

from __future__ import annotations

from dataclasses import replace

from envs.base import World, search_of
from models.base import Mind
from planners.formula import Atom, State
from planners.outcome import Planner, PlanOutcome, Status
from planners.task import Step, Task

KEPT = ("ontop", "inside", "open", "nextto")


class Recall:
    """The memory of a stand-in in one episode."""

    def __init__(self, world: World) -> None:
        search = search_of(world)
        assert search is not None
        self._world, self._search = world, search
        self._known: dict[Atom, bool] = {}
        self._found: set[str] = set()
        self._guesses: dict[str, Atom | Step] = {}

    async def planned(self, mind: Mind, planner: Planner) -> PlanOutcome:
        """A plan from what was seen and guessed; if a thing has to be looked for somewhere, that comes first."""
        state = self._remember(mind)
        outcome = await planner.plan(Task(self._world.domain, self._world.objects, state, self._world.goal))
        for place, step in enumerate(outcome.plan):
            thing = step.args[0]
            if step.action == "navigate-to" and thing in self._search.places and thing not in self._found:
                look = self._looking(self._guesses[thing], state)
                return replace(outcome, status=Status.SOLVED, plan=(*outcome.plan[:place], *look))
        return outcome

    def _remember(self, mind: Mind) -> State:
        """What is believed now."""
        world, search = self._world, self._search
        truth = world.truth()
        view = world.view()  # type: ignore[attr-defined]
        visible = {name for name in search.things if mind.sees(f"visible {name}", Atom("visible", (name,)) in view)}
        self._found |= visible & set(search.places)
        now: set[Atom] = set()
        for atom in world.domain.atoms(world.objects):
            if visible.issuperset(atom.args) and len(set(atom.args)) == len(atom.args):
                seen = mind.sees(str(atom), atom in truth)
                self._known[atom] = seen
                if seen:
                    now.add(atom)
        remembered = {atom for atom, true in self._known.items() if true and atom.predicate in KEPT}
        self._refute(visible, truth)
        guesses = (self._guess(name, mind) for name in self._unknown())
        return frozenset([*now, *remembered, *(guess for guess in guesses if guess is not None)])

    def _refute(self, visible: set[str], truth: State) -> None:
        """Drop guesses about places that are in view without the thing."""
        for name, guess in list(self._guesses.items()):
            looked = isinstance(guess, Step) or guess.args[1] in visible
            shut = isinstance(guess, Atom) and guess.predicate == "inside" and not self._known.get(_open(guess), False)
            if name in self._found or (looked and not shut):
                del self._guesses[name]

    def _unknown(self) -> list[str]:
        return [name for name in self._search.places if name not in self._found]

    def _guess(self, name: str, mind: Mind) -> Atom | None:
        """The guessed place of a thing as a fact; None for the floor of a room."""
        if name not in self._guesses:
            places: list[Atom | Step] = [*self._search.places[name], *self._search.lookouts.values()]
            self._guesses[name] = places[(mind.pick(len(places)) + len(name) + sum(map(ord, name))) % len(places)]
        guess = self._guesses[name]
        return guess if isinstance(guess, Atom) else None

    def _looking(self, guess: Atom | Step, state: State) -> tuple[Step, ...]:
        if isinstance(guess, Step):
            return (guess,)
        near = Atom("reachable", guess.args[1:]) in state
        return () if near else (Step("navigate-to", guess.args[1:]),)


def _open(guess: Atom) -> Atom:
    return Atom("open", guess.args[1:])
