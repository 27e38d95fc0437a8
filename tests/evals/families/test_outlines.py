"""Outlines from above: both ways find those of known things."""

from __future__ import annotations

from collections import Counter

import pytest

from evals.families.outlines import CIRCLE, LONG, RECTANGLE, SQUARE, _named, outline, seen_outline
from tests.envs.shots.looks import kitchen


def test_known_things_have_their_outlines() -> None:
    moment = kitchen()
    kinds: Counter[tuple[str, str]] = Counter()
    for name in moment.movables:
        one, other = outline(moment, name), seen_outline(moment, name)
        assert one == other or None in (one, other), name
        kinds[moment.thing(name).kind, str(one)] += 1
    assert kinds["bottle", CIRCLE]
    assert kinds["box", RECTANGLE]


@pytest.mark.parametrize(
    ("sides", "filled", "named"),
    [
        ((1.0, 1.0), 1.0, SQUARE),
        ((LONG, 1.0), LONG, RECTANGLE),
        ((LONG - 0.01, 1.0), LONG, None),
        ((1.0, 1.0), 0.785, CIRCLE),
        ((1.0, 1.0), 0.5, None),
    ],
)
def test_doubtful_outlines_have_no_name(sides: tuple[float, float], filled: float, named: str | None) -> None:
    assert _named(*sides, filled) == named
