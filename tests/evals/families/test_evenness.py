"""No answer of a set is right much more often than by chance: of words, of places in the picture, of statements."""

from __future__ import annotations

from dataclasses import replace

from evals.families.base import Recipe
from evals.families.evenness import MORE, PLACES, SPARE, Evenness, places, with_places, without_places
from evals.questions.known import Spot
from models.base import Kind
from tests.evals.families.toys import toy

OPTIONS = ("a cup", "a bowl", "a box", "a ball")


def choice(right: int, text: str = "What is it?", options: tuple[str, ...] = OPTIONS) -> Recipe:
    return toy(Kind.CHOICE, text, (right,), options=options)


def test_one_answer_is_right_about_as_often_as_by_chance() -> None:
    even = Evenness()
    for _ in range(40):
        if even.allows(recipe := choice(0)):
            even.add(recipe)
    first = even.right["option", "a cup"]
    assert first <= SPARE + MORE * first / 4
    for right in (1, 2, 3) * 20:
        if even.allows(recipe := choice(right)):
            even.add(recipe)
    total = sum(even.right["option", option] for option in OPTIONS)
    assert total > 12, "there is room for the other answers"
    assert even.allows(choice(0)), "and for the first one again"


def test_what_is_asked_is_counted_apart() -> None:
    even = Evenness()
    even.add(choice(0, "Which of 3?"))
    assert not even.allows(choice(0, "Which of 5?")), "numbers make no other question"
    for right in (1, 2, 3):
        even.add(choice(right, "What else?"))
    assert even.allows(choice(0, "And this?"))
    assert not even.allows(choice(0, "Which of 7?"))


def test_an_order_of_the_same_options_is_seldom_right_twice() -> None:
    even = Evenness()
    order = toy(Kind.ORDER, "Sort them.", (0, 2, 1), options=("open it", "move it", "close it"))
    even.add(order)
    assert not even.allows(order)
    assert even.allows(replace(order, answer=(1, 0, 2)))
    assert not even.allows(replace(order, answer=((1, 0, 2), (0, 2, 1)))), "one of several"
    for _ in range(10):
        even.add(replace(order, answer=(1, 0, 2)))
    assert even.allows(order)


def test_a_count_is_seldom_right_twice_for_one_text() -> None:
    even = Evenness()
    cups = toy(Kind.NUMBER, "How many cups?", (3,))
    even.add(cups)
    assert not even.allows(cups)
    assert even.allows(replace(cups, answer=(4,)))
    assert even.allows(replace(cups, text="How many bowls?"))


def test_the_first_mark_of_an_option_counts() -> None:
    recipe = toy(Kind.CHOICE, "?", (0,), options=("move object 1 into 4", "move object 4 onto 5"))
    spots = {"1": Spot(1, 1, 9.0), "4": Spot(2, 2, 5.0), "5": Spot(3, 3, 1.0)}
    assert places(recipe, spots, None) == {
        "move object 1 into 4": ["least x", "least y", "most area", "most near"],
        "move object 4 onto 5": ["least near"],
    }


def test_statements_are_true_as_often_as_not() -> None:
    even = Evenness()
    true = toy(Kind.JUDGEMENTS, "Judge.", (1, 1, 0), options=("1 is on 2.", "2 is on 3.", "4 is on 5."))
    false = replace(true, answer=(0, 0, 1))
    for _ in range(6):
        even.add(true) if even.allows(true) else even.add(false)
    assert 0.35 <= even.right["statement", "# is on #.", True] / 18 <= 0.65


def test_ends_of_the_picture_are_known() -> None:
    recipe = toy(Kind.CHOICE, "?", (0,), options=("the object marked 1", "the object marked 2", "the cup", "none"))
    spots = {"1": Spot(10, 5, 300.0), "2": Spot(20, 9, 100.0), "the cup": Spot(30, 7, 200.0), "4": Spot(0, 0, 1.0, 1)}
    assert places(recipe, spots, Spot(29, 7)) == {
        "the object marked 1": ["least x", "least y", "most area", "most near"],
        "the object marked 2": ["most y", "least area"],
        "the cup": ["most x", "least near"],
    }


def test_the_lowest_mark_is_right_as_often_as_others() -> None:
    marked = replace(choice(0), proof={PLACES: {"a cup": ["most y"]}, "far": 1})
    even = Evenness()
    even.add(marked)
    other = replace(choice(0, "And this?", ("a pen", *OPTIONS[1:])), proof={PLACES: {"a pen": ["most y"]}})
    assert not even.allows(other)
    assert even.allows(replace(other, text="Which is the smallest?")), "the other end of the same order"
    assert without_places(marked).proof == {"far": 1}


def test_the_nearest_mark_is_right_as_often_as_others_in_each_text() -> None:
    even = Evenness()
    for number in range(40):
        never = ("a cup", *(f"{kind} {number}" for kind in "xyz"))
        even.add(replace(choice(1, "What falls?", never), proof={PLACES: {"a cup": ["least near"]}}))
    hit = replace(choice(0, "What is hit?", OPTIONS), proof={PLACES: {"a cup": ["least near"]}})
    even.add(hit)
    fresh = ("a pen", "a pan", "a pot", "a peg")
    again = replace(choice(0, "What is hit?", fresh), proof={PLACES: {"a pen": ["least near"]}})
    assert not even.allows(again), "that it is never right elsewhere does not make up for it"
    assert even.allows(replace(again, text="What is met?"))


def test_few_marks_have_no_ends() -> None:
    recipe = choice(0)
    assert with_places(recipe) is recipe
