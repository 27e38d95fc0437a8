"""Chooses from proposals those that fill a table: no answer too frequent, no text too rare, letters even."""

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
"""In how many scenes a text occurs, and with how many different answers, at least."""
FREQUENT = 0.15
"""The largest share that one answer has among counts."""
_JUDGED = 0.5
"""The largest share of judgements with as many true statements."""
_DEALS = 12
"""Orders of statements to choose from, for one whose pattern of answers is rare."""
_UNEVEN = 1.5
"""How much more often than the mean one text of a type may be used."""
_MANY = 20
"""Choices of which some have several right options, at least."""
_SEVERAL = "several"
"""What choices with several right options count as beside the types."""


def _slot(recipe: Recipe) -> str:
    """What a recipe counts as: its type, or a choice with several right options."""
    return _SEVERAL if recipe.kind is Kind.CHOICES else recipe.type


def _slots(types: Mapping[str, int], scenes: Sequence[Sequence[Recipe]]) -> dict[str, int]:
    """How many questions of each type are wanted, and how many choices with several right options among them."""
    slots = dict(types)
    choices = slots.get(TYPES[0], 0)
    found = any(recipe.kind is Kind.CHOICES for proposed in scenes for recipe in proposed)
    if choices >= _MANY and found:
        slots[_SEVERAL] = ceil(rules.SEVERAL * choices)
        slots[TYPES[0]] = choices - slots[_SEVERAL]
    return slots


def _counted(recipe: Recipe) -> str:
    """The answer as it is counted: of judgements, how many are true."""
    return str(sum(recipe.answer)) if recipe.kind is Kind.JUDGEMENTS else recipe.wording


@dataclass(slots=True)
class _Table:
    """What is taken so far."""

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
        """How full the table is of such questions, from 0 to 1."""
        slot = _slot(recipe)
        return self.filled[slot] / (self.slots.get(slot) or 1)

    def takes(self, recipe: Recipe) -> bool:
        """Take a recipe, if there is room for it."""
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
        """Whether its answer is as frequent as it may be. Letters are dealt in the end, and even."""
        share = {Kind.NUMBER: FREQUENT, Kind.JUDGEMENTS: _JUDGED}.get(recipe.kind)
        if share is None:
            return False
        slot = _slot(recipe)
        return self.answers[slot, _counted(recipe)] >= max(1, int(share * self.slots[slot]))

    def _again(self, recipe: Recipe) -> bool:
        """Whether its text was asked in this home already."""
        return any(
            other.text == recipe.text and other.kind is recipe.kind and other.situation.home == recipe.situation.home
            for other in self.taken
        )


def chosen_from(types: Mapping[str, int], scenes: Sequence[Sequence[Recipe]], per_scene: int) -> list[Recipe]:
    """What is taken of all proposals: as they come, and no text that occurs too rarely in the end."""
    barred: set[str] = set()
    slots = _slots(types, scenes)
    while True:
        table = _Table(slots, _allowed(slots, scenes, barred), per_scene)
        for proposed in scenes:
            # The types that lack most come first, so that small ones do not starve.
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
    """For each slot its texts, and how often each may be used: as many texts as can occur in enough scenes each."""
    homes: dict[tuple[str, str], set[str]] = defaultdict(set)
    for proposed in scenes:
        for recipe in proposed:
            homes[_slot(recipe), recipe.text].add(recipe.situation.home)
    everywhere = Counter(text for (_, text), found in homes.items() for _ in found)
    allowed: dict[str, dict[str, int]] = {}
    for slot, wanted in slots.items():
        texts = [text for (other, text) in homes if other == slot and text not in barred]
        # Those that most scenes have, of any type: a text that is asked but once of its type is asked elsewhere, too.
        small = wanted < SCENES
        texts.sort(key=lambda text: (-everywhere[text] if small else -len(homes[slot, text]), text))
        used = texts[: max(1, wanted if small else wanted // SCENES)]
        allowed[slot] = dict.fromkeys(used, 1 if small and len(used) >= wanted else _often(wanted, len(used)))
    return allowed


def _often(wanted: int, texts: int) -> int:
    """How often one of some texts may be used; of several, so that enough is left for another one."""
    most = ceil(_UNEVEN * wanted / max(texts, 1))
    return max(SCENES, min(most, wanted - SCENES) if texts > 1 else most)


def _rare(recipes: Sequence[Recipe], slots: Mapping[str, int]) -> set[str]:
    """Texts that occur in too few scenes, or always with the same answer; except those of small quotas."""
    homes: dict[str, set[str]] = defaultdict(set)
    answers: dict[str, set[str]] = defaultdict(set)
    small: dict[str, bool] = defaultdict(lambda: True)
    for recipe in recipes:
        homes[recipe.text].add(recipe.situation.home)
        answers[recipe.text].add(recipe.wording)
        small[recipe.text] &= slots[_slot(recipe)] < SCENES
    return {text for text in homes if not small[text] and (len(homes[text]) < SCENES or len(answers[text]) < ANSWERS)}


def dealt(recipes: Sequence[Recipe], dice: Random) -> list[Recipe]:
    """All options in random order, with each letter right, and each pattern of judgements, about equally often."""
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
