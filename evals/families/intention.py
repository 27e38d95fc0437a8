"""Intention: which of four goals an efficient agent pursues, from two pictures of its work.

`propose` reads both states from contacts and openings and searches for plans; `verify` reads them from what is drawn
and asks Fast Downward how many actions each goal still needs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import permutations, product
from random import Random

from evals.families import chores, rules
from evals.families.base import Answer, Recipe, Shot, moment_of, view_of
from evals.families.chores import CONTAINER, FURNITURE, OBJECTS, Goal, State
from evals.families.workplace import Picture, pictures, read_back
from models.base import Kind

SUB_CATEGORY = "Intention"
_WORK = (
    "The pictures show the work of a robot with one hand, at the start and a little later. It opens and closes 4 only "
    "with an empty hand, moves an object only if nothing lies on it, and reaches into 4 only while 4 is open. It "
    "wastes no action. "
)
TEXTS = tuple(
    _WORK + asked
    for asked in (
        "Which goal does it pursue?",
        "What is it about to bring about?",
        "Which of these will be true in the end?",
    )
)
"""The wordings, used in turn for the states of one home."""
GOALS: tuple[Goal, ...] = tuple(
    Goal(dict(pairs))
    for count in (1, 2)
    for things in ([(thing,) for thing in OBJECTS], [("1", "2"), ("1", "3"), ("2", "3")])[count - 1 : count]
    for some in things
    for pairs in (tuple(zip(some, places, strict=True)) for places in product((CONTAINER, FURNITURE), repeat=count))
)
"""Goals about one or two objects."""
_BY_WORDS = {str(goal): goal for goal in GOALS}
_STATES, _OPTIONS, _AHEAD = 9, 4, 3


class Intention:
    """The family of questions about goals."""

    sub_category = SUB_CATEGORY

    def propose(self, dice: Random, types: Collection[str]) -> Iterator[Recipe]:
        """Questions about pairs of states of one room."""
        if "multiple-choice" not in types:
            return
        seen: list[Picture] = list(pictures(dice, _STATES))
        count = 0
        for first, second in rules.shuffled(list(permutations(seen, 2)), dice):
            if first.eye == second.eye and first.state.key != second.state.key:
                found = _asked(first, second, dice)
                if found is not None:
                    yield replace(found, text=TEXTS[count % len(TEXTS)])
                    count += 1

    def verify(self, recipe: Recipe) -> Answer:
        """The only goal without wasted actions, by states read from the pictures and the planner."""
        states = []
        for number in (0, 1):
            view = view_of(recipe, number)
            things = rules.marked_things(recipe, view, number)
            states.append(read_back(moment_of(recipe, number), view, things))
        return _pursued(states[0], states[1], [_BY_WORDS[option] for option in recipe.options], recipe.proof["actions"])


def _needed(state: State, goal: Goal) -> int:
    return 0 if state.meets(goal) else len(chores.shortest(state, goal)[0])


def _between(first: State, second: State) -> int:
    """The number of actions between two states; a larger number than allowed if there are too many."""
    ends, seen = [first], {first.key}
    for count in range(_AHEAD + 1):
        if any(end.key == second.key for end in ends):
            return count
        grown = [end.after(action) for end in ends for action in chores.ACTIONS if end.allows(action)]
        ends = list({end.key: end for end in grown if end.key not in seen}.values())
        seen |= {end.key for end in ends}
    return _AHEAD + 1


def _asked(first: Picture, second: Picture, dice: Random) -> Recipe | None:
    """One fitting goal and three that need a detour; none is reached already."""
    done = _between(first.state, second.state)
    if not 1 <= done <= _AHEAD:
        return None
    open_ = [goal for goal in GOALS if not first.state.meets(goal) and not second.state.meets(goal)]
    fits = {str(goal): _needed(first.state, goal) == done + _needed(second.state, goal) for goal in open_}
    right, wrong = [words for words, fit in fits.items() if fit], [words for words, fit in fits.items() if not fit]
    if not right or len(wrong) < _OPTIONS - 1:
        return None
    # Draw the goal first, so that none is right more often because it fits more often.
    wanted = dice.choice(GOALS)
    if str(wanted) not in right:
        return None
    options = tuple(rules.shuffled([str(wanted), *dice.sample(wrong, _OPTIONS - 1)], dice))
    shots = Shot(first.eye, first.marks, first.actions), Shot(second.eye, second.marks, second.actions)
    return Recipe(
        "intention", SUB_CATEGORY, Kind.CHOICE, first.situation, shots, TEXTS[0], (options.index(str(wanted)),),
        options, proof={"actions": done},
    )  # fmt: skip


def _pursued(first: State, second: State, goals: Sequence[Goal], done: int) -> Answer:
    fits = [chores.planned(first, goal) == done + chores.planned(second, goal) for goal in goals]
    if sum(fits) != 1:
        raise ValueError(f"{sum(fits)} goals fit")
    return (fits.index(True),)


FAMILY = Intention()
