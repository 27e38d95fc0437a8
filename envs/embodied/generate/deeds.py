"""Templates of tasks with actions: going somewhere, handling things, and helping people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import hypot
from random import Random

from envs.embodied.generate.draft import Draft, Template, mixed
from envs.embodied.generate.facts import Facts, Item, the
from envs.embodied.model import Act, Check, Option, Person, Place, Predicate
from envs.embodied.words import words
from envs.household.home.frames import opened, spot, within
from envs.household.home.model import Pose

_NAV, _OBJ, _SOC = "Navigation", "ObjectInteraction", "SocialInteraction"
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


def _walk(kind: str, template: str, texts: list[str], *stops: tuple[Place, Predicate]) -> Draft:
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
            yield _walk("object", "find_object", texts, stop)
            if len(facts.rooms) > 1 and "in the" not in name:
                texts = [
                    f"Enter the {item.room} and stop before {name}.",
                    f"Go into the {item.room}, up to {name}.",
                    f"In the {item.room} there is {name}. Position yourself in front of it.",
                ]
                yield _walk("object", "enter_room", texts, stop)


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
                yield _walk(
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
            yield _walk(
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
        yield _walk(
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
                    yield _walk("superlative", "nearest" if word[0] == "c" else "furthest", texts, stop)
        for word, axis in (("tallest", 2), ("widest", 0)):
            order = sorted(items, key=lambda item: -item.size[axis])
            stop = arrival(facts, order[0], "goal")
            if stop and order[0].size[axis] > 1.25 * order[1].size[axis]:
                texts = [
                    f"Go to the {word} {items[0].noun}.",
                    f"Find all {items[0].traits.plural} and stop at the {word} one.",
                    f"Stand before the {word} of the {items[0].traits.plural}.",
                ]
                yield _walk("superlative", word, texts, stop)


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
            yield _walk(
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
            yield _walk("function", "by_function", texts, stop)


def _pick(item: Item, text: str = "") -> Option:
    return Option(Act.PICK_UP, text or f"pick up {the(item.noun)}", (item.name,))


def _others(facts: Facts, dice: Random, used: Sequence[Item], number: int = 2) -> list[Option]:
    """Other things that could be picked up."""
    nouns = {item.noun for item in used}
    rest = [item for item in facts.movables if item.noun not in nouns and len(facts.of(item.kind)) == 1]
    rest = list({item.noun: item for item in rest}.values())
    return [_pick(item) for item in dice.sample(rest, min(number, len(rest)))]


def _elsewhere(facts: Facts, dice: Random, used: Sequence[str], number: int = 1) -> list[tuple[Option, Place]]:
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


def _task(
    category: str,
    kind: str,
    template: str,
    texts: list[str],
    options: Sequence[Option],
    predicates: Sequence[Predicate],
    places: Sequence[Place] = (),
) -> Draft:
    return Draft(category, kind, template, texts, options=options, predicates=predicates, places=places)


def _takes(item: Item) -> Predicate:
    return Predicate(Check.GRAB_ONCE, item.name)


def _special(text: str) -> Predicate:
    return Predicate(Check.SPECIAL, value=text)


def switch(facts: Facts, dice: Random) -> Iterator[Draft]:
    """Turn something on or off."""
    devices = [(item, name) for item, name in named(facts, facts.items) if item.name in facts.scene.states]
    for item, name in devices:
        state = facts.scene.states[item.name]
        new = "off" if state == "on" else "on"
        verb = f"turn {new} {name}"
        options = [Option(Act.SPECIAL, verb, (item.name,), effects=(f"state: {item.name}={new}",))]
        for other, label in devices:
            if other.name != item.name and len(options) < 4:
                value = "off" if facts.scene.states[other.name] == "on" else "on"
                options.append(
                    Option(
                        Act.SPECIAL, f"turn {value} {label}", (other.name,), effects=(f"state: {other.name}={value}",)
                    )
                )
        options += _others(facts, dice, [item], 1)
        dice.shuffle(options)
        texts = [f"Turn {new} {name}.", f"Please see to it that {name} is {new}.", f"Go to {name} and switch it {new}."]
        yield _task(_OBJ, "device", "switch", texts, options, [_special(verb)])
    for (one, x), (two, y) in pairwise(devices):
        state = facts.scene.states[one.name]
        act, rest = (f"turn off {x}", one) if state == "on" else (f"turn on {y}", two)
        if state == "off" and facts.scene.states[two.name] == "on":
            continue
        options = [
            Option(Act.SPECIAL, text, (item.name,), effects=(f"state: {item.name}={value}",))
            for text, item, value in ((f"turn off {x}", one, "off"), (f"turn on {y}", two, "on"))
        ]
        texts = [
            f"If {x} is on, turn it off. If it is off, turn on {y} instead.",
            f"Look whether {x} is on: then turn it off, otherwise turn on {y}.",
            f"Should {x} be on, switch it off; should it be off, switch on {y}.",
        ]
        yield _task(_OBJ, "conditional", "if_on", texts, [*options, *_others(facts, dice, [rest], 1)], [_special(act)])


TOOLS = (
    ("sponge", ("sink", "washbasin", "bathtub", "stove"), "scrub {}"), ("watering_can", ("plant",), "water {}"),
    ("spray_bottle", ("mirror", "window"), "clean {}"), ("towel", ("table", "washbasin", "bathtub", "mirror"), "wipe {}"),
    ("knife", ("bread", "cake", "cheese"), "cut {}"), ("hammer", ("chair", "workbench", "shelf"), "repair {}"),
    ("camera", ("painting", "statue", "piano", "aquarium", "fireplace", "plant"), "take a photo of {}"),
    ("phone", ("painting", "statue", "clock", "fireplace", "sign"), "take a photo of {}"),
    ("mug", ("coffee_machine", "water_cooler", "sink"), "fill it at {}"), ("kettle", ("sink",), "fill it at {}"),
    ("bottle", ("water_cooler", "sink"), "fill it at {}"), ("apple", ("sink", "washbasin"), "wash it at {}"),
    ("pear", ("sink",), "wash it at {}"), ("tomato", ("sink",), "wash it at {}"), ("carrot", ("sink",), "wash it at {}"),
    ("bread", ("microwave",), "warm it in {}"), ("frying_pan", ("stove",), "heat it on {}"), ("teapot", ("sink", "stove"), "fill it at {}"),
    ("card", ("checkout", "vending_machine", "bar_counter", "reception"), "pay at {}"), ("wallet", ("checkout", "bar_counter"), "pay at {}"),
    ("document", ("copier",), "copy it on {}"), ("notebook", ("copier",), "copy it on {}"), ("book", ("copier",), "copy it on {}"),
    ("keys", ("locker", "wardrobe", "cabinet"), "unlock {}"), ("torch", ("cabinet", "sofa", "shelf", "workbench"), "shine a light at {}"),
    ("pencil", ("whiteboard", "easel", "notebook"), "draw on {}"), ("marker", ("whiteboard", "blackboard"), "write on {}"),
    ("headphones", ("computer", "piano", "radio"), "plug them into {}"), ("racket", ("ball",), "hit {}"),
    ("newspaper", ("sofa", "armchair", "bench", "booth"), "sit down on {} and read"), ("book", ("sofa", "armchair", "bench", "bed"), "sit down on {} and read"),
    ("magazine", ("sofa", "armchair", "booth"), "sit down on {} and read"), ("soap", ("washbasin", "sink"), "wash your hands at {}"),
    ("toothbrush", ("washbasin",), "brush your teeth at {}"), ("hairbrush", ("mirror",), "comb your hair before {}"),
    ("bucket", ("bathtub", "sink"), "fill it at {}"), ("dumbbell", ("mirror", "bench"), "train before {}"), ("candle", ("fireplace", "stove"), "light it at {}"),
    ("scissors", ("packet", "gift", "carton"), "cut open {}"), ("tablet", ("sofa", "armchair"), "sit down on {} and read"),
    ("hat", ("mirror",), "try it on before {}"), ("scarf", ("mirror",), "try it on before {}"), ("glasses", ("sign", "clock", "whiteboard"), "read {} with them"),
)  # fmt: skip
"""Tools, the things that each is used on, and the words for it."""


def tool(facts: Facts, dice: Random) -> Iterator[Draft]:
    """Use one thing on another."""
    for kind, targets, words_ in TOOLS:
        for item, name in named(facts, facts.of(kind)):
            fitting = named(facts, facts.of(*targets))
            for target, at in fitting:
                if target.name == item.on:
                    continue
                verb = words_.format(at)
                options = [
                    _pick(item),
                    Option(Act.SPECIAL, verb, (target.name, item.name), needs=(f"holding: {item.name}",)),
                ]
                for other, label in fitting:
                    if other.name != target.name and len(options) < 4:
                        options.append(
                            Option(
                                Act.SPECIAL,
                                words_.format(label),
                                (other.name, item.name),
                                needs=(f"holding: {item.name}",),
                            )
                        )
                options += _others(facts, dice, [item], 2)
                dice.shuffle(options)
                texts = [
                    f"Take {name} and {verb}.",
                    f"Fetch {name}, go to {at} and {verb}.",
                    f"With {name} in your hand, {verb}.",
                ]
                yield _task(_OBJ, "device", "tool", texts, options, [_takes(item), _special(verb)])


def move_one(facts: Facts, dice: Random) -> Iterator[Draft]:
    """Put one thing somewhere else."""
    supports = named(facts, [item for item in facts.fixed if facts.scene.placed[item.name].thing.surfaces])
    for item, name in named(facts, facts.movables):
        for support, at in dice.sample(supports, min(2, len(supports))):
            if support.name == item.on:
                continue
            place = facts.free_place("goal", support)
            if place is None:
                continue
            more = _elsewhere(facts, dice, (support.name, item.on))
            options = [
                _pick(item),
                Option(Act.PLACE_TO, f"place it on {at}", ("goal",)),
                *(option for option, _ in more),
                *_others(facts, dice, [item]),
            ]
            dice.shuffle(options)
            texts = [
                f"Put {name} on {at}.",
                f"Take {name} and place it on {at}.",
                f"{name[0].upper()}{name[1:]} belongs on {at}. Bring it there.",
            ]
            predicates = [_takes(item), Predicate(Check.AT, item.name, "goal")]
            yield _task(
                _OBJ, "one moved", "move_one", texts, options, predicates, [place, *(place for _, place in more)]
            )


def move_colour(facts: Facts, dice: Random) -> Iterator[Draft]:
    """Hold the thing that a description fits."""
    for support in facts.fixed:
        items, at = facts.upon(support.name), facts.called(support)
        for item in items if at else ():
            others = [other for other in items if other.movable and other.noun != item.noun]
            if (
                item.movable
                and item.colour
                and others
                and all(other.colour and other.colour != item.colour for other in others)
            ):
                options = [
                    _pick(item),
                    *(_pick(other) for other in others[:4]),
                    *_others(facts, dice, [item, *others], 1),
                ]
                options = list({option.text: option for option in options}.values())
                dice.shuffle(options)
                texts = [
                    f"Grab the {item.colour} thing on {at} and hold it.",
                    f"Pick up what is {item.colour} on {at}.",
                    f"On {at} something is {item.colour}. Take it.",
                ]
                yield _task(_OBJ, "one moved", "grab_by_colour", texts, options, [Predicate(Check.GRAB, item.name)])


def move_several(facts: Facts, dice: Random) -> Iterator[Draft]:
    """Put two things on one piece of furniture."""
    supports = named(facts, [item for item in facts.fixed if facts.scene.placed[item.name].thing.surfaces])
    movables = [(item, name) for item, name in named(facts, facts.movables) if max(item.size[:2]) < 0.3]
    for _ in range(24):
        if len(movables) < 3 or not supports:
            return
        support, at = dice.choice(supports)
        near = [(item, name) for item, name in movables if item.room == support.room and item.on != support.name]
        if len(near) < 2:
            continue
        (one, x), (two, y) = dice.sample(near, 2)
        place = facts.free_place("goal", support)
        if place is None or support.name in (one.on, two.on) or one.noun == two.noun:
            continue
        more = _elsewhere(facts, dice, (support.name,))
        options = [
            _pick(one),
            _pick(two),
            Option(Act.PLACE_TO, f"place it on {at}", ("goal",)),
            *(option for option, _ in more),
            *_others(facts, dice, [one, two], 1),
        ]
        dice.shuffle(options)
        texts = [
            f"Put {x} and {y} on {at}.",
            f"Bring both {x} and {y} to {at} and leave them there.",
            f"Collect {x} and {y}: both belong on {at}.",
        ]
        predicates = [
            _takes(one),
            _takes(two),
            Predicate(Check.AT, one.name, "goal"),
            Predicate(Check.AT, two.name, "goal"),
        ]
        yield _task(_OBJ, "several", "move_two", texts, options, predicates, [place, *(place for _, place in more)])


def switch_two(facts: Facts, dice: Random) -> Iterator[Draft]:
    """Switch two things."""
    devices = [(item, name) for item, name in named(facts, facts.items) if item.name in facts.scene.states]
    for (one, x), (two, y) in pairwise(devices):
        verbs, options = [], []
        for item, name in ((one, x), (two, y)):
            value = "off" if facts.scene.states[item.name] == "on" else "on"
            verbs.append(f"turn {value} {name}")
            options.append(Option(Act.SPECIAL, verbs[-1], (item.name,), effects=(f"state: {item.name}={value}",)))
        options += _others(facts, dice, [], 2)
        dice.shuffle(options)
        texts = [
            f"{verbs[0]} and {verbs[1]}.",
            f"Do two things here: {verbs[0]}, and {verbs[1]}.",
            f"Please {verbs[1]}. Also {verbs[0]}.",
        ]
        yield _task(_OBJ, "several", "switch_two", texts, options, [_special(verb) for verb in verbs])


def use_and_put(facts: Facts, dice: Random) -> Iterator[Draft]:
    """Use one thing on another, then leave it somewhere."""
    supports = named(facts, [item for item in facts.fixed if facts.scene.placed[item.name].thing.surfaces])
    for kind, targets, words_ in TOOLS:
        for item, name in named(facts, facts.of(kind)):
            for target, label in named(facts, facts.of(*targets)):
                near = [
                    (support, at) for support, at in supports if support.room == target.room and support.name != item.on
                ]
                if not near or target.name == item.on:
                    continue
                support, at = dice.choice(near)
                place, verb = facts.free_place("goal", support), words_.format(label)
                if place is None or max(item.size[:2]) > 0.32:
                    continue
                options = [
                    _pick(item),
                    Option(Act.SPECIAL, verb, (target.name, item.name), needs=(f"holding: {item.name}",)),
                    Option(Act.PLACE_TO, f"place it on {at}", ("goal",)),
                    *_others(facts, dice, [item], 2),
                ]
                dice.shuffle(options)
                texts = [
                    f"Take {name}, {verb}, and leave it on {at}.",
                    f"First {verb} with {name}; then put it on {at}.",
                    f"Fetch {name} and {verb}. Afterwards it goes on {at}.",
                ]
                texts[1] = f"Get {name} to {verb}; then put it on {at}."
                yield _task(
                    _OBJ,
                    "several",
                    "use_and_put",
                    texts,
                    options,
                    [_takes(item), _special(verb), Predicate(Check.AT, item.name, "goal")],
                    [place],
                )


def _inside(facts: Facts, box: Item, name: str) -> Place | None:
    """A reachable place in a thing with doors."""
    placed = facts.scene.placed[box.name]
    for cavity in placed.thing.cavities:
        floor = cavity.centre[2] - cavity.size[2] / 2.0
        if not 0.3 <= placed.pose.position[2] + floor <= 1.35 or cavity.size[2] < 0.18:
            continue
        leaf = next((leaf for leaf in placed.thing.leaves if leaf.name == cavity.leaf), None)
        frame = placed.pose if leaf is None else within(placed.pose, opened(leaf, 1.0))
        x, y, _ = cavity.centre
        at = within(frame, Pose((x, y - cavity.size[1] * 0.2, floor + 0.004))).position
        return Place(name, (round(at[0], 4), round(at[1], 4), round(at[2], 4)), box.name)
    return None


def put_inside(facts: Facts, dice: Random) -> Iterator[Draft]:
    """Open something, put a thing in, and shut it or not."""
    boxes = [
        (item, name)
        for item, name in named(facts, facts.fixed)
        if facts.scene.placed[item.name].thing.leaves and facts.scene.placed[item.name].thing.cavities
    ]
    movables = [(item, name) for item, name in named(facts, facts.movables) if max(item.size) < 0.3]
    for box, at in boxes:
        place = _inside(facts, box, "goal")
        drawers = any(leaf.kind == "slide" for leaf in facts.scene.placed[box.name].thing.leaves)
        opening, closing = (Act.OPEN_DRAWER, Act.CLOSE_DRAWER) if drawers else (Act.OPEN_DOOR, Act.CLOSE_DOOR)
        for item, name in dice.sample(movables, min(4, len(movables))):
            if place is None or item.on == box.name:
                continue
            more = _elsewhere(facts, dice, (box.name,))
            options = [
                Option(opening, f"open {at}", (box.name,)),
                Option(closing, f"close {at}", (box.name,)),
                _pick(item),
                Option(Act.PLACE_TO, f"place it in {at}", ("goal",)),
                *(option for option, _ in more),
                *_others(facts, dice, [item], 1),
            ]
            dice.shuffle(options)
            texts = [
                f"Open {at} and put {name} inside.",
                f"Put {name} into {at}.",
                f"Store {name} in {at}, which is shut.",
            ]
            predicates = [_takes(item), Predicate(Check.AT, item.name, "goal")]
            yield _task(_OBJ, "open", "put_inside", texts, options, predicates, [place, *(place for _, place in more)])
    for window, name in named(facts, facts.of("window")):
        verb = f"open {name}"
        options = [
            Option(Act.SPECIAL, verb, (window.name,), effects=(f"state: {window.name}=open",), distance=1.3),
            *_others(facts, dice, [], 2),
        ]
        texts = [f"Go and open {name}.", f"It is hot in here. Please open {name}.", f"Let some air in: open {name}."]
        yield _task(_OBJ, "open", "open_window", texts, options, [_special(verb)])


def _who(facts: Facts, person: Person) -> str:
    return f"the {person.noun} in the {person.shirt} shirt"


_DOES = {
    "stand": "I am standing here",
    "sit": "I am sitting",
    "lie": "I am lying in bed",
    "point": "I am pointing at something",
    "wave": "I am waving",
    "beckon": "I am beckoning to you",
    "hand out": "I am holding out my hand",
}


_DOING = {
    "sit": "who is sitting",
    "lie": "who is lying in bed",
    "wave": "who is waving",
    "beckon": "who is beckoning",
    "hand out": "who is holding out a hand",
    "point": "who is pointing",
    "stand": "who is standing",
}
"""Words for what somebody is doing, by posture."""


def deliver(facts: Facts, dice: Random) -> Iterator[Draft]:
    """Bring something to a person."""
    for person in facts.people.values():
        figure = facts.by[person.name]
        who = _who(facts, person)
        for item, name in named(facts, facts.movables):
            if item.on == person.seat and person.seat:
                continue
            hand = f"hand it to {who}"
            options = [
                _pick(item),
                Option(
                    Act.SPECIAL,
                    hand,
                    (figure.name, item.name),
                    needs=(f"holding: {item.name}",),
                    effects=(f"give: {figure.name}",),
                    distance=1.2,
                ),
            ]
            for other in facts.people.values():
                if other.name != person.name:
                    options.append(
                        Option(
                            Act.SPECIAL,
                            f"hand it to {_who(facts, other)}",
                            (other.name, item.name),
                            needs=(f"holding: {item.name}",),
                            effects=(f"give: {other.name}",),
                            distance=1.2,
                        )
                    )
            options += _others(facts, dice, [item], 3)
            dice.shuffle(options)
            doing = _DOING[person.posture]
            texts = [
                f"Bring {name} to {who}.",
                f"I am {who}. Please fetch me {name}.",
                f"Give {name} to the {person.noun} {doing}.",
            ]
            if (
                sum(other.noun == person.noun and other.posture == person.posture for other in facts.people.values())
                > 1
            ):
                texts[2] = f"Find {name} and give it to {who}."
            yield _task(_SOC, "deliver", "deliver", texts, options, [_takes(item), _special(hand)])
            use = item.traits.use
            same = [
                other
                for other in facts.movables
                if other.name != item.name and other.traits.use.split()[0] == use.split()[0]
            ]
            if not same:
                texts = [
                    f"I am {who}, and I need something for {use}. Please bring it to me.",
                    f"{who[0].upper()}{who[1:]} wants a thing for {use}. Hand over the right one.",
                    f"Could you get {who} what is needed for {use}?",
                ]
                yield _task(_SOC, "deliver", "deliver_by_use", texts, options, [_takes(item), _special(hand)])


def pointing(facts: Facts, dice: Random) -> Iterator[Draft]:
    """Name, go to or bring the thing that somebody points at."""
    for person in facts.people.values():
        if not person.target:
            continue
        target, who = facts.by[person.target], _who(facts, person)
        others = [
            the(item.noun)
            for item in facts.items
            if item.room == target.room
            and item.noun != target.noun
            and item.kind not in ("person", "doorway", "row_of_books")
        ]
        absent = [
            the(word.noun)
            for word in words().values()
            if word.noun not in {item.noun for item in facts.items} and "furniture" in word.groups
        ]
        right = the(target.noun)
        texts = [
            f"I am {who}. What am I pointing at?",
            f"Which thing does {who} point at?",
            f"Look at {who}: at what does the arm point?",
        ]
        yield Draft(
            _SOC, "pointing", "point_name", texts, right, mixed(dice, others, absent, right), (person.name, target.name)
        )
        stop = arrival(facts, target, "goal")
        if stop and not target.movable:
            texts = [
                f"I am {who}. Please go to what I am pointing at.",
                f"Walk to the thing that {who} points at.",
                f"Follow the pointing arm of {who} and stop at the thing it means.",
            ]
            draft = _walk("pointing", "point_go", texts, stop)
            draft.category = _SOC
            yield draft
        if target.movable:
            hand = f"hand it to {who}"
            options = [
                _pick(target),
                Option(
                    Act.SPECIAL,
                    hand,
                    (person.name, target.name),
                    needs=(f"holding: {target.name}",),
                    effects=(f"give: {person.name}",),
                    distance=1.2,
                ),
                *_others(facts, dice, [target], 3),
            ]
            dice.shuffle(options)
            texts = [
                f"I am {who}. Bring me what I am pointing at.",
                f"Hand {who} the thing that is pointed at.",
                f"Fetch for {who} what the arm points at.",
            ]
            yield _task(_SOC, "pointing", "point_bring", texts, options, [_takes(target), _special(hand)])


_SAYINGS = {
    "greet": (
        "greet {}",
        ["Go to {} and say hello.", "Greet {} from near by.", "Walk up to {} and give a greeting."],
        "Hello!",
    ),
    "ask_help": (
        "ask {} whether help is needed",
        [
            "Ask {} whether you can help.",
            "Find out from {} if any help is needed.",
            "Go to {} and ask if there is something you can do.",
        ],
        "No, thank you.",
    ),
    "ask_time": (
        "ask {} for the time",
        ["Ask {} what time it is.", "Go and get the time from {}.", "Find {} and ask for the time."],
        "It is three o'clock.",
    ),
}
_WAKING = {
    "wake": (
        "wake {}",
        [
            "Wake up {}, who is asleep.",
            "Go to the one who lies in bed, {}, and wake them.",
            "It is late. Wake {}.",
        ],
        "What time is it?",
    )
}
"""For each template of talk: the option, the wordings, and the reply. Who lies in bed is woken."""


def talk(facts: Facts, dice: Random) -> Iterator[Draft]:
    """Greet somebody, ask a question, or wake somebody."""
    for person in facts.people.values():
        who = _who(facts, person)
        chosen = _WAKING if person.posture == "lie" else _SAYINGS
        for template, (verb, texts, reply) in chosen.items():
            options = [Option(Act.SPECIAL, verb.format(who), (person.name,), reply=reply, distance=1.3)]
            for other in facts.people.values():
                if other.name != person.name:
                    options.append(
                        Option(
                            Act.SPECIAL,
                            verb.format(_who(facts, other)),
                            (other.name,),
                            reply="That was not meant for me.",
                            distance=1.3,
                        )
                    )
            options += [
                Option(Act.SPECIAL, verb_.format(who), (person.name,), distance=1.3)
                for verb_ in ("say goodbye to {}", "sing a song for {}")
            ]
            options += _others(facts, dice, [], 1)
            dice.shuffle(options)
            yield _task(
                _SOC, "talk", template, [text.format(who) for text in texts], options, [_special(verb.format(who))]
            )
    if len(facts.people) == 2:
        verbs = [f"greet {_who(facts, person)}" for person in facts.people.values()]
        options = [
            Option(Act.SPECIAL, verb, (name,), reply="Hello!", distance=1.3)
            for verb, name in zip(verbs, facts.people, strict=True)
        ]
        yield _task(
            _SOC,
            "talk",
            "greet_all",
            [
                "Greet everybody who is here.",
                "Say hello to each person in this place.",
                "Go from person to person and greet them all.",
            ],
            [*options, *_others(facts, dice, [], 2)],
            [_special(verb) for verb in verbs],
        )


def come(facts: Facts, dice: Random) -> Iterator[Draft]:
    """Come to somebody, or say where somebody is."""
    for person in facts.people.values():
        figure, who = facts.by[person.name], _who(facts, person)
        number = facts.scene.graph.by(*figure.at[:2])
        point = facts.scene.graph.points[number]
        if hypot(point.x - figure.at[0], point.y - figure.at[1]) < 1.4:
            stop = (Place("goal", (figure.at[0], figure.at[1], 0.0)), Predicate(Check.AGENT_NEAR, place="goal"))
            texts = [
                f"Come to me. I am {who}.",
                f"Please come over here: {_DOES[person.posture]}, in a {person.shirt} shirt.",
                f"Go and stand close to {who}.",
            ]
            draft = _walk("come", "come_to_me", texts, stop)
            draft.category = _SOC
            yield draft
        if person.seat:
            seat = facts.called(facts.by[person.seat])
            others = [
                str(name)
                for item, name in named(facts, facts.fixed)
                if item.name != person.seat and "furniture" in item.groups
            ]
            absent = [the(word.noun) for word in words().values() if "seat" in word.groups]
            if seat:
                texts = [
                    f"I am {who}. Can you find out what I am on?",
                    f"On which piece of furniture is {who}?",
                    f"Look for {who}. What is this person on?",
                ]
                yield Draft(
                    _SOC,
                    "come",
                    "find_me",
                    texts,
                    seat,
                    mixed(dice, others, [name for name in absent if name != seat], seat),
                    (person.name,),
                )


TEMPLATES: tuple[Template, ...] = (
    find_object, route, superlative, between, by_function, switch, tool, move_one, move_colour, move_several, switch_two, use_and_put, put_inside,
    deliver, pointing, talk, come,
)  # fmt: skip
"""All templates of this module."""
