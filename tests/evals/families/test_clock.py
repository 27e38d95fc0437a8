"""Directions as hours: against angles of the test's own."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from evals.families import rules
from evals.families.around import ROBOT_WHO
from evals.families.clock import HOURS, OFFERED, hour_at, on_clock


class Ring:
    """Things all round, at known bearings."""

    def __init__(self, bearings: dict[str, float], turned: float = 100.0) -> None:
        self.bearings, self.view, self.who = bearings, None, ROBOT_WHO
        self.viewers = {name: bearing + turned for name, bearing in bearings.items()}


@pytest.fixture(autouse=True)
def no_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "crowded", lambda view, names: False)


def on(ring: Any, seed: int = 0) -> tuple[dict[str, str], tuple[str, ...]] | None:
    return on_clock(ring, Random(seed))


def test_hours_go_round_to_the_right() -> None:
    assert HOURS["12 o'clock"] == 0.0
    assert HOURS["3 o'clock"] == -90.0
    assert HOURS["9 o'clock"] == 90.0
    assert hour_at(-31.0) == "1 o'clock"
    assert hour_at(179.0) == "6 o'clock"
    assert hour_at(-31.0, ("11 o'clock", "3 o'clock")) == "3 o'clock"


def test_things_are_at_their_hours() -> None:
    found = on(Ring({"a": 2.0, "b": -91.0, "c": 176.0, "d": 63.0}))
    assert found is not None
    hours, offered = found
    assert hours == {"a": "12 o'clock", "b": "3 o'clock", "c": "6 o'clock", "d": "10 o'clock"}
    assert len(offered) == OFFERED
    assert set(hours.values()) < set(offered)


@pytest.mark.parametrize("bearing", [10.5, 15.0])
def test_what_is_between_two_hours_is_not_asked_about(bearing: float) -> None:
    assert on(Ring({"a": bearing, "b": -91.0, "c": 176.0, "d": 63.0})) is None


def test_what_the_viewer_would_say_is_not_asked() -> None:
    assert on(Ring({"a": 2.0, "b": -91.0, "c": 176.0, "d": 63.0}, turned=0.0)) is None
