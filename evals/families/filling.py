"""Selects proposals to fill a table of quotas: no answer too frequent, no text too rare, letters balanced."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from random import Random

from evals.families import rules
from evals.families.base import TYPES, Recipe
from evals.families.evenness import Evenness
from models.base import Kind

PER_SCENE = 4
SCENES, ANSWERS = 3, 2
"""The least number of scenes of a text, and of its different answers."""
FREQUENT = 0.15
"""The largest share of one answer among counts."""
_JUDGED = 0.5
"""The largest share of judgements with the same number of true statements."""
_DEALS = 12
"""Attempts to order statements so that the pattern of answers is rare."""
_UNEVEN = 1.5
"""The largest ratio of a text's frequency to the mean of its type."""
_MANY = 20
"""The least number of choices of which some must have several right options."""
_SEVERAL = "several"
"""The slot of choices with several right options."""


def _slot(recipe: Recipe) -> str:
    """The slot of a recipe: its type, or that of choices with several right options."""
    return _SEVERAL if recipe.kind is Kind.CHOICES else recipe.type


def _slots(types: Mapping[str, int], scenes: Sequence[Sequence[Recipe]]) -> dict[str, int]:
    """The wanted number of questions for each slot."""
    slots = dict(types)
    choices = slots.get(TYPES[0], 0)
    found = any(recipe.kind is Kind.CHOICES for proposed in scenes for recipe in proposed)
    if choices >= _MANY and found:
        slots[_SEVERAL] = ceil(rules.SEVERAL * choices)
        slots[TYPES[0]] = choices - slots[_SEVERAL]
    return slots


def _counted(recipe: Recipe) -> str:
    """The answer as counted: for judgements, the number of true ones."""
    return str(sum(recipe.answer)) if recipe.kind is Kind.JUDGEMENTS else recipe.wording


@dataclass(slots=True)
class _Table:
    """The recipes taken so far."""

    slots: Mapping[str, int]
    allowed: Mapping[str, Mapping[str, int]]
    per_scene: int
    taken: list[Recipe] = field(default_factory=list)
    filled: Counter[str] = field(default_factory=Counter)
    texts_of: Counter[tuple[str, str]] = field(default_factory=Counter)
    homes: Counter[str] = field(default_factory=Counter)
    answers: Counter[tuple[str, str]] = field(default_factory=Counter)
    even: Evenness = field(default_factory=Evenness)

    def lack(self, recipe: Recipe) -> float:
        """The share of the recipe's slot that is filled, from 0 to 1."""
        slot = _slot(recipe)
        return self.filled[slot] / (self.slots.get(slot) or 1)

    def takes(self, recipe: Recipe) -> bool:
        """Take a recipe if it is allowed; whether it was taken."""
        slot = _slot(recipe)
        if self.filled[slot] >= self.slots.get(slot, 0):
            return False
        if self.texts_of[slot, recipe.text] >= self.allowed[slot].get(recipe.text, 0):
            return False
        if self.homes[recipe.situation.home] >= self.per_scene or self._frequent(recipe) or self._again(recipe):
            return False
        if not self.even.allows(recipe):
            return False
        self.taken.append(recipe)
        self.filled[slot] += 1
        self.texts_of[slot, recipe.text] += 1
        self.homes[recipe.situation.home] += 1
        self.answers[slot, _counted(recipe)] += 1
        self.even.add(recipe)
        return True

    def _frequent(self, recipe: Recipe) -> bool:
        """Whether its answer is at the limit. Letters are dealt evenly at the end."""
        share = {Kind.NUMBER: FREQUENT, Kind.JUDGEMENTS: _JUDGED}.get(recipe.kind)
        if share is None:
            return False
        slot = _slot(recipe)
        return self.answers[slot, _counted(recipe)] >= max(1, int(share * self.slots[slot]))

    def _again(self, recipe: Recipe) -> bool:
        """Whether its text was already asked about this home."""
        return any(
            other.text == recipe.text and other.kind is recipe.kind and other.situation.home == recipe.situation.home
            for other in self.taken
        )


