"""Templates of questions about attributes: counts, functions, comparisons, contents, colours, states, materials."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from random import Random

from envs.embodied.generate.draft import COLOUR_NAMES, NUMBERS, Draft, Template, mixed, number_answers
from envs.embodied.generate.facts import Facts, Item, a, the
from envs.embodied.words import words

_CATEGORY = "AttributeQA"
_COUNTED = (
    "chair", "painting", "plant", "armchair", "statue", "school_desk", "shelf", "cabinet", "window", "locker", "shop_shelf", "table",
    "bench", "booth", "stool", "nightstand", "computer", "desk_lamp", "floor_lamp", "mirror", "clock", "sign", "counter", "picture",
    "mug", "cup", "bottle", "candle", "notebook", "apple", "plate", "can", "towel",
)  # fmt: skip
"""Kinds that are counted. Pillows are not: those that belong to a bed cannot be told from others."""
_PLACES = {
    "shop": "shopping", "office": "working at a desk", "restaurant": "eating out", "library": "borrowing books",
    "waiting room": "waiting for an appointment", "classroom": "teaching pupils", "gallery": "looking at art", "gym": "training",
    "kitchen": "cooking", "bedroom": "sleeping", "bathroom": "washing oneself", "laundry room": "washing clothes",
    "garage": "repairing a bicycle", "study": "studying", "children's room": "playing", "dining room": "having dinner together",
    "living room": "relaxing together",
}  # fmt: skip


def _draft(kind: str, template: str, texts: list[str], right: str, wrong: list[str], *evidence: Item) -> Draft:
    return Draft(_CATEGORY, kind, template, texts, right, wrong, tuple(item.name for item in evidence))


def _absent(facts: Facts, small: bool = True) -> list[str]:
    """Nouns of things that are not in the scene."""
    there = {item.noun for item in facts.items}
    return sorted(
        {
            word.noun
            for word in words().values()
            if word.noun not in there and ("small" in word.groups) == small and word.noun != "person"
        }
    )


def _in(facts: Facts, room: str) -> str:
    return f"in the {room}" if len(facts.rooms) > 1 else "here"


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
            plural, where = items[0].traits.plural, _in(facts, room)
            texts = [
                f"How many {plural} are there {where}?",
                f"Count the {plural} {where}.",
                f"What is the number of {plural} {where}?",
            ]
            yield _draft("count", "count_in_room", texts, NUMBERS[len(items)], number_answers(len(items), dice), *items)


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
            yield _draft(
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
            yield _draft("count", "count_on", texts, NUMBERS[len(items)], number_answers(len(items), dice), *items)


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
        yield _draft(
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
            yield _draft("count", "count_exits", texts, NUMBERS[len(mine)], number_answers(len(mine), dice), *mine)


def count_seats(facts: Facts, dice: Random) -> Iterator[Draft]:
    """How many people can sit in a room, and how many more seats than tables there are."""
    for room in facts.rooms:
        seats = facts.seats(room)
        places = sum(3 if seat.kind == "sofa" else 2 if seat.kind in ("bench", "booth") else 1 for seat in seats)
        if 2 <= places <= 11 and len(seats) > 1:
            texts = [
                f"How many people can sit down {_in(facts, room)} if a sofa takes three, a bench two and any other seat one?",
                f"Work out how many people find a seat {_in(facts, room)}: three on a sofa, two on a bench, one on anything else.",
                f"A sofa has three places, a bench two, every other seat one. How many places to sit are there {_in(facts, room)}?",
            ]
            yield _draft("count", "count_seats", texts, NUMBERS[places], number_answers(places, dice), *seats)


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
                        f"What is the ratio of {names[0]} to {names[1]} {_in(facts, room)}?",
                        f"Compare the number of {names[0]} {_in(facts, room)} with that of {names[1]}, as a ratio.",
                        f"Give the ratio between {names[0]} and {names[1]} {_in(facts, room)}.",
                    ]
                    yield _draft(
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
                where = _in(facts, room)
                wrong = mixed(
                    dice,
                    [noun for noun in nouns if noun not in close or words()[item.kind].use not in item.noun],
                    _absent(facts),
                    item.noun,
                )
                texts = [
                    f"Which of these things is {where} and meant for {item.traits.use}?",
                    f"Something {where} serves for {item.traits.use}. What is it?",
                    f"What could be used {where} for {item.traits.use}?",
                ]
                yield _draft(
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
                f"Are there more {names[0]} or more {names[1]} {_in(facts, room)}?",
                f"Compare the number of {names[0]} with the number of {names[1]} {_in(facts, room)}.",
                f"How does the number of {names[0]} {_in(facts, room)} differ from that of {names[1]}?",
            ]
            if abs(x - y) <= 4:
                yield _draft(
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
                    f"Which piece of furniture {_in(facts, room)} is the {word}?",
                    f"Find the {word} piece of furniture {_in(facts, room)}.",
                    f"Of all furniture {_in(facts, room)}, what is the {word}?",
                ]
                wrong = mixed(
                    dice,
                    [str(facts.called(item)) for item in order[1:]],
                    [the(noun) for noun in _absent(facts, False)],
                    str(facts.called(order[0])),
                )
                yield _draft("compare", f"compare_{word}", texts, str(facts.called(order[0])), wrong, *order[:2])


def where_is(facts: Facts, dice: Random) -> Iterator[Draft]:
    """On what a thing lies; in which room it is."""
    for item in facts.movables:
        name = facts.called(item, room=False)
        if not name or not item.on or item.on not in facts.by or "on the" in name:
            continue
        support = facts.by[item.on]
        at = facts.called(support)
        others = [
            str(facts.called(other))
            for other in facts.fixed
            if other.name != item.on and facts.called(other) and facts.scene.placed[other.name].thing.surfaces
        ]
        if at and len(others) > 2:
            texts = [
                f"Where is {name}?",
                f"I am looking for {name}. Where does it lie?",
                f"On what can {name} be found?",
            ]
            absent = [f"on {the(noun)}" for noun in _absent(facts, False)]
            yield _draft(
                "content",
                "where_is",
                texts,
                f"on {at}",
                mixed(dice, [f"on {other}" for other in others], absent, f"on {at}"),
                item,
                support,
            )


def lies_on(facts: Facts, dice: Random) -> Iterator[Draft]:
    """What lies on a piece of furniture."""
    for support in facts.fixed:
        name, items = facts.called(support), facts.upon(support.name)
        if not name or not 1 <= len(items) <= 5:
            continue
        item = dice.choice(items)
        elsewhere = [
            a(other.noun)
            for other in facts.movables
            if other.on != support.name and other.noun not in {mine.noun for mine in items}
        ]
        texts = [
            f"Which of these things is on {name}?",
            f"Look at what is on {name}. What is among it?",
            f"What can one find on {name}?",
        ]
        yield _draft(
            "content",
            "lies_on",
            texts,
            a(item.noun),
            mixed(dice, elsewhere, [a(noun) for noun in _absent(facts)], a(item.noun)),
            item,
            support,
        )


def reads(facts: Facts, dice: Random) -> Iterator[Draft]:
    """What is written on something, or shown in a painting."""
    kinds = {
        "sign": 0.0,
        "whiteboard": 0.0,
        "blackboard": 0.0,
        "freezer": 0.0,
        "packet": 0.0,
        "magazine": 0.0,
        "reception": 0.0,
    }
    texts_there = {item.traits.text for item in facts.items if item.traits.text}
    known = (
        "OPEN",
        "CLOSED",
        "QUIET PLEASE",
        "EXIT",
        "SALE",
        "NO SMOKING",
        "CASH ONLY",
        "WAIT HERE",
        "MENU",
        "STAFF ONLY",
        "WELCOME",
        "RECEPTION",
        "HELLO CLASS",
        "READ PAGE 9",
        "LUNCH AT NOON",
    )
    for item in facts.items:
        name = facts.called(item)
        if item.kind in kinds and item.traits.text and name:
            wrong = [text for text in known if text not in texts_there]
            near = [text for text in texts_there if text != item.traits.text]
            texts = [f"What is written on {name}?", f"Read what {name} says.", f"Which words can be read on {name}?"]
            yield _draft(
                "content",
                "reads",
                texts,
                f'"{item.traits.text}"',
                [f'"{text}"' for text in mixed(dice, near, wrong, item.traits.text)],
                item,
            )


def colour_of(facts: Facts, dice: Random) -> Iterator[Draft]:
    """The colour of a thing."""
    for item in facts.items:
        name = facts.called(item, colour=False)
        if name and item.colour in COLOUR_NAMES and item.kind not in ("person", "window", "door", "doorway", "bread"):
            there = [other.colour for other in facts.items if other.colour in COLOUR_NAMES]
            texts = [f"What colour is {name}?", f"Find {name} and name its colour.", f"Which colour does {name} have?"]
            yield _draft(
                "colour", "colour_of", texts, item.colour, mixed(dice, there, list(COLOUR_NAMES), item.colour), item
            )


def colour_worn(facts: Facts, dice: Random) -> Iterator[Draft]:
    """The colour of somebody's clothes."""
    nouns = Counter(person.noun for person in facts.people.values())
    for person in facts.people.values():
        if nouns[person.noun] == 1 and person.posture != "lie":
            for what, colour in (("shirt", person.shirt), ("trousers", person.trousers)):
                texts = [
                    f"What colour {'is' if what == 'shirt' else 'are'} the {what} of the {person.noun}?",
                    f"Find the {person.noun} and name the colour of the {what}.",
                    f"Which colour does the {person.noun} wear as {'a ' if what == 'shirt' else ''}{what}?",
                ]
                yield _draft(
                    "colour",
                    "colour_worn",
                    texts,
                    colour,
                    mixed(dice, [person.shirt, person.trousers, person.shoes], list(COLOUR_NAMES), colour),
                    facts.by[person.name],
                )


