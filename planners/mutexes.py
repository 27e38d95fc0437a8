"""The laws of a domain with too many states to list: mutexes and invariants.

    laws = find_laws(domain, objects, seed)
    laws.broken(state)       # the laws that the state violates; empty if it is legal as far as they go

They have two sources. Fast Downward's translator finds sets of facts of which at most one is true in every state
reachable from the seed; this module adds the sets of which exactly one is true, and the facts that can never be true.
The translator finds few sets if effects are conditional: none in Blocksworld, none in a home. So a world may also have
axioms, a formula that holds in all of its states. The actions do not fully describe such a world, so what appears
unreachable by actions alone is not a law there.
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
"""The translator's time limit for finding groups."""

Group = frozenset[Atom]


@dataclass(frozen=True, eq=False)
class Laws:
    """Laws that hold in every legal state of some objects.

    `atoms` are those that actions change. `static` are the true ones of all others; if they are not stated (None),
    the static atoms that actions depend on are among `atoms`, without any law.
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
        """The laws that the state violates, in words."""
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
        """The laws as clauses for a SAT solver. Copy them before adding clauses."""
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
        """The atoms with a known value that never changes."""
        if self.static is None:
            return {}
        moving = changed(self.domain)
        others = (atom for atom in self.domain.atoms(self.objects) if atom.predicate not in moving)
        return {atom: atom in self.static for atom in others}

    def implied(self, literal: Literal) -> frozenset[Literal]:
        """All literals that follow from a literal by laws about two facts."""
        found, waiting = set[Literal](), [literal]
        while waiting:
            for other in self._pairs.get(waiting.pop(), ()):
                if other not in found:
                    found.add(other)
                    waiting.append(other)
        return frozenset(found - {literal})

    @cached_property
    def _pairs(self) -> dict[Literal, list[Literal]]:
        """The direct consequences of each literal."""
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
    """The laws of all states that can be reached from the seed; computed once per seed.

    `static` are all facts that hold and that no action changes; None if they are not stated.
    """
    key = domain.text, tuple(sorted(objects.items())), seed, domain.axioms, static
    with _lock:
        if key not in _known:
            _known[key] = _found(domain, objects, seed, static)
        return _known[key]


def axioms_only(domain: Domain, objects: Objects, static: State | None = None) -> Laws:
    """The laws if no legal state is known: the axioms, if there are any, and the static facts."""
    atoms = tuple(_bound(domain, objects, static))
    return Laws(domain, objects, atoms, axioms=domain.axioms or TRUE, static=static)


def _bound(domain: Domain, objects: Objects, static: State | None) -> Iterator[Atom]:
    """The variable atoms: those that actions change, and unstated static ones that actions depend on."""
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
    """The translator's results: the atoms that can become true, and the mutex groups."""
    request = {"wanted": "groups", "domain": task.domain.text, "problem": problem_text(task)}
    answer = _pool().ask(request, SECONDS, Call())
    if answer["status"] != "solved":
        raise ValueError(f"no mutex groups of domain {task.domain.name!r}: {answer.get('message', answer['status'])}")
    groups = {frozenset(map(_atom, group)) for group in answer["groups"]}
    return frozenset(map(_atom, answer["reachable"])), tuple(sorted((g for g in groups if len(g) > 1), key=sorted))


@cache
def _pool() -> Pool:
    """A pool with one process, because there is only one request per set of objects."""
    return Pool(worker_command(), 1)


def _atom(words: list[str]) -> Atom:
    return Atom(words[0], tuple(words[1:]))


def _keeps(group: Group, action: GroundAction) -> bool:
    """Whether the action adds an atom of the group whenever it deletes one. False if that is uncertain."""
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
