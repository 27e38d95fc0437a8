"""A household problem in the small home."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from envs.household.home.model import Home
from envs.household.problems import HouseholdProblem, Setting
from envs.household.world import Household
from planners.formula import Atom, Literal, conjunction
from tests.envs.household.small_home import small_home, small_objects

GOAL = ("ontop book_1,shelf_1", "inside bowl_1,carton_1")


@dataclass(frozen=True)
class HandMade(Setting):
    """A setting that is not built from a floor plan."""

    def build(self) -> Home:
        return small_home()


def small_problem(*goal: str) -> HouseholdProblem:
    wanted = tuple(Literal(Atom.parse(fact)) for fact in goal or GOAL)
    setting = HandMade("small", 0, ())
    return HouseholdProblem("small", "simple", "tidying", small_objects(), frozenset(), conjunction(wanted), setting)


def small_world(*goal: str, **options: Any) -> Household:
    return Household(small_problem(*goal), **options)
