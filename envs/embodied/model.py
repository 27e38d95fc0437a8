"""Scenes and tasks of the embodied world as plain data.

Lengths are in metres, z up, as in the household, from whose parts scenes are made. Names of options, predicates and
their parameters are those of EmbodiedEval's task files.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Literal, TypeAlias

from envs.household.home.model import Home, Placed, Thing
from envs.render.scene import Vector

if TYPE_CHECKING:
    from envs.embodied.graph import NavigationGraph

Group: TypeAlias = Literal["room", "flat", "house", "public"]
Posture: TypeAlias = Literal["stand", "sit", "lie", "point", "wave", "beckon", "hand out"]

CATEGORIES: Mapping[str, str] = {
    "AttributeQA": "attribute_qa",
    "SpatialQA": "spatial_qa",
    "Navigation": "navigation",
    "ObjectInteraction": "object_interaction",
    "SocialInteraction": "social_interaction",
}
"""The original's names of the five categories, with ours."""


@dataclass(frozen=True, slots=True)
class Traits:
    """The fixed properties of a thing. `text` is printed on it. States are no traits, because they change."""

    noun: str
    plural: str
    colour: str
    material: str
    shape: str
    use: str
    text: str = ""
    group: str = ""


@dataclass(frozen=True, slots=True)
class Person:
    """A person in a scene. Garments and hair are named colours; an empty hat or empty glasses mean none.

    `name` is also the name of the figure among the things of the home. `target` is the thing that a person points at.
    """

    name: str
    noun: str
    posture: Posture
    hair: str
    shirt: str
    trousers: str
    shoes: str
    hat: str = ""
    glasses: str = ""
    target: str = ""
    seat: str = ""


@dataclass(frozen=True, eq=False)
class Scene:
    """A furnished place with its people and the graph that one walks along.

    `home.placed` holds every thing, people too. `variants` are the looks of things with states, by name and state;
    `states` are their states at the start.
    """

    name: str
    group: Group
    home: Home
    people: tuple[Person, ...]
    states: Mapping[str, str]
    variants: Mapping[str, Mapping[str, Thing]]
    traits: Mapping[str, Traits]
    graph: NavigationGraph
    placed: Mapping[str, Placed] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "placed", {placed.thing.name: placed for placed in self.home.placed})

    def room_of(self, point: Vector) -> str:
        """The name of the room that a point is in; empty between rooms."""
        for room in self.home.rooms:
            x0, y0, x1, y1 = room.corners
            if x0 <= point[0] <= x1 and y0 <= point[1] <= y1:
                return room.name
        return ""


class Act(StrEnum):
    """The types of options, as the original calls them."""

    ANSWER = "Answer"
    PICK_UP = "PickUp"
    PLACE_TO = "PlaceTo"
    OPEN_DOOR = "OpenDoor"
    CLOSE_DOOR = "CloseDoor"
    OPEN_DRAWER = "OpenDrawer"
    CLOSE_DRAWER = "CloseDrawer"
    SPECIAL = "SpecialAction"


@dataclass(frozen=True, slots=True)
class Place:
    """A named point: where something is to be put, or where the agent is to go.

    `support` is the thing it lies on or in; without one, it is on the floor.
    """

    name: str
    position: Vector
    support: str = ""


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a task, in addition to moves.

    PickUp, Open… and Close… act on one of `objects`, PlaceTo on one of the places in `objects`: the nearest that is in
    view and near. SpecialAction needs all of them, in view and near or in hand. `needs` are further conditions
    (`done: TEXT` of another option, `state: THING=STATE`, `holding: THING`); `effects` what a special action changes
    (`state: THING=STATE`, `give: PERSON`); `reply` is what a person answers.
    """

    act: Act
    text: str
    objects: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    effects: tuple[str, ...] = ()
    reply: str = ""
    distance: float = 1.0


class Check(StrEnum):
    """The types of predicates, as the original calls them."""

    CHOOSE = "choose"
    AGENT_AT = "agent_at"
    AGENT_PASS = "agent_pass"
    AGENT_NEAR = "agent_near"
    AT = "at"
    GRAB = "grab"
    GRAB_ONCE = "grab_once"
    SPECIAL = "special_action_success"


@dataclass(frozen=True, slots=True)
class Predicate:
    """One condition of success. Which of the fields count depends on the check."""

    check: Check
    thing: str = ""
    place: str = ""
    value: str = ""


@dataclass(frozen=True, slots=True)
class Start:
    """Where the agent begins: a point of the graph, and one of its headings, by their numbers."""

    point: int
    heading: int


@dataclass(frozen=True, slots=True)
class Task:
    """One task: a text, its options, and the predicates that must hold in the end.

    `evidence` are the things that must be seen before answering. `steps` is the length of the shortest solution.
    `kind` is the sub-kind within the category, `template` and `wording` say how the text was made.
    """

    id: str
    category: str
    kind: str
    template: str
    wording: int
    scene: str
    text: str
    start: Start
    options: tuple[Option, ...]
    predicates: tuple[Predicate, ...]
    places: tuple[Place, ...] = ()
    evidence: tuple[str, ...] = ()
    steps: int = 0

    @property
    def answers(self) -> tuple[str, ...]:
        """The answers that can be chosen."""
        return tuple(option.text for option in self.options if option.act is Act.ANSWER)

    @property
    def answer(self) -> str | None:
        """The right one."""
        return next((predicate.value for predicate in self.predicates if predicate.check is Check.CHOOSE), None)
