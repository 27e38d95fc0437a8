"""Questions of distance against a computation of the test's own: a pinhole, depth, and the boxes of things."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from math import dist

import numpy as np
import pytest

from envs.render.marks import Box, Point
from envs.shots.cameras import HEIGHT, WIDTH
from evals.families import distance, family, rules
from evals.families.base import Recipe, Shot, moment_of, view_of
from evals.families.distance import _judge, _nearest, _sort
from evals.families.generate import proposals, verify
from evals.families.lines import Line
from models.base import Kind
from tests.envs.shots.looks import RIGHT, kitchen
from tests.evals.families.frozen import of_family, some


def met(recipe: Recipe, x: int, y: int) -> tuple[float, float, float]:
    """The point that a pixel shows, by a pinhole and the depth of the picture."""
    camera = recipe.shots[0].eye.camera
    here, there = np.array(camera.position), np.array(camera.target)
    ahead = (there - here) / np.linalg.norm(there - here)
    right = np.cross(ahead, (0.0, 0.0, 1.0))
    right /= np.linalg.norm(right)
    down = np.cross(ahead, right)
    focal = HEIGHT / camera.view
    depth = float(view_of(recipe).measured.depth[y, x])
    point = here + depth * (ahead + (x + 0.5 - WIDTH / 2) / focal * right + (y + 0.5 - HEIGHT / 2) / focal * down)
    return tuple(point.tolist())


def distances(recipe: Recipe) -> dict[str, float]:
    """How far each mark is from what the text asks about."""
    view, moment = view_of(recipe), moment_of(recipe)
    points = [mark for mark in recipe.shots[0].marks if isinstance(mark, Point)]
    if "red box" in recipe.text.partition(" than ")[0] and "closer to the camera" not in recipe.text:
        (box,) = (mark for mark in recipe.shots[0].marks if isinstance(mark, Box))
        rows, columns = np.mgrid[box.top : box.bottom, box.left : box.right]
        owners = Counter(
            view.owner(int(x), int(y)) for x, y in zip(columns.ravel()[::7], rows.ravel()[::7], strict=True)
        )
        boxed = next(name for name, _ in owners.most_common() if name in moment.movables)
        middle = np.array(moment.box(boxed)).mean(axis=0)
        things = {mark.text: str(view.owner(mark.x, mark.y)) for mark in points}
        return {text: dist(np.array(moment.box(name)).mean(axis=0), middle) for text, name in things.items()}
    origin = view.hand if "gripper" in recipe.text else recipe.shots[0].eye.camera.position
    assert origin is not None
    return {mark.text: dist(met(recipe, mark.x, mark.y), origin) for mark in points}


def numbers(recipe: Recipe) -> list[str]:
    return [option.removeprefix("the object marked ") for option in recipe.options]


@pytest.mark.parametrize(
    "words", ["red box", *(pytest.param(words, marks=pytest.mark.slow) for words in ("to the camera", "gripper"))]
)
def test_sorts_are_in_the_order_of_distances(words: str) -> None:
    for recipe in some("distance", Kind.ORDER, 1, words):
        far = distances(recipe)
        order = [numbers(recipe)[place] for place in recipe.answer]
        assert order == sorted(far, key=lambda text: far[text], reverse="the farthest first" in recipe.text)
        assert rules.all_apart(far.values(), rules.far_apart)
        assert len(order) >= 5


@pytest.mark.slow
def test_the_picture_seldom_suggests_what_is_nearest() -> None:
    suggested = []
    for recipe in some("distance", Kind.CHOICE, 4, "Which marked object is closest to the camera"):
        far = distances(recipe)
        right = numbers(recipe)[recipe.answer[0]]
        assert right == min(far, key=lambda text: far[text])
        marks = [mark for mark in recipe.shots[0].marks if isinstance(mark, Point)]
        suggested.append(right == max(marks, key=lambda mark: mark.y).text)
    assert sum(suggested) <= len(suggested) / 2


def test_statements_are_about_distances() -> None:
    (recipe,) = some("distance", Kind.JUDGEMENTS, 1, "")
    if "camera" in recipe.options[0]:
        far = distances(replace(recipe, text=recipe.options[0]))
        pairs = [
            [word.strip(".") for word in option.split() if word.strip(".").isdecimal()] for option in recipe.options
        ]
        assert recipe.answer == tuple(int(far[a] < far[b]) for a, b in pairs)
    assert set(recipe.answer) == {0, 1}


def test_a_wrong_answer_is_noticed() -> None:
    (recipe,) = some("distance", Kind.ORDER, 1)
    wrong = (recipe.answer[1], recipe.answer[0], *recipe.answer[2:])
    (difference,) = verify([replace(recipe, answer=wrong)])
    assert difference.answer == recipe.answer


def test_all_frozen_questions_keep_the_rules() -> None:
    for recipe in of_family("distance"):
        far = recipe.proof["far"].values()
        # What is counted differs from the thing in the red box, and not from each other.
        assert recipe.kind is Kind.NUMBER or rules.all_apart(far, rules.far_apart)
        if recipe.kind in (Kind.CHOICE, Kind.CHOICES):
            assert 5 <= len(recipe.options) <= 8
        if recipe.kind is Kind.ORDER:
            assert 5 <= len(recipe.options) <= 6
        if recipe.kind is Kind.NUMBER:
            assert 2 <= recipe.answer[0] <= 12


def line(order: list[str], monkeypatch: pytest.MonkeyPatch, misleading: list[list[str]]) -> Line:
    """Things on the table in some order of distance, and orders that the picture suggests: never let pass here."""
    monkeypatch.setattr(distance, "_OBVIOUS", 0.0)
    monkeypatch.setattr(Line, "misleading", lambda self: misleading)
    far = {name: 0.5 + 0.5 * number for number, name in enumerate(order)}
    return Line("camera", kitchen().view(RIGHT), far)


def test_a_question_that_the_picture_answers_is_void(monkeypatch: pytest.MonkeyPatch) -> None:
    from random import Random

    names = ["cup_2", "bottle_1", "hardback_1", "box_1", "cup_1"]
    turned = names[::-1]
    assert _sort(line(names, monkeypatch, [turned]), kitchen(), Random(1)) is not None
    assert _sort(line(names, monkeypatch, [turned, names]), kitchen(), Random(1)) is None
    assert _sort(line(names[:4], monkeypatch, [turned]), kitchen(), Random(1)) is None, "too few"
    assert _nearest(line(names, monkeypatch, [turned]), kitchen(), Random(1)) is not None
    assert _nearest(line(names, monkeypatch, [names]), kitchen(), Random(1)) is None
    assert _nearest(line(names[:4], monkeypatch, [turned]), kitchen(), Random(1)) is None, "too few"
    assert _judge(line(names, monkeypatch, [names]), kitchen(), Random(1)) is None, "nothing is turned round"
    made = _sort(line(names, monkeypatch, [turned]), kitchen(), Random(1))
    assert made is not None
    assert made.__closure__ is not None


def test_only_one_end_may_mislead(monkeypatch: pytest.MonkeyPatch) -> None:
    from random import Random

    from evals.families.scenes import Scene
    from tests.envs.shots.looks import KITCHEN

    names = ["cup_2", "bottle_1", "hardback_1", "box_1", "cup_1"]
    wrong_at_the_end = [names[0], *names[:0:-1]]
    for seed in range(3):
        made = _nearest(line(names, monkeypatch, [wrong_at_the_end]), kitchen(), Random(seed))
        assert made is not None
        recipe = made(Scene(KITCHEN, "kitchen", {}), Shot(RIGHT))
        assert recipe.text.startswith("Which marked object is farthest from the camera?")


@pytest.mark.slow
def test_proposals_are_verified_and_the_same_each_time() -> None:
    found = proposals("distance", 0, 4, ("sorting", "multiple-choice"))
    assert found
    assert found == proposals("distance", 0, 4, ("sorting", "multiple-choice"))
    assert {recipe.type for recipe in found} <= {"sorting", "multiple-choice"}
    assert all(family("distance").verify(recipe) == recipe.answer for recipe in found)
