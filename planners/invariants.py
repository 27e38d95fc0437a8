"""The legal states of a domain: all that its actions can lead to, found by search and kept as one table.

    space = legal_states(domain, objects, goal)
    space.bits[7]                # which atoms are true in state 7
    space.next_state(step)[7]    # the state after the step, -1 where it is not applicable

Nothing here knows a domain by name. The search starts from the state that a fully stated goal describes: every task
gives its goal away, so nobody is told where things stand now. It finds every state that can be reached from the goal;
the present state is among them wherever actions can be undone. `reversible` says whether that holds of all it found.
A goal that leaves something open is noticed: it leads to a space in which objects of a type are not alike, although
the domain has nothing to tell them apart by. Predicates that no action changes are left out: no law binds them.

    NoLegalStates   the space cannot be listed: the goal is no state, facts are missing, or there are too many states
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeAlias

from planners._table import Columns, after, truth
from planners.formula import And, Atom, Exists, ForAll, Formula, Holds, Not, Objects, Or, State, holds, literals
from planners.task import Domain, GroundAction, Step

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Bits: TypeAlias = NDArray[np.bool_]
    Indices: TypeAlias = NDArray[np.int32]

MOST = 200_000
"""Spaces with more states than this are not listed."""


class NoLegalStates(ValueError):
    """The legal states cannot be listed."""


@dataclass(frozen=True, eq=False)
class LegalStates:
    """Every legal state of some objects: a row of truth values each, and where each action leads."""

    atoms: tuple[Atom, ...]
    bits: Bits
    objects: Objects
    moves: Mapping[Step, Indices]
    _rows: Mapping[bytes, int] = field(repr=False)
    _arrows: dict[str, tuple[Indices, Indices]] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.bits)

    @cached_property
    def column(self) -> dict[Atom, int]:
        """Where each atom stands in a row."""
        return {atom: number for number, atom in enumerate(self.atoms)}

    @cached_property
    def numbers(self) -> NDArray[np.float32]:
        """The truth values as numbers, a row per atom: what sums over states are made with."""
        import numpy as np

        return np.ascontiguousarray(self.bits.T, dtype=np.float32)

    def state(self, number: int) -> State:
        """The atoms that are true in a state, of those that the table is about."""
        return frozenset(self.atoms[column] for column in self.bits[number].nonzero()[0])

    def find(self, state: State) -> int | None:
        """The number of a state, or None if it is not legal. Atoms that the table is not about do not matter."""
        return self._rows.get(_keys(_row(self.atoms, state))[0])

    def next_state(self, step: Step) -> Indices:
        """For each state the one after the step, -1 where the step is not applicable."""
        return self.moves[step]

    def arrows(self, action: str) -> tuple[Indices, Indices]:
        """Every way to do an action with whatever arguments: the states before and the states after."""
        import numpy as np

        if action not in self._arrows:
            ways = np.stack([way for step, way in self.moves.items() if step.action == action])
            legal = ways >= 0
            self._arrows[action] = legal.nonzero()[1].astype(np.int32), ways[legal]
        return self._arrows[action]

    def where(self, formula: Formula) -> Bits:
        """The states in which the formula holds."""
        return truth(formula, Columns(self.bits, self.column, self.objects), {})

    @cached_property
    def reversible(self) -> bool:
        """Whether every state can be reached from every other."""
        import numpy as np

        first = np.arange(len(self)) == 0
        return bool((self.distances(first) >= 0).all())

    def distances(self, goal: Bits) -> Indices:
        """How many actions it takes at least from each state to one of the goal's; -1 where there is no way."""
        import numpy as np

        far = np.where(goal, 0, -1).astype(np.int32)
        steps = 0
        while True:
            # A missing move leads to the row behind the last one, which is never near.
            near = np.append(far == steps, False)
            found = np.zeros(len(self), dtype=bool)
            for leads in self.moves.values():
                found |= near[leads]
            found &= far < 0
            if not found.any():
                return far
            steps += 1
            far[found] = steps

    def exactly_one(self) -> Iterator[frozenset[Atom]]:
        """Sets of atoms of which exactly one is true in every legal state: a predicate's atoms that share arguments.

        They are read off the table, so they hold by construction; each is an invariant in the planning sense.
        """
        for group in _groups(self.atoms):
            columns = [self.column[atom] for atom in group]
            if (self.bits[:, columns].sum(axis=1) == 1).all():
                yield frozenset(group)


_known: dict[tuple[str, tuple[tuple[str, str], ...]], list[LegalStates]] = {}
_lock = Lock()


def legal_states(domain: Domain, objects: Objects, goal: Formula) -> LegalStates:
    """The states that can be reached from the goal's; each space is searched once."""
    seed = goal_state(domain, objects, goal)
    key = domain.text, tuple(sorted(objects.items()))
    with _lock:
        spaces = _known.setdefault(key, [])
        found = next((space for space in spaces if space.find(seed) is not None), None)
        if found is None:
            found = search(domain, objects, seed)
            _check_alike(found, domain)
            spaces.append(found)
    return found


