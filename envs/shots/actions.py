"""Actions that prepare a home before a picture is taken: small frozen dataclasses that serialise to JSON.

to_json(Open("cabinet_1", 0.8)) == ["open", "cabinet_1", 0.8]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from math import radians
from typing import TYPE_CHECKING, Any, TypeAlias

from planners.names import unknown

if TYPE_CHECKING:
    from envs.household.home.simulation import Simulation
    from envs.render.scene import Vector

_OUTSIDE = -200.0
"""The x coordinate of removed things: far away, in no room."""


@dataclass(frozen=True, slots=True)
class Open:
    """Set how far the leaves of a thing are open, from 0 to 1. The contents of drawers move along."""

    thing: str
    opening: float = 1.0

    def do(self, sim: Simulation) -> None:
        """Carry it out."""
        sim.set_opening(self.thing, self.opening)


@dataclass(frozen=True, slots=True)
class Put:
    """Put a movable at a position, rolled about its x axis, then turned about the vertical; in degrees.

    It stays there, even in the air, until a `Settle`.
    """

    thing: str
    position: Vector
    yaw: float = 0.0
    roll: float = 0.0

    def do(self, sim: Simulation) -> None:
        """Carry it out."""
        from envs.household.home.model import Pose
        from envs.household.home.things.turns import about, after

        turn = after(about("z", radians(self.yaw)), about("x", radians(self.roll)))
        sim.put(self.thing, Pose(self.position, turn))


@dataclass(frozen=True, slots=True)
class Remove:
    """Take a movable out of the home."""

    thing: str

    def do(self, sim: Simulation) -> None:
        """Carry it out."""
        from envs.household.home.model import Pose

        number = [placed.thing.name for placed in sim.home.placed].index(self.thing)
        sim.put(self.thing, Pose((_OUTSIDE - 2.0 * number, 0.0, 0.0)))


@dataclass(frozen=True, slots=True)
class Hold:
    """Put a movable into the robot's hand."""

    thing: str

    def do(self, sim: Simulation) -> None:
        """Carry it out."""
        sim.hold(self.thing)


@dataclass(frozen=True, slots=True)
class Release:
    """Open the robot's hand."""

    def do(self, sim: Simulation) -> None:
        """Carry it out."""
        sim.release()


@dataclass(frozen=True, slots=True)
class Drive:
    """Move the robot, with what it holds; angles in radians."""

    x: float
    y: float
    yaw: float
    tilt: float = 0.35

    def do(self, sim: Simulation) -> None:
        """Carry it out."""
        sim.move_robot(self.x, self.y, self.yaw, self.tilt)


@dataclass(frozen=True, slots=True)
class Settle:
    """Run the physics until everything is at rest, for at most `seconds`."""

    seconds: float = 3.0

    def do(self, sim: Simulation) -> None:
        """Carry it out."""
        sim.settle(self.seconds)


Action: TypeAlias = Open | Put | Remove | Hold | Release | Drive | Settle

_KINDS: Mapping[str, type[Any]] = {
    "open": Open,
    "put": Put,
    "remove": Remove,
    "hold": Hold,
    "release": Release,
    "drive": Drive,
    "settle": Settle,
}
_NAMES = {kind: name for name, kind in _KINDS.items()}


def to_json(action: Action) -> list[Any]:
    """The action as a list: its name, then its values."""
    values = (list(value) if isinstance(value, tuple) else value for value in astuple(action))
    return [_NAMES[type(action)], *values]


def from_json(entry: Sequence[Any]) -> Action:
    """The action that `to_json` wrote."""
    name, *values = entry
    if name not in _KINDS:
        raise unknown("action", str(name), _KINDS)
    made: Action = _KINDS[name](*(tuple(value) if isinstance(value, list) else value for value in values))
    return made
