"""What programs without eyes know of a recipe, and the panel of them over a set of our own."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from envs.render.marks import Box, Point
from evals.families import known as knowing
from evals.families.base import Recipe, Shot
from evals.families.known import chance, known, known_of
from evals.questions.__main__ import main
from evals.questions.known import Known, Spot
from models.base import Kind
from tests.envs.shots.looks import KITCHEN, LEFT, RIGHT, kitchen
from tests.evals.families.toys import toy


def marked(name: str, text: str, eye: object = RIGHT) -> Point:
    spot = kitchen().view(eye).spot(name)  # type: ignore[arg-type]
    assert spot is not None
    return Point(spot.x, spot.y, text)


def framed(name: str, colour: str) -> Box:
    frame = kitchen().view(RIGHT).frame(name)
    assert frame is not None
    return Box(*frame, colour=colour)


def about(kind: Kind, answer: tuple[object, ...], options: tuple[str, ...], *shots: Shot) -> Recipe:
    return replace(toy(kind, "Which is closest?", answer, options=options), situation=KITCHEN, shots=shots, id="q")


MARKS = (marked("box_1", "1"), marked("bottle_1", "2"), framed("hardback_1", "red"))


def test_marks_are_known_with_their_pixels() -> None:
    options = ("the object marked 1", "the object marked 2")
    found = known_of(about(Kind.CHOICE, (1,), options, Shot(RIGHT, MARKS)))
    view = kitchen().view(RIGHT)
    assert found.spots == {
        "1": Spot(MARKS[0].x, MARKS[0].y, view.pixels("box_1")),
        "2": Spot(MARKS[1].x, MARKS[1].y, view.pixels("bottle_1")),
    }
    assert found.anchor is not None
    assert found.anchor.area == view.pixels("hardback_1")
    frame = MARKS[2]
    assert isinstance(frame, Box)
    assert (found.anchor.x, found.anchor.y) == ((frame.left + frame.right) / 2, (frame.top + frame.bottom) / 2)
    assert (found.answer, found.scene) == ("the object marked 2", KITCHEN.home)


def test_what_is_asked_for_by_its_kind_is_known_by_it() -> None:
    found = known_of(about(Kind.CHOICE, (0,), ("box", "vase", "bottle"), Shot(RIGHT, MARKS)))
    assert found.spots["box"] == found.spots["1"]
    assert found.spots["bottle"] == found.spots["2"]
    assert "vase" not in found.spots


def test_boxes_that_options_name_are_no_anchor() -> None:
    shot = Shot(RIGHT, (framed("box_1", "red"), framed("bottle_1", "blue")))
    found = known_of(about(Kind.CHOICE, (0,), ("the red box", "the blue box"), shot))
    assert set(found.spots) == {"red", "blue"}
    assert found.anchor is None


def test_each_picture_has_its_marks() -> None:
    shots = (Shot(RIGHT, (framed("box_1", "red"),)), Shot(LEFT, (marked("box_1", "1", LEFT),)))
    recipe = replace(about(Kind.MATCHING, (0,), ("point 1",), *shots), items=("the red box",))
    found = known_of(recipe)
    assert {name: spot.picture for name, spot in found.spots.items()} == {"red": 0, "1": 1}
    assert found.anchor is None


def test_other_words_are_right_too() -> None:
    found = known_of(about(Kind.TEXT, (("cup", "mug"),), (), Shot(RIGHT)))
    assert found.right("mug")
    assert not found.right("bowl")


def test_several_orders_are_right() -> None:
    recipe = about(Kind.ORDER, ((0, 1, 2, 3), (1, 0, 2, 3)), ("a", "b", "c", "d"), Shot(RIGHT))  # type: ignore[arg-type]
    found = known_of(recipe)
    assert found.right(("A", "B", "C", "D"))
    assert found.right(("B", "A", "C", "D"))
    assert not found.right(("B", "A", "D", "C"))
    assert found.chance == pytest.approx(2 / 24)


def test_recipes_are_known_in_their_order() -> None:
    listed = [replace(about(Kind.NUMBER, (n,), (), Shot(RIGHT)), id=f"q{n}") for n in (3, 1, 2)]
    assert [one.id for one in known(listed)] == ["q3", "q1", "q2"]


SPOTS = {str(number): Spot(number, number) for number in range(1, 6)}


def judged(*pairs: tuple[int, int]) -> Known:
    options = tuple(f"Object {a} is closer than object {b}." for a, b in pairs)
    return Known("q", Kind.JUDGEMENTS, "?", ("1",) * len(pairs), options, spots=SPOTS)


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        (((1, 2), (3, 4)), 1 / 4),
        (((1, 2), (2, 3), (3, 1)), 1 / 6),
        # 1 before 2 before 3: one order of six. 1 and 3 before 2: two of six.
        (((1, 2), (2, 3)), 2 / 6),
        (((1, 2), (3, 2)), 2 / 6),
        (((1, 2), (1, 3), (1, 4)), 6 / 24),
    ],
)
def test_statements_on_the_same_marks_are_easier_than_they_look(
    pairs: tuple[tuple[int, int], ...], expected: float
) -> None:
    assert chance(judged(*pairs)) == pytest.approx(expected)
    assert expected >= 1 / 2 ** len(pairs)


@pytest.mark.parametrize("options", ["Object 1 is there.", "Object 1 is between object 2 and object 3."])
def test_other_statements_are_as_likely_as_not(options: str) -> None:
    assert chance(Known("q", Kind.JUDGEMENTS, "?", ("1",), (options,), spots=SPOTS)) is None


def test_chance_by_form() -> None:
    def one(kind: Kind, answer: object, options: int) -> float | None:
        return chance(Known("q", kind, "?", answer, tuple("abcdefgh"[:options])))  # type: ignore[arg-type]

    sets = [chosen for chosen in product((0, 1), repeat=5) if 0 < sum(chosen) < 5]
    assert one(Kind.CHOICES, ("A", "B"), 5) == pytest.approx(1 / len(sets))
    assert one(Kind.MATCHING, ("A", "C", "B"), 4) == pytest.approx(1 / 24)
    assert one(Kind.MATCHING, ("A", "A", "B"), 4) is None
    assert one(Kind.NUMBER, 3.0, 0) == pytest.approx(1 / 11)
    assert one(Kind.CHOICE, "a", 5) is None


def leaky(count: int, *, leak: bool) -> list[Known]:
    """Questions whose answer is always the mark lowest in the picture, or any."""
    from tests.evals.leaky_sets import a_set, by, by_dice

    return a_set(by(lambda spot: spot.y) if leak else by_dice, count, (Kind.CHOICE,))


@pytest.mark.parametrize(("leak", "code"), [(True, 1), (False, 0)])
def test_the_command_finds_a_leak(
    leak: bool, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(knowing, "known", lambda recipes, workers: leaky(60, leak=leak))
    csv = tmp_path / "rates.csv"
    assert main(["leaks", "erqa_plus", "--errors", "4", "--by", "type", "--csv", str(csv)]) == code
    out = capsys.readouterr().out
    assert "lower first" in out
    assert "0 rates are above chance" in out or leak
    assert csv.read_text().startswith("group,")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["leaks", "erqa_plu"], "Did you mean 'erqa_plus'"),
        (["leaks", "viplan"], "no set of questions"),
        (["leaks", "erqa_plus", "--set", "category"], "NAME=VALUE"),
        (["leaks", "erqa_plus", "--set", "category=countin"], "Did you mean 'Counting'"),
        (["leaks", "erqa_plus", "--set", "datum=x"], "datum"),
    ],
)
def test_what_cannot_be_used_is_one_line(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_a_set_without_recipes_is_known_by_its_words(tmp_path: Path) -> None:
    from evals.erqa_plus.benchmark import BENCHMARK
    from tests.evals.published_files import plus_rows, write_parquet

    write_parquet(tmp_path / "test-0.parquet", plus_rows())
    found = BENCHMARK.known(BENCHMARK.settings(model="oracle", data=str(tmp_path), partial=True))
    assert json.dumps([one.spots for one in found]) == json.dumps([{}] * len(plus_rows()))