def is_on(facts: Facts, dice: Random) -> Iterator[Draft]:
    """Whether a device is on, and where it is."""
    for item in facts.items:
        state, name = facts.scene.states.get(item.name), facts.called(item, room=False)
        if state and name and "in the" not in name and item.kind not in ("radio", "copier"):
            support = facts.by.get(item.on)
            spots = [
                the(other.noun)
                for other in facts.fixed
                if other.name not in (item.name, item.on) and "furniture" in other.groups
            ]
            place = f", on {the(support.noun)}" if support else f", in the {item.room}"
            elsewhere = (
                [f", on {spot}" for spot in spots]
                if support
                else [
                    f", in the {room}"
                    for room in (*facts.rooms, "attic", "cellar", "hallway", "kitchen")
                    if room != item.room
                ]
            )
            other = "off" if state == "on" else "on"
            wrong = [
                f"It is {other}{place}.",
                *(f"It is {value}{where}." for where in elsewhere[:4] for value in ("on", "off")),
            ]
            texts = [
                f"Is {name} on or off, and where is it?",
                f"Check whether {name} has been left on, and say where it is.",
                f"In what state is {name}, and where?",
            ]
            yield _draft(
                "state",
                "is_on",
                texts,
                f"It is {state}{place}.",
                [wrong[0], *mixed(dice, wrong[1:], ["There is no such thing here."], "")],
                item,
            )


