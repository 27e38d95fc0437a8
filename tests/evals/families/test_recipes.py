"""Recipes: written and read, and turned into items whose references the scorers accept."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest

from envs.shots.actions import Hold, Settle
from evals.families import recipes
from evals.families.base import TYPE_OF, Answer, Recipe, Shot, entry_of, from_json, reference, to_json
from evals.families.sets import item_of
from evals.questions.scorers import verdict
from models.base import Kind
from models.parsing import Profile
from tests.envs.shots.looks import HEAD, KITCHEN, RIGHT
from tests.evals.families.toys import toy

ANSWERS: dict[Kind, tuple[Answer, str, str]] = {
    Kind.CHOICE: ((2,), "C", "A"),
    Kind.CHOICES: ((0, 2), "A, C", "A"),
    Kind.ORDER: ((2, 0, 1), "C, A, B", "A, B, C"),
    Kind.MATCHING: ((1, 1), "B, B", "B, A"),
    Kind.JUDGEMENTS: ((1, 0, 1), "[1, 0, 1]", "[1, 1, 1]"),
    Kind.NUMBER: ((4,), "4", "5"),
    Kind.TEXT: ((("cup", "mug"),), "the mug", "the bowl"),
}


def recipe_of(kind: Kind) -> Recipe:
    options = () if kind in (Kind.NUMBER, Kind.TEXT) else ("one", "two", "three")
    made = replace(toy(kind, "What?", ANSWERS[kind][0], options=options), id=f"toys_{kind}")
    return replace(made, items=("first", "second")) if kind is Kind.MATCHING else made


@pytest.mark.parametrize("kind", ANSWERS)
def test_a_recipe_written_is_a_recipe_read(kind: Kind) -> None:
    recipe = recipe_of(kind)
    assert from_json(json.loads(json.dumps(to_json(recipe)))) == recipe
    shots = (Shot(RIGHT), Shot(HEAD, recipe.shots[0].marks, (Hold("cup_1"), Settle())))
    full = replace(recipe, situation=KITCHEN, shots=shots, proof={"far": {"1": 0.5}}, tags={"category": "Pointing"})
    assert from_json(json.loads(json.dumps(to_json(full)))) == full


@pytest.mark.parametrize("profile", list(Profile))
@pytest.mark.parametrize("kind", ANSWERS)
def test_the_reference_tells_right_from_wrong(kind: Kind, profile: Profile) -> None:
    _, right, wrong = ANSWERS[kind]
    assert verdict(f"Final Answer: {right}", reference(recipe_of(kind)), profile).right is True
    assert verdict(f"Final Answer: {wrong}", reference(recipe_of(kind)), profile).right is False


@pytest.mark.parametrize("kind", ANSWERS)
def test_an_item_has_all_that_a_set_needs(kind: Kind) -> None:
    item = item_of(replace(recipe_of(kind), sub_category="Counting"))
    assert item.pictures == (f"toys_{kind}/0",)
    assert item.tags["category"] == "Perception"
    assert item.tags["type"] == TYPE_OF[kind]
    assert (item.tags["family"], item.tags["pictures"]) == ("toys", "1")
    assert item.kind is kind
    assert item.reference == entry_of(recipe_of(kind))["reference"]


def test_files_of_recipes_are_the_same_bytes_each_time(tmp_path: Path) -> None:
    listed = [recipe_of(kind) for kind in ANSWERS]
    for folder in ("a", "b"):
        recipes.write(tmp_path / folder / f"toys{recipes.SUFFIX}", listed)
    one, other = (tmp_path / folder / f"toys{recipes.SUFFIX}" for folder in ("a", "b"))
    assert one.read_bytes() == other.read_bytes()
    assert recipes.read(one) == listed
    recipes.write(tmp_path / "a" / f"zoo{recipes.SUFFIX}", listed[:1])
    assert recipes.read(tmp_path / "a") == [*listed, listed[0]]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"no gzip", "is not a file of recipes"),
        (gzip.compress(b'{"id": "x"}\n', mtime=0)[:-6], "is not a file of recipes"),
        (gzip.compress(b"\xff\xfe\n", mtime=0), "is not a file of recipes"),
        (gzip.compress(b"{broken\n", mtime=0), "line 1: no recipe"),
        (gzip.compress(b'{"id": "x"}\n', mtime=0), "line 1: no recipe"),
        (gzip.compress(b"[1, 2]\n", mtime=0), "line 1: no recipe"),
    ],
)
def test_a_damaged_file_is_one_line(tmp_path: Path, content: bytes, message: str) -> None:
    file = tmp_path / f"toys{recipes.SUFFIX}"
    file.write_bytes(content)
    with pytest.raises(ValueError, match=message) as caught:
        recipes.read(file)
    assert "\n" not in str(caught.value)


def test_the_damaged_line_is_named(tmp_path: Path) -> None:
    file = tmp_path / f"toys{recipes.SUFFIX}"
    good = json.dumps(to_json(recipe_of(Kind.CHOICE)))
    bad = json.dumps({**to_json(recipe_of(Kind.CHOICE)), "kind": "riddle"})
    file.write_bytes(gzip.compress(f"{good}\n{bad}\n".encode()))
    with pytest.raises(ValueError, match="line 2"):
        recipes.read(file)


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="there is no file"):
        recipes.read(tmp_path / "none.jsonl.gz")
