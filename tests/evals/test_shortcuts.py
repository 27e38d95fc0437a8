"""Programs and learners that answer without looking: they find a planted leak, and none where there is none."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from evals.pages.tables import as_text
from evals.questions.known import LETTERS, Known, Spot, chance_of, marks_in
from evals.questions.leaks import Rate, rate_of, rates, table_of
from evals.questions.learned import cross_validated, position_features, text_features
from evals.questions.shortcuts import panel
from models.base import Kind
from tests.evals.leaky_sets import NAMES, Order, a_set, by, by_dice

MARKS = {"1": Spot(100, 50, 900), "2": Spot(300, 400, 100), "3": Spot(500, 200, 400)}
OPTIONS = ("the object marked 1", "the object marked 2", "the object marked 3")


def asked(kind: Kind, text: str, options: tuple[str, ...] = OPTIONS, **more: object) -> Known:
    return Known("it", kind, text, ("A", "B", "C"), options, spots=MARKS, **more)  # type: ignore[arg-type]


RIGHT = {
    "lower_first": ("B", "C", "A"),
    "area": ("A", "C", "B"),
    "flat": ("C", "B", "A"),
    "mirror": ("C", "B", "A"),
    "mention_order": ("A", "B", "C"),
    "first": ("A", "B", "C"),
}


@pytest.mark.parametrize("name", RIGHT)
def test_a_program_orders_marks(name: str) -> None:
    anchor = Spot(520, 200)
    question = asked(Kind.ORDER, "Put them in order, the nearest first.", anchor=anchor)
    order = RIGHT[name]
    assert panel([])[name](question) == order
    assert panel([])[name](replace(question, kind=Kind.CHOICES)) == (order[0],)
    chosen = panel([])[name](replace(question, kind=Kind.CHOICE))
    assert chosen == OPTIONS[LETTERS.index(order[0])]


@pytest.mark.parametrize("name", ["lower_first", "area", "flat", "mirror"])
def test_a_program_that_ranks_turns_round_for_the_other_end(name: str) -> None:
    question = asked(Kind.ORDER, "Put them in order, the farthest first.", anchor=Spot(520, 200))
    assert panel([])[name](question) == tuple(reversed(RIGHT[name]))


def test_options_without_marks_are_left_to_the_other_programs() -> None:
    question = asked(Kind.ORDER, "Which first?", ("open it", "take the red one", "go"))
    answers = {name: program(question) for name, program in panel([]).items()}
    assert answers["lower_first"] is answers["area"] is answers["flat"] is None
    assert answers["first"] == ("A", "B", "C")
    assert answers["longest"] == ("B", "A", "C")


def test_statements_are_judged_by_pairs_and_by_the_word_they_use() -> None:
    statements = ("1 is nearer than 2", "2 is nearer than 3", "1 is farther than 2", "2 is seen")
    question = asked(Kind.JUDGEMENTS, "Judge each statement.", statements)
    assert panel([])["lower_first"](question) == ("0", "1", "1", "1")
    assert panel([])["longest"](question) == ("0", "0", "1", "0")
    assert panel([])["mention_order"](question) == ("1", "1", "1", "1")


def test_things_nearer_than_the_anchor_are_counted() -> None:
    question = asked(Kind.NUMBER, "How many are nearer than the one in the red box?", (), anchor=Spot(0, 100, 500))
    assert panel([])["lower_first"](question) == 2.0
    assert panel([])["area"](question) == 1.0
    assert panel([])["lower_first"](replace(question, anchor=None)) is None


def test_views_are_matched_by_rank() -> None:
    marks = {**MARKS, "4": Spot(10, 410, 90, 1), "5": Spot(330, 20, 950, 1), "6": Spot(600, 220, 410, 1)}
    items, options = ("mark 1", "mark 2", "mark 3"), ("mark 4", "mark 5", "mark 6")
    question = Known("it", Kind.MATCHING, "Which is which?", (), options, items, marks)
    assert panel([])["lower_first"](question) == ("B", "A", "C")
    assert panel([])["area"](question) == ("B", "A", "C")
    assert panel([])["mirror"](question) == ("C", "B", "A")


def test_the_majority_is_that_of_other_scenes() -> None:
    def one(name: str, answer: str, scene: str) -> Known:
        return Known(name, Kind.CHOICE, "Which room is it?", answer, ("kitchen", "hall"), scene=scene)

    listed = [one("a", "kitchen", "1"), one("b", "kitchen", "1"), one("c", "hall", "2")]
    majority = panel(listed)["majority"]
    assert majority(listed[0]) == "hall"
    assert majority(listed[2]) == "kitchen"
    assert majority(replace(listed[2], options=("hall", "bath"))) is None


@pytest.mark.parametrize(
    ("kind", "answer", "options", "chance"),
    [
        (Kind.CHOICE, "a", 5, 1 / 5),
        (Kind.ORDER, ("A",) * 4, 4, 1 / 24),
        (Kind.ORDER, ("A",) * 2, 4, 1 / 12),
        (Kind.ORDER, ("A",) * 4, 0, 0.0),
        (Kind.MATCHING, ("A",) * 3, 4, 1 / 64),
        (Kind.JUDGEMENTS, ("1",) * 4, 4, 1 / 16),
        (Kind.NUMBER, 3.0, 0, 0.0),
    ],
)
def test_chance_by_form(kind: Kind, answer: object, options: int, chance: float) -> None:
    question = Known("it", kind, "?", answer, tuple("abcdefgh"[:options]))  # type: ignore[arg-type]
    assert chance_of(question) == pytest.approx(chance)
    assert chance_of(replace(question, chance=0.25)) == 0.25


def test_marks_are_found_as_whole_words() -> None:
    assert marks_in(asked(Kind.CHOICE, ""), "3 before 1, not 13 or x2") == [MARKS["3"], MARKS["1"]]


@pytest.fixture(scope="module")
def fair() -> list[Rate]:
    return rates(a_set(by_dice), "type")


def test_a_fair_set_has_no_leak(fair: list[Rate]) -> None:
    assert Counter(rate.group for rate in fair) == {"all": 10, "choice": 10, "order": 10, "judgements": 10}
    # Of forty rates one is above two standard errors by luck alone.
    assert sum(rate.leaks for rate in fair) <= 3
    assert all(rate.accuracy < rate.chance + 4 * rate.error for rate in fair)


def leaking(order: Order) -> set[str]:
    return {rate.program for rate in rates(a_set(order), "type") if rate.group == "all" and rate.leaks}


@pytest.mark.parametrize(
    ("order", "program"),
    [
        (by(lambda spot: spot.y), "lower_first"),
        pytest.param(by(lambda spot: spot.area), "area", marks=pytest.mark.slow),
        pytest.param(by(lambda spot: spot.x), "mirror", marks=pytest.mark.slow),
    ],
)
def test_a_leak_of_position_is_found_by_its_program_and_by_the_learner(order: Order, program: str) -> None:
    found = leaking(order)
    assert {program, "position_only"} <= found
    assert "text_only" not in found


@pytest.mark.slow
def test_a_leak_that_no_program_knows_is_found_by_the_learner() -> None:
    # Further left, and somewhat higher.
    assert leaking(by(lambda spot: -spot.x - 0.6 * spot.y)) >= {"position_only"}


def test_a_leak_of_words_is_found_by_the_text_learner() -> None:
    dice = Random(3)
    listed = []
    for number in range(150):
        options = tuple(dice.sample(NAMES, 5))
        right = min(options, key=NAMES.index) if dice.random() < 0.7 else dice.choice(options)
        listed.append(Known(str(number), Kind.CHOICE, "Which is in the box?", right, options, scene=str(number % 30)))
    found = {rate.program: rate for rate in rates(listed, "type") if rate.group == "all"}
    assert found["text_only"].leaks
    assert found["text_only"].accuracy > 0.45
    assert not found["position_only"].leaks


def test_a_leak_of_counts_is_found() -> None:
    dice = Random(3)
    listed = [
        Known(str(number), Kind.NUMBER, "How many?", dice.choice((3.0, 3.0, 3.0, 5.0)), scene=str(number), chance=0.1)
        for number in range(80)
    ]
    found = {rate.program: rate for rate in rates(listed, "type")}
    assert found["majority"].leaks
    assert found["text_only"].leaks


def test_matchings_are_learned() -> None:
    dice = Random(3)
    listed = []
    for number in range(80):
        items, options = dice.sample(NAMES, 4), dice.sample(NAMES, 4)
        options = dice.sample([f"home of the {name}" for name in items], 4)
        answer = tuple(LETTERS[options.index(f"home of the {name}")] for name in items)
        listed.append(
            Known(
                str(number),
                Kind.MATCHING,
                "Where?",
                answer,
                tuple(options),
                tuple(items),
                scene=str(number),
                chance=1 / 24,
            )
        )
    found = {rate.program: rate.accuracy for rate in rates(listed, "type")}
    assert found["text_only"] > 0.8


def test_nothing_is_learned_from_the_own_scene() -> None:
    # Every scene has an answer of its own: who has seen it knows all, who has not knows nothing.
    dice = Random(3)
    listed = []
    for number in range(60):
        scene = number % 12
        text, options = f"Which is in house {LETTERS[scene]}?", tuple(dice.sample(NAMES, len(NAMES)))
        listed.append(Known(str(number), Kind.CHOICE, text, NAMES[scene], options, scene=str(scene)))
    answers = cross_validated(listed, text_features)
    assert sum(question.right(answers[question.id]) for question in listed) <= 15
    everyone_alone = [replace(question, scene="") for question in listed]
    answers = cross_validated(everyone_alone, text_features)
    assert sum(question.right(answers[question.id]) for question in everyone_alone) >= 40


def test_answers_are_the_same_in_every_run() -> None:
    listed = a_set(by(lambda spot: spot.y), 30)
    assert cross_validated(listed, position_features) == cross_validated(listed, position_features)
    assert list(cross_validated(listed, text_features)) == [question.id for question in listed]


@pytest.mark.parametrize(("right", "leaks"), [(35, True), (34, False), (20, False), (100, True)])
def test_two_standard_errors_are_the_boundary(right: int, leaks: bool) -> None:
    # 0.25 + 2 × 0.0477 = 0.345: the accuracy's own error is the larger one.
    listed = [Known(str(number), Kind.CHOICE, "?", "a", ("a", "b", "c", "d")) for number in range(100)]
    rate = rate_of("it", "all", listed, {question.id: int(question.id) < right for question in listed})
    assert rate.accuracy == right / 100
    assert rate.leaks is (right / 100 > 0.25 + 2 * rate.error)
    assert rate.leaks is leaks


def test_a_lucky_answer_where_nothing_can_be_guessed_is_no_leak() -> None:
    listed = [Known(str(number), Kind.TEXT, "?", "a") for number in range(17)]
    assert not rate_of("it", "all", listed, {question.id: question.id == "3" for question in listed}).leaks
    assert rate_of("it", "all", listed, {question.id: int(question.id) < 8 for question in listed}).leaks


def test_the_table_names_groups_and_counts_leaks(fair: list[Rate]) -> None:
    text = as_text(table_of(fair), 200)
    assert "lower first" in text
    assert "judgements" in text
    assert f"{sum(rate.leaks for rate in fair)} rate" in text
