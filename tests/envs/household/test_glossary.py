"""Every object that a plan may name is told from the others in words, as it looks and where it stands."""

from __future__ import annotations

import re
from itertools import permutations

import pytest

from envs.base import glossary as words_of
from envs.household.glossary import Entry, glossary, kind_words
from envs.household.home.looks import colour_name, colours, prints
from envs.household.home.things import KINDS, make
from envs.household.problems import SPLITS, HouseholdProblem, files, load
from envs.household.world import Household
from tests.envs.household.small_world import small_world

PATHS = [(split, path) for split in SPLITS for path in files(split)]


def entries(problem: HouseholdProblem) -> dict[str, Entry]:
    home = problem.setting.build()
    options = {need.name: need.options for need in problem.setting.needs}
    return {
        placed.thing.name: Entry(placed, home, options[placed.thing.name], problem.given)
        for placed in home.placed
        if placed.thing.name in problem.objects
    }


def fits(text: str, other: Entry) -> bool:
    """Whether what is said of an object could be said of another one too."""
    head, *clauses = text.split(", ")
    look = re.match(r"(?:a window with )?an? (.*?)(?: frame)?(?: (?:in|between) the .*)?$", head)
    assert look, head
    named = re.sub(rf"(^| ){other.kind}$", "", look[1])
    same_look = named in ("", "many-coloured") or all(other.has([colour]) for colour in named.split(" and "))
    return same_look and other.room in head and all(clause in (other.printed(), other.place()) for clause in clauses)


WHOLE = [pytest.param(split, 1, marks=pytest.mark.slow, id=split) for split in SPLITS]


@pytest.mark.parametrize(("split", "every"), [pytest.param("simple", 13, id="a sample"), *WHOLE])
def test_no_words_fit_two_objects_of_a_problem(split: str, every: int) -> None:
    for problem in (load(path, split) for path in files(split)[::every]):
        told, found = glossary(problem), entries(problem)
        assert list(told) == list(problem.objects)
        for name, other in permutations(found, 2):
            if found[name].kind == found[other].kind:
                assert fits(told[name], found[name]), (problem.id, name, told[name])
                assert not fits(told[name], found[other]), (problem.id, name, other, told[name])


def test_what_two_cabinets_of_a_kitchen_are_called() -> None:
    told = glossary(load(files("simple")[0], "simple"))
    assert told == {
        "cabinet_1": "a green cabinet in the kitchen",
        "cabinet_2": "a white cabinet in the kitchen",
        "sink_1": "a blue and grey sink in the kitchen",
        "bowl_1": "an orange and white bowl",
        "bowl_2": "a green and white bowl",
        "piece_of_cloth_1": "a white and purple piece of cloth",
    }


@pytest.mark.slow
def test_things_that_look_the_same_are_told_by_print_or_place() -> None:
    paths = [path for split, path in PATHS if split == "hard" and ("garage" in path.name or "groceries" in path.name)]
    told = [glossary(load(path, "hard")) for path in paths[:6]]
    cartons = [words for one in told for name, words in one.items() if name.startswith("carton")]
    assert 'a beige and brown carton in the garage, with "MOVING" printed on it' in cartons
    assert any(one.get("orange_2") == "an orange, on table_1 at the start" for one in told)


def test_toys_are_told_by_what_they_are() -> None:
    path = next(path for _, path in PATHS if "putting_away_toys_medium_0" in path.name)
    told = glossary(load(path, "medium"))
    assert told["plaything_5"] == "a yellow toy duck"
    assert told["plaything_3"] == "a many-coloured stack of rings"


@pytest.mark.slow
def test_where_a_thing_may_be_carried_is_not_said() -> None:
    """Where movables lie is to be seen, unless nothing else tells them apart."""
    for split, path in PATHS[::7]:
        problem = load(path, split)
        for name, words in glossary(problem).items():
            if problem.objects[name] == "movable":
                assert " in the " not in words
                assert "at the start" not in words or name.startswith("orange")


@pytest.mark.parametrize(
    ("colour", "name"),
    [
        ((0.0, 0.0, 0.0), "black"),
        ((0.97, 0.97, 0.95), "white"),
        ((0.6, 0.6, 0.6), "grey"),
        ((0.86, 0.12, 0.12), "red"),
        ((0.50, 0.07, 0.11), "red"),
        ((0.40, 0.05, 0.08), "dark red"),
        ((0.96, 0.50, 0.08), "orange"),
        ((0.99, 0.80, 0.10), "yellow"),
        ((0.14, 0.58, 0.24), "green"),
        ((0.12, 0.34, 0.82), "blue"),
        ((0.70, 0.86, 0.95), "light blue"),
        ((0.26, 0.13, 0.38), "dark purple"),
        ((0.90, 0.35, 0.65), "pink"),
        ((0.96, 0.50, 0.42), "pink"),
        ((0.76, 0.58, 0.38), "beige"),
        ((0.46, 0.29, 0.17), "brown"),
    ],
)
def test_colours_have_the_names_that_people_give_them(colour: tuple[float, float, float], name: str) -> None:
    assert colour_name(colour) == name


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_thing_has_colours(kind: str) -> None:
    found = colours(make(kind, f"{kind}_1", 0))
    assert found
    assert sum(found.values()) == pytest.approx(1.0)
    assert list(found.values()) == sorted(found.values(), reverse=True)


def test_what_is_printed_is_read() -> None:
    assert prints(make("carton", "carton_1", 0)) == ("MOVING",)
    assert prints(make("apple", "apple_1", 0)) == ()


def test_a_name_tells_its_kind() -> None:
    assert kind_words("electric_refrigerator_1") == "electric refrigerator"
    assert kind_words("book_2") == "paperback book"
    assert kind_words("table") == "table"


def test_a_world_has_its_words() -> None:
    world = small_world()
    assert set(words_of(world)) == set(world.objects)
    assert words_of(world)["carton_1"].startswith("a beige and brown carton")
    assert isinstance(world, Household)
