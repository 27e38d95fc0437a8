"""Whether questions can be answered without looking: learners on texts, positions, lengths and sizes of pictures."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from evals.actioneqa.data import entry_of, official_options, recipes_of
from evals.actioneqa.distractors import NoDistractors
from evals.actioneqa.study.learning import Floats, by_hand, cross_validated, text_features
from evals.pages.tables import Cell, Content, Table
from evals.run.statistics import wilson

if TYPE_CHECKING:
    from envs.arm.recipes import Recipe
    from evals.actioneqa.entries import Entry

SOURCES = {"low": ("bridge", "droid"), "mid": ("bridge", "droid"), "high": ("bridge", "droid", "rt1")}


def fresh_recipes(level: str, count: int, seed: int) -> Iterator[Recipe]:
    """New questions of action inference, equally many of each source, without the gates that need pictures."""
    from envs.arm.sets import fresh

    sources = SOURCES[level]
    for number, source in enumerate(sources):
        share = count // len(sources) + (number < count % len(sources))
        yield from fresh((source, level, "ai"), seed, share)  # type: ignore[arg-type]


def texts_table(count: int, seed: int, levels: Sequence[str], report: Callable[[str], None]) -> Table:
    """Learners on the texts of fresh sets, beside the published rule on the same motions."""
    rows: list[list[Content]] = []
    for level in levels:
        recipes = list(fresh_recipes(level, count, seed))
        report(f"{level}: {len(recipes)} sets")
        entries = [entry_of(recipe) for recipe in recipes]
        ours = [(entry.options, entry.right, recipe) for entry, recipe in zip(entries, recipes, strict=True)]
        rows.append(_row(f"{level}, 2×2 sets", ours))
        rows.append(_row(f"{level}, official rule", list(_official(entries, recipes, seed))))
    notes = ["Chance is .25. 5-fold over scenes; an interval is 95 % (Wilson)."]
    heads = ["texts of", "questions", "learned", "interval", "by hand", "first letter", "most frequent letter"]
    return Table.of("Answered from the texts alone", heads, rows, notes=notes, name="texts")


Asked = tuple[Sequence[str], int, "Recipe"]


def _official(entries: Sequence[Entry], recipes: Sequence[Recipe], seed: int) -> Iterator[Asked]:
    """The same motions with the distractors of the published rule."""
    pool = [entry.true_action for entry in entries]
    for entry, recipe in zip(entries, recipes, strict=True):
        dice = Random(f"{seed} {entry.id}")
        try:
            options = official_options(entry, recipe, pool, dice)
        except NoDistractors:
            continue
        order = dice.sample(range(len(options)), len(options))
        yield [options[place] for place in order], order.index(0), recipe


def _row(name: str, asked: Sequence[Asked]) -> list[Content]:
    count = len(asked)
    if not count:
        return [name, 0, "–", "–", "–", "–", "–"]
    features = [text_features(options, recipe.source) for options, _, recipe in asked]
    right = [place for _, place, _ in asked]
    scenes = [f"{recipe.source} {recipe.scene}" for _, _, recipe in asked]
    learned = _learned(features, right, scenes)
    interval = wilson(round(learned * count), count)
    hand = sum(by_hand(options) == place for options, place, _ in asked) / count
    first = right.count(0) / count
    frequent = Counter(right).most_common(1)[0][1] / count
    return [
        name,
        count,
        _share(learned),
        f"{interval.low:.3f}–{interval.high:.3f}",
        _share(hand),
        _share(first),
        _share(frequent),
    ]


def _learned(features: Sequence[Floats], right: Sequence[int], scenes: Sequence[str]) -> float:
    """The share of right answers. Texts with different features are learned separately."""
    by_width: defaultdict[int, list[int]] = defaultdict(list)
    for place, one in enumerate(features):
        by_width[one.shape[1]].append(place)
    hits = 0.0
    for places in by_width.values():
        chosen = [features[place] for place in places]
        hits += len(places) * cross_validated(chosen, [right[one] for one in places], [scenes[one] for one in places])
    return hits / len(features)


def _share(value: float) -> Cell:
    return Cell(f"{value:.3f}", value)


def candidates_table(data: str, sample: int | None, report: Callable[[str], None]) -> Table:
    """State prediction from the four candidates alone: file sizes, brightness, and similarity to each other."""
    recipes = [recipe for recipe in recipes_of(data) or () if recipe.direction == "sp"]
    chosen = recipes[:: max(1, len(recipes) // sample)] if sample else recipes
    features, right, scenes = [], [], []
    for number, recipe in enumerate(chosen, 1):
        features.append(picture_features(recipe))
        right.append(recipe.truth)
        scenes.append(f"{recipe.source} {recipe.scene}")
        if number % 20 == 0:
            report(f"{number} of {len(chosen)} questions drawn")
    rows: list[list[Content]] = []
    for name, columns in PICTURE_GROUPS.items():
        value = cross_validated([one[:, list(columns)] for one in features], right, scenes)
        interval = wilson(round(value * len(right)), len(right))
        rows.append([name, len(right), _share(value), f"{interval.low:.3f}–{interval.high:.3f}"])
    notes = ["The learner sees neither the picture before nor the action. Chance is .25."]
    heads = ["from", "questions", "learned", "interval"]
    return Table.of("Answered from the candidates alone", heads, rows, notes=notes, name="candidates")


PICTURE_GROUPS = {
    "place of the letter": range(4),
    "bytes of the PNG": range(4, 6),
    "brightness": range(6, 8),
    "likeness to the others": range(8, 14),
    "all of these": range(14),
}


def picture_features(recipe: Recipe) -> Floats:
    """Features of the four candidates relative to each other, in the first view."""
    from envs.render.png import png
    from evals.actioneqa.data import world_of

    world = world_of(recipe)
    drawn = [world.rgb(world.views[0], place) for place in range(4)]
    sizes = np.array([[float(len(png(one)))] for one in drawn])
    light = np.array([[float(one.mean())] for one in drawn])
    far = np.array([[float(np.abs(a.astype(np.int16) - b).mean()) for b in drawn] for a in drawn])
    near = np.stack([far.sum(axis=1), far.max(axis=1), np.sort(far, axis=1)[:, 1]], axis=1)
    parts = [np.eye(4), sizes, sizes - sizes.mean(), light, light - light.mean(), near, near - near.mean(axis=0)]
    return np.concatenate(parts, axis=1)