def chosen_from(types: Mapping[str, int], scenes: Sequence[Sequence[Recipe]], per_scene: int) -> list[Recipe]:
    """Select from all proposals, in order; texts that turn out too rare are excluded."""
    barred: set[str] = set()
    slots = _slots(types, scenes)
    while True:
        table = _Table(slots, _allowed(slots, scenes, barred), per_scene)
        for proposed in scenes:
            # The emptiest slots come first, so that small ones are filled too.
            for recipe in sorted(proposed, key=table.lack):
                table.takes(recipe)
        rare = _rare(table.taken, slots)
        if not rare:
            return table.taken
        if len(table.taken) < sum(types.values()):
            return [recipe for recipe in table.taken if recipe.text not in rare]
        barred |= rare


def _allowed(
    slots: Mapping[str, int], scenes: Sequence[Sequence[Recipe]], barred: Collection[str]
) -> dict[str, dict[str, int]]:
    """For each slot, its texts with the most uses of each: as many texts as can occur in enough scenes."""
    homes: dict[tuple[str, str], set[str]] = defaultdict(set)
    for proposed in scenes:
        for recipe in proposed:
            homes[_slot(recipe), recipe.text].add(recipe.situation.home)
    everywhere = Counter(text for (_, text), found in homes.items() for _ in found)
    allowed: dict[str, dict[str, int]] = {}
    for slot, wanted in slots.items():
        texts = [text for (other, text) in homes if other == slot and text not in barred]
        # Prefer texts of most scenes, of any type: a text that is rare in one type occurs in others.
        small = wanted < SCENES
        texts.sort(key=lambda text: (-everywhere[text] if small else -len(homes[slot, text]), text))
        used = texts[: max(1, wanted if small else wanted // SCENES)]
        allowed[slot] = dict.fromkeys(used, 1 if small and len(used) >= wanted else _often(wanted, len(used)))
    return allowed


def _often(wanted: int, texts: int) -> int:
    """The most uses of one of some texts."""
    most = ceil(_UNEVEN * wanted / max(texts, 1))
    return max(SCENES, min(most, wanted - SCENES) if texts > 1 else most)


def _rare(recipes: Sequence[Recipe], slots: Mapping[str, int]) -> set[str]:
    """Texts that occur in too few scenes or always with the same answer, except in small quotas."""
    homes: dict[str, set[str]] = defaultdict(set)
    answers: dict[str, set[str]] = defaultdict(set)
    small: dict[str, bool] = defaultdict(lambda: True)
    for recipe in recipes:
        homes[recipe.text].add(recipe.situation.home)
        answers[recipe.text].add(recipe.wording)
        small[recipe.text] &= slots[_slot(recipe)] < SCENES
    return {text for text in homes if not small[text] and (len(homes[text]) < SCENES or len(answers[text]) < ANSWERS)}


def dealt(recipes: Sequence[Recipe], dice: Random) -> list[Recipe]:
    """Shuffle the options, with letters and patterns of judgements balanced."""
    used: Counter[tuple[str, object]] = Counter()
    found = []
    for recipe in sorted(recipes, key=lambda one: TYPES.index(one.type)):
        letter = None
        if recipe.kind is Kind.CHOICE:
            places = rules.shuffled(range(len(recipe.options)), dice)
            letter = min(places, key=lambda place: used[recipe.type, place])
            used[recipe.type, letter] += 1
        deals = [rules.dealt(recipe, dice, letter) for _ in range(_DEALS if recipe.kind is Kind.JUDGEMENTS else 1)]
        chosen = min(deals, key=lambda deal: used["pattern", deal.answer])
        used["pattern", chosen.answer] += 1
        found.append(chosen)
    return found
