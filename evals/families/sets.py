"""The base of question sets about our homes: embedded recipes or published data, filters, pictures on demand."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Self

from evals.families.base import Recipe, entry_of, picture
from evals.families.settings import EMBEDDED, SetSettings
from evals.judges.question import CAPTIONS, Facts
from evals.questions.known import Known
from evals.questions.readers import Form, Row, answer_of, read
from evals.questions.sets import Item, QuestionSet
from evals.run.judging import Judging
from evals.run.settings import Settings
from models.base import Kind
from planners.names import unknown

GUESSED_COUNT = 1 / 11
"""The expected success of guessing a number from 2 to 12."""


@dataclass(frozen=True)
class Source:
    """Questions, with functions that draw their pictures and check them for damage."""

    items: tuple[Item, ...]
    picture: Callable[[str], bytes]
    check: Callable[[Collection[str]], None] = lambda questions: None


class RecipeSet(QuestionSet):
    """A set with embedded recipes and a published form. `levels` are the tags by which accuracies are published."""

    settings: type[Settings] = SetSettings
    recipes: Path
    form: Form
    dimensions: Mapping[str, str] = {
        "category": "category",
        "sub_category": "sub-category",
        "type": "type",
        "pictures": "number of pictures",
    }
    levels: Mapping[str, str] = {}

    def items(self, settings: Any) -> Sequence[Item]:
        """The questions of the chosen category and type."""
        found = self.source(settings.data, settings.partial).items
        if settings.category is not None:
            found = _chosen(found, settings.category, ("category", "sub_category"), "category")
        if settings.type is not None:
            found = _chosen(found, settings.type, ("type",), "type of question")
        if not found:
            raise ValueError(f"no question is of the type {settings.type!r} in the category {settings.category!r}")
        return found

    def picture(self, name: str, settings: Any) -> bytes:
        """A picture as PNG."""
        return self.source(settings.data, settings.partial).picture(name)

    def known(self, settings: Any, workers: int = 1) -> list[Known]:
        """The questions for shortcut programs; embedded ones include the positions of marks."""
        if settings.data != EMBEDDED:
            return super().known(settings, workers)
        from evals.families.known import known

        chosen = {item.id for item in self.items(settings)}
        return known([recipe for recipe in self.listed() if recipe.id in chosen], workers)

    def judging(self, settings: Any) -> Judging:
        """The judging of the set, clustered by scene, because questions about one scene are not independent."""
        return replace(super().judging(settings), cluster="scene")

    def check(self, settings: Any) -> None:
        """Check that the data can be read and has questions of the chosen category and type."""
        super().check(settings)
        if settings.control == CAPTIONS and settings.data != EMBEDDED:
            raise ValueError(
                "--control captions is for the embedded questions: published pictures have no descriptions"
            )
        self.items(settings)

    def check_pictures(self, settings: Any) -> None:
        """Read all published pictures of the chosen questions, before the first question is asked."""
        self.source(settings.data, settings.partial).check(self._listed(settings))

    @lru_cache(maxsize=4)  # noqa: B019 - a benchmark lives as long as the program
    def source(self, data: str, partial: bool = False) -> Source:
        """The embedded questions, or those of published files."""
        if data == EMBEDDED:
            return self._embedded()
        return self._published(data, partial)

    def of(self, listed: Sequence[Recipe]) -> Self:
        """A set with these questions instead of the embedded ones."""
        found = copy(self)
        found.listed = lambda: listed  # type: ignore[method-assign]
        return found

    def listed(self) -> Sequence[Recipe]:
        """The embedded recipes."""
        from evals.families import recipes

        return recipes.read(self.recipes)

    def _embedded(self) -> Source:
        listed = self.listed()
        known = {recipe.id: recipe for recipe in listed}

        def drawn(name: str) -> bytes:
            question, _, number = name.rpartition("/")
            return picture(known[question], int(number))

        return Source(tuple(self._levelled(item_of(recipe)) for recipe in listed), drawn)

    def _published(self, where: str, partial: bool) -> Source:
        published = read(self.form, where, partial=partial)
        rows = {row.id: row for row in published.rows}

        def drawn(name: str) -> bytes:
            question, _, number = name.rpartition("/")
            return rows[question].pictures[int(number)].png()

        def check(questions: Collection[str]) -> None:
            for note in published.notes:
                print(f"note: {note}", file=sys.stderr)
            published.check_pictures(rows[question] for question in questions)

        return Source(tuple(self._levelled(_item_of_row(row)) for row in published.rows), drawn, check)

    def _levelled(self, item: Item) -> Item:
        """The item with its split and the level by which accuracies of models are published."""
        category = item.tags.get("category", "all")
        return replace(item, split=category, level=self.levels.get(category, ""))


def item_of(recipe: Recipe) -> Item:
    """The question of a recipe."""
    entry = entry_of(recipe)
    reference = entry["reference"]
    answer = answer_of(reference)
    if recipe.kind is Kind.TEXT:
        answer = " ".join(str(group[0]) for group in reference.kwargs["key_items"])
    return Item(**entry, answer=answer, facts=_facts(recipe))


def _facts(recipe: Recipe) -> Facts:
    spots = tuple((int(number), float(x), float(y)) for number, x, y in recipe.proof.get("spots", ()))
    chance = GUESSED_COUNT if recipe.kind is Kind.NUMBER else None
    return Facts(chance=chance, captions=lambda: _captions(recipe), spots=spots)


def _captions(recipe: Recipe) -> tuple[str, ...]:
    from evals.families.captions import captions

    return captions(recipe)


def _item_of_row(row: Row) -> Item:
    names = tuple(f"{row.id}/{number}" for number in range(len(row.pictures)))
    chance = GUESSED_COUNT if row.kind is Kind.NUMBER else None
    return Item(
        row.id, _with_places(row), row.answer, row.options, names, row.kind,
        tags={**row.tags, "scene": row.id}, items=row.items, reference=row.reference,
        facts=Facts(chance=chance, explanation=row.more.get("explanation", "")),
    )  # fmt: skip


def _with_places(row: Row) -> str:
    """The question, with all pictures first; inline pictures are referred to by number."""
    text = row.text
    if row.prompt.startswith(text):
        for place, number in sorted(((place, k) for k, place in enumerate(row.places, 1)), reverse=True):
            text = f"{text[:place]}[picture {number}] {text[place:]}"
    return text.rstrip()


def _chosen(items: Sequence[Item], wanted: str, tags: Sequence[str], what: str) -> tuple[Item, ...]:
    """The items whose tag matches one of the names, ignoring case and blanks."""
    found = tuple(item for item in items if any(_plain(item.tags.get(tag, "")) == _plain(wanted) for tag in tags))
    if not found:
        possible = dict.fromkeys(item.tags[tag] for tag in tags for item in items if tag in item.tags)
        raise unknown(what, wanted, tuple(possible))
    return found


def _plain(name: str) -> str:
    return "".join(char for char in name.lower() if char.isalnum())
