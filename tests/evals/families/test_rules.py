"""The rules that all questions obey, each at its boundary."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from evals.families import rules
from evals.families.base import Recipe
from models.base import Kind
from tests.envs.shots.looks import KITCHEN, RIGHT, kitchen
from tests.evals.families.toys import toy


@pytest.mark.parametrize(
    ("a", "b", "apart"),
    [
        (0.5, 0.62, True),
        (0.5, 0.619, False),
        (1.76, 2.0, True),
        (1.77, 2.0, False),
        (2.0, 1.76, True),
        (1.0, 1.0, False),
    ],
)
def test_distances_differ_by_12_centimetres_and_12_percent(a: float, b: float, apart: bool) -> None:
    assert rules.far_apart(a, b) is apart


@pytest.mark.parametrize(
    ("a", "b", "apart"), [(0.1, 0.1401, True), (0.1, 0.139, False), (0.85, 1.0, True), (0.851, 1.0, False)]
)
def test_sizes_differ_by_4_centimetres_and_15_percent(a: float, b: float, apart: bool) -> None:
    assert rules.sized_apart(a, b) is apart


@pytest.mark.parametrize(("a", "b", "apart"), [(0, 20, True), (0, 19.9, False), (350, 10, True), (-175, 170, False)])
def test_directions_differ_by_20_degrees(a: float, b: float, apart: bool) -> None:
    assert rules.turned_apart(a, b) is apart


def test_all_values_are_told_apart() -> None:
    assert rules.all_apart([3.0, 1.0, 2.0], rules.far_apart)
    assert not rules.all_apart([3.0, 1.0, 2.0, 1.1], rules.far_apart)
    assert rules.all_apart([1.0], rules.far_apart)


def test_some_things_are_told_apart() -> None:
    values = {name: 1.0 + 0.06 * number for number, name in enumerate("abcdefghij")}
    chosen = rules.some_apart(values, 3, rules.far_apart, Random(1))
    assert chosen is not None
    assert len(chosen) == 3
    assert rules.all_apart([values[name] for name in chosen], rules.far_apart)
    assert rules.some_apart(values, 5, rules.far_apart, Random(1)) is None


def test_as_many_as_can_be_are_told_apart() -> None:
    values = {name: 1.0 + 0.06 * number for number, name in enumerate("abcdefghij")}
    most = rules.most_apart(values, rules.far_apart)
    assert most[0] == "a"
    assert all(rules.far_apart(values[one], values[other]) for one, other in pairwise(most))
    assert most == ["a", "d", "g"]
    assert rules.most_apart({}, rules.far_apart) == []


def test_what_is_marked_is_seen_well_enough() -> None:
    view = kitchen().view(RIGHT)
    names = [name for name in view.seen if name.rpartition("_")[0] in ("cup", "box", "bottle")]
    found = rules.markable(view, [*names, "ball_1"])
    assert "ball_1" not in found
    for name in found:
        spot = view.spot(name)
        assert spot is not None
        assert spot.room >= rules.ROOM
        assert view.clear(name)


def test_marks_do_not_lie_on_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    view = kitchen().view(RIGHT)
    one, other = view.spot("box_1"), view.spot("bottle_1")
    assert one is not None
    assert other is not None
    far = ((one.x - other.x) ** 2 + (one.y - other.y) ** 2) ** 0.5
    monkeypatch.setattr(rules, "BETWEEN", far)
    assert not rules.crowded(view, ["box_1", "bottle_1"])
    monkeypatch.setattr(rules, "BETWEEN", far + 0.001)
    assert rules.crowded(view, ["box_1", "bottle_1"])


def test_marks_are_read_back_from_the_picture() -> None:
    view, names = kitchen().view(RIGHT), ["box_1", "bottle_1", "cup_2"]
    labels, marks = rules.numbered(view, names, Random(3), "hardback_1")
    assert set(labels.values()) == {"1", "2", "3"}
    shot = toy(Kind.NUMBER, "?", (1,)).shots[0]
    recipe = Recipe("toys", "Toys", Kind.NUMBER, KITCHEN, (type(shot)(RIGHT, marks),), "?", (1,))
    assert rules.marked_things(recipe, view) == {label: name for name, label in labels.items()}
    assert rules.boxed_thing(recipe, view) == "hardback_1"
    assert list(rules.options_of(labels).values()) == [f"the object marked {number}" for number in (1, 2, 3)]
    for name, text in rules.options_of(labels).items():
        assert text.endswith(labels[name])


@pytest.mark.parametrize(
    ("kind", "answer"),
    [
        (Kind.CHOICE, (2,)), (Kind.CHOICES, (0, 3)), (Kind.ORDER, (3, 1, 0, 2)), (Kind.JUDGEMENTS, (1, 0, 0, 1)),
        (Kind.MATCHING, (2, 0, 2)),
    ],
)  # fmt: skip
@pytest.mark.parametrize("seed", range(4))
def test_dealt_options_have_the_same_answer(kind: Kind, answer: tuple[int, ...], seed: int) -> None:
    recipe = toy(kind, "?", answer, options=("a", "b", "c", "d"))
    dealt = rules.dealt(recipe, Random(seed))
    assert sorted(dealt.options) == list("abcd")
    if kind is Kind.JUDGEMENTS:
        assert dict(zip(dealt.options, dealt.answer, strict=True)) == dict(zip("abcd", answer, strict=True))
    elif kind is Kind.CHOICES:
        assert {dealt.options[place] for place in dealt.answer} == {"a", "d"}
        assert list(dealt.answer) == sorted(dealt.answer)
    else:
        assert [dealt.options[place] for place in dealt.answer] == ["abcd"[place] for place in answer]


@pytest.mark.parametrize("letter", range(4))
def test_the_right_option_goes_where_it_is_wanted(letter: int) -> None:
    dealt = rules.dealt(toy(Kind.CHOICE, "?", (1,), options=tuple("abcd")), Random(5), letter)
    assert dealt.answer == (letter,)
    assert dealt.options[letter] == "b"
    assert sorted(dealt.options) == list("abcd")


def test_a_question_without_options_is_left_as_it_is() -> None:
    recipe = toy(Kind.NUMBER, "?", (4,))
    assert rules.dealt(recipe, Random(1)) == recipe
