"""Places that a model points to, however it writes its JSON; nothing raises."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.parsing.answer import Unreadable
from models.parsing.points import MOST, points


@pytest.mark.parametrize(
    ("reply", "places"),
    [
        ("[[1, 0.25, 0.5]]", ("1 0.25 0.5",)),
        ("[[1, 0.25, 0.5], [2, 0, 1]]", ("1 0.25 0.5", "2 0 1")),
        ("```json\n[[1, 0.25, 0.5]]\n```", ("1 0.25 0.5",)),
        ("I see two:\n```\n[[1, .25, .5], [1, .75, .5]]\n```\nThat is all.", ("1 0.25 0.5", "1 0.75 0.5")),
        ("[[0.25, 0.5], [0.75, 0.5]]", ("1 0.25 0.5", "1 0.75 0.5")),
        ("[0.25, 0.5]", ("1 0.25 0.5",)),
        ("[1, 0.25, 0.5]", ("1 0.25 0.5",)),
        ('{"points": [[1, 0.25, 0.5]]}', ("1 0.25 0.5",)),
        ('[{"picture": 2, "x": 0.25, "y": 0.5, "label": "cup"}]', ("2 0.25 0.5",)),
        ('[{"image": "picture 2", "point": [0.25, 0.5]}]', ("2 0.25 0.5",)),
        ('{"picture": 2, "points": [[0.25, 0.5], [0.3, 0.5]]}', ("2 0.25 0.5", "2 0.3 0.5")),
        ("{'cup': [1, 0.25, 0.5], 'box': [1, 0.5, 0.5]}", ("1 0.25 0.5", "1 0.5 0.5")),
        ("<think>[[1, 0.9, 0.9]]</think>[[1, 0.25, 0.5]]", ("1 0.25 0.5",)),
        ("[[1, 0.25, 0.5], [1, 0.25, 0.5]]", ("1 0.25 0.5",)),
        ("[[1, 0.25, 0.5], [1, 25, 50]]", ("1 0.25 0.5",)),
        ("[[1, 0.25, 0.5], [1, 0.3, 0.", ("1 0.25 0.5",)),
        ("[]", ()),
    ],
)
def test_places_are_read(reply: str, places: tuple[str, ...]) -> None:
    assert points(reply) == places


@pytest.mark.parametrize(
    "reply",
    ["", "None.", "[[1, 25, 50]]", "[[0, 0.5, 0.5]]", "[[1.5, 0.5, 0.5]]", '["cup"]', "[[true, false]]", "(0.5, 0.5)"],
)
def test_what_is_no_place_is_unreadable(reply: str) -> None:
    assert isinstance(points(reply), Unreadable)


def test_more_places_than_anyone_would_point_to_are_left_out() -> None:
    read = points(str([[1, number / 100, 0.5] for number in range(90)]))
    assert isinstance(read, tuple)
    assert len(read) == MOST


@given(st.text(alphabet="[]{}0123456789.,:-e\"' picturexy", max_size=60))
def test_it_never_raises(reply: str) -> None:
    read = points(reply)
    assert isinstance(read, Unreadable) or all(len(place.split()) == 3 for place in read)
