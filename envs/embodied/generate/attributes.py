"""Templates of questions about places, contents, texts, colours, states and materials."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

from envs.embodied.generate.attribute_drafts import absent_nouns, attribute
from envs.embodied.generate.draft import COLOUR_NAMES, Draft, Template, mixed
from envs.embodied.generate.facts import Facts, a, the

_PLACES = {
    "shop": "shopping", "office": "working at a desk", "restaurant": "eating out", "library": "borrowing books",
    "waiting room": "waiting for an appointment", "classroom": "teaching pupils", "gallery": "looking at art", "gym": "training",
    "kitchen": "cooking", "bedroom": "sleeping", "bathroom": "washing oneself", "laundry room": "washing clothes",
    "garage": "repairing a bicycle", "study": "studying", "children's room": "playing", "dining room": "having dinner together",
    "living room": "relaxing together",
}  # fmt: skip


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
            absent = [f"on {the(noun)}" for noun in absent_nouns(facts, False)]
            yield attribute(
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
        yield attribute(
            "content",
            "lies_on",
            texts,
            a(item.noun),
            mixed(dice, elsewhere, [a(noun) for noun in absent_nouns(facts)], a(item.noun)),
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
            yield attribute(
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
            yield attribute(
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
                yield attribute(
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
            yield attribute(
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
                yield attribute(
                    "state",
                    "exists",
                    texts,
                    a(item.noun),
                    mixed(dice, elsewhere, [a(noun) for noun in absent_nouns(facts)], a(item.noun)),
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
                        [the(noun) for noun in absent_nouns(facts)],
                        the(item.noun),
                    )
                    yield attribute("attributes", f"by_{what}", texts, the(item.noun), wrong, item, *others)


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
            yield attribute(
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
            yield attribute(
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
        yield attribute(
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
            yield attribute(
                "common sense",
                "which_room_for",
                texts,
                f"the {room}",
                mixed(dice, rooms, others, f"the {room}"),
                *marks,
            )


TEMPLATES: tuple[Template, ...] = (
    where_is,
    lies_on,
    reads,
    colour_of,
    colour_worn,
    is_on,
    exists,
    by_colour,
    material_of,
    common_sense,
)
"""All templates of this module."""
