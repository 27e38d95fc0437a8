"""A question set with every form of answer, made of dots in boxes, for the tests of question agents."""

from __future__ import annotations

import io
import random
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from evals.judges.question import Facts
from evals.questions import Item, QuestionSet
from models.base import Kind

COLOURS = ("red", "green", "blue", "yellow", "purple")
CATEGORIES = ("spatial", "perception", "planning", "prediction")
SIDE = 240


class Dots(QuestionSet):
    """Pictures of numbered dots in colours, and eight questions about each, one of every form."""

    name = "erqa_plus"
    dimensions: ClassVar[Mapping[str, str]] = {"form": "form of the answer"}
    count = 4

    def items(self, settings: Any) -> Sequence[Item]:
        return [item for number in range(self.count) for item in questions(number)]

    def picture(self, name: str, settings: Any) -> bytes:
        from PIL import Image, ImageDraw

        image = Image.new("RGB", (SIDE, SIDE), "white")
        pen = ImageDraw.Draw(image)
        for colour, x, y in dots(int(name)):
            pen.ellipse((x * SIDE - 9, y * SIDE - 9, x * SIDE + 9, y * SIDE + 9), fill=colour)
        file = io.BytesIO()
        image.save(file, "PNG")
        return file.getvalue()


def dots(number: int) -> list[tuple[str, float, float]]:
    """The dots of a picture, each in a column of its own."""
    dice = random.Random(number)
    colours = dice.sample(COLOURS, dice.randint(4, 5))
    return [(colour, (place + 0.5) / len(colours), dice.uniform(0.1, 0.9)) for place, colour in enumerate(colours)]


def questions(number: int) -> list[Item]:
    """One question of each form about a picture."""
    seen, dice = dots(number), random.Random(f"questions {number}")
    facts = Facts(spots=tuple((0, x, y) for _, x, y in seen), captions=("dots",))
    by_height = [colour for colour, _, y in sorted(seen, key=lambda dot: dot[2])]
    shuffled = dice.sample(by_height, len(by_height))
    letters = dict(zip(shuffled, "ABCDE", strict=False))
    sides = {colour: "left" if x < 0.5 else "right" for colour, x, _ in seen}
    left = tuple(sorted(letters[colour] for colour in shuffled if sides[colour] == "left"))
    heights = dice.sample(range(len(by_height)), 3)
    asked: list[tuple[Kind, str, Any, tuple[str, ...], tuple[str, ...]]] = [
        (Kind.CHOICE, "Which dot is highest?", by_height[0], tuple(shuffled), ()),
        (Kind.CHOICES, "Which dots are in the left half?", left, tuple(shuffled), ()),
        (Kind.ORDER, "Sort the dots from top to bottom.", tuple(letters[one] for one in by_height), tuple(shuffled), ()),
        (
            Kind.MATCHING,
            "Which dot is at which place, counted from the top?",
            tuple(letters[by_height[height]] for height in heights),
            tuple(shuffled),
            tuple(f"place {height + 1}" for height in heights),
        ),
        (
            Kind.JUDGEMENTS,
            "Judge each statement.",
            tuple("1" if sides[colour] == "left" else "0" for colour in shuffled),
            tuple(f"The {colour} dot is in the left half." for colour in shuffled),
            (),
        ),
        (Kind.NUMBER, "How many dots are there?", float(len(seen)), (), ()),
        (Kind.YES_NO, "Is the first dot from the left the highest?", seen[0][0] == by_height[0], (), ()),
        (Kind.TEXT, "What is the colour of the lowest dot?", by_height[-1], (), ()),
    ]  # fmt: skip
    return [
        Item(
            f"{kind}_{number}", text, answer, options, (str(number),), kind, tags={"form": str(kind)}, items=items,
            level=CATEGORIES[number % len(CATEGORIES)], facts=facts,
        )
        for kind, text, answer, options, items in asked
    ]  # fmt: skip


BENCHMARK = Dots()
