"""The generator fills a table with questions: the same for one worker or two, and after an interruption."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from pathlib import Path

import pytest

from evals.families import filling
from evals.families import generate as generating
from evals.families.base import Recipe, from_json, to_json
from evals.families.generate import NotFilled, generate, of_family, verify
from models.base import Kind
from tests.evals.families.toys import Toy, toy

QUOTAS = {"Toys": {"counting": 20, "multiple-choice": 20, "sorting": 6, "composite-judgement": 8, "open": 0}}


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> Toy:
    family = Toy()
    monkeypatch.setattr(generating, "families", lambda: {"toys": family})
    monkeypatch.setattr(generating, "family", lambda name: family)
    return family


def counts(recipes: list[Recipe]) -> Counter[str]:
    return Counter(recipe.type for recipe in recipes)


def test_the_table_is_filled(toys: Toy) -> None:
    found = generate(QUOTAS, 0)
    assert counts(found) == {kind: n for kind, n in QUOTAS["Toys"].items() if n}
    assert [recipe.id for recipe in found] == [f"toys_{number:04}" for number in range(1, len(found) + 1)]
    assert not any(recipe.answer == (5,) for recipe in found if recipe.kind is Kind.NUMBER), "what is not confirmed"


def test_the_caps_hold(toys: Toy) -> None:
    found = generate(QUOTAS, 0)
    homes = Counter(recipe.situation.home for recipe in found)
    assert max(homes.values()) <= filling.PER_SCENE
    answers = Counter(recipe.answer for recipe in found if recipe.kind is Kind.NUMBER)
    assert max(answers.values()) <= 0.15 * 20
    patterns = Counter(recipe.answer for recipe in found if recipe.kind is Kind.JUDGEMENTS)
    assert max(patterns.values()) <= 0.25 * 8
    true = Counter(sum(recipe.answer) for recipe in found if recipe.kind is Kind.JUDGEMENTS)
    assert max(true.values()) <= 0.5 * 8
    asked = Counter((recipe.situation.home, recipe.kind, recipe.text) for recipe in found)
    assert set(asked.values()) == {1}
    scenes, different = defaultdict(set), defaultdict(set)
    for recipe in found:
        scenes[recipe.text].add(recipe.situation.home)
        different[recipe.text].add(recipe.wording)
    assert min(len(some) for some in scenes.values()) >= filling.SCENES
    assert min(len(some) for some in different.values()) >= filling.ANSWERS


def test_letters_are_even(toys: Toy) -> None:
    found = generate({"Toys": {"multiple-choice": 20}}, 1)
    letters = Counter(recipe.letters for recipe in found)
    assert letters == dict.fromkeys("ABCDE", 4)


def test_another_seed_makes_other_questions(toys: Toy) -> None:
    assert generate(QUOTAS, 0) == generate(QUOTAS, 0)
    assert generate(QUOTAS, 0) != generate(QUOTAS, 1)


@pytest.mark.parametrize("cut", [0, 1, 40])
def test_an_interrupted_run_goes_on_where_it_was(toys: Toy, tmp_path: Path, cut: int) -> None:
    whole = generate(QUOTAS, 0)
    scenes = len(toys.looked_at)
    stops = iter((False, True))

    def stop(progress: object) -> None:
        if next(stops):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        generate(QUOTAS, 0, folder=tmp_path, report=stop)
    (file,) = tmp_path.iterdir()
    text = file.read_text()
    done = text.count("\n")
    assert 0 < done < scenes
    file.write_text(text[: len(text) - cut])  # the last line, as a kill may leave it
    toys.looked_at.clear()
    assert generate(QUOTAS, 0, folder=tmp_path) == whole
    assert len(toys.looked_at) == scenes - done + (cut > 0)
    toys.looked_at.clear()
    assert generate(QUOTAS, 0, folder=tmp_path) == whole
    assert toys.looked_at == []


def test_proposals_may_be_changed_or_left_out(toys: Toy) -> None:
    quotas = {"Toys": {"multiple-choice": 6}}

    def change(recipe: Recipe) -> Recipe | None:
        return None if recipe.text.endswith("1?") else replace(recipe, tags={"changed": "yes"})

    found = generate(quotas, 0, change=change)
    assert {recipe.text for recipe in found} == {"Which toy of sort 0?"}
    assert all(recipe.tags == {"changed": "yes"} for recipe in found)


def test_what_cannot_be_filled_is_said(toys: Toy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generating, "_BARREN", 2)
    with pytest.raises(NotFilled, match="family toys: 3 open still missing after 6 scenes"):
        generate({"Toys": {"open": 3}}, 0)


def test_unknown_names_are_refused(toys: Toy) -> None:
    with pytest.raises(ValueError, match=r"'Toyz'.*Did you mean 'Toys'"):
        generate({"Toyz": {"counting": 1}}, 0)
    with pytest.raises(ValueError, match=r"'countin'.*Did you mean 'counting'"):
        generate({"Toys": {"countin": 1}}, 0)


def test_a_family_is_a_part_of_the_table() -> None:
    table = {"Counting": {"counting": 3}, "Relative distance": {"sorting": 2}}
    assert of_family(table, "distance") == {"Relative distance": {"sorting": 2}}
    assert of_family(table, None) == table
    with pytest.raises(ValueError, match="no sub-category of this set 'Counting'"):
        of_family({"Relative distance": {}}, "counting")


def test_a_planted_wrong_answer_is_noticed(toys: Toy) -> None:
    good = [replace(toy(Kind.CHOICE, "?", (1,), n, ("a", "b")), proof={"answer": [1]}, id=f"q{n}") for n in range(4)]
    assert verify(good) == []
    planted = [*good[:2], replace(good[2], answer=(0,)), good[3]]
    (difference,) = verify(planted)
    assert difference.recipe.id == "q2"
    assert difference.answer == (1,)
    assert str(difference) == "q2: (0,) in the recipe, (1,) when computed again"


def test_what_cannot_be_computed_again_is_a_difference(toys: Toy, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(recipe: Recipe) -> None:
        raise ValueError("no such box")

    monkeypatch.setattr(toys, "verify", fails)
    (difference,) = verify([replace(toy(Kind.CHOICE, "?", (1,), options=("a", "b")), id="q")])
    assert str(difference) == "q: (1,) in the recipe, ValueError: no such box"


@pytest.mark.slow
def test_two_workers_find_what_one_does(tmp_path: Path) -> None:
    quotas = {"Counting": {"counting": 3}}
    found = [
        [to_json(recipe) for recipe in generate(quotas, 0, folder=tmp_path / str(workers), workers=workers)]
        for workers in (1, 2)
    ]
    assert found[0] == found[1]
    recipes = [from_json(entry) for entry in found[0]]
    assert len(recipes) == 3
    assert verify(recipes, workers=2) == []
    planted = [recipes[0], replace(recipes[1], answer=(recipes[1].answer[0] + 1,)), recipes[2]]
    assert [difference.recipe.id for difference in verify(planted)] == [recipes[1].id]
