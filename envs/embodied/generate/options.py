"""Options and conditions of tasks with actions."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from envs.embodied.generate.draft import Draft
from envs.embodied.generate.facts import Facts, Item, the
from envs.embodied.generate.walks import named
from envs.embodied.model import Act, Check, Option, Place, Predicate


def pick_up(item: Item, text: str = "") -> Option:
    """The option to pick something up."""
    return Option(Act.PICK_UP, text or f"pick up {the(item.noun)}", (item.name,))


def other_movables(facts: Facts, dice: Random, used: Sequence[Item], number: int = 2) -> list[Option]:
    """Other things that could be picked up."""
    nouns = {item.noun for item in used}
    rest = [item for item in facts.movables if item.noun not in nouns and len(facts.of(item.kind)) == 1]
    rest = list({item.noun: item for item in rest}.values())
    return [pick_up(item) for item in dice.sample(rest, min(number, len(rest)))]


def other_places(facts: Facts, dice: Random, used: Sequence[str], number: int = 1) -> list[tuple[Option, Place]]:
    """Other places to put something."""
    found: list[tuple[Option, Place]] = []
    supports = named(
        facts, [item for item in facts.fixed if facts.scene.placed[item.name].thing.surfaces and item.name not in used]
    )
    for item, name in dice.sample(supports, min(4, len(supports))):
        place = facts.free_place(f"other_{len(found) + 1}", item)
        if place and len(found) < number:
            found.append((Option(Act.PLACE_TO, f"place it on {name}", (place.name,)), place))
    return found


def action_task(
    category: str,
    kind: str,
    template: str,
    texts: list[str],
    options: Sequence[Option],
    predicates: Sequence[Predicate],
    places: Sequence[Place] = (),
) -> Draft:
    """The draft of a task with actions."""
    return Draft(category, kind, template, texts, options=options, predicates=predicates, places=places)


def is_grabbed(item: Item) -> Predicate:
    """The condition that something is picked up."""
    return Predicate(Check.GRAB_ONCE, item.name)


def is_done(text: str) -> Predicate:
    """The condition that a special option is taken."""
    return Predicate(Check.SPECIAL, value=text)
