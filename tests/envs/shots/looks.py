"""A kitchen with a few things, and cameras that look at its table from two sides."""

from __future__ import annotations

import hashlib

from envs.household.home.draft import Need
from envs.shots.cameras import Free, Head
from envs.shots.moment import Moment, open_moment
from envs.shots.situation import Situation

NEEDS = (
    Need("table_1", "table", room="kitchen"),
    Need("cup_1", "cup", on="table_1"),
    Need("bottle_1", "bottle", on="table_1"),
    Need("box_1", "box", on="table_1"),
    Need("cup_2", "cup", on="table_1"),
    Need("hardback_1", "hardback", on="table_1"),
    Need("ball_1", "ball", room="kitchen"),
)
KITCHEN = Situation("core", 99346, NEEDS)
THINGS = tuple(need.name for need in NEEDS[1:])
RIGHT = Free((8.056, 1.76, 1.5), (6.856, 1.76, 0.748))
LEFT = Free((5.656, 1.76, 1.5), (6.856, 1.76, 0.748))
HEAD = Head(8.1, 1.7, 3.1, 0.5)


def kitchen() -> Moment:
    """The kitchen, built once for all tests."""
    return open_moment(KITCHEN)


def digest() -> str:
    """Of a picture with its marks."""
    from random import Random

    from evals.families import rules

    view = kitchen().view(RIGHT)
    _, marks = rules.numbered(view, ["bottle_1", "box_1", "cup_2"], Random(1), "hardback_1")
    return hashlib.sha256(view.png(marks)).hexdigest()
