"""Traces made by hand, cut into turns: where a look, an attempt and the end belong, and what came of an attempt."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from evals.judges.turns import Turn, outcome_of, slipped, turns_of
from evals.run.trace import Record, Truth
from models.base import Kind
from tests.evals.test_divergence_boundaries import acted, asked, believed, called_off, scene
from tools.events import Acted, Asked, Believed, Called, Ended, Entered, Phase, Reason

EFFECT = asked("on a,b", True, True, Phase.EFFECT)
BEFORE = asked("on a,b", True, True)
END = Record(event=Ended(step=1, reason=Reason.FINISHED), truth=Truth(state=("at the end",)))


def attempt(
    happened: str | None = None, outcome: str = "executed", *, legal: bool = True, goal: bool = False
) -> Record:
    event = Acted(step=0, action="lift(a)", outcome=outcome)
    return Record(event=event, truth=Truth(legal=legal, happened=happened, goal=goal))


def cut(*records: Record) -> list[tuple[object, ...]]:
    """Each turn as the places of its records: seen before, led, attempt, checked, seen after."""

    def at(record: Record | None) -> int | None:
        return next((place for place, one in enumerate(records) if one is record), None)

    def all_at(some: Sequence[Record]) -> list[int | None]:
        return [at(one) for one in some]

    return [
        (at(turn.before), all_at(turn.lead_up), at(turn.attempt), all_at(turn.follow_up), at(turn.after))
        for turn in turns_of(records)
    ]


def test_an_episode_of_two_attempts() -> None:
    first, second, again = scene("one"), scene("two"), asked("on a,b", True, True)
    wanted = [(0, [1], 2, [4], 3), (3, [5], 6, [], 7)]
    assert cut(first, BEFORE, acted(), second, EFFECT, again, acted(), END) == wanted


def test_an_episode_of_three_attempts() -> None:
    asking = [asked("on a,b", True, True) for _ in range(3)]
    records = (asking[0], acted(), asking[1], acted(), asking[2], acted())
    assert cut(*records) == [(None, [0], 1, [], None), (None, [2], 3, [], None), (None, [4], 5, [], None)]


def test_the_first_of_two_looks_is_the_one_before() -> None:
    assert cut(scene("one"), scene("two"), BEFORE, acted(), END) == [(0, [2], 3, [], 4)]


def test_the_first_look_after_an_attempt_is_the_one_after() -> None:
    assert cut(scene("one"), acted(), scene("two"), scene("three"), EFFECT) == [(0, [], 1, [4], 2)]


def test_the_end_shows_what_nobody_looked_at() -> None:
    assert cut(scene("one"), acted(), END) == [(0, [], 1, [], 2)]
    assert cut(scene("one"), acted(), scene("two"), END) == [(0, [], 1, [], 2)]
    assert cut(scene("one"), called_off(), END) == [(0, [], 1, [], None)]
    assert cut(scene("one"), BEFORE, END) == [(0, [1], None, [], None)]


def test_an_attempt_shows_itself_what_it_changed_if_nobody_looked() -> None:
    changed, same, unknown = acted(after=["two"]), acted(after=["one"]), acted()
    assert cut(scene("one"), changed, BEFORE) == [(0, [], 1, [], 1), (1, [2], None, [], None)]
    assert cut(scene("one"), same, BEFORE) == [(0, [], 1, [], None), (0, [2], None, [], None)]
    assert cut(scene("one"), unknown, BEFORE) == [(0, [], 1, [], None), (0, [2], None, [], None)]
    assert cut(changed, BEFORE) == [(None, [], 0, [], 0), (0, [1], None, [], None)]
    assert cut(scene("one"), changed, scene("three"), BEFORE) == [(0, [], 1, [], 2), (2, [3], None, [], None)]


def call() -> Record:
    return Record(event=Called(step=1, name="act", arguments="{}", result="done"))


def test_a_call_right_after_an_attempt_is_the_feedback_to_the_model() -> None:
    assert cut(scene("one"), acted(), call()) == [(0, [], 1, [2], None)]
    assert cut(scene("one"), acted(), believed("x"), call()) == [(0, [], 1, [2, 3], None)]
    assert cut(scene("one"), call(), acted(), END) == [(0, [1], 2, [], 3)]


def test_any_other_call_begins_a_turn() -> None:
    assert cut(scene("one"), acted(), call(), call()) == [(0, [], 1, [2], None), (0, [3], None, [], None)]
    assert cut(scene("one"), acted(), EFFECT, call()) == [(0, [], 1, [2], None), (0, [3], None, [], None)]
    assert cut(scene("one"), acted(), scene("two"), call()) == [(0, [], 1, [], 2), (2, [3], None, [], None)]


def test_only_yes_or_no_questions_are_about_effects() -> None:
    event = Asked(step=1, kind=Kind.CHOICE, phase=Phase.EFFECT, reply="")
    assert cut(scene("one"), acted(), Record(event=event)) == [(0, [], 1, [], None), (0, [2], None, [], None)]


def test_an_episode_in_which_nothing_happened_has_no_turns() -> None:
    assert turns_of([]) == turns_of([END]) == []
    assert cut(scene("one")) == [(0, [], None, [], None)]


def test_turns_are_numbered_from_one_and_nodes_go_with_what_happens_in_them() -> None:
    node = Record(event=Entered(step=0, node="check"))
    turns = turns_of([scene("one"), acted(), node, BEFORE, acted(), END])
    assert [turn.number for turn in turns] == [1, 2]
    assert turns[0].follow_up == []
    assert turns[1].lead_up == [node, BEFORE]


def test_what_is_believed_after_a_node_began_belongs_to_that_node() -> None:
    node, belief = (
        Record(event=Entered(step=0, node="verify")),
        Record(event=Believed(step=0, added=("x",), dropped=())),
    )
    late = turns_of([scene("one"), node, BEFORE, acted(), belief, END])
    assert [turn.records[-1] for turn in late] == [belief]
    first = turns_of([node, BEFORE, acted(), BEFORE, belief, END])
    assert belief in first[0].records
    assert belief not in first[1].records


def test_a_turn_has_the_name_of_its_action() -> None:
    assert [Turn(1).action, Turn(1, attempt=acted("lift(b)")).action, Turn(1, attempt=called_off()).action] == [
        "",
        "lift(b)",
        "lift(a)",
    ]


@pytest.mark.parametrize(
    ("record", "said", "tone"),
    [
        (called_off(legal=True), "called off wrongly", "bad"),
        (called_off(legal=False), "called off rightly", "good"),
        (attempt(legal=False), "not legal", "bad"),
        (attempt("no-op", legal=False), "not legal", "bad"),
        (attempt("no-op"), "slipped: no-op", "warn"),
        (attempt("no-op", goal=True), "slipped: no-op", "warn"),
        (attempt("no-op", "no-op"), "done", "quiet"),
        (attempt("success"), "done", "quiet"),
        (attempt(), "done", "quiet"),
        (attempt("success", goal=True), "goal reached", "good"),
    ],
)
def test_what_came_of_an_attempt(record: Record, said: str, tone: str) -> None:
    assert outcome_of(record) == (said, tone)
    assert slipped(record) == said.startswith("slipped")


def test_only_a_legal_attempt_slips() -> None:
    question = Record(event=Asked(step=0, kind=Kind.YES_NO, reply=""), truth=Truth(legal=True, happened="no-op"))
    assert not slipped(question)
    assert not slipped(attempt("no-op", legal=False))
