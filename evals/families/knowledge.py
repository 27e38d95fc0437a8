"""Questions that combine perception with knowledge: properties, uses, and usual places of things.

A `Fact` is true of some kinds, false of others, and doubtful for the rest. Either the fact is given and one of four
marked things is wanted, or the thing is given and one of four facts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from envs.render.marks import Mark
from evals.families import rules
from evals.families.base import Answer, Recipe, Shot, moment_of, view_of
from evals.families.objects import ENOUGH, NAMED, eyes_of, furnished, kinds_of_marks
from models.base import Kind

if TYPE_CHECKING:
    from envs.shots.moment import Moment
    from envs.shots.view import View

OPTIONS = 4
_ASKED = 4
"""The most facts of a picture with marks."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact that is true of `kinds`, and perhaps of `doubtful` ones. `words` end a question, `option` is an answer."""

    words: str
    option: str
    kinds: frozenset[str]
    doubtful: frozenset[str] = frozenset()

    def false_of(self, kind: str) -> bool:
        """Whether it is certainly false for a kind."""
        return kind not in self.kinds | self.doubtful


def fact(words: str, option: str, kinds: str, doubtful: str = "") -> Fact:
    """A fact whose kinds are given as words."""
    found = Fact(words, option, frozenset(kinds.split()), frozenset(doubtful.split()))
    unknown = (found.kinds | found.doubtful) - set(NAMED)
    if unknown or not found.kinds:
        raise ValueError(f"no kinds of things: {sorted(unknown)}")
    return found


class Asked(NamedTuple):
    """A question without its picture."""

    text: str
    marks: tuple[Mark, ...]
    answer: Answer
    options: tuple[str, ...]
    kind: str


@dataclass(frozen=True)
class Knowledge:
    """A family about one sort of facts. `marked` and `boxed` are the questions; a fact's words end the first one."""

    name: str
    sub_category: str
    marked: str
    boxed: str
    facts: Sequence[Fact]

    def propose(self, dice: Random, types: Collection[str]) -> Iterator[Recipe]:
        """Questions about one room with many kinds of things."""
        from envs.shots.moment import open_moment

        if "multiple-choice" not in types:
            return
        made = furnished(dice)
        moment = open_moment(made.situation)
        for eye in eyes_of(moment, made, dice):
            view = moment.view(eye)
            seen = [name for name in rules.markable(view, made.movables) if view.clear(name, *ENOUGH)]
            kinds = {name: moment.thing(name).kind for name in seen}
            proposed = [self._box(view, kinds, dice)]
            proposed += [self._marks(view, one, kinds, dice) for one in dice.sample(self.facts, len(self.facts))]
            found = [one for one in proposed if one is not None][: _ASKED + 1]
            for one in rules.shuffled(found, dice):
                shots, proof = (Shot(eye, one.marks),), {"kind": one.kind}
                yield Recipe(
                    self.name, self.sub_category, Kind.CHOICE, made.situation, shots, one.text, one.answer, one.options,
                    proof=proof,
                )  # fmt: skip

    def _marks(self, view: View, one: Fact, kinds: Mapping[str, str], dice: Random) -> Asked | None:
        """Find the marked thing, of four, that the fact is true of. The apparent size of the right one is random."""
        right = [name for name, kind in kinds.items() if kind in one.kinds]
        wrong = [name for name, kind in kinds.items() if one.false_of(kind)]
        if not right or len(wrong) < OPTIONS - 1:
            return None
        name, rank = dice.choice(right), dice.randrange(OPTIONS)
        smaller = rules.shuffled([x for x in wrong if view.pixels(x) < view.pixels(name)], dice)
        larger = rules.shuffled([x for x in wrong if view.pixels(x) >= view.pixels(name)], dice)
        chosen = (name, *smaller[:rank], *larger[: OPTIONS - 1 - rank])
        if len(chosen) < OPTIONS or rules.crowded(view, chosen):
            return None
        labels, marks = rules.numbered(view, chosen, dice)
        named = rules.options_of(labels)
        text = f"{self.marked} {one.words}?"
        return Asked(text, marks, (list(named).index(name),), tuple(named.values()), kinds[name])

    def _box(self, view: View, kinds: Mapping[str, str], dice: Random) -> Asked | None:
        """Find the fact, of four, that is true of the boxed thing."""
        for one in dice.sample(self.facts, len(self.facts)):
            fit = [name for name, kind in kinds.items() if kind in one.kinds]
            if not fit:
                continue
            name = dice.choice(fit)
            wrong = [other for other in self.facts if other.false_of(kinds[name])]
            if len(wrong) < OPTIONS - 1:
                continue
            chosen = rules.shuffled([one, *dice.sample(wrong, OPTIONS - 1)], dice)
            _, marks = rules.numbered(view, (), dice, name)
            options = tuple(fact.option for fact in chosen)
            return Asked(self.boxed, marks, (chosen.index(one),), options, kinds[name])
        return None

    def verify(self, recipe: Recipe) -> Answer:
        """The answer from the things at the marks, found by depth."""
        moment: Moment = moment_of(recipe)
        marked, boxed = kinds_of_marks(recipe, moment, view_of(recipe))
        if recipe.text == self.boxed:
            by_option = {one.option: one for one in self.facts}
            listed_facts = [by_option[option] for option in recipe.options]
            return _the_one([boxed in one.kinds for one in listed_facts], [one.false_of(boxed) for one in listed_facts])
        words = recipe.text.removeprefix(self.marked).strip(" ?")
        wanted = next(one for one in self.facts if one.words == words)
        shown = [marked[option.rpartition(" ")[2]] for option in recipe.options]
        return _the_one([kind in wanted.kinds for kind in shown], [wanted.false_of(kind) for kind in shown])


def _the_one(right: Sequence[bool], wrong: Sequence[bool]) -> Answer:
    """The index of the only right option, if all others are certainly wrong."""
    if sum(right) != 1 or sum(wrong) != len(right) - 1:
        raise ValueError(f"{sum(right)} options are right and {sum(wrong)} wrong")
    return (right.index(True),)
