"""The laws of a domain where its states are too many to list: what can never be true together, and what must be.

    laws = find_laws(domain, objects, seed)
    laws.broken(state)       # the laws that the state breaks; none if it is legal as far as they go

They come from two places. Fast Downward's translator finds sets of facts of which at most one is true in every state
that can be reached from the seed; here those are added of which exactly one is, and the facts that can never be true.
It finds few where effects are conditional: none in Blocksworld, none in a home. So a world may have axioms beside its
domain, a formula that holds in all its states. A world that has them is more than its actions say, and what these
alone hold for impossible is then not taken for a law.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from threading import Lock

from planners._cnf import Clauses
from planners._pool import Call, Pool
from planners.fast_downward import worker_command
from planners.formula import TRUE, Atom, Binding, Formula, Holds, Literal, Objects, State, holds
from planners.invariants import ground_actions
from planners.static import changed, needed
from planners.task import Domain, GroundAction, Task
from planners.write import formula_text, problem_text

SECONDS = 30.0
"""How long the translator may take to find groups."""

Group = frozenset[Atom]


@dataclass(frozen=True, eq=False)
class Laws:
    """What holds in every legal state of some objects.

    `atoms` are those that actions change. `static` is what is true of all others; where it is not stated (None)
    those that actions depend on are among the atoms, and no law binds them.
    """

    domain: Domain
    objects: Objects
    atoms: tuple[Atom, ...]
    never: frozenset[Atom] = frozenset()
    at_most_one: tuple[Group, ...] = ()
    exactly_one: tuple[Group, ...] = ()
    axioms: Formula = TRUE
    static: State | None = None

    def broken(self, state: State) -> Iterator[str]:
        """The laws that the state breaks, in words."""
        for atom in sorted(self.never & state):
            yield f"{atom} can never be"
        for atom, value in self.settled.items():
            if (atom in state) != value:
                yield f"{atom} is always {'so' if value else 'false'}"
        for group in self.at_most_one:
            if len(group & state) > 1:
                yield f"only one of {_listed(group & state)} can be"
        for group in self.exactly_one:
            if len(group & state) != 1:
                yield f"exactly one of {_listed(group)} is, not {len(group & state)}"
        if not holds(self.axioms, state, self.objects):
            yield f"it is always so that {formula_text(self.axioms)}"

    @cached_property
    def clauses(self) -> Clauses:
        """The laws for a SAT solver; who adds to them takes a copy."""
        clauses = Clauses(self.objects)
        for atom in self.never:
            clauses.fix(atom, False)
        for atom, value in self.settled.items():
            clauses.fix(atom, value)
        for group in self.at_most_one:
            clauses.at_most_one(group)
        for group in self.exactly_one:
            clauses.exactly_one(group)
        clauses.require(self.axioms)
        return clauses

    @cached_property
    def settled(self) -> dict[Atom, bool]:
        """The atoms whose value never changes and is known."""
        if self.static is None:
            return {}
        moving = changed(self.domain)
        others = (atom for atom in self.domain.atoms(self.objects) if atom.predicate not in moving)
        return {atom: atom in self.static for atom in others}

    def implied(self, literal: Literal) -> frozenset[Literal]:
        """All that has to be so if the literal is, by the laws that are about two facts each."""
        found, waiting = set[Literal](), [literal]
        while waiting:
            for other in self._pairs.get(waiting.pop(), ()):
                if other not in found:
                    found.add(other)
                    waiting.append(other)
        return frozenset(found - {literal})

    @cached_property
    def _pairs(self) -> dict[Literal, list[Literal]]:
        """What follows from each literal at once."""
        atoms = {number: atom for atom, number in self.clauses.numbers.items()}
        follows: dict[Literal, list[Literal]] = {}
        for clause in self.clauses.clauses:
            if len(clause) == 2 and all(abs(number) in atoms for number in clause):
                one, other = (Literal(atoms[abs(number)], number > 0) for number in clause)
                follows.setdefault(Literal(one.atom, not one.value), []).append(other)
                follows.setdefault(Literal(other.atom, not other.value), []).append(one)
        return follows


_known: dict[tuple[object, ...], Laws] = {}
_lock = Lock()


def find_laws(domain: Domain, objects: Objects, seed: State, static: State | None = None) -> Laws:
    """The laws of all states that can be reached from the seed; found once for each.

    `static` are all facts that hold and that no action changes; None if they are not stated.
    """
    key = domain.text, tuple(sorted(objects.items())), seed, domain.axioms, static
    with _lock:
        if key not in _known:
            _known[key] = _found(domain, objects, seed, static)
        return _known[key]


def axioms_only(domain: Domain, objects: Objects, static: State | None = None) -> Laws:
    """The laws where no state is known to be legal: the axioms, if there are any, and what is static."""
    atoms = tuple(_bound(domain, objects, static))
    return Laws(domain, objects, atoms, axioms=domain.axioms or TRUE, static=static)


def _bound(domain: Domain, objects: Objects, static: State | None) -> Iterator[Atom]:
    """The atoms that a state is about: what changes, and what actions depend on without its being stated."""
    open_ones = changed(domain) if static is not None else changed(domain) | needed(domain)
    return (atom for atom in domain.atoms(objects) if atom.predicate in open_ones)


def _found(domain: Domain, objects: Objects, seed: State, static: State | None) -> Laws:
    atoms = tuple(_bound(domain, objects, static))
    seed |= static or frozenset()
    reachable, groups = _translated(Task(domain, objects, seed, TRUE))
    actions = list(ground_actions(domain, objects))
    exact = tuple(group for group in groups if len(group & seed) == 1 and all(_keeps(group, one) for one in actions))
    most = tuple(group for group in groups if group not in exact)
    moving = changed(domain)
    unreached = frozenset(atom for atom in atoms if atom.predicate in moving) - reachable
    never = unreached if domain.axioms is None else frozenset()
    return Laws(domain, objects, atoms, never, most, exact, domain.axioms or TRUE, static)


def _translated(task: Task) -> tuple[frozenset[Atom], tuple[Group, ...]]:
    """What the translator says: which atoms can become true at all, and its mutex groups."""
    request = {"wanted": "groups", "domain": task.domain.text, "problem": problem_text(task)}
    told = _pool().ask(request, SECONDS, Call())
    if told["status"] != "solved":
        raise ValueError(f"no mutex groups of domain {task.domain.name!r}: {told.get('message', told['status'])}")
    groups = {frozenset(map(_atom, group)) for group in told["groups"]}
    return frozenset(map(_atom, told["reachable"])), tuple(sorted((g for g in groups if len(g) > 1), key=sorted))


@cache
def _pool() -> Pool:
    """One process for all: there is one question for each set of objects."""
    return Pool(worker_command(), 1)


def _atom(words: list[str]) -> Atom:
    return Atom(words[0], tuple(words[1:]))


def _keeps(group: Group, action: GroundAction) -> bool:
    """Whether the action, wherever it takes one of the group away, surely brings one; of some it is not known."""
    taken: list[tuple[Formula, Binding]] = []
    brought: list[tuple[Formula, Binding]] = []
    for effect in action.schema.effects:
        for more in action.objects.bindings(effect.variables):
            bound = {**action.binding, **more}
            if Holds(effect.predicate, effect.terms).atom(bound) in group:
                (brought if effect.value else taken).append((effect.condition, bound))
    surely = any(condition == TRUE for condition, _ in brought)
    return surely or all(why in brought for why in taken)


def _listed(atoms: frozenset[Atom]) -> str:
    return ", ".join(map(str, sorted(atoms)))
