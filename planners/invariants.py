"""The legal states of a domain: all states that its actions can reach, found by search and stored as one table.

    space = legal_states(domain, objects, goal, static)
    space.bits[7]                # which atoms are true in state 7
    space.next_state(step)[7]    # the state after the step, -1 where it is not applicable

No domain is special here. The search starts from the state that a complete goal describes: every task
states its goal, so the current state stays hidden. It finds every state that can be reached from the goal;
the current state is among them if actions can be undone. `reversible` says whether they all can.
An incomplete goal is detected: it leads to a space in which objects of a type are not interchangeable, although
nothing in the problem distinguishes them. Predicates that no action changes have no column: their facts are
the same in every state, and must be stated if actions depend on them.

    NoLegalStates   the space cannot be listed: incomplete goal, missing static facts, or an irreversible action
    TooMany         the space has too many states to list
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
"""The most states that are listed."""


class NoLegalStates(ValueError):
    """The legal states cannot be listed."""


class TooMany(NoLegalStates):
    """There are too many legal states to list."""


@dataclass(frozen=True, eq=False)
class LegalStates:
    """Every legal state of some objects, each a row of truth values, and the transitions of each action.

    `static` are the facts that are true in all of them; None if they are not stated.
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
        """The column of each atom."""
        return {atom: number for number, atom in enumerate(self.atoms)}

    @cached_property
    def numbers(self) -> NDArray[np.float32]:
        """The truth values as numbers, with a row per atom, for sums over states."""
        import numpy as np

        return np.ascontiguousarray(self.bits.T, dtype=np.float32)

    def state(self, number: int) -> State:
        """The atoms that are true in a state, static facts included."""
        return frozenset(self.atoms[column] for column in self.bits[number].nonzero()[0]) | (self.static or frozenset())

    def find(self, state: State) -> int | None:
        """The number of a state, or None if it is not legal. Atoms without a column are ignored."""
        return self._rows.get(_keys(_row(self.atoms, state))[0])

    def next_state(self, step: Step) -> Indices:
        """For each state, the state after the step; -1 if the step is not applicable."""
        return self.moves[step]

    def arrows(self, action: str) -> tuple[Indices, Indices]:
        """All transitions of an action with any arguments: the states before and the states after."""
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
        """The length of a shortest plan from each state to the goal; -1 if there is none."""
        import numpy as np

        far = np.where(goal, 0, -1).astype(np.int32)
        steps = 0
        while True:
            # A missing transition leads to an extra last row, which never reaches the goal.
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
        """Sets of atoms of one predicate, with shared arguments, of which exactly one is true in every legal state.

        They are computed from the table, so they hold by construction. Each is an invariant in the sense of planning.
        """
        for group in _groups(self.atoms):
            columns = [self.column[atom] for atom in group]
            if (self.bits[:, columns].sum(axis=1) == 1).all():
                yield frozenset(group)


_known: dict[tuple[object, ...], list[LegalStates]] = {}
_lock = Lock()


def legal_states(domain: Domain, objects: Objects, goal: Formula, static: State | None = None) -> LegalStates:
    """The states that can be reached from the goal; each space is searched once.

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
    """The state that the goal describes, with all other atoms false; only atoms that actions change."""
    wanted = tuple(literals(goal, objects))
    state = frozenset(literal.atom for literal in wanted if literal.value)
    if not wanted or not holds(goal, state, objects):
        raise NoLegalStates("the goal does not describe a state: it is not a conjunction of facts")
    if static is None and (missing := sorted(needed(domain))):
        raise NoLegalStates(f"{missing[0]!r} never changes, yet actions depend on it: state such facts as `static`")
    moving = changed(domain)
    return frozenset(atom for atom in state if atom.predicate in moving)


def search(domain: Domain, objects: Objects, seed: State, static: State | None = None) -> LegalStates:
    """Breadth-first search from a state, one layer at a time."""
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
    """The states in canonical order, so that ties between states do not depend on where the search began."""
    import numpy as np

    keys = _keys(bits)
    order = np.array(sorted(range(len(keys)), key=keys.__getitem__), dtype=np.int32)
    place = np.empty(len(order) + 1, dtype=np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    place[-1] = -1  # if an action is not applicable
    rows = {keys[old]: new for new, old in enumerate(order)}
    return LegalStates(atoms, bits[order], objects, {step: place[way[order]] for step, way in moves.items()}, rows)


def _check_alike(space: LegalStates, domain: Domain) -> None:
    """Raise `NoLegalStates` if interchangeable atoms are not true equally often."""
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
    """For each object, the first one that is interchangeable with it: same type, same static facts."""
    predicates = needed(domain)
    facts = frozenset(atom for atom in space.static or () if atom.predicate in predicates)
    like: dict[str, str] = {}
    for name, kind in space.objects.items():
        if name not in domain.constants:
            same = (other for other in like if like[other] == other and space.objects[other] == kind)
            like[name] = next((other for other in same if _swapped(facts, name, other) == facts), name)
    # Actions may refer to a constant by name.
    return like | {name: name for name in domain.constants}


def _swapped(facts: State, one: str, other: str) -> State:
    """The facts with two objects swapped."""
    trade = {one: other, other: one}
    return frozenset(Atom(atom.predicate, tuple(trade.get(arg, arg) for arg in atom.args)) for atom in facts)


def ground_actions(domain: Domain, objects: Objects) -> Iterator[GroundAction]:
    """Every action with every choice of parameters."""
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
