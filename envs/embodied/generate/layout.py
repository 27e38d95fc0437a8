"""Templates of questions about sizes, distances, relations and imagined views."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from envs.embodied.generate.draft import Draft, Template, mixed
from envs.embodied.generate.facts import Facts, Item, the
from envs.embodied.words import words
from envs.household.home.frames import inverse, spot

_CATEGORY = "SpatialQA"
ROOMS = (
    "kitchen",
    "living room",
    "bedroom",
    "study",
    "bathroom",
    "garage",
    "hallway",
    "dining room",
    "laundry room",
    "office",
    "attic",
)


def spatial(kind: str, template: str, texts: list[str], right: str, wrong: list[str], *evidence: Item) -> Draft:
    """The draft of a question about space."""
    return Draft(_CATEGORY, kind, template, texts, right, wrong, tuple(item.name for item in evidence))


def large_things(facts: Facts, room: str = "") -> list[tuple[Item, str]]:
    """Large things with an expression for each."""
    found = [(item, facts.called(item)) for item in facts.fixed if room in ("", item.room)]
    return [(item, name) for item, name in found if name]


def absent_nouns(facts: Facts) -> list[str]:
    """Nouns of things that are not in the scene."""
    there = {item.noun for item in facts.items}
    return [the(word.noun) for word in words().values() if word.noun not in there and "furniture" in word.groups]


def largest_room(facts: Facts, dice: Random) -> Iterator[Draft]:
    """Which room has the largest or smallest floor."""
    if len(facts.rooms) < 3:
        return
    order = sorted(facts.rooms, key=lambda room: -facts.area(room))
    marks = [
        max(
            (item for item in facts.fixed if item.room == room),
            key=lambda item: item.size[0] * item.size[2],
            default=None,
        )
        for room in order
    ]
    seen = [mark for mark in marks if mark]
    for word, best, next_ in (("largest", order[0], order[1]), ("smallest", order[-1], order[-2])):
        one, two = facts.area(best), facts.area(next_)
        if max(one, two) >= 1.25 * min(one, two):
            texts = [
                f"Which room has the {word} floor?",
                f"Compare the rooms: which is the {word}?",
                f"Which of the rooms here takes up the {'most' if word == 'largest' else 'least'} space?",
            ]
            yield spatial(
                "size",
                f"{word}_room",
                texts,
                f"the {best}",
                mixed(
                    dice,
                    [f"the {room}" for room in order],
                    [f"the {room}" for room in ROOMS if room not in facts.rooms],
                    f"the {best}",
                ),
                *seen,
            )


def compare_two(facts: Facts, dice: Random) -> Iterator[Draft]:
    """Which of two things is taller or wider, and how much."""
    named = large_things(facts)
    for _ in range(12):
        if len(named) < 2:
            return
        (one, x), (two, y) = dice.sample(named, 2)
        if one.kind == two.kind or {"wall"} & (one.groups | two.groups):
            continue
        for word, axis in (("taller", 2), ("wider", 0)):
            big, small = max(one.size[axis], two.size[axis]), min(one.size[axis], two.size[axis])
            if big < 1.25 * small:
                continue
            more, less = (x, y) if one.size[axis] > two.size[axis] else (y, x)
            much = "more than twice as" if big > 2.15 * small else "less than twice as" if big < 1.85 * small else ""
            if not much:
                continue
            plain = {"taller": "tall", "wider": "wide"}[word]
            right = f"{more} is {word}, but {much} {plain}" if much.startswith("less") else f"{more} is {much} {plain}"
            wrong = [
                f"{less} is {word}, but less than twice as {plain}", f"{less} is more than twice as {plain}",
                f"{more} is {word}, but less than twice as {plain}", f"{more} is more than twice as {plain}",
                f"both are equally {plain}", f"there is no {more[4:]} here", f"there is no {less[4:]} here", "neither of them is here",
            ]  # fmt: skip
            texts = [
                f"Which is {word}, {x} or {y}, and by how much?",
                f"Compare {x} with {y}: which is {word}?",
                f"Is {x} or {y} the {word} one?",
            ]
            yield spatial("size", f"{word}_of_two", texts, right, [text for text in wrong if text != right], one, two)


def nearest_to(facts: Facts, dice: Random) -> Iterator[Draft]:
    """Which of the things in a room is nearest to another."""
    for item, name in large_things(facts):
        others = [
            (other, label)
            for other, label in large_things(facts, item.room)
            if other.name != item.name and other.on != item.name and item.on != other.name
        ]
        order = sorted(others, key=lambda pair: facts.apart(item, pair[0]))
        if len(order) < 4:
            continue
        first, second = (facts.apart(item, order[k][0]) for k in (0, 1))
        if second >= 1.3 * first and second - first >= 0.5:
            texts = [
                f"What is nearest to {name}?",
                f"Which piece of furniture stands closest to {name}?",
                f"Look round {name}: what is the closest thing to it?",
            ]
            yield spatial(
                "distance",
                "nearest_to",
                texts,
                order[0][1],
                mixed(dice, [label for _, label in order[1:]], absent_nouns(facts), order[0][1]),
                item,
                order[0][0],
                order[1][0],
            )


def closer_of_two(facts: Facts, dice: Random) -> Iterator[Draft]:
    """Which of two pairs is closer together."""
    named = large_things(facts)
    for _ in range(10):
        if len(named) < 4:
            return
        (a, p), (b, q), (c, r), (d, s) = dice.sample(named, 4)
        if a.room != b.room or c.room != d.room:
            continue
        one, two = facts.apart(a, b), facts.apart(c, d)
        if max(one, two) < 1.3 * min(one, two) or abs(one - two) < 0.5:
            continue
        pair = [f"{p} and {q}", f"{r} and {s}"]
        right = pair[0] if one < two else pair[1]
        wrong = [
            pair[0],
            pair[1],
            "both pairs are equally far apart",
            f"{p} is not here",
            f"{q} is not here",
            f"{r} is not here",
            f"{s} is not here",
            "neither pair is in one room",
        ]
        texts = [
            f"Which two are closer together: {pair[0]}, or {pair[1]}?",
            f"Compare two distances: {pair[0]} against {pair[1]}. Which is shorter?",
            f"Are {pair[0]} nearer to each other than {pair[1]}?",
        ]
        yield spatial("distance", "closer_pair", texts, right, [text for text in wrong if text != right], a, b, c, d)


def _local(facts: Facts, item: Item, other: Item) -> tuple[float, float]:
    """The position of a thing in the frame of another one: to its left, and ahead of it."""
    x, y, _ = spot(inverse(facts.scene.placed[item.name].pose), other.at)
    return x, -y


def beside(facts: Facts, dice: Random) -> Iterator[Draft]:
    """What stands to the left or right of a thing against a wall."""
    for item, name in large_things(facts):
        if "wall" in item.groups or item.kind in ("table", "statue", "stool", "pouffe", "plant"):
            continue
        others = [
            (other, label)
            for other, label in large_things(facts, item.room)
            if other.name != item.name and "wall" not in other.groups and other.on == ""
        ]
        for word, sign in (("left", -1.0), ("right", 1.0)):
            near = _sided(facts, item, others, sign)
            if len(near) == 1 and len(others) > 3:
                other, right = near[0]
                texts = [
                    f"What stands directly to the {word} of {name}, for somebody who faces it?",
                    f"Face {name}: what is next to it on the {word}?",
                    f"Which thing is the neighbour of {name} on its {word}, as one looks at it?",
                ]
                yield spatial(
                    "layout",
                    f"to_the_{word}",
                    texts,
                    right,
                    mixed(dice, [label for _, label in others], absent_nouns(facts), right),
                    item,
                    other,
                )


def _sided(facts: Facts, item: Item, others: list[tuple[Item, str]], sign: float) -> list[tuple[Item, str]]:
    """The things near a thing on one side of it, as seen by somebody who faces it."""
    found = []
    for other, label in others:
        across, ahead = _local(facts, item, other)
        gap = abs(across) - (item.size[0] + max(other.size[:2])) / 2.0
        if across * sign > 0.0 and gap < 1.2 and abs(ahead) < 0.8 and abs(across) > abs(ahead):
            found.append((other, label))
    return found


def faces(facts: Facts, dice: Random) -> Iterator[Draft]:
    """What is opposite to something."""
    for item, name in large_things(facts):
        if item.kind not in (
            "sofa",
            "bed",
            "television",
            "armchair",
            "piano",
            "checkout",
            "reception",
            "booth",
            "blackboard",
            "whiteboard",
            "fireplace",
            "stove",
            "wardrobe",
            "shelf",
            "sink",
        ):
            continue
        others = [
            (other, label)
            for other, label in large_things(facts, item.room)
            if other.name != item.name and other.on == "" and other.size[2] > 0.3
        ]
        ahead = [
            (other, label)
            for other, label in others
            if abs(_local(facts, item, other)[0]) < (item.size[0] + other.size[0]) / 2.0 + 0.1
            and _local(facts, item, other)[1] > 1.2
        ]
        if len(ahead) == 1 and len(others) > 3:
            texts = [
                f"What is opposite {name}?",
                f"Which thing does the front of {name} look at?",
                f"Looking straight ahead from {name}, what stands on the other side?",
            ]
            right = ahead[0][1]
            yield spatial(
                "relation",
                "opposite",
                texts,
                right,
                mixed(dice, [label for _, label in others], absent_nouns(facts), right),
                item,
                ahead[0][0],
            )


def imagined(facts: Facts, dice: Random) -> Iterator[Draft]:
    """What would be to the side of somebody who sits or lies on a thing."""
    for item, name in large_things(facts):
        if item.kind not in ("sofa", "bed", "armchair", "booth"):
            continue
        others = [
            (other, label)
            for other, label in large_things(facts, item.room)
            if other.name != item.name and other.on == "" and "wall" not in other.groups
        ]
        for word, sign in (("left", 1.0), ("right", -1.0)):
            side = [
                (other, label)
                for other, label in others
                if _local(facts, item, other)[0] * sign > item.size[0] / 2.0 + 0.1
                and abs(_local(facts, item, other)[1]) < abs(_local(facts, item, other)[0])
            ]
            if len(side) == 1 and len(others) > 3:
                verb = "lie on your back on" if item.kind == "bed" else "sit on"
                texts = [
                    f"If you {verb} {name}, what is on your {word}?",
                    f"Imagine you {verb} {name}. Which thing would be on your {word}-hand side?",
                    f"Somebody who would {verb} {name} has what on the {word}?",
                ]
                yield spatial(
                    "imagination",
                    f"imagined_{word}",
                    texts,
                    side[0][1],
                    mixed(dice, [label for _, label in others], absent_nouns(facts), side[0][1]),
                    item,
                    side[0][0],
                )


TEMPLATES: tuple[Template, ...] = (
    largest_room,
    compare_two,
    nearest_to,
    closer_of_two,
    beside,
    faces,
    imagined,
)
"""All templates of this module."""
