"""A situation: how a home is built, and the actions in it. The same situation always gives the same home."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from envs.household.home.draft import Need
from envs.shots.actions import Action
from envs.shots.actions import from_json as action_of
from envs.shots.actions import to_json as action_to

if TYPE_CHECKING:
    from envs.household.home.model import Home
    from envs.household.home.simulation import Simulation

Place = tuple[float, float, float]
"""The place of a robot: x, y and yaw."""


@dataclass(frozen=True, slots=True)
class Situation:
    """A home by floor plan, seed and needs, and the actions in it, in order.

    `others` are further robots: visible, but without physics.
    """

    layout: str
    seed: int
    needs: tuple[Need, ...] = ()
    actions: tuple[Action, ...] = ()
    others: tuple[Place, ...] = ()

    def after(self, *actions: Action) -> Situation:
        """The same situation with further actions."""
        return replace(self, actions=(*self.actions, *actions))

    def with_others(self, *places: Place) -> Situation:
        """The same situation with further robots."""
        return replace(self, others=(*self.others, *places))

    @property
    def home(self) -> str:
        """A hash that all situations in one home share; questions are clustered by it."""
        written = json.dumps(to_json(replace(self, actions=(), others=())), separators=(",", ":"))
        return hashlib.sha256(written.encode()).hexdigest()[:12]

    def build(self) -> Home:
        """The home before any action, cached. `NoRoom` if it cannot be built."""
        return _built(self.layout, self.seed, self.needs)

    def simulate(self) -> Simulation:
        """A new simulation of the home after all actions."""
        from envs.household.home.simulation import Simulation

        simulation = Simulation(self.build(), self.seed)
        for action in self.actions:
            action.do(simulation)
        return simulation


@lru_cache(maxsize=16)
def _built(layout: str, seed: int, needs: tuple[Need, ...]) -> Home:
    from envs.household.home.layout import build

    return build(layout, seed, needs)


_DEFAULTS: Mapping[str, Any] = {field.name: field.default for field in fields(Need)}


def to_json(situation: Situation) -> dict[str, Any]:
    """The situation as JSON, without empty fields."""
    written: dict[str, Any] = {"layout": situation.layout, "seed": situation.seed}
    if situation.needs:
        written["needs"] = [_need_to(need) for need in situation.needs]
    if situation.actions:
        written["actions"] = [action_to(action) for action in situation.actions]
    if situation.others:
        written["others"] = [list(place) for place in situation.others]
    return written


def from_json(entry: Mapping[str, Any]) -> Situation:
    """The situation that `to_json` wrote."""
    return Situation(
        entry["layout"],
        entry["seed"],
        tuple(_need_of(need) for need in entry.get("needs", ())),
        tuple(action_of(action) for action in entry.get("actions", ())),
        tuple((x, y, yaw) for x, y, yaw in entry.get("others", ())),
    )


def _need_to(need: Need) -> list[Any]:
    """`["cup_1", "cup", {"on": "table_1"}]`, without the kind if the name implies it."""
    stated = {
        name: list(value) if isinstance(value, tuple) else value
        for name, default in _DEFAULTS.items()
        if name not in ("name", "kind") and (value := getattr(need, name)) != default
    }
    kind = [] if need.name.rpartition("_")[0] == need.kind else [need.kind]
    return [need.name, *kind, *([stated] if stated else [])]


def _need_of(entry: Sequence[Any]) -> Need:
    name, *rest = entry
    stated: dict[str, Any] = dict(rest.pop()) if rest and isinstance(rest[-1], Mapping) else {}
    if "options" in stated:
        stated["options"] = tuple(stated["options"])
    return Need(name, rest[0] if rest else name.rpartition("_")[0], **stated)