def exists(facts: Facts, dice: Random) -> Iterator[Draft]:
    """Which of some things is in a room."""
    for room in facts.rooms:
        here = [
            item
            for item in facts.items
            if item.room == room and item.kind not in ("person", "door", "doorway", "window")
        ]
        nouns = {item.noun for item in here}
        elsewhere = [
            a(item.noun) for item in facts.items if item.noun not in nouns and item.room and item.kind != "person"
        ]
        for item in dice.sample(here, min(3, len(here))):
            if len(elsewhere) > 2 and len(facts.rooms) > 1 and item.kind not in ("rug",):
                texts = [
                    f"Which of these things is in the {room}?",
                    f"Only one of these is in the {room}. Which?",
                    f"What can be found in the {room}?",
                ]
                yield _draft(
                    "state",
                    "exists",
                    texts,
                    a(item.noun),
                    mixed(dice, elsewhere, [a(noun) for noun in _absent(facts)], a(item.noun)),
                    item,
                )


def by_colour(facts: Facts, dice: Random) -> Iterator[Draft]:
    """Which thing on a piece of furniture has a colour or a shape."""
    for support in facts.fixed:
        name, items = facts.called(support), facts.upon(support.name)
        if not name or len(items) < 2:
            continue
        for item in items:
            others = [other for other in items if other.name != item.name]
            for what, trait in (("colour", item.colour), ("shape", item.traits.shape)):
                values = [other.colour if what == "colour" else other.traits.shape for other in others]
                plain = trait in (*COLOUR_NAMES, "round", "cylindrical", "long", "flat", "curved")
                if plain and trait not in values and all(values) and item.noun not in [other.noun for other in others]:
                    texts = [
                        f"Which thing on {name} is {trait}?",
                        f"Something on {name} is {trait}. What is it?",
                        f"Find the {trait} object on {name} and name it.",
                    ]
                    wrong = mixed(
                        dice,
                        [the(other.noun) for other in others],
                        [the(noun) for noun in _absent(facts)],
                        the(item.noun),
                    )
                    yield _draft("attributes", f"by_{what}", texts, the(item.noun), wrong, item, *others)


