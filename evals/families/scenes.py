"""Random homes for questions: a room with movables on its furniture and on its floor."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from envs.household.home.draft import Need
from envs.household.home.layout import LAYOUTS
from envs.household.home.model import Thing
from envs.household.home.spots import fits
from envs.household.home.things import make
from envs.shots.situation import Situation

SUPPORTS: Mapping[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "kitchen": (("table", ()), ("counter", ()), ("table", ("round",))),
    "living room": (("table", ("coffee",)), ("cabinet", ()), ("shelf", ())),
    "bedroom": (("cabinet", ("drawers",)), ("bed", ()), ("table", ("desk",))),
    "study": (("table", ("desk",)), ("shelf", ()), ("cabinet", ("file",))),
    "garage": (("workbench", ()), ("shelf", ()), ("table", ())),
}
"""Kinds of rooms, and furniture that movables can lie on there: kind and options."""
FLOOR = "floor"


@dataclass(frozen=True, slots=True)
class Scene:
    """A situation, the kind of its main room, and the movables by their support: furniture or `floor`."""

    situation: Situation
    room: str
    places: Mapping[str, tuple[str, ...]]

    @property
    def movables(self) -> tuple[str, ...]:
        """All of them."""
        return tuple(name for names in self.places.values() for name in names)


def scene(
    room: str,
    supports: Sequence[tuple[str, tuple[str, ...]]],
    kinds: Mapping[int, Sequence[str]],
    dice: Random,
    floor: Sequence[str] = (),
) -> Scene:
    """A room with furniture; `kinds` are the kinds of the movables on each piece, by its index.

    Things too large for their furniture are put on the floor, like those in `floor`.
    """
    layout, seed = dice.choice(LAYOUTS), dice.randrange(100_000)
    numbers: Counter[str] = Counter()

    def name(kind: str) -> str:
        numbers[kind] += 1
        return f"{kind}_{numbers[kind]}"

    stands = [Need(name(kind), kind, options, room=room) for kind, options in supports]
    needs: list[Need] = []
    for number, some in (*kinds.items(), (None, floor)):
        for kind in some:
            mine, stand = name(kind), None if number is None else stands[number]
            lies = stand is not None and fits(make(kind, mine, seed), _made(stand, seed), within=False)
            needs.append(Need(mine, kind, on=stand.name) if lies and stand else Need(mine, kind, room=room))
    places: dict[str, tuple[str, ...]] = {}
    for place in (*(stand.name for stand in stands), None):
        lying = tuple(need.name for need in needs if need.on == place)
        if lying:
            places[place or FLOOR] = lying
    return Scene(Situation(layout, seed, (*stands, *needs)), room, places)


def _made(need: Need, seed: int) -> Thing:
    return make(need.kind, need.name, seed, need.options)


def mixed_room(dice: Random, kinds: Sequence[str], most: int) -> Scene:
    """A room with at most `most` movables of different kinds on two pieces of furniture and on the floor."""
    room = dice.choice(tuple(SUPPORTS))
    supports = dice.sample(SUPPORTS[room], 2)
    chosen = dice.sample(kinds, min(most, len(kinds)))
    first, second = round(0.4 * len(chosen)), round(0.7 * len(chosen))
    return scene(room, supports, {0: chosen[:first], 1: chosen[first:second]}, dice, chosen[second:])
