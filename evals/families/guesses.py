"""How well plans for chores can be guessed: how often each order of actions is right over all states of a home."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection
from functools import cache
from random import Random

from evals.families import chores
from evals.families.chores import Action, Goal, Plan, State

_DRAWS = 3000
"""States to draw: each of the 58 comes up many times."""


def guessable(goal: Goal, options: tuple[Action, ...], right: Collection[Plan]) -> tuple[float, float]:
    """How often the likeliest order of these actions is right, and how often the likeliest of `right` is.

    Both are shares of the states, as they are drawn, in which the actions are those of a shortest plan.
    """
    orders, states = _orders(str(goal))[options]
    return max(orders.values()) / states, max(orders[plan] for plan in right) / states


@cache
def _orders(goal: str) -> dict[tuple[Action, ...], tuple[Counter[Plan], int]]:
    """By the actions, sorted: in how many states each order of them is a shortest plan, and in how many any is."""
    orders: defaultdict[tuple[Action, ...], Counter[Plan]] = defaultdict(Counter)
    states: Counter[tuple[Action, ...]] = Counter()
    for state, number in _states():
        plans = chores.shortest(state, chores.GOALS[goal])
        for plan in plans:
            orders[tuple(sorted(plan))][plan] += number
        for options in {tuple(sorted(plan)) for plan in plans}:
            states[options] += number
    return {options: (found, states[options]) for options, found in orders.items()}


@cache
def _states() -> tuple[tuple[State, int], ...]:
    """All states that are asked about, and how often each is drawn."""
    dice, numbers, states = Random("states"), Counter[tuple[object, ...]](), dict[tuple[object, ...], State]()
    for _ in range(_DRAWS):
        state = chores.random_state(dice)
        numbers[state.key] += 1
        states[state.key] = state
    return tuple((states[key], number) for key, number in sorted(numbers.items(), key=str))
