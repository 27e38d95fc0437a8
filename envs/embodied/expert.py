"""The shortest solution of a task, by breadth-first search with the world's own rules.

A question is answered only after its evidence has been seen. Options that cannot help are left out: those whose effects
appear in no predicate and in no condition.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from envs.embodied.model import Act, Check, Option
from envs.embodied.rules import DOWN, LEFT, MOVES, RIGHT, UP, Rules, State

LONGEST = 24
TURNS = (LEFT, RIGHT, UP, DOWN)
"""Moves that cannot make a predicate true."""
EVIDENCE, SHARE = 150.0, 0.5
"""A thing is seen well enough with this many pixels, and with this share of its visible part in the picture."""
_MOST = 100_000
"""The number of states after which a search gives up."""


@dataclass(frozen=True, slots=True)
class Known:
    """A state, and which of the evidence has been seen."""

    state: State
    seen: frozenset[str]


def plan(rules: Rules, state: State, seen: frozenset[str] = frozenset(), limit: int = LONGEST) -> list[str] | None:
    """The shortest sequence of options that leads to success; None if there is none within the limit.

    >>> plan(world.rules, world.rules.start())  # doctest: +SKIP
    ['turn left', 'move forward', 'pick up the cup']
    """
    evidence = frozenset(rules.task.evidence)
    helpful = useful(rules)
    first = Known(state, seen | looked(rules, state, evidence - seen))
    if all(value == 1 for value in rules.truths(state)):
        return []
    came: dict[Known, tuple[Known, str] | None] = {first: None}
    todo, depth = deque([(first, 0)]), 0
    while todo:
        known, depth = todo.popleft()
        if depth >= limit or len(came) > _MOST:
            continue
        for option, new in _next(rules, known, helpful, evidence):
            if new not in came:
                came[new] = (known, option)
                if option not in TURNS and all(value == 1 for value in rules.truths(new.state)):
                    return _way(came, new)
                todo.append((new, depth + 1))
    return None


def _way(came: dict[Known, tuple[Known, str] | None], known: Known) -> list[str]:
    options = []
    while (step := came[known]) is not None:
        known, option = step
        options.append(option)
    return options[::-1]


def _next(rules: Rules, known: Known, helpful: tuple[Option, ...], evidence: frozenset[str]) -> list[tuple[str, Known]]:
    found = []
    for option in helpful:
        if option.act is Act.ANSWER:
            # An answer counts only when everything else is done, and is known only when all evidence has been seen.
            if known.seen == evidence:
                answered = rules.apply(known.state, option).state
                if all(value == 1 for value in rules.truths(answered)):
                    found.append((option.text, Known(answered, known.seen)))
            continue
        result = rules.apply(known.state, option)
        if not result.fault:
            found.append((option.text, _seeing(rules, result.state, known, evidence)))
    for move in MOVES:
        state = rules.moved(known.state, move)
        if (
            state is not known.state
            and (move != UP or known.state.pitch < 1)
            and (move != DOWN or known.state.pitch > -1)
        ):
            found.append((move, _seeing(rules, state, known, evidence)))
    return found


def _seeing(rules: Rules, state: State, known: Known, evidence: frozenset[str]) -> Known:
    left = evidence - known.seen
    return Known(state, known.seen | looked(rules, state, left) if left else known.seen)


def looked(rules: Rules, state: State, names: frozenset[str]) -> frozenset[str]:
    """The things among `names` that are seen well from this state."""
    eye = rules.eye(state)
    return frozenset(
        name
        for name in names
        if rules.viewer.pixels(eye, name, state.moment) >= EVIDENCE
        and rules.viewer.share(eye, name, state.moment) >= SHARE
    )


def useful(rules: Rules) -> tuple[Option, ...]:
    """The options that can be part of a shortest solution."""
    task = rules.task
    things = {predicate.thing for predicate in task.predicates if predicate.thing}
    wanted = {predicate.value for predicate in task.predicates if predicate.check is Check.SPECIAL}
    answer = task.answer
    # Options that fulfil the conditions of a helpful special action are helpful, too.
    grown = True
    while grown:
        grown = False
        for option in task.options:
            if option.text in wanted:
                for need in option.needs:
                    kind, _, what = need.partition(": ")
                    bag = {"done": wanted, "holding": things}.get(kind)
                    if bag is not None and what not in bag:
                        bag.add(what)
                        grown = True
                held = [name for name in option.objects if name in rules.scene.placed]
                movable = {name for name in held if rules.scene.placed[name].thing.movable}
                if not movable <= things:
                    things |= movable
                    grown = True
    found = []
    for option in task.options:
        if option.act is Act.ANSWER:
            keep = option.text == answer
        elif option.act is Act.SPECIAL:
            keep = option.text in wanted
        elif option.act is Act.PICK_UP:
            keep = bool(things.intersection(option.objects))
        else:
            keep = option.act is not Act.PLACE_TO or bool(things)
        if keep:
            found.append(option)
    return tuple(found)
