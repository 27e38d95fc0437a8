"""Templates of questions about paths between rooms, metres and straight lines."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from math import hypot
from random import Random

from envs.embodied.generate.draft import Draft, Template, mixed
from envs.embodied.generate.facts import Facts, Item
from envs.embodied.generate.layout import ROOMS, absent_nouns, large_things, spatial


def path(facts: Facts, dice: Random) -> Iterator[Draft]:
    """Which room lies on the way between two rooms."""
    if len(facts.rooms) < 3:
        return
    beside_: dict[str, set[str]] = {room: set() for room in facts.rooms}
    for door in facts.of("door", "doorway"):
        two = [room for room in facts.rooms if door in facts.doors_of(room)]
        for one in two:
            beside_[one].update(other for other in two if other != one)
    for start in facts.rooms:
        for end in facts.rooms:
            way = _way(beside_, start, end)
            if (
                len(way) == 3
                and _way({room: near - {way[1]} for room, near in beside_.items() if room != way[1]}, start, end) == []
            ):
                marks = [next((item for item in facts.fixed if item.room == room), None) for room in way]
                texts = [
                    f"Through which room must one go from the {start} to the {end}?",
                    f"You walk from the {start} to the {end}. Which room lies between?",
                    f"Which room connects the {start} with the {end}?",
                ]
                right = f"the {way[1]}"
                yield spatial(
                    "path",
                    "between_rooms",
                    texts,
                    right,
                    mixed(
                        dice,
                        [f"the {room}" for room in facts.rooms],
                        [f"the {room}" for room in ROOMS if room not in facts.rooms],
                        right,
                    ),
                    *[mark for mark in marks if mark],
                )


def _way(near: dict[str, set[str]], start: str, end: str) -> list[str]:
    came: dict[str, str] = {start: ""}
    todo = deque([start])
    while todo:
        room = todo.popleft()
        if room == end:
            way = [end]
            while came[way[-1]]:
                way.append(came[way[-1]])
            return way[::-1]
        for other in sorted(near.get(room, ())):
            if other not in came and other in near:
                came[other] = room
                todo.append(other)
    return []


def metres(facts: Facts, dice: Random) -> Iterator[Draft]:
    """The distance between two things, roughly, in metres."""
    steps = [0.5, 1.0, 2.0, 4.0, 8.0, 12.0, 18.0, 25.0]
    named = [(item, name) for item, name in large_things(facts) if item.on == ""]
    for _ in range(8):
        if len(named) < 2:
            return
        (one, x), (two, y) = dice.sample(named, 2)
        far = facts.apart(one, two)
        if one.room == two.room and far > 0.8:
            right = min(steps, key=lambda step: max(step / far, far / step))
            if max(right / far, far / right) < 1.18:
                texts = [
                    f"About how far is it from the middle of {x} to the middle of {y}?",
                    f"Estimate the distance between {x} and {y}, from middle to middle.",
                    f"How many metres, roughly, lie between the middles of {x} and {y}?",
                ]
                yield spatial(
                    "metres",
                    "metres",
                    texts,
                    f"about {right:g} m",
                    [f"about {step:g} m" for step in steps if step != right],
                    one,
                    two,
                )


def line(facts: Facts, dice: Random) -> Iterator[Draft]:
    """What a straight line from one thing to another passes over."""
    named = [(item, name) for item, name in large_things(facts) if item.on == ""]
    for _ in range(30):
        if len(named) < 5:
            return
        (one, x), (two, y) = dice.sample(named, 2)
        if one.room != two.room or facts.apart(one, two) < 2.0:
            continue
        others = [
            (other, label)
            for other, label in named
            if other.room == one.room and other.name not in (one.name, two.name)
        ]
        crossed = [
            (other, label) for other, label in others if _off(other, one, two) < min(other.size[:2]) / 2.0 - 0.05
        ]
        close = [other for other, _ in others if _off(other, one, two) < max(other.size[:2]) / 2.0 + 0.25]
        if len(crossed) == 1 and len(close) == 1 and len(others) > 3:
            texts = [
                f"If one draws a straight line on the floor from {x} to {y}, which thing does it run through?",
                f"Which piece of furniture stands in the straight line between {x} and {y}?",
                f"A rope is stretched from {x} to {y}. What is in its way?",
            ]
            yield spatial(
                "line",
                "line",
                texts,
                crossed[0][1],
                mixed(dice, [label for _, label in others], absent_nouns(facts), crossed[0][1]),
                one,
                two,
                crossed[0][0],
            )


def _off(item: Item, one: Item, two: Item) -> float:
    """The distance of a thing from the segment between two others."""
    x, y = two.at[0] - one.at[0], two.at[1] - one.at[1]
    share = ((item.at[0] - one.at[0]) * x + (item.at[1] - one.at[1]) * y) / max(x * x + y * y, 1e-9)
    share = min(max(share, 0.0), 1.0)
    return hypot(one.at[0] + share * x - item.at[0], one.at[1] + share * y - item.at[1])


TEMPLATES: tuple[Template, ...] = (
    path,
    metres,
    line,
)
"""All templates of this module."""
