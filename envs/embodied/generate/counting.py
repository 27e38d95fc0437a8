"""Templates of questions about numbers, functions and sizes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from random import Random

from envs.embodied.generate.attribute_drafts import absent_nouns, attribute, in_room
from envs.embodied.generate.draft import NUMBERS, Draft, Template, mixed, number_answers
from envs.embodied.generate.facts import Facts, Item, the
from envs.embodied.words import words

_COUNTED = (
    "chair", "painting", "plant", "armchair", "statue", "school_desk", "shelf", "cabinet", "window", "locker", "shop_shelf", "table",
    "bench", "booth", "stool", "nightstand", "computer", "desk_lamp", "floor_lamp", "mirror", "clock", "sign", "counter", "picture",
    "mug", "cup", "bottle", "candle", "notebook", "apple", "plate", "can", "towel",
)  # fmt: skip
"""Kinds that are counted. Pillows are not: those that belong to a bed cannot be told from others."""


def _same(facts: Facts, items: list[Item]) -> bool:
    """Whether nothing else can be mistaken for one of the counted things."""
    return {item.kind for item in facts.like(items[0])} == {items[0].kind}


def count_in_room(facts: Facts, dice: Random) -> Iterator[Draft]:
    """How many things of a kind are in a room."""
    for room in facts.rooms:
        for kind in _COUNTED:
            items = facts.of(kind, room=room)
            if not 1 <= len(items) <= 8 or (len(items) == 1 and dice.random() < 0.8) or not _same(facts, items):
                continue
            plural, where = items[0].traits.plural, in_room(facts, room)
            texts = [
                f"How many {plural} are there {where}?",
                f"Count the {plural} {where}.",
                f"What is the number of {plural} {where}?",
            ]
            yield attribute(
                "count", "count_in_room", texts, NUMBERS[len(items)], number_answers(len(items), dice), *items
            )


def count_everywhere(facts: Facts, dice: Random) -> Iterator[Draft]:
    """How many things of a kind are in all rooms together."""
    if len(facts.rooms) < 2:
        return
    for kind in _COUNTED:
        items = facts.of(kind)
        if 2 <= len(items) <= 10 and len({item.room for item in items}) > 1 and _same(facts, items):
            plural = items[0].traits.plural
            texts = [
                f"How many {plural} are there in all rooms together?",
                f"Go through the rooms and count all {plural}.",
                f"What is the total number of {plural} in this place?",
            ]
            yield attribute(
                "count", "count_everywhere", texts, NUMBERS[len(items)], number_answers(len(items), dice), *items
            )


def count_on(facts: Facts, dice: Random) -> Iterator[Draft]:
    """How many things lie on a piece of furniture."""
    for support in facts.fixed:
        items = [item for item in facts.upon(support.name) if item.movable]
        name = facts.called(support)
        if (
            name
            and 2 <= len(items) <= 7
            and len(items) == len(facts.upon(support.name))
            and support.kind not in ("shelf", "shop_shelf", "cabinet")
        ):
            texts = [
                f"How many things lie on {name}?",
                f"Count the items on {name}.",
                f"How many separate objects are there on {name}?",
            ]
            yield attribute("count", "count_on", texts, NUMBERS[len(items)], number_answers(len(items), dice), *items)


def count_rooms(facts: Facts, dice: Random) -> Iterator[Draft]:
    """How many rooms there are."""
    doors = facts.of("door", "doorway")
    if len(facts.rooms) > 2:
        marks = [
            next(iter(sorted(facts.fixed, key=lambda item: (item.room != room, -item.size[2]))), None)
            for room in facts.rooms
        ]
        texts = [
            "How many rooms are there in total?",
            "Walk about and count the rooms of this place.",
            "Of how many rooms does this place consist?",
        ]
        number = len(facts.rooms)
        yield attribute(
            "count",
            "count_rooms",
            texts,
            NUMBERS[number],
            number_answers(number, dice),
            *[mark for mark in marks if mark],
        )
    for room in facts.rooms if len(facts.rooms) > 1 else ():
        mine = facts.doors_of(room)
        if mine and len(doors) > 1:
            texts = [
                f"How many ways out does the {room} have?",
                f"Count the doors and doorways of the {room}.",
                f"Through how many openings can one leave the {room}?",
            ]
            yield attribute("count", "count_exits", texts, NUMBERS[len(mine)], number_answers(len(mine), dice), *mine)


def count_seats(facts: Facts, dice: Random) -> Iterator[Draft]:
    """How many people can sit in a room, and how many more seats than tables there are."""
    for room in facts.rooms:
        seats = facts.seats(room)
        places = sum(3 if seat.kind == "sofa" else 2 if seat.kind in ("bench", "booth") else 1 for seat in seats)
        if 2 <= places <= 11 and len(seats) > 1:
            texts = [
                f"How many people can sit down {in_room(facts, room)} if a sofa takes three, a bench two and any other seat one?",
                f"Work out how many people find a seat {in_room(facts, room)}: three on a sofa, two on a bench, one on anything else.",
                f"A sofa has three places, a bench two, every other seat one. How many places to sit are there {in_room(facts, room)}?",
            ]
            yield attribute("count", "count_seats", texts, NUMBERS[places], number_answers(places, dice), *seats)


def ratio(facts: Facts, dice: Random) -> Iterator[Draft]:
    """The ratio between two numbers."""
    for room in facts.rooms:
        counts = {kind: facts.of(kind, room=room) for kind in _COUNTED}
        several = [kind for kind, items in counts.items() if 1 <= len(items) <= 6 and _same(facts, items)]
        for one in several:
            for other in several:
                x, y = len(counts[one]), len(counts[other])
                if one != other and x > y:
                    right = _ratio(x, y)
                    pairs = [
                        (1, 1),
                        (2, 1),
                        (3, 1),
                        (1, 2),
                        (3, 2),
                        (4, 1),
                        (2, 3),
                        (1, 3),
                        (5, 2),
                        (4, 3),
                        (5, 1),
                        (6, 1),
                        (5, 3),
                    ]
                    names = words()[one].plural, words()[other].plural
                    texts = [
                        f"What is the ratio of {names[0]} to {names[1]} {in_room(facts, room)}?",
                        f"Compare the number of {names[0]} {in_room(facts, room)} with that of {names[1]}, as a ratio.",
                        f"Give the ratio between {names[0]} and {names[1]} {in_room(facts, room)}.",
                    ]
                    yield attribute(
                        "count",
                        "ratio",
                        texts,
                        right,
                        mixed(dice, [], [_ratio(*pair) for pair in pairs], right),
                        *counts[one],
                        *counts[other],
                    )


def _ratio(x: int, y: int) -> str:
    from math import gcd

    by = gcd(x, y)
    return f"{x // by}:{y // by}"


def function(facts: Facts, dice: Random) -> Iterator[Draft]:
    """Which thing serves a purpose."""
    for room in facts.rooms:
        things = [
            item
            for item in facts.items
            if item.room == room
            and item.traits.use not in ("-", "decoration")
            and item.kind not in ("door", "doorway", "window")
        ]
        uses = Counter(item.traits.use for item in things)
        nouns = [item.noun for item in things]
        for item in things:
            alike = [other for other in facts.like(item) if other.room == room]
            close = [other.noun for other in things if other.groups & item.groups - {"small", "furniture", "device"}]
            if uses[item.traits.use] == 1 and len(alike) == 1 and len(nouns) > 4:
                where = in_room(facts, room)
                wrong = mixed(
                    dice,
                    [noun for noun in nouns if noun not in close or words()[item.kind].use not in item.noun],
                    absent_nouns(facts),
                    item.noun,
                )
                texts = [
                    f"Which of these things is {where} and meant for {item.traits.use}?",
                    f"Something {where} serves for {item.traits.use}. What is it?",
                    f"What could be used {where} for {item.traits.use}?",
                ]
                yield attribute(
                    "function",
                    "function_small" if item.movable else "function_large",
                    texts,
                    item.noun,
                    _differ(wrong, item),
                    item,
                )


def _differ(wrong: list[str], item: Item) -> list[str]:
    """The wrong nouns whose things do not have the same use."""
    uses = {word.noun: word for word in words().values()}
    stem = item.traits.use.split()[0]
    return [
        noun
        for noun in wrong
        if noun not in uses or (uses[noun].use != item.traits.use and uses[noun].use.split()[0] != stem)
    ]


def compare_counts(facts: Facts, dice: Random) -> Iterator[Draft]:
    """Which of two kinds has more things, and how many more."""
    for room in facts.rooms:
        counts = {kind: facts.of(kind, room=room) for kind in _COUNTED}
        several = [kind for kind, items in counts.items() if 1 <= len(items) <= 8 and _same(facts, items)]
        dice.shuffle(several)
        for one, other in pairwise(several):
            x, y = len(counts[one]), len(counts[other])
            names = words()[one].plural, words()[other].plural

            def margin(x: int, y: int, names: tuple[str, str] = names) -> str:
                if x == y:
                    return "There are equally many of both."
                more, less = names if x > y else names[::-1]
                return f"There are more {more} than {less}, by {NUMBERS[abs(x - y)]}."

            wrong = [margin(p, 4) for p in range(9) if margin(p, 4) != margin(x, y)]
            texts = [
                f"Are there more {names[0]} or more {names[1]} {in_room(facts, room)}?",
                f"Compare the number of {names[0]} with the number of {names[1]} {in_room(facts, room)}.",
                f"How does the number of {names[0]} {in_room(facts, room)} differ from that of {names[1]}?",
            ]
            if abs(x - y) <= 4:
                yield attribute(
                    "compare",
                    "compare_counts",
                    texts,
                    margin(x, y),
                    mixed(dice, wrong, [], margin(x, y)),
                    *counts[one],
                    *counts[other],
                )


def compare_size(facts: Facts, dice: Random) -> Iterator[Draft]:
    """Which of a few things in a room is the tallest or widest."""
    for room in facts.rooms:
        things = [
            item
            for item in facts.fixed
            if item.room == room and "furniture" in item.groups and facts.called(item) and item.at[2] < 0.1
        ]
        if len(things) < 4:
            continue
        for word, axis in (("tallest", 2), ("widest", 0)):
            order = sorted(things, key=lambda item: -item.size[axis])
            if order[0].size[axis] >= 1.25 * order[1].size[axis]:
                texts = [
                    f"Which piece of furniture {in_room(facts, room)} is the {word}?",
                    f"Find the {word} piece of furniture {in_room(facts, room)}.",
                    f"Of all furniture {in_room(facts, room)}, what is the {word}?",
                ]
                wrong = mixed(
                    dice,
                    [str(facts.called(item)) for item in order[1:]],
                    [the(noun) for noun in absent_nouns(facts, False)],
                    str(facts.called(order[0])),
                )
                yield attribute("compare", f"compare_{word}", texts, str(facts.called(order[0])), wrong, *order[:2])


TEMPLATES: tuple[Template, ...] = (
    count_in_room,
    count_everywhere,
    count_on,
    count_rooms,
    count_seats,
    ratio,
    function,
    compare_counts,
    compare_size,
)
"""All templates of this module."""
