"""Directions as hours of a clock on the floor around a robot or a chair: marked things are at 2 or 7 o'clock."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from random import Random

from evals.families import rules
from evals.families.around import Around
from evals.families.facing import wrapped

ASKED, OFFERED = 4, 6
"""The numbers of things and of offered hours."""
OFF = 10.0
"""The largest angle between a thing and its hour; all other offered hours are 20 degrees further off."""
HOURS: Mapping[str, float] = {f"{hour} o'clock": wrapped(-30.0 * hour) for hour in range(1, 13)}
"""The bearings of hours: 12 is ahead, 3 is right."""


def hour_at(bearing: float, offered: Collection[str] = tuple(HOURS)) -> str:
    """The offered hour that is nearest to a direction."""
    return min(offered, key=lambda hour: abs(wrapped(bearing - HOURS[hour])))


def on_clock(around: Around, dice: Random) -> tuple[dict[str, str], tuple[str, ...]] | None:
    """Things with their hours, and all offered hours; None if the hours are the same for the viewer."""
    found: dict[str, str] = {}
    for name in rules.shuffled(around.bearings, dice):
        hour = hour_at(around.bearings[name])
        if len(found) < ASKED and hour not in found.values():
            more = {**found, name: hour}
            if all(_plain(around.bearings[one], own, more.values()) for one, own in more.items()):
                found = more
    if len(found) < ASKED or rules.crowded(around.view, found):
        return None
    offered = list(found.values())
    for hour in rules.shuffled(HOURS, dice):
        more_hours = [*offered, hour]
        plain = all(_plain(around.bearings[name], own, more_hours) for name, own in found.items())
        if hour not in offered and plain and len(offered) < OFFERED:
            offered = more_hours
    viewer = {name: hour_at(around.viewers[name], offered) for name in found}
    if len(offered) < OFFERED or viewer == found:
        return None
    return found, tuple(sorted(offered, key=list(HOURS).index))


def _plain(bearing: float, own: str, offered: Collection[str]) -> bool:
    """Whether a thing is clearly at one of some hours."""
    off = abs(wrapped(bearing - HOURS[own]))
    others = (abs(wrapped(bearing - HOURS[hour])) for hour in offered if hour != own)
    return off <= OFF and all(other >= off + rules.DEGREES for other in others)
