"""A family without homes, whose questions are numbers from the dice; and a small room for those that need one."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from random import Random

from envs.render.marks import Point
from envs.shots.cameras import Free
from envs.shots.situation import Situation
from evals.families.base import Answer, Recipe, Shot
from models.base import Kind

EYE = Free((0.0, 0.0, 1.0), (1.0, 0.0, 1.0))


class Toy:
    """Eight questions a scene, of four types. Every fifth count is one that the other route does not confirm."""

    sub_category = "Toys"
    looked_at: list[int]

    def __init__(self) -> None:
        self.looked_at = []

    def propose(self, dice: Random, types: Collection[str]) -> Iterator[Recipe]:
        seed = dice.randrange(10**6)
        self.looked_at.append(seed)
        for number in range(2):
            if "counting" in types:
                yield toy(Kind.NUMBER, f"How many toys of sort {number}?", (dice.randint(2, 12),), seed)
            if "multiple-choice" in types:
                options = tuple(f"toy {one}" for one in dice.sample(range(20), 5))
                yield toy(Kind.CHOICE, f"Which toy of sort {number}?", (dice.randrange(5),), seed, options)
            if "sorting" in types:
                options = tuple(f"toy {one}" for one in range(4))
                yield toy(Kind.ORDER, f"Sort {number}.", tuple(dice.sample(range(4), 4)), seed, options)
            if "composite-judgement" in types:
                options = ("a", "b", "c")
                answer = tuple(dice.randint(0, 1) for _ in range(3))
                yield toy(Kind.JUDGEMENTS, f"Judge {number}.", answer, seed, options)

    def verify(self, recipe: Recipe) -> Answer:
        if recipe.kind is Kind.NUMBER and recipe.answer == (5,):
            return (6,)
        return tuple(recipe.proof["answer"]) if "answer" in recipe.proof else recipe.answer


def toy(kind: Kind, text: str, answer: Answer, seed: int = 0, options: tuple[str, ...] = ()) -> Recipe:
    """A recipe about no home in particular."""
    shots = (Shot(EYE, (Point(10, 20, "X"),)),)
    return Recipe("toys", "Toys", kind, Situation("core", seed), shots, text, answer, options)
