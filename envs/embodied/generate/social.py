"""Templates of tasks with people: bring something, follow a pointing arm, talk, and come."""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot
from random import Random

from envs.embodied.generate.draft import Draft, Template, mixed
from envs.embodied.generate.facts import Facts, the
from envs.embodied.generate.options import action_task, is_done, is_grabbed, other_movables, pick_up
from envs.embodied.generate.walks import arrival, named, walk
from envs.embodied.model import Act, Check, Option, Person, Place, Predicate
from envs.embodied.words import words

_CATEGORY = "SocialInteraction"


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
                pick_up(item),
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
            options += other_movables(facts, dice, [item], 3)
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
            yield action_task(_CATEGORY, "deliver", "deliver", texts, options, [is_grabbed(item), is_done(hand)])
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
                yield action_task(
                    _CATEGORY, "deliver", "deliver_by_use", texts, options, [is_grabbed(item), is_done(hand)]
                )


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
            _CATEGORY,
            "pointing",
            "point_name",
            texts,
            right,
            mixed(dice, others, absent, right),
            (person.name, target.name),
        )
        stop = arrival(facts, target, "goal")
        if stop and not target.movable:
            texts = [
                f"I am {who}. Please go to what I am pointing at.",
                f"Walk to the thing that {who} points at.",
                f"Follow the pointing arm of {who} and stop at the thing it means.",
            ]
            draft = walk("pointing", "point_go", texts, stop)
            draft.category = _CATEGORY
            yield draft
        if target.movable:
            hand = f"hand it to {who}"
            options = [
                pick_up(target),
                Option(
                    Act.SPECIAL,
                    hand,
                    (person.name, target.name),
                    needs=(f"holding: {target.name}",),
                    effects=(f"give: {person.name}",),
                    distance=1.2,
                ),
                *other_movables(facts, dice, [target], 3),
            ]
            dice.shuffle(options)
            texts = [
                f"I am {who}. Bring me what I am pointing at.",
                f"Hand {who} the thing that is pointed at.",
                f"Fetch for {who} what the arm points at.",
            ]
            yield action_task(_CATEGORY, "pointing", "point_bring", texts, options, [is_grabbed(target), is_done(hand)])


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
            options += other_movables(facts, dice, [], 1)
            dice.shuffle(options)
            yield action_task(
                _CATEGORY, "talk", template, [text.format(who) for text in texts], options, [is_done(verb.format(who))]
            )
    if len(facts.people) == 2:
        verbs = [f"greet {_who(facts, person)}" for person in facts.people.values()]
        options = [
            Option(Act.SPECIAL, verb, (name,), reply="Hello!", distance=1.3)
            for verb, name in zip(verbs, facts.people, strict=True)
        ]
        yield action_task(
            _CATEGORY,
            "talk",
            "greet_all",
            [
                "Greet everybody who is here.",
                "Say hello to each person in this place.",
                "Go from person to person and greet them all.",
            ],
            [*options, *other_movables(facts, dice, [], 2)],
            [is_done(verb) for verb in verbs],
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
            draft = walk("come", "come_to_me", texts, stop)
            draft.category = _CATEGORY
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
                    _CATEGORY,
                    "come",
                    "find_me",
                    texts,
                    seat,
                    mixed(dice, others, [name for name in absent if name != seat], seat),
                    (person.name,),
                )


TEMPLATES: tuple[Template, ...] = (
    deliver,
    pointing,
    talk,
    come,
)
"""All templates of this module."""