def material_of(facts: Facts, dice: Random) -> Iterator[Draft]:
    """What a thing is made of, or shaped like."""
    materials = [
        "wood",
        "metal",
        "glass",
        "plastic",
        "paper",
        "cloth",
        "stone",
        "leather",
        "rubber",
        "cardboard",
        "ceramic",
        "brick",
        "wicker",
    ]
    shapes = [
        "round",
        "cylindrical",
        "box-shaped",
        "flat",
        "long",
        "curved",
        "pear-shaped",
        "ring-shaped",
        "cup-shaped",
        "bag-shaped",
    ]
    for item in facts.items:
        name = facts.called(item)
        if not name or item.kind in ("person", "door", "doorway", "window"):
            continue
        if item.traits.material in ("wood", "brick", "cloth", "wicker", "stone", "cardboard") and item.kind not in (
            "lamp",
            "floor_lamp",
            "easel",
        ):
            texts = [
                f"What is {name} mainly made of?",
                f"Which material does {name} consist of?",
                f"Name the material of {name}.",
            ]
            yield _draft(
                "material",
                "material_of",
                texts,
                item.traits.material,
                mixed(dice, [], materials, item.traits.material),
                item,
            )
        if item.traits.shape in shapes[6:] or item.kind in ("ball", "globe", "can", "gift", "banana"):
            texts = [
                f"What shape does {name} have?",
                f"Look at {name}. How is it shaped?",
                f"Which word describes the shape of {name}?",
            ]
            yield _draft(
                "material", "shape_of", texts, item.traits.shape, mixed(dice, [], shapes, item.traits.shape), item
            )


def common_sense(facts: Facts, dice: Random) -> Iterator[Draft]:
    """What a place is for, judged by the things in it."""
    if len(facts.rooms) == 1:
        room = next(iter(facts.rooms))
        marks = sorted(
            (item for item in facts.fixed if "wall" not in item.groups), key=lambda item: -item.size[0] * item.size[2]
        )[:3]
        texts = [
            "What is this room most probably used for?",
            "Look round: for what do people come here?",
            "To judge by what is here, what is this place meant for?",
        ]
        yield _draft(
            "common sense",
            "common_sense",
            texts,
            _PLACES[room],
            mixed(dice, [], list(_PLACES.values()), _PLACES[room]),
            *marks,
        )
        return
    for room in facts.rooms:
        if room != "hallway":
            marks = sorted(
                (item for item in facts.fixed if item.room == room and "wall" not in item.groups),
                key=lambda item: -item.size[0] * item.size[2],
            )[:1]
            rooms = [f"the {other}" for other in facts.rooms if other != room]
            others = [f"the {other}" for other in _PLACES if other not in facts.rooms]
            texts = [
                f"Which room of this place suits {_PLACES[room]} best?",
                f"Somebody thinks of {_PLACES[room]}. To which room should they go?",
                f"Where in this place would one go for {_PLACES[room]}?",
            ]
            yield _draft(
                "common sense",
                "which_room_for",
                texts,
                f"the {room}",
                mixed(dice, rooms, others, f"the {room}"),
                *marks,
            )


TEMPLATES: tuple[Template, ...] = (
    count_in_room, count_everywhere, count_on, count_rooms, count_seats, ratio, function, compare_counts, compare_size, where_is,
    lies_on, reads, colour_of, colour_worn, is_on, exists, by_colour, material_of, common_sense,
)  # fmt: skip
"""All templates of this module."""