def goal_state(domain: Domain, objects: Objects, goal: Formula) -> State:
    """The state that the goal describes, all it does not speak of being false; only what actions change."""
    wanted = tuple(literals(goal, objects))
    state = frozenset(literal.atom for literal in wanted if literal.value)
    if not wanted or not holds(goal, state, objects):
        raise NoLegalStates("the goal does not describe a state: it is not a conjunction of facts")
    moving = changed(domain)
    if needed := sorted(_read(domain) - moving):
        raise NoLegalStates(f"{needed[0]!r} never changes, yet actions depend on it: no goal tells such facts")
    return frozenset(atom for atom in state if atom.predicate in moving)


def search(domain: Domain, objects: Objects, seed: State) -> LegalStates:
    """Breadth first from a state, a whole layer at a time."""
    import numpy as np

    ordered = Objects(dict(sorted(objects.items())), domain.parents)
    atoms = tuple(atom for atom in domain.atoms(ordered) if atom.predicate in changed(domain))
    column = {atom: number for number, atom in enumerate(atoms)}
    actions = list(ground_actions(domain, ordered))
    layer = _row(atoms, seed)
    rows = {key: number for number, key in enumerate(_keys(layer))}
    layers: list[Any] = []
    leads: dict[Step, list[Any]] = {action.step: [] for action in actions}
    while len(layer):
        layers.append(layer)
        fresh = [layer[:0]]
        for action in actions:
            legal, new = after(action, Columns(layer, column, ordered))
            target = np.full(len(layer), -1, dtype=np.int32)
            before = len(rows)
            numbers = np.array([rows.setdefault(key, len(rows)) for key in _keys(new)], dtype=np.int32)
            target[legal] = numbers
            leads[action.step].append(target)
            _, first = np.unique(numbers, return_index=True)
            fresh.append(new[first[numbers[first] >= before]])
        if len(rows) > MOST:
            raise NoLegalStates(f"more than {MOST} legal states: too many to list")
        layer = np.concatenate(fresh)
    return _sorted(atoms, np.concatenate(layers), ordered, {step: np.concatenate(way) for step, way in leads.items()})


def _sorted(atoms: tuple[Atom, ...], bits: Bits, objects: Objects, moves: Mapping[Step, Indices]) -> LegalStates:
    """The states in an order of their own: where two are equally likely, where the search began must not decide."""
    import numpy as np

    keys = _keys(bits)
    order = np.array(sorted(range(len(keys)), key=keys.__getitem__), dtype=np.int32)
    place = np.empty(len(order) + 1, dtype=np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    place[-1] = -1  # where an action is not applicable
    rows = {keys[old]: new for new, old in enumerate(order)}
    return LegalStates(atoms, bits[order], objects, {step: place[way[order]] for step, way in moves.items()}, rows)


def _check_alike(space: LegalStates, domain: Domain) -> None:
    """`NoLegalStates` if an atom is true more often than another one of its kind."""
    counts: dict[tuple[object, ...], tuple[Atom, int]] = {}
    for atom, count in zip(space.atoms, space.bits.sum(axis=0).tolist(), strict=True):
        kinds = tuple(arg if arg in domain.constants else space.objects[arg] for arg in atom.args)
        repeated = tuple(atom.args.index(arg) for arg in atom.args)
        other, expected = counts.setdefault((atom.predicate, kinds, repeated), (atom, count))
        if count != expected:
            raise NoLegalStates(
                f"the goal leaves something open: from what it says, {str(atom)!r} can be true in {count} states and "
                f"{str(other)!r} in {expected}; a goal that states every fact is needed to list the legal states"
            )


def ground_actions(domain: Domain, objects: Objects) -> Iterator[GroundAction]:
    """Every action with every choice of its parameters."""
    for action in domain.actions.values():
        for binding in objects.bindings(action.parameters):
            yield domain.ground(Step(action.name, tuple(binding.values())), objects)


def _row(atoms: tuple[Atom, ...], state: State) -> Bits:
    """A table of one state."""
    import numpy as np

    return np.array([[atom in state for atom in atoms]], dtype=bool)


def _keys(bits: Bits) -> list[bytes]:
    """Each row as bytes."""
    import numpy as np

    if not len(bits):
        return []
    packed = np.packbits(bits, axis=1)
    keys: list[bytes] = packed.view(f"V{packed.shape[1]}").ravel().tolist()
    return keys


def _groups(atoms: tuple[Atom, ...]) -> Iterator[tuple[Atom, ...]]:
    """The atoms of a predicate that differ in one argument only."""
    found: dict[tuple[str, int, tuple[str, ...]], list[Atom]] = {}
    for atom in atoms:
        for place in range(len(atom.args)):
            rest = (*atom.args[:place], *atom.args[place + 1 :])
            found.setdefault((atom.predicate, place, rest), []).append(atom)
    return (tuple(group) for group in found.values())


def changed(domain: Domain) -> set[str]:
    """The predicates that actions change."""
    return {effect.predicate for action in domain.actions.values() for effect in action.effects}


def _read(domain: Domain) -> set[str]:
    """The predicates that preconditions and conditions of effects speak of."""
    found: set[str] = set()
    for action in domain.actions.values():
        for formula in (action.precondition, *(effect.condition for effect in action.effects)):
            found |= set(_spoken_of(formula))
    return found


def _spoken_of(formula: Formula) -> Iterator[str]:
    match formula:
        case Holds(predicate):
            yield predicate
        case Not(body) | ForAll(_, body) | Exists(_, body):
            yield from _spoken_of(body)
        case And(parts) | Or(parts):
            for part in parts:
                yield from _spoken_of(part)
        case _:
            return
