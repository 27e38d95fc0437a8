"""A contact sheet: some questions of each sub-category, with their first pictures, words, options and answers."""

from __future__ import annotations

import io
import textwrap
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from evals.families.base import LETTERS, Recipe, picture, reference
from models.base import Kind

if TYPE_CHECKING:
    from PIL.Image import Image

WIDTH, HEIGHT = 400, 300
"""Pixels of a picture on the sheet."""
ACROSS = 4
"""Cells in a row; a question with several pictures shows two."""
_LINES, _LINE, _CHARACTERS = 11, 14, 66


def write(path: Path, recipes: Sequence[Recipe], each: int = 2) -> int:
    """Write the sheet to a file, in the format of its suffix; returns the number of questions on it."""
    from PIL import Image

    chosen = [
        recipe
        for sub in dict.fromkeys(recipe.sub_category for recipe in recipes)
        for recipe in islice(_spread([one for one in recipes if one.sub_category == sub]), each)
    ]
    cells = [cell for recipe in chosen for cell in _cells(recipe)]
    tall = HEIGHT + _LINES * _LINE + 12
    rows = -(-len(cells) // ACROSS)
    sheet = Image.new("RGB", (ACROSS * (WIDTH + 12), rows * tall), "white")
    for number, cell in enumerate(cells):
        sheet.paste(cell, (number % ACROSS * (WIDTH + 12) + 6, number // ACROSS * tall + 6))
    sheet.save(path, quality=82)
    return len(chosen)


def _spread(recipes: Sequence[Recipe]) -> list[Recipe]:
    """The recipes, with different homes and types first."""
    types = list(dict.fromkeys(recipe.type for recipe in recipes))
    of = {kind: [recipe for recipe in recipes if recipe.type == kind] for kind in types}
    most = sorted(types, key=lambda kind: -len(of[kind]))
    mixed = [of[kind][place] for place in range(len(recipes)) for kind in most if place < len(of[kind])]
    homes: Counter[str] = Counter()
    turns = []
    for recipe in mixed:
        turns.append(homes[recipe.situation.home])
        homes[recipe.situation.home] += 1
    return [recipe for _, recipe in sorted(zip(turns, mixed, strict=True), key=lambda pair: pair[0])]


def _cells(recipe: Recipe) -> list[Image]:
    """A question's first two pictures, with the words below them."""
    from PIL import Image, ImageDraw, ImageFont

    font = ImageFont.load_default(size=12)
    lines = _lines(recipe)
    halves = [lines[:_LINES], lines[_LINES : 2 * _LINES]] if len(recipe.shots) > 1 else [lines[:_LINES]]
    found = []
    for number, words in enumerate(halves):
        cell = Image.new("RGB", (WIDTH, HEIGHT + _LINES * _LINE), "white")
        cell.paste(Image.open(io.BytesIO(picture(recipe, number))).convert("RGB").resize((WIDTH, HEIGHT)), (0, 0))
        ImageDraw.Draw(cell).multiline_text((0, HEIGHT + 4), "\n".join(words), "black", font, spacing=1)
        found.append(cell)
    return found


def _lines(recipe: Recipe) -> list[str]:
    items = [f"{number}. {item}" for number, item in enumerate(recipe.items, 1)]
    by_number = recipe.kind is Kind.JUDGEMENTS
    options = [f"{place + 1 if by_number else LETTERS[place]}. {option}" for place, option in enumerate(recipe.options)]
    about = f"{recipe.sub_category}, {recipe.type}"
    text = [line for part in (recipe.text, " ".join(items)) for line in textwrap.wrap(part, _CHARACTERS)]
    return [about, *text, *_packed(options), f"answer: {reference(recipe).text}"]


def _packed(options: Sequence[str]) -> list[str]:
    """The options, several per line if they fit."""
    short = all(len(option) <= _CHARACTERS // 2 for option in options)
    kept = [option.replace(" ", "\u00a0") if short else option for option in options]
    return [line.replace("\u00a0", " ") for line in textwrap.wrap("   ".join(kept), _CHARACTERS)]
