"""Looking closer and pointing: parts of pictures enlarged, numbers at points."""

from __future__ import annotations

import pytest

from agents.posing import question_agent
from agents.zoom import Zoomer
from evals.judges.question import Facts
from models.base import Kind
from models.registry import load_model
from models.scripted import Scripted
from tests.agents.question_replies import Looking, asked_about, by_about
from tests.question_sets import events, item_of, play
from tools.events import Answered, Asked, Looked


def test_a_part_that_is_chosen_is_shown_enlarged_and_at_most_four_are() -> None:
    letters = iter("AEIC")
    model = Looking(lambda request: next(letters) if request.about == "look" else "Final Answer: A")
    _, records = play("answer_zoom", item_of(Kind.CHOICE), model)
    looked = [event.what for event in events(records, Looked)]
    assert looked[0] == "picture 1 with a grid"
    assert [what.partition(":")[0] for what in looked[1:]] == ["part of picture 1"] * 4
    last = model.asked[-1]
    assert len(last.pictures) == 5
    assert "Picture 5 is a part of picture 1, enlarged." in last.text
    assert [event.phase for event in events(records, Asked)] == ["look"] * 4 + ["question"]


@pytest.mark.parametrize("reply", ["J", "none", "banana", ""])
def test_who_has_seen_enough_answers(reply: str) -> None:
    model = Scripted(by_about({"look": reply}, "Final Answer: A"))
    _, records = play("answer_zoom", item_of(Kind.CHOICE), model, reask=0)
    assert asked_about(records) == ["look", ""]


def test_looking_at_the_same_part_again_ends_the_looking() -> None:
    _, records = play("answer_zoom", item_of(Kind.CHOICE), Scripted(by_about({"look": "E"}, "Final Answer: A")))
    assert asked_about(records) == ["look", "look", ""]


def test_of_several_pictures_one_is_chosen_first() -> None:
    letters = iter("BEC")
    model = Scripted(lambda request: next(letters) if request.about == "look" else "Final Answer: A")
    _, records = play("answer_zoom", item_of(Kind.CHOICE, pictures=("1", "2")), model)
    assert [event.what.partition(":")[0] for event in events(records, Looked)] == [
        "picture 2 with a grid",
        "part of picture 2",
    ]
    assert len(model.asked[-1].pictures) == 3


def test_how_often_it_looks_and_at_what_are_parameters() -> None:
    letters = iter("ABCDABCD")
    agent = question_agent("twice", "two looks", Zoomer(looks=2, rows=2).graph)
    model = Scripted(lambda request: next(letters) if request.about == "look" else "Final Answer: A")
    _, records = play(agent, item_of(Kind.CHOICE), model)
    assert asked_about(records) == ["look", "look", ""]
    assert [len(event.options) for event in events(records, Asked)[:2]] == [5, 5]


def test_what_is_pointed_to_is_numbered_in_a_picture_beside_the_own_one() -> None:
    model = Looking(by_about({"point": "```json\n[[1, 0.2, 0.3], [2, 0.5, 0.5]]\n```"}, "Final Answer: 2"))
    _, records = play("answer_marked", item_of(Kind.NUMBER, pictures=("1", "2", "3")), model)
    assert [event.what for event in events(records, Looked)] == [
        "picture 1 with numbers: 1 0.2 0.3",
        "picture 2 with numbers: 2 0.5 0.5",
    ]
    last = model.asked[-1]
    assert len(last.pictures) == 5
    assert "Picture 5 is picture 2 with pink numbers" in last.text


@pytest.mark.parametrize("said", ["I see none.", "[]", "[[7, 0.5, 0.5]]", "[[1, 40, 60]]"])
def test_without_points_it_goes_on(said: str) -> None:
    _, records = play("answer_marked", item_of(Kind.NUMBER), Scripted(by_about({"point": said}, "4")), reask=0)
    assert asked_about(records) == ["point", ""]
    assert not events(records, Looked)
    assert events(records, Answered)[0].value == 4.0


def test_a_stand_in_that_does_not_know_where_things_are_points_nowhere() -> None:
    result, records = play("answer_marked", item_of(Kind.NUMBER, facts=Facts()), load_model("oracle"), reask=0)
    assert result.success
    assert events(records, Asked)[0].fault
