"""The legal states of a domain: all that its actions can lead to, found by search and kept as one table.

    space = legal_states(domain, objects, goal, static)
    space.bits[7]                # which atoms are true in state 7
    space.next_state(step)[7]    # the state after the step, -1 where it is not applicable

Nothing here knows a domain by name. The search starts from the state that a fully stated goal describes: every task
gives its goal away, so the present state stays hidden. It finds every state that can be reached from the goal;
the present state is among them wherever actions can be undone. `reversible` says whether that holds of all it found.
A goal that leaves something open is noticed: it leads to a space in which objects of a type are not alike, although
nothing in the problem distinguishes them. Predicates that no action changes have no column: what is true of them
is true in every state, and has to be stated where actions depend on it.

    NoLegalStates   the space cannot be listed: the goal is no state, facts are missing, or some action cannot be undone
    TooMany         there are too many states, though the goal is one of them
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeAlias

from planners._table import Columns, after, truth
from planners.formula import Atom, Formula, Objects, State, holds, literals
from planners.static import changed, needed
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


class TooMany(NoLegalStates):
    """There are too many legal states to list."""


@dataclass(frozen=True, eq=False)
class LegalStates:
    """Every legal state of some objects: a row of truth values each, and where each action leads.

    `static` is what is true in all of them; None where it is not stated.
    """

    atoms: tuple[Atom, ...]
    bits: Bits
    objects: Objects
    moves: Mapping[Step, Indices]
    _rows: Mapping[bytes, int] = field(repr=False)
    static: State | None = None
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
        """The atoms that are true in a state, of those that the table is about, and what is true in every state."""
        return frozenset(self.atoms[column] for column in self.bits[number].nonzero()[0]) | (self.static or frozenset())

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
        return truth(formula, Columns(self.bits, self.column, self.objects, self.static or frozenset()), {})

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


_known: dict[tuple[object, ...], list[LegalStates]] = {}
_lock = Lock()


def legal_states(domain: Domain, objects: Objects, goal: Formula, static: State | None = None) -> LegalStates:
    """The states that can be reached from the goal's; each space is searched once.

    `static` are all facts that hold and that no action changes; None if they are not stated.
    """
    seed = goal_state(domain, objects, goal, static)
    key = domain.text, tuple(sorted(objects.items())), static
    with _lock:
        spaces = _known.setdefault(key, [])
        found = next((space for space in spaces if space.find(seed) is not None), None)
        if found is None:
            found = search(domain, objects, seed, static)
            _check_alike(found, domain)
            spaces.append(found)
    return found


def goal_state(domain: Domain, objects: Objects, goal: Formula, static: State | None = None) -> State:
    """The state that the goal describes, all it does not speak of being false; only what actions change."""
    wanted = tuple(literals(goal, objects))
    state = frozenset(literal.atom for literal in wanted if literal.value)
    if not wanted or not holds(goal, state, objects):
        raise NoLegalStates("the goal does not describe a state: it is not a conjunction of facts")
    if static is None and (missing := sorted(needed(domain))):
        raise NoLegalStates(f"{missing[0]!r} never changes, yet actions depend on it: state such facts as `static`")
    moving = changed(domain)
    return frozenset(atom for atom in state if atom.predicate in moving)


def search(domain: Domain, objects: Objects, seed: State, static: State | None = None) -> LegalStates:
    """Breadth first from a state, a whole layer at a time."""
    import numpy as np

    ordered = Objects(dict(sorted(objects.items())), domain.parents)
    moving, always = changed(domain), static or frozenset()
    atoms = tuple(atom for atom in domain.atoms(ordered) if atom.predicate in moving)
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
            legal, new = after(action, Columns(layer, column, ordered, always))
            target = np.full(len(layer), -1, dtype=np.int32)
            before = len(rows)
            numbers = np.array([rows.setdefault(key, len(rows)) for key in _keys(new)], dtype=np.int32)
            target[legal] = numbers
            leads[action.step].append(target)
            _, first = np.unique(numbers, return_index=True)
            fresh.append(new[first[numbers[first] >= before]])
        if len(rows) > MOST:
            raise TooMany(f"more than {MOST} legal states: too many to list")
        layer = np.concatenate(fresh)
    found = {step: np.concatenate(way) for step, way in leads.items()}
    return replace(_sorted(atoms, np.concatenate(layers), ordered, found), static=static)


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
    like = _alike(space, domain)
    for atom, count in zip(space.atoms, space.bits.sum(axis=0).tolist(), strict=True):
        kinds = tuple(like[arg] for arg in atom.args)
        repeated = tuple(atom.args.index(arg) for arg in atom.args)
        other, expected = counts.setdefault((atom.predicate, kinds, repeated), (atom, count))
        if count != expected:
            raise NoLegalStates(
                f"the goal leaves something open: from what it says, {str(atom)!r} can be true in {count} states and "
                f"{str(other)!r} in {expected}; a goal that states every fact is needed to list the legal states"
            )


def _alike(space: LegalStates, domain: Domain) -> dict[str, str]:
    """For each object the first of those that are interchangeable with it: same type, same static facts."""
    told = needed(domain)
    facts = frozenset(atom for atom in space.static or () if atom.predicate in told)
    like: dict[str, str] = {}
    for name, kind in space.objects.items():
        if name not in domain.constants:
            same = (other for other in like if like[other] == other and space.objects[other] == kind)
            like[name] = next((other for other in same if _swapped(facts, name, other) == facts), name)
    # Actions may speak of a constant by its name.
    return like | {name: name for name in domain.constants}


def _swapped(facts: State, one: str, other: str) -> State:
    """The facts with two objects in each other's place."""
    trade = {one: other, other: one}
    return frozenset(Atom(atom.predicate, tuple(trade.get(arg, arg) for arg in atom.args)) for atom in facts)


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
