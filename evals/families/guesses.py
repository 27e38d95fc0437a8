"""How well plans for chores can be guessed: the frequency of each right order of actions over all states."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cache
from random import Random

from evals.families import chores
from evals.families.chores import Action, Goal, Plan, State

_DRAWS = 3000
"""The number of states to draw, so that each of the 58 occurs many times."""


def guessable(goal: Goal, plan: Plan) -> tuple[float, float]:
    """The shares of states in which the likeliest order of a plan's actions is right, and in which the plan itself is.

    Both are shares of the drawn states in which a single order of these actions is a shortest plan.
    """
    orders = _orders(str(goal))[tuple(sorted(plan))]
    return max(orders.values()) / orders.total(), orders[plan] / orders.total()


@cache
def _orders(goal: str) -> dict[tuple[Action, ...], Counter[Plan]]:
    """For each set of actions, the number of states in which each order is the only shortest plan."""
    orders: defaultdict[tuple[Action, ...], Counter[Plan]] = defaultdict(Counter)
    for state, number in _states():
        same: defaultdict[tuple[Action, ...], list[Plan]] = defaultdict(list)
        for plan in chores.shortest(state, chores.GOALS[goal]):
            same[tuple(sorted(plan))].append(plan)
        for options, plans in same.items():
            if len(plans) == 1:
                orders[options][plans[0]] += number
    return dict(orders)


@cache
def _states() -> tuple[tuple[State, int], ...]:
    """All states of questions, and how often each is drawn."""
    dice, numbers, states = Random("states"), Counter[tuple[object, ...]](), dict[tuple[object, ...], State]()
    for _ in range(_DRAWS):
        state = chores.random_state(dice)
        numbers[state.key] += 1
        states[state.key] = state
    return tuple((states[key], number) for key, number in sorted(numbers.items(), key=str))
