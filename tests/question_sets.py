"""A question set with every form of answer, made of dots in boxes, for the tests of question agents."""

from __future__ import annotations

import asyncio
import io
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from agents.base import Agent
from agents.registry import find_agent
from envs.pictures import PictureStore
from evals.judges.question import Facts
from evals.questions import Item, QuestionSet
from evals.run.benchmark import Supplies
from evals.run.prepare import list_episodes
from evals.run.results import EpisodeResult, score_episode
from evals.run.runner import Setup, kinds_of, model_for, play_episode
from evals.run.toolboxes import Rules
from evals.run.trace import Record, Recorder
from models.base import Kind, Model
from models.conduct import Conducted
from models.limited import LimitedModel

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
        (Kind.ORDER, "Sort the dots from top to bottom.", tuple(map(letters.get, by_height)), tuple(shuffled), ()),
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


def play(
    agent: str | Agent, item: Item, model: Model, *, store: PictureStore | None = None, **rules: Any
) -> tuple[EpisodeResult, list[Record]]:
    """One question put to one agent; its result and its trace."""
    store = store or PictureStore()
    found = find_agent(agent) if isinstance(agent, str) else agent
    setup = Setup(found, model, rules=Rules(**rules))
    benchmark = type("One", (Dots,), {"items": lambda self, settings: [item]})()
    settings = benchmark.settings()
    (episode,) = list_episodes(benchmark, settings, found)
    task, judge = benchmark.open(episode, settings, Supplies(store))
    recorder = Recorder(None, judge)
    playing = model_for(setup, episode, judge)
    crowded = LimitedModel(playing, asyncio.Semaphore(8), kinds_of(setup))

    async def played() -> None:
        try:
            await play_episode(setup, episode, task, judge, crowded, recorder, draw=store.picture)
        finally:
            if isinstance(playing, Conducted):
                await playing.close()

    asyncio.run(played())
    return score_episode(episode, judge, recorder.records), recorder.records


def item_of(kind: Kind, number: int = 1, **changes: Any) -> Item:
    """The question with this form of answer about a picture."""
    return replace(next(item for item in questions(number) if item.kind is kind), **changes)


def events(records: Sequence[Record], *types: type) -> list[Any]:
    """The events of these types, in order."""
    return [record.event for record in records if isinstance(record.event, types)]
