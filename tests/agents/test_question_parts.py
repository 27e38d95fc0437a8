"""Questions in parts: yes or no for each part, combined to the likeliest answer."""

from __future__ import annotations

import pytest

from agents.posing import question_agent
from agents.split import Splitter
from evals.judges.question import Facts
from models.base import Kind, Reply, Request
from models.registry import load_model
from models.scripted import Scripted
from tests.agents.question_replies import LETTERED, asked_about
from tests.question_sets import events, item_of, play
from tools.events import Answered, Asked, Looked


@pytest.mark.parametrize("kind", [*LETTERED, Kind.NUMBER])
def test_a_question_is_taken_apart_by_its_form(kind: Kind) -> None:
    item = item_of(kind)
    count = len(item.options)
    _, records = play("answer_split", item, load_model("oracle"))
    parts = {
        Kind.CHOICE: count,
        Kind.CHOICES: count,
        Kind.JUDGEMENTS: count,
        Kind.ORDER: count * (count - 1) // 2,
        Kind.MATCHING: count * len(item.items),
        Kind.NUMBER: 4,
    }
    assert [event.phase for event in events(records, Asked)] == ["part"] * parts[kind]


class Sure(Scripted):
    """A model that gives probabilities of yes by what is asked about."""

    def __init__(self, chances: dict[str, float], plain: str = "") -> None:
        def script(request: Request) -> Reply:
            if request.kind is not Kind.YES_NO:
                return Reply(plain)
            yes = chances.get(str(request.about), 0.5)
            return Reply("Yes" if yes > 0.5 else "No", yes=yes, no=1 - yes)

        super().__init__(script)


def test_the_most_probable_option_wins_although_several_are_yes() -> None:
    _, records = play("answer_split", item_of(Kind.CHOICE), Sure({"option A": 0.6, "option C": 0.9, "option D": 0.8}))
    assert events(records, Answered)[0].text == "Final Answer: C"


def test_several_letters_are_those_above_one_half_and_at_least_one() -> None:
    several, _ = (
        events(play("answer_split", item_of(Kind.CHOICES), Sure(chances))[1], Answered)[0].value
        for chances in ({"option A": 0.51, "option D": 0.9, "option B": 0.4}, {})
    )
    assert several == ("A", "D")
    chances = {f"option {letter}": 0.1 for letter in "ABCDE"} | {"option B": 0.4}
    assert events(play("answer_split", item_of(Kind.CHOICES), Sure(chances))[1], Answered)[0].value == ("B",)


def test_doubtful_pairs_yield_to_certain_ones() -> None:
    """B before C before A before D is certain but for one doubtful answer that makes a circle of it."""
    order = "BCADE"
    item = item_of(Kind.ORDER)
    letters = "ABCDE"[: len(item.options)]
    chances = {
        f"before {one} {other}": 0.95 if order.index(one) < order.index(other) else 0.05
        for one in letters
        for other in letters
    }
    chances["before B D"] = 0.4
    _, records = play("answer_split", item, Sure(chances))
    assert events(records, Answered)[0].value == tuple(letter for letter in order if letter in letters)


def test_of_equally_probable_options_the_plain_answer_counts() -> None:
    equal = {"option B": 0.7, "option D": 0.7}
    plain = Sure(equal, "Final Answer: D")
    _, records = play("answer_split", item_of(Kind.CHOICE), plain)
    assert events(records, Answered)[0].text == "Final Answer: D"
    _, records = play("answer_split", item_of(Kind.CHOICE), Sure(equal, "Final Answer: A"))
    assert events(records, Answered)[0].text == "Final Answer: B"


def test_what_is_no_count_or_has_several_pictures_is_not_counted_in_parts() -> None:
    for item in (
        item_of(Kind.NUMBER, text="What is the number on the door?"),
        item_of(Kind.NUMBER, pictures=("1", "2")),
    ):
        assert asked_about(play("answer_split", item, load_model("oracle"))[1]) == [""]


def test_who_does_not_know_where_things_are_counts_as_a_whole() -> None:
    result, records = play("answer_split", item_of(Kind.NUMBER, facts=Facts()), load_model("oracle"), reask=0)
    assert result.success
    assert [event.phase for event in events(records, Asked)] == ["part"] * 4 + ["question"]


def test_the_rows_to_count_in_are_a_parameter() -> None:
    agent = question_agent("nine", "nine cells", Splitter(rows=3).graph)
    result, records = play(agent, item_of(Kind.NUMBER), load_model("oracle"))
    assert result.success
    assert len(events(records, Looked)) == 9
