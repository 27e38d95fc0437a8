"""Recipes: questions before they are drawn, as plain data (a situation, cameras, marks, words and the answer).

class Distance:
    sub_category = "Relative distance"

    def propose(self, dice, types): yield Recipe(...)     # one scene of its own, from the dice alone
    def verify(self, recipe): return answer               # recomputed by a different method

FAMILY = Distance()
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from envs.render.marks import Mark
from envs.render.marks import from_json as mark_of
from envs.render.marks import to_json as mark_to
from envs.shots import cameras, situation
from envs.shots.actions import Action
from envs.shots.actions import from_json as action_of
from envs.shots.actions import to_json as action_to
from envs.shots.cameras import Eye
from envs.shots.situation import Situation
from evals.questions.reference import Reference
from models.base import Kind

if TYPE_CHECKING:
    from envs.shots.moment import Moment
    from envs.shots.view import View

Answer: TypeAlias = tuple[Any, ...]
"""The right answer by the kind of the question.

CHOICE, CHOICES: the indices of the right options. ORDER: the indices of all options in order, or a sorted tuple of such
orders if several are right. MATCHING: the index of an option for each item. JUDGEMENTS: 1 or 0 for each option. NUMBER:
the number. TEXT: groups of words, of each of which one must occur.
"""

TYPES = ("multiple-choice", "sorting", "matching", "counting", "composite-judgement", "open")
"""The types of ERQA+, in the order of its table."""
TYPE_OF: Mapping[Kind, str] = {
    Kind.CHOICE: TYPES[0],
    Kind.CHOICES: TYPES[0],
    Kind.ORDER: TYPES[1],
    Kind.MATCHING: TYPES[2],
    Kind.NUMBER: TYPES[3],
    Kind.JUDGEMENTS: TYPES[4],
    Kind.TEXT: TYPES[5],
}
_EVALUATORS: Mapping[Kind, str] = {
    Kind.CHOICE: "choices_matching",
    Kind.CHOICES: "choices_matching",
    Kind.ORDER: "ordered_list_matching",
    Kind.MATCHING: "ordered_list_matching",
    Kind.NUMBER: "number_matching",
    Kind.JUDGEMENTS: "bool_list_matching",
    Kind.TEXT: "key_items_matching",
}
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def orders(answer: Answer) -> tuple[tuple[int, ...], ...]:
    """The right orders of options: one, or several if the answer is a tuple of orders."""
    return answer if answer and isinstance(answer[0], tuple) else (answer,)


CATEGORIES: Mapping[str, tuple[str, ...]] = {
    "Spatial Reasoning": (
        "Relative shape",
        "Multi-view matching",
        "Relative distance",
        "Dynamic",
        "Relative direction",
    ),
    "Perception": ("Counting", "State & Activity Understanding", "Object & Scene Recognition"),
    "Planning": ("Goal Decomposition", "Navigation"),
    "Prediction": ("Future prediction",),
}
"""The sub-categories of ERQA+ by category."""
_CATEGORY_OF = {sub: category for category, subs in CATEGORIES.items() for sub in subs}


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture: a camera, marks, and further actions before it is taken (after those of the situation)."""

    eye: Eye
    marks: tuple[Mark, ...] = ()
    actions: tuple[Action, ...] = ()


@dataclass(frozen=True, slots=True)
class Recipe:
    """A question. `proof` are the values that decide the answer; `tags` are additional tags for tables."""

    family: str
    sub_category: str
    kind: Kind
    situation: Situation
    shots: tuple[Shot, ...]
    text: str
    answer: Answer
    options: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    proof: Mapping[str, Any] = field(default_factory=dict)
    tags: Mapping[str, str] = field(default_factory=dict)
    id: str = ""

    @property
    def type(self) -> str:
        """The type of ERQA+."""
        return TYPE_OF[self.kind]

    @property
    def letters(self) -> str:
        """The answer as letters, if it has letters; several orders are separated by semicolons."""
        return ";".join(",".join(LETTERS[number] for number in order) for order in orders(self.answer))

    @property
    def wording(self) -> str:
        """The answer in words that do not depend on the order of the options."""
        match self.kind:
            case Kind.CHOICES:
                return "; ".join(sorted(self.options[number] for number in self.answer))
            case Kind.CHOICE | Kind.ORDER | Kind.MATCHING:
                return " / ".join("; ".join(self.options[number] for number in order) for order in orders(self.answer))
            case _:
                return json.dumps(self.answer)


class Family(Protocol):
    """Makes questions of one sub-category."""

    @property
    def sub_category(self) -> str:
        """The name in the published table."""
        ...

    def propose(self, dice: Random, types: Collection[str]) -> Iterator[Recipe]:
        """Propose questions of some types about a new scene, deterministic for the dice; may raise `NoRoom`."""
        ...

    def verify(self, recipe: Recipe) -> Answer:
        """Compute the answer by a different method than `propose`."""
        ...


def moment_of(recipe: Recipe, number: int = 0) -> Moment:
    """The home at the moment of one of the recipe's pictures."""
    from envs.shots.moment import open_moment

    return open_moment(recipe.situation.after(*recipe.shots[number].actions))


