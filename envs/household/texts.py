"""The texts of Household: description, actions, questions and goals."""

from __future__ import annotations

from planners.formula import Atom, Literal

DESCRIPTION = (
    "The picture shows a home through the eyes of a robot that acts in it: furniture, doors, windows and things that "
    "can be carried. The robot's gripper and what it holds show at the lower edge. Everything is called by its kind "
    "and a number, such as table_1. Where the picture has several things of one kind, a box with the name on it "
    "stands round each of them."
)

ACTION_HELP = """\
Not everything is in view, and the arm reaches only what is near: drive to a thing before you use it. If you still \
cannot reach it then, it may be inside something that is closed. One thing at a time can be held. Names are written as \
in the goal, such as table_1.

- `navigate-to`, with the parameter `object`: drive up to any object and look at it. It must be out of reach so far, \
and not be shut away in a closed container. The object is then within reach, and what lies in it too if it is an open \
container; everything else is no longer.
- `grasp`, with the parameter `object`: take a movable object that is within reach, with an empty hand. It is then no \
longer in, on or beside anything.
- `place-on`, with the parameters `object` and `support`: put the held object on top of something within reach. The \
hand is then empty.
- `place-next-to`, with the parameters `object` and `neighbour`: put the held object down beside something within \
reach. The hand is then empty.
- `place-inside`, with the parameters `object` and `container`: put the held object into a container that is open and \
within reach. The hand is then empty.
- `open-container`, with the parameter `container`: open something closed that is within reach (a cabinet, a \
refrigerator, a carton, a door, a window), with an empty hand. What lies in it is then within reach.
- `close-container`, with the parameter `container`: close something open that is within reach. What lies in it is \
then out of reach."""

UNKNOWN = (
    " Nobody says where the things are that can be carried: look for them. Furniture and rooms are known. After "
    "looking round a room there are four pictures, one in each direction."
)
LOOK_HELP = """
- `look-around`, with the parameter `room`: drive to an open spot of a room and look in all four directions. \
Everything is then out of reach.

Driving to something that can be carried is possible only if it was in view before, or if it is in or on something \
within reach. Furniture can be driven to at any time."""

SIGNATURES = {
    "grasp": ("object",),
    "place-on": ("object", "support"),
    "place-next-to": ("object", "neighbour"),
    "place-inside": ("object", "container"),
    "open-container": ("container",),
    "close-container": ("container",),
    "navigate-to": ("object",),
}


def question(atom: Atom) -> str:
    """The yes/no question that asks whether the atom is true."""
    match atom.predicate, atom.args:
        case "reachable", (thing,):
            return f"Is {thing} close enough for the robot's arm to reach it from here?"
        case "holding", (thing,):
            return f"Is {thing} in the robot's gripper?"
        case "open", (thing,):
            return f"Is {thing} open?"
        case "ontop", (upper, lower):
            return f"Does {upper} rest on top of {lower}?"
        case "nextto", (thing, neighbour):
            return f"Is {thing} right next to {neighbour}?"
        case "inside", (thing, container):
            return f"Is {thing} inside {container}?"
        case "visible", (thing,):
            return f"Can {thing} be seen here?"
        case _:
            raise ValueError(f"Household has no predicate like {atom}")


def goal_text(wanted: tuple[Literal, ...]) -> str:
    """One sentence for each fact of the goal."""
    return "\n".join(f"- {_sentence(literal)}" for literal in wanted)


def hint(thing: str, container: str) -> str:
    """The feedback to planner methods about a thing in a closed container."""
    return f"{thing} is inside {container}."


def _sentence(literal: Literal) -> str:
    (predicate, args), value = literal.atom, literal.value
    match predicate, args:
        case "open", (thing,):
            return f"{thing} is {'open' if value else 'closed'}."
        case "holding", (thing,):
            return f"The robot {'holds' if value else 'does not hold'} {thing}."
        case "reachable", (thing,):
            return f"{thing} is {'within' if value else 'out of'} reach of the robot."
        case (("ontop" | "nextto" | "inside"), (thing, place)):
            where = {"ontop": "on top of", "nextto": "next to", "inside": "inside"}[predicate]
            return f"{thing} is {'' if value else 'not '}{where} {place}."
        case _:
            raise ValueError(f"Household has no predicate like {literal.atom}")
