"""Templates of tasks to handle things: switch, use, move and open them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random

from envs.embodied.generate.draft import Draft, Template
from envs.embodied.generate.facts import Facts, Item
from envs.embodied.generate.options import action_task, is_done, is_grabbed, other_movables, other_places, pick_up
from envs.embodied.generate.walks import named
from envs.embodied.model import Act, Check, Option, Place, Predicate
from envs.household.home.frames import opened, within
from envs.household.home.model import Pose

_CATEGORY = "ObjectInteraction"


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
        options += other_movables(facts, dice, [item], 1)
        dice.shuffle(options)
        texts = [f"Turn {new} {name}.", f"Please see to it that {name} is {new}.", f"Go to {name} and switch it {new}."]
        yield action_task(_CATEGORY, "device", "switch", texts, options, [is_done(verb)])
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
        yield action_task(
            _CATEGORY,
            "conditional",
            "if_on",
            texts,
            [*options, *other_movables(facts, dice, [rest], 1)],
            [is_done(act)],
        )


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
                    pick_up(item),
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
                options += other_movables(facts, dice, [item], 2)
                dice.shuffle(options)
                texts = [
                    f"Take {name} and {verb}.",
                    f"Fetch {name}, go to {at} and {verb}.",
                    f"With {name} in your hand, {verb}.",
                ]
                yield action_task(_CATEGORY, "device", "tool", texts, options, [is_grabbed(item), is_done(verb)])


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
            more = other_places(facts, dice, (support.name, item.on))
            options = [
                pick_up(item),
                Option(Act.PLACE_TO, f"place it on {at}", ("goal",)),
                *(option for option, _ in more),
                *other_movables(facts, dice, [item]),
            ]
            dice.shuffle(options)
            texts = [
                f"Put {name} on {at}.",
                f"Take {name} and place it on {at}.",
                f"{name[0].upper()}{name[1:]} belongs on {at}. Bring it there.",
            ]
            predicates = [is_grabbed(item), Predicate(Check.AT, item.name, "goal")]
            yield action_task(
                _CATEGORY, "one moved", "move_one", texts, options, predicates, [place, *(place for _, place in more)]
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
                    pick_up(item),
                    *(pick_up(other) for other in others[:4]),
                    *other_movables(facts, dice, [item, *others], 1),
                ]
                options = list({option.text: option for option in options}.values())
                dice.shuffle(options)
                texts = [
                    f"Grab the {item.colour} thing on {at} and hold it.",
                    f"Pick up what is {item.colour} on {at}.",
                    f"On {at} something is {item.colour}. Take it.",
                ]
                yield action_task(
                    _CATEGORY, "one moved", "grab_by_colour", texts, options, [Predicate(Check.GRAB, item.name)]
                )


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
        more = other_places(facts, dice, (support.name,))
        options = [
            pick_up(one),
            pick_up(two),
            Option(Act.PLACE_TO, f"place it on {at}", ("goal",)),
            *(option for option, _ in more),
            *other_movables(facts, dice, [one, two], 1),
        ]
        dice.shuffle(options)
        texts = [
            f"Put {x} and {y} on {at}.",
            f"Bring both {x} and {y} to {at} and leave them there.",
            f"Collect {x} and {y}: both belong on {at}.",
        ]
        predicates = [
            is_grabbed(one),
            is_grabbed(two),
            Predicate(Check.AT, one.name, "goal"),
            Predicate(Check.AT, two.name, "goal"),
        ]
        yield action_task(
            _CATEGORY, "several", "move_two", texts, options, predicates, [place, *(place for _, place in more)]
        )


def switch_two(facts: Facts, dice: Random) -> Iterator[Draft]:
    """Switch two things."""
    devices = [(item, name) for item, name in named(facts, facts.items) if item.name in facts.scene.states]
    for (one, x), (two, y) in pairwise(devices):
        verbs, options = [], []
        for item, name in ((one, x), (two, y)):
            value = "off" if facts.scene.states[item.name] == "on" else "on"
            verbs.append(f"turn {value} {name}")
            options.append(Option(Act.SPECIAL, verbs[-1], (item.name,), effects=(f"state: {item.name}={value}",)))
        options += other_movables(facts, dice, [], 2)
        dice.shuffle(options)
        texts = [
            f"{verbs[0]} and {verbs[1]}.",
            f"Do two things here: {verbs[0]}, and {verbs[1]}.",
            f"Please {verbs[1]}. Also {verbs[0]}.",
        ]
        yield action_task(_CATEGORY, "several", "switch_two", texts, options, [is_done(verb) for verb in verbs])


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
                    pick_up(item),
                    Option(Act.SPECIAL, verb, (target.name, item.name), needs=(f"holding: {item.name}",)),
                    Option(Act.PLACE_TO, f"place it on {at}", ("goal",)),
                    *other_movables(facts, dice, [item], 2),
                ]
                dice.shuffle(options)
                texts = [
                    f"Take {name}, {verb}, and leave it on {at}.",
                    f"First {verb} with {name}; then put it on {at}.",
                    f"Fetch {name} and {verb}. Afterwards it goes on {at}.",
                ]
                texts[1] = f"Get {name} to {verb}; then put it on {at}."
                yield action_task(
                    _CATEGORY,
                    "several",
                    "use_and_put",
                    texts,
                    options,
                    [is_grabbed(item), is_done(verb), Predicate(Check.AT, item.name, "goal")],
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
            more = other_places(facts, dice, (box.name,))
            options = [
                Option(opening, f"open {at}", (box.name,)),
                Option(closing, f"close {at}", (box.name,)),
                pick_up(item),
                Option(Act.PLACE_TO, f"place it in {at}", ("goal",)),
                *(option for option, _ in more),
                *other_movables(facts, dice, [item], 1),
            ]
            dice.shuffle(options)
            texts = [
                f"Open {at} and put {name} inside.",
                f"Put {name} into {at}.",
                f"Store {name} in {at}, which is shut.",
            ]
            predicates = [is_grabbed(item), Predicate(Check.AT, item.name, "goal")]
            yield action_task(
                _CATEGORY, "open", "put_inside", texts, options, predicates, [place, *(place for _, place in more)]
            )
    for window, name in named(facts, facts.of("window")):
        verb = f"open {name}"
        options = [
            Option(Act.SPECIAL, verb, (window.name,), effects=(f"state: {window.name}=open",), distance=1.3),
            *other_movables(facts, dice, [], 2),
        ]
        texts = [f"Go and open {name}.", f"It is hot in here. Please open {name}.", f"Let some air in: open {name}."]
        yield action_task(_CATEGORY, "open", "open_window", texts, options, [is_done(verb)])


TEMPLATES: tuple[Template, ...] = (
    switch,
    tool,
    move_one,
    move_colour,
    move_several,
    switch_two,
    use_and_put,
    put_inside,
)
"""All templates of this module."""