def view_of(recipe: Recipe, number: int = 0) -> View:
    """The view of the camera of one of its pictures."""
    return moment_of(recipe, number).view(recipe.shots[number].eye)


@lru_cache(maxsize=32)
def _drawn(written: str) -> bytes:
    entry = json.loads(written)
    shot = _shot_of(entry["shot"])
    from envs.shots.moment import open_moment

    moment = open_moment(situation.from_json(entry["situation"]).after(*shot.actions))
    return moment.glance(shot.eye).png(shot.marks)


def picture(recipe: Recipe, number: int) -> bytes:
    """One of its pictures as PNG."""
    return _drawn(_dumped({"situation": situation.to_json(recipe.situation), "shot": _shot_to(recipe.shots[number])}))


def reference(recipe: Recipe) -> Reference:
    """The right answer in the format of published data sets."""
    kwargs: dict[str, Any]
    match recipe.kind:
        case Kind.CHOICE | Kind.CHOICES:
            text = recipe.letters
            kwargs = {"label": text}
        case Kind.ORDER | Kind.MATCHING:
            text = recipe.letters
            several = [order.split(",") for order in text.split(";")]
            kwargs = {"order": several if len(several) > 1 else several[0]}
        case Kind.NUMBER:
            text = str(recipe.answer[0])
            kwargs = {"value_to_match": recipe.answer[0]}
        case Kind.JUDGEMENTS:
            text = f"[{','.join(str(number) for number in recipe.answer)}]"
            kwargs = {"bool_str": [str(number) for number in recipe.answer]}
        case _:
            groups = [list(group) for group in recipe.answer]
            text, kwargs = json.dumps(groups), {"key_items": groups}
    return Reference(_EVALUATORS[recipe.kind], kwargs, recipe.kind, recipe.options, text)


def entry_of(recipe: Recipe) -> dict[str, Any]:
    """The recipe as a question; its pictures are named `ID/NUMBER`."""
    return {
        "id": recipe.id,
        "text": recipe.text,
        "options": recipe.options,
        "items": recipe.items,
        "kind": recipe.kind,
        "pictures": tuple(f"{recipe.id}/{number}" for number in range(len(recipe.shots))),
        "tags": tags_of(recipe),
        "reference": reference(recipe),
    }


def tags_of(recipe: Recipe) -> dict[str, str]:
    """The tags: category, sub-category, type, number of pictures, family, and the home."""
    return {
        "category": _CATEGORY_OF.get(recipe.sub_category, recipe.sub_category),
        "sub_category": recipe.sub_category,
        "type": recipe.type,
        "pictures": str(len(recipe.shots)),
        "family": recipe.family,
        "scene": recipe.situation.home,
        **recipe.tags,
    }


def to_json(recipe: Recipe) -> dict[str, Any]:
    """The recipe as JSON, without empty fields."""
    written: dict[str, Any] = {
        "id": recipe.id,
        "family": recipe.family,
        "sub_category": recipe.sub_category,
        "kind": str(recipe.kind),
        "situation": situation.to_json(recipe.situation),
        "shots": [_shot_to(shot) for shot in recipe.shots],
        "text": recipe.text,
        "items": list(recipe.items),
        "options": list(recipe.options),
        "answer": [list(part) if isinstance(part, tuple) else part for part in recipe.answer],
        "tags": dict(recipe.tags),
        "proof": dict(recipe.proof),
    }
    return {name: value for name, value in written.items() if value not in ([], {}, "")}


def from_json(entry: Mapping[str, Any]) -> Recipe:
    """The recipe that `to_json` wrote."""
    return Recipe(
        family=entry["family"],
        sub_category=entry["sub_category"],
        kind=Kind(entry["kind"]),
        situation=situation.from_json(entry["situation"]),
        shots=tuple(_shot_of(shot) for shot in entry["shots"]),
        text=entry["text"],
        answer=tuple(tuple(part) if isinstance(part, list) else part for part in entry.get("answer", ())),
        options=tuple(entry.get("options", ())),
        items=tuple(entry.get("items", ())),
        proof=dict(entry.get("proof", {})),
        tags=dict(entry.get("tags", {})),
        id=entry.get("id", ""),
    )


def named(recipe: Recipe, name: str) -> Recipe:
    """The recipe with an id."""
    return replace(recipe, id=name)


def _shot_to(shot: Shot) -> dict[str, Any]:
    written: dict[str, Any] = {"eye": cameras.to_json(shot.eye)}
    if shot.marks:
        written["marks"] = [mark_to(mark) for mark in shot.marks]
    if shot.actions:
        written["actions"] = [action_to(action) for action in shot.actions]
    return written


def _shot_of(entry: Mapping[str, Any]) -> Shot:
    return Shot(
        cameras.from_json(entry["eye"]),
        tuple(mark_of(mark) for mark in entry.get("marks", ())),
        tuple(action_of(action) for action in entry.get("actions", ())),
    )


def _dumped(entry: Any) -> str:
    return json.dumps(entry, separators=(",", ":"))
