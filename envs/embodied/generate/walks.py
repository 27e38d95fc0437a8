"""Templates of tasks to go somewhere, and the predicates for reaching a place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import hypot
from random import Random

from envs.embodied.generate.draft import Draft, Template
from envs.embodied.generate.facts import Facts, Item
from envs.embodied.model import Check, Place, Predicate
from envs.household.home.frames import spot

_NAV = "Navigation"
START = "start"
"""The name of the starting place. Its point is filled in once the start is known."""


def named(facts: Facts, items: Sequence[Item]) -> list[tuple[Item, str]]:
    """Things with an expression for each."""
    found = [(item, facts.called(item)) for item in items]
    return [(item, name) for item, name in found if name]


def arrival(facts: Facts, item: Item, name: str, *, strict: bool = False) -> tuple[Place, Predicate] | None:
    """The place in front of a thing and the predicate for reaching it: `near` where several points would do."""
    number = facts.node(item)
    if number is None:
        return None
    here = facts.scene.graph.points[number]
    placed = facts.scene.placed[item.name]
    x, y, _ = item.at if item.movable else spot(placed.pose, (0.0, -placed.thing.size[1] / 2.0, 0.0))
    far = hypot(here.x - x, here.y - y)
    close = [
        point
        for point in facts.scene.graph.points
        if point is not here and hypot(point.x - x, point.y - y) < max(far + 0.4, 1.0)
    ]
    if close and not strict:
        return Place(name, (round(x, 3), round(y, 3), 0.0)), Predicate(Check.AGENT_NEAR, place=name)
    return None if close and len(close) > 1 else (facts.place(name, number), Predicate(Check.AGENT_AT, place=name))


def passing(found: tuple[Place, Predicate]) -> tuple[Place, Predicate]:
    """The same place to be passed."""
    return found[0], Predicate(Check.AGENT_PASS, place=found[0].name)


def walk(kind: str, template: str, texts: list[str], *stops: tuple[Place, Predicate]) -> Draft:
    """The draft of a task to reach one place after the other."""
    return Draft(
        _NAV,
        kind,
        template,
        texts,
        predicates=[stop[1] for stop in stops],
        places=[stop[0] for stop in stops if stop[0].name != START],
    )


def _goals(facts: Facts, *, movable: bool = True) -> list[tuple[Item, str]]:
    items = [
        item
        for item in facts.items
        if item.kind not in ("person", "rug", "yoga_mat", "row_of_books", "door", "doorway", "window")
    ]
    return [(item, name) for item, name in named(facts, items) if movable or not item.movable]


def find_object(facts: Facts, dice: Random) -> Iterator[Draft]:
    """Go to one thing."""
    for item, name in _goals(facts):
        stop = arrival(facts, item, "goal")
        if stop:
            texts = [
                f"Find {name} and go to it.",
                f"Look for {name}. Stop when you stand before it.",
                f"Walk to {name}.",
            ]
            yield walk("object", "find_object", texts, stop)
            if len(facts.rooms) > 1 and "in the" not in name:
                texts = [
                    f"Enter the {item.room} and stop before {name}.",
                    f"Go into the {item.room}, up to {name}.",
                    f"In the {item.room} there is {name}. Position yourself in front of it.",
                ]
                yield walk("object", "enter_room", texts, stop)


def route(facts: Facts, dice: Random) -> Iterator[Draft]:
    """Go to one thing after the other."""
    goals = _goals(facts)
    for _ in range(14):
        if len(goals) < 4:
            return
        (one, x), (two, y), (three, z) = dice.sample(goals, 3)
        stops = [arrival(facts, item, f"stop_{k}", strict=k < 3) for k, item in enumerate((one, two, three), 1)]
        first, second, third = stops
        if first is None or (second is not None and first[0].position == second[0].position):
            continue
        if second:
            last = arrival(facts, two, "stop_2")
            if last:
                yield walk(
                    "route",
                    "two_stops",
                    [
                        f"Go to {x} first, and then to {y}.",
                        f"Walk past {x} and stop at {y}.",
                        f"Pass by {x} on your way, and end in front of {y}.",
                    ],
                    passing(first),
                    last,
                )
        if second and third and len({stop[0].position for stop in (first, second, third)}) == 3:
            yield walk(
                "route",
                "three_stops",
                [
                    f"Visit {x}, then {y}, and finish at {z}.",
                    f"Go round: first to {x}, next to {y}, at last to {z}.",
                    f"Move to {x}, from there to {y}, and stop at {z}.",
                ],
                passing(first),
                passing(second),
                third,
            )
        home = Place(START, (0.0, 0.0, 0.0))
        yield walk(
            "route",
            "there_and_back",
            [
                f"Go to {x} and return to where you are now.",
                f"Have a close look at {x}, then come back to your starting point.",
                f"Walk up to {x} and back to the place you started from.",
            ],
            passing(first),
            (home, Predicate(Check.AGENT_AT, place=START)),
        )


def superlative(facts: Facts, dice: Random) -> Iterator[Draft]:
    """Go to the one of several that is nearest to or furthest from something."""
    groups: dict[str, list[Item]] = {}
    for item in facts.items:
        if item.kind not in ("person", "row_of_books", "rug", "yoga_mat", "door", "doorway", "window"):
            groups.setdefault(item.kind, []).append(item)
    marks = named(facts, [item for item in facts.fixed if "furniture" in item.groups])
    for items in groups.values():
        if not 2 <= len(items) <= 6 or len(facts.like(items[0])) != len(items):
            continue
        for mark, name in dice.sample(marks, min(4, len(marks))):
            if mark.kind == items[0].kind:
                continue
            order = sorted(items, key=lambda item: facts.apart(item, mark))
            for word, best, other in (("closest to", order[0], order[1]), ("furthest from", order[-1], order[-2])):
                near, far = sorted((facts.apart(best, mark), facts.apart(other, mark)))
                stop = arrival(facts, best, "goal")
                if stop and far >= 1.3 * near and far - near >= 0.8:
                    noun = items[0].noun
                    texts = [
                        f"Go to the {noun} that is {word} {name}.",
                        f"There are several {items[0].traits.plural}. Walk to the one {word} {name}.",
                        f"Which {noun} is {word} {name}? Go there.",
                    ]
                    yield walk("superlative", "nearest" if word[0] == "c" else "furthest", texts, stop)
        for word, axis in (("tallest", 2), ("widest", 0)):
            order = sorted(items, key=lambda item: -item.size[axis])
            stop = arrival(facts, order[0], "goal")
            if stop and order[0].size[axis] > 1.25 * order[1].size[axis]:
                texts = [
                    f"Go to the {word} {items[0].noun}.",
                    f"Find all {items[0].traits.plural} and stop at the {word} one.",
                    f"Stand before the {word} of the {items[0].traits.plural}.",
                ]
                yield walk("superlative", word, texts, stop)


def between(facts: Facts, dice: Random) -> Iterator[Draft]:
    """Stand between two things, or before what is beside something."""
    goals = _goals(facts, movable=False)
    points = facts.scene.graph.points
    for _ in range(150):
        if len(goals) < 3:
            return
        (one, x), (two, y) = dice.sample(goals, 2)
        if one.room != two.room or not 1.8 <= facts.apart(one, two) <= 4.5 or "wall" in one.groups | two.groups:
            continue
        at = ((one.at[0] + two.at[0]) / 2.0, (one.at[1] + two.at[1]) / 2.0)
        order = sorted(range(len(points)), key=lambda k: hypot(points[k].x - at[0], points[k].y - at[1]))
        away = [hypot(points[k].x - at[0], points[k].y - at[1]) for k in order]
        if away[0] < 0.5 and away[1] > away[0] + 0.4:
            texts = [
                f"Stand between {x} and {y}.",
                f"Position yourself halfway from {x} to {y}.",
                f"Go to the middle of the way between {x} and {y}.",
            ]
            yield walk(
                "relative", "between", texts, (facts.place("goal", order[0]), Predicate(Check.AGENT_AT, place="goal"))
            )


def by_function(facts: Facts, dice: Random) -> Iterator[Draft]:
    """Go to where something can be done."""
    uses: dict[str, list[Item]] = {}
    for item in facts.items:
        uses.setdefault(item.traits.use.split()[-1] if item.kind == "person" else item.traits.use, []).append(item)
    for item in facts.fixed:
        stem = item.traits.use.split()[0]
        alike = [other for other in facts.items if other.name != item.name and other.traits.use.split()[0] == stem]
        stop = arrival(facts, item, "goal")
        if stop and not alike and len(facts.like(item)) == 1 and item.traits.use not in ("decoration", "-"):
            texts = [
                f"Go to the thing that is meant for {item.traits.use}.",
                f"Where would you go for {item.traits.use}? Walk there.",
                f"Stand in front of what serves for {item.traits.use}.",
            ]
            yield walk("function", "by_function", texts, stop)


TEMPLATES: tuple[Template, ...] = (
    find_object,
    route,
    superlative,
    between,
    by_function,
)
"""All templates of this module."""
